"""Loading what the first analysis would otherwise wait for: rules, grammars, the registry of norms."""

from __future__ import annotations

import threading
from datetime import date

from app import redaction
from app.analysis import llm, node_a, sandbox
from app.analysis.citation_checker import Authorities
from app.analysis.pipeline import judge_and_render
from app.analysis.readiness import chosen
from app.analysis.request import LANGUAGES, AnalysisRequest
from app.citations import protected_spans
from app.platform import clock, settings
from app.platform.confidential import DocumentText
from app.rules import Brief

_TEXT = (
    "CONTRATO DE ARRENDAMIENTO. De una parte, doña Ana Vidal, con DNI 12345678Z. La renta será de 900 euros "
    "mensuales, la fianza de una mensualidad (art. 36.1 LAU) y el plazo de un año. Véanse la Ley 1/2000, de "
    "7 de enero, la STS 241/2013, de 9 de mayo, y el Reglamento (UE) 2016/679."
)
_lock = threading.Lock()
_warm = False


def warm() -> None:
    """Examine a short text in each language and make the sandbox's answer, once per process.

    Without it, callers that come together to a new process would each load everything, all at once.
    """
    global _warm
    with _lock:
        if _warm:
            return
        now, config = clock.now(), settings.current()
        for vendor in chosen(config):
            llm.model(vendor, "a", config)
        for language in LANGUAGES:
            _rehearse(AnalysisRequest(DocumentText(_TEXT), language=language), now.date())
        sandbox.canned_answer(
            sandbox.NAMES[0],
            "es",
            "standard",
            author=config.service_name,
            wire_name=config.wire_name,
            on=now.date(),
        )
        _warm = True


def _rehearse(request: AnalysisRequest, on: date) -> None:
    """What an examination computes here, whatever engine is set: nobody is asked anything."""
    text = request.text.reveal()
    redacted = redaction.redact(text, protected=protected_spans(text, request.jurisdiction), mask_names=True)
    draft = node_a.engine("rules").analyse(
        Brief(redacted.text, request.jurisdiction, request.branch, request.language)
    )
    judge_and_render(
        request,
        draft,
        redacted.text,
        Authorities(request.jurisdiction, on),
        restore=redacted.restore,
        redactions=redacted.counts,
        attribution_line="",
        wire_name="Service",
    )
