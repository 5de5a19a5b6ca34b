"""One document examined: anonymise, draft, check every citation, assign locks, write the report.

Nothing here charges or stores anything; no transaction is open while an engine works.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime

from app import corpus, redaction
from app.analysis import authorities, locks, node_a, report
from app.analysis.errors import ModelUnavailable
from app.analysis.order import Order
from app.analysis.statements import Brief, Draft, Lock, Section, Statement
from app.citations import protected_spans
from app.platform import settings

# One computation at a time in a process. More gain nothing under the interpreter's lock and lose much: every
# match of a regular expression gives the lock away, and dozens of threads then fight for it (measured with 32
# callers: a third of the rate). Waiting for a model happens outside.
_computing = threading.Lock()


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found out about one document, before anything is charged. `repr` shows no text."""

    order: Order
    report: report.Report
    draft: Draft
    checks: tuple[authorities.Checked, ...]
    redactions: Mapping[str, int]

    def __repr__(self) -> str:
        return f"<Examination of {len(self.order.text)} characters>"


def examine(order: Order, *, mask_names: bool, on: datetime) -> Examination:
    """Examine one document against the law in force `on`.

    Raises `ModelUnavailable` or `ModelFailed` (503, 502) when an engine cannot.
    """
    if order.mode == "deep":
        raise ModelUnavailable(
            "Mode deep needs an auditor (node B) and none is configured: use mode standard. "
            "Nothing was charged."
        )
    config = settings.current()
    engine = node_a.engine(config.node_a_engine)
    original = order.text.reveal()
    with _computing:
        redacted = redaction.redact(
            original,
            jurisdiction=order.jurisdiction,
            protected=protected_spans(original, order.jurisdiction),
            mask_names=mask_names,
        )
    with _computing if engine.local else nullcontext():
        draft = engine.analyse(Brief(redacted.text, order.jurisdiction, order.branch, order.language))
    with _computing:
        return ground(
            order,
            draft,
            redacted.text,
            authorities.Authorities(order.jurisdiction, on.date()),
            restore=redacted.restore,
            redactions=dict(redacted.counts),
            imprint=_imprint(order, draft, config.service_name),
            wire_name=config.wire_name,
        )


def ground(
    order: Order,
    draft: Draft,
    document: str,
    found: authorities.Authorities,
    *,
    restore: report.Restore,
    redactions: Mapping[str, int],
    imprint: str,
    wire_name: str,
) -> Examination:
    """Hold a draft against `document`, the text it was drafted from, and against the law.

    Every citation is checked, every lock assigned and the report written; `restore` puts back the identifiers
    that were masked in `document`.
    """
    cited = found.read(document)
    statements = (*draft.statements, *_citation_statements(cited, order))
    judged = locks.judge(statements, document, found.holds)
    checks = found.checks()
    written = report.write(
        order,
        draft,
        judged,
        checks,
        _flags(order, checks, found.jurisdiction),
        restore=restore,
        wire_name=wire_name,
        sources={"norms_registry": sum(1 for item in checks if item.verdict.status != "not_verifiable")},
        imprint=imprint,
    )
    return Examination(order, written, draft, checks, redactions)


def _citation_statements(cited: Sequence[authorities.Checked], order: Order) -> list[Statement]:
    """One statement for each citation of the document, its verdict as the text."""
    seen: dict[str, Statement] = {}
    for item in cited:
        verdict = item.verdict
        note = verdict.note if order.language == "es" else verdict.note_en
        seen.setdefault(
            item.citation.text,
            Statement(
                Section.CITATIONS,
                f"{_VERDICTS[verdict.status][order.language == 'en']}: {note}",
                quotes=(item.citation.text,),
                # The words stand in the document; only a verified authority lets that carry the certain lock.
                proposed=Lock.L1 if verdict.status == "verified" else Lock.L4,
                severity="high" if verdict.status in authorities.BROKEN else None,
            ),
        )
    return list(seen.values())


_VERDICTS = {
    "verified": ("Verificada", "Verified"),
    "mismatch": ("No coincide", "Mismatch"),
    "not_found": ("No existe", "Not found"),
    "derogated": ("Derogada", "Repealed"),
    "not_verifiable": ("No verificable", "Not verifiable"),
    "pending": ("Pendiente", "Pending"),
}


def _flags(order: Order, checks: Sequence[authorities.Checked], jurisdiction: str) -> list[str]:
    spanish = order.language == "es"
    flags = []
    broken = [item for item in checks if item.verdict.status in authorities.BROKEN]
    for item in broken:
        words = _VERDICTS[item.verdict.status][0 if spanish else 1].lower()
        flags.append(
            f"Cita que revisar ({words}) - {item.citation.text}"
            if spanish
            else f"Citation to review ({words}) - {item.citation.text}"
        )
    if not corpus.norm_count(jurisdiction):
        flags.append(
            f"Sin corpus de {jurisdiction} - sus citas no son verificables aquí"
            if spanish
            else f"No corpus for {jurisdiction} - its citations are not verifiable here"
        )
    return flags


def _imprint(order: Order, draft: Draft, service: str) -> str:
    if order.language == "es":
        return (
            f"{service} elaboró este análisis con el motor «{draft.engine}» ({draft.model}). Los candados de "
            "certeza los asigna código que los ha comprobado. Es una ayuda de trabajo y no sustituye el "
            "criterio de un profesional del Derecho."
        )
    return (
        f"{service} made this analysis with the engine “{draft.engine}” ({draft.model}). Certainty locks are "
        "assigned by code that checked them. It supports a lawyer's work and does not replace their "
        "judgement."
    )
