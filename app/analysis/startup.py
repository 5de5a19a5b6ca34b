"""Prepare a process for its first analysis: check the engines' settings, load rules and grammars."""

from __future__ import annotations

import threading
from datetime import date

from app import redaction, search
from app.analysis import llm, sandbox
from app.analysis.draft import node_a
from app.analysis.jurisdiction.detection import detect
from app.analysis.pipeline import judge_and_render
from app.analysis.request import LANGUAGES, AnalysisRequest
from app.citations import protected_spans
from app.platform import clock, settings
from app.platform.confidential import DocumentText
from app.platform.settings import Settings
from app.rules import Brief, check_weights, clause_classifier, kind_classifier, passage_index

_TEXT = (
    "CONTRATO DE ARRENDAMIENTO. De una parte, doña Ana Vidal, con DNI 12345678Z. La renta será de 900 euros "
    "mensuales, la fianza de una mensualidad (art. 36.1 LAU) y el plazo de un año. Véanse la Ley 1/2000, de "
    "7 de enero, la STS 241/2013, de 9 de mayo, y el Reglamento (UE) 2016/679."
)
_lock = threading.Lock()
_warm = False


def check_settings(config: Settings) -> None:
    """Check that the engines that `config` chooses can be used.

    Raises:
        SettingsError: naming the setting that is missing or wrong.
    """
    redaction.recogniser(config.name_recogniser)
    for vendor in _vendors(config):
        llm.check(vendor, config)


def warm_up() -> None:
    """Load rules, weights, grammars and the registry of norms, once per process.

    Analyses a short text in each language and makes an answer of the sandbox. Without it, callers that come
    together to a new process would each load everything, all at once.

    Raises:
        WeightsError: when what is learnt of clauses, kinds or passages is missing or stale; it names the
            command to run.
    """
    global _warm
    with _lock:
        if _warm:
            return
        now, config = clock.now(), settings.current()
        for vendor in _vendors(config):
            llm.model(vendor, "a", config)
        clause_classifier()
        kind_classifier()
        passage_index("ES")
        check_weights()
        search.load()
        for language in LANGUAGES:
            rehearse(AnalysisRequest(DocumentText(_TEXT), language=language), now.date())
        sandbox.canned_answer(
            sandbox.NAMES[0],
            "es",
            "standard",
            author=config.service_name,
            wire_name=config.wire_name,
            on=now.date(),
        )
        _warm = True


def _vendors(config: Settings) -> list[llm.Name]:
    """Return the vendors whose models stand behind a node."""
    engines = {config.node_a_engine, config.node_b_engine, config.node_a_fallback}
    return [vendor for vendor in llm.NAMES if vendor in engines]


def rehearse(request: AnalysisRequest, on: date) -> None:
    """Compute what an analysis computes in this process, whatever engine is set; no model is asked."""
    text = request.text.reveal()
    detect(text)
    redacted = redaction.redact(text, protected=protected_spans(text, request.jurisdiction), mask_names=True)
    draft = node_a.engine("rules").analyse(
        Brief(redacted.text, request.jurisdiction, request.branch, request.language)
    )
    judge_and_render(
        request,
        draft,
        redacted.text,
        jurisdiction=request.jurisdiction,
        on=on,
        restore=redacted.restore,
        redactions=redacted.counts,
        attribution_line="",
        wire_name="Service",
    )
