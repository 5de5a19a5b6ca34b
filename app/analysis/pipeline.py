"""One document examined: anonymise, draft, check every citation, assign locks, audit, write the report.

Nothing here charges or stores anything; no transaction is open while an engine works.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from app import corpus, redaction
from app.analysis import citation_checker, locks, node_a, node_b
from app.analysis.answer import report
from app.analysis.answer.attribution import imprint, signed
from app.analysis.audit import DETERMINISTIC, Audit, Case, hold
from app.analysis.cpu_lock import Turn
from app.analysis.judgment_validity import judgment_texts, still_good
from app.analysis.jurisdiction import assessment
from app.analysis.jurisdiction.detection import Detection, detect
from app.analysis.readiness import outside
from app.analysis.request import AUTO, Order
from app.analysis.retrieval import covered, passages, sources
from app.analysis.sanitize import Cleaner, Restore
from app.branding import Voice
from app.citations import protected_spans
from app.platform import settings
from app.rules import Brief, Draft, Lock, RulesEngine, Section, Statement, topics

_computing = Turn()


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found out about one document, before anything is charged. `repr` shows no text.

    `audit` is node B's at mode deep; its texts, like the report's, are ready for the client.
    """

    order: Order
    report: report.Report
    draft: Draft
    checks: tuple[citation_checker.Checked, ...]
    redactions: Mapping[str, int]
    audit: Audit | None = None

    def __repr__(self) -> str:
        return f"<Examination of {len(self.order.text)} characters>"

    @property
    def models(self) -> tuple[str, ...]:
        """Identifiers of what analysed and, at mode deep, of what audited."""
        return (self.draft.model, self.audit.auditor) if self.audit else (self.draft.model,)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A draft whose every citation is checked and every lock assigned; the first `own` are node A's."""

    judged: tuple[locks.Judged, ...]
    own: int
    checks: tuple[citation_checker.Checked, ...]
    flags: tuple[str, ...]


def examine(
    order: Order,
    *,
    mask_names: bool | None,
    on: datetime,
    voice: Voice,
    citator: bool = False,
    deadline: float | None = None,
) -> Examination:
    """Examine one document against the law in force `on`, and give the analysis under the name of `voice`.

    `mask_names` is the account's choice; without one (`None`) names of persons and addresses are masked where
    anything leaves this process. `citator` is whether the account has that add-on: judgments cited are then
    held against it. `deadline` is the monotonic time by which to be done; without it, `ANALYSIS_DEADLINE_S`
    from now. Raises `ModelUnavailable` or `ModelFailed` (503, 502) when an engine cannot.
    """
    config = settings.current()
    if deadline is None:
        deadline = time.monotonic() + config.analysis_deadline_s
    original = order.text.reveal()
    asked = order.jurisdiction
    with _computing:
        detected = detect(original)
    if asked == AUTO:
        order = replace(order, jurisdiction=assessment.chosen(asked, detected))
    found = citation_checker.Authorities(
        order.jurisdiction,
        on.date(),
        _computing.lent(corpus.consult),
        _computing.lent(still_good) if citator else None,
        _computing.lent(judgment_texts),
    )
    leaves = outside(config, order.mode)
    if mask_names is None:
        mask_names = leaves
    with _computing:
        redacted = redaction.redact(
            original,
            jurisdiction=order.jurisdiction,
            protected=protected_spans(original, order.jurisdiction),
            mask_names=mask_names,
            outside=leaves,
            recogniser=redaction.recogniser(config.name_recogniser) if mask_names else None,
        )
        modelled = config.node_a_engine != "rules"
        known = sources(redacted.text, found, order.language) if modelled else ()
        about = topics(redacted.text, order.jurisdiction, order.language) if modelled else ""
    known += passages(about, order.jurisdiction, on.date(), config)
    brief = Brief(redacted.text, order.jurisdiction, order.branch, order.language, known, deadline)
    draft = node_a.draft(brief, computing=lambda: _computing)
    if mask_names:
        draft = replace(draft, notes=(*draft.notes, redaction.NAMES_ARE_PARTIAL[order.language]))
    with _computing:
        weighed = weigh(order, draft, redacted.text, found)
    audit = _audit(order, brief, draft, weighed, found) if order.mode == "deep" else None
    with _computing:
        found_out = compose(
            order,
            draft,
            weighed,
            restore=redacted.restore,
            redactions=dict(redacted.counts),
            imprint=imprint(draft, order.language, voice.author(config.service_name)),
            wire_name=config.wire_name,
            audit=audit,
            detected=detected,
            asked=asked,
            submitted=original,
            locate=_locator(redacted),
        )
        written, told = signed(
            found_out.report,
            found_out.audit,
            voice,
            document=original,
            language=order.language,
            service_name=config.service_name,
            wire_name=config.wire_name,
        )
    return replace(found_out, report=written, audit=told)


def weigh(order: Order, draft: Draft, document: str, found: citation_checker.Authorities) -> Weighed:
    """Hold a draft against `document`, the text it was drafted from, and against the law."""
    literal = locks.Literal(document)
    cited = found.read(document, draft.statements, literal)
    statements = (*draft.statements, *_citation_statements(cited, order))
    judged = locks.judge(statements, literal, found.backing, recites=found.recited, judgments=found.judgments)
    checks = found.checks()
    return Weighed(judged, len(draft.statements), checks, tuple(_flags(order, checks, found.jurisdiction)))


def compose(
    order: Order,
    draft: Draft,
    weighed: Weighed,
    *,
    restore: Restore,
    redactions: Mapping[str, int],
    imprint: str,
    wire_name: str,
    audit: Audit | None = None,
    detected: Detection = assessment.NOTHING_DETECTED,
    asked: str = "",
    submitted: str | None = None,
    locate: report.Locate = lambda start, end: (start, end),
) -> Examination:
    """Write the report.

    Args:
        restore: puts back the identifiers that were masked in the document.
        detected: the jurisdiction that the document's words point to; `asked` is what the caller gave.
        submitted: the text as it was sent, where it is not the one that was analysed; `locate` maps spans
            to it.
    """
    flags = weighed.flags
    if audit is not None:
        draft = replace(draft, modules=(*draft.modules, *audit.modules))
        flags = (*flags, *_objections(order, audit))
    written = report.write(
        order,
        draft,
        weighed.judged,
        weighed.checks,
        flags,
        restore=restore,
        wire_name=wire_name,
        sources={
            "norms_registry": sum(1 for item in weighed.checks if item.verdict.status != "not_verifiable")
        },
        imprint=imprint,
        assessment=assessment.assess(order, draft, detected, asked=asked),
        submitted=order.text.reveal() if submitted is None else submitted,
        locate=locate,
    )
    told = None
    if audit is not None:
        by_code = audit.auditor == DETERMINISTIC
        told = audit.told(Cleaner(restore, order.language, draft.engine if by_code else "model").said)
    told = told.placed(report.order_of(weighed.judged)) if told else None
    return Examination(order, written, draft, weighed.checks, redactions, told)


def ground(
    order: Order,
    draft: Draft,
    document: str,
    found: citation_checker.Authorities,
    *,
    restore: Restore,
    redactions: Mapping[str, int],
    imprint: str,
    wire_name: str,
) -> Examination:
    """A draft weighed and composed at once, where nothing is to be waited for."""
    return compose(
        order,
        draft,
        weigh(order, draft, document, found),
        restore=restore,
        redactions=redactions,
        imprint=imprint,
        wire_name=wire_name,
    )


def _locator(redacted: redaction.Redaction) -> report.Locate:
    """Return how places of the anonymised text are found in the submitted one."""
    return redacted.original_span


def _audit(
    order: Order,
    brief: Brief,
    draft: Draft,
    weighed: Weighed,
    found: citation_checker.Authorities,
) -> Audit:
    with _computing:
        by_rules = draft.engine == RulesEngine.name
        reference = draft if by_rules else node_a.engine(RulesEngine.name).analyse(brief)
        # What only the reference cites is no part of the answer: its checks stay apart.
        apart = found.apart()
        if not by_rules:
            apart.read(brief.text, reference.statements)
        case = Case(
            document=brief.text,
            jurisdiction=order.jurisdiction,
            branch=order.branch,
            language=order.language,
            draft=draft,
            judged=weighed.judged[: weighed.own],
            checks=weighed.checks,
            cited={
                written: one.of(written)
                for one, drafted in ((apart, reference), (found, draft))
                for statement in drafted.statements
                for written in statement.citations
            },
            reference=reference,
        )
    model = node_b.model(settings.current().node_b_engine)
    return hold(case, model, deadline=brief.deadline, computing=_computing)


def _objections(order: Order, audit: Audit) -> list[str]:
    if not audit.findings:
        return []
    high = sum(finding.severity == "high" for finding in audit.findings)
    return [
        f"Auditoría del nodo B - {len(audit.findings)} hallazgos, {high} de gravedad alta"
        if order.language == "es"
        else f"Node B audit - {len(audit.findings)} findings, {high} of high severity"
    ]


def _citation_statements(cited: Sequence[citation_checker.Checked], order: Order) -> list[Statement]:
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
                proposed=_earned(item),
                severity="high" if verdict.status in citation_checker.BROKEN else None,
                origin="code",
                facts={"status": verdict.status, "depth": verdict.depth or ""},
            ),
        )
    return list(seen.values())


def _earned(item: citation_checker.Checked) -> Lock:
    """What the verdict on a citation lets its own sentence propose."""
    if item.verdict.status != "verified":
        return Lock.L4
    return Lock.L2J if item.citation.kind == "L2-J" else Lock.L1


_VERDICTS = {
    "verified": ("Verificada", "Verified"),
    "mismatch": ("No coincide", "Mismatch"),
    "not_found": ("No existe", "Not found"),
    "derogated": ("Derogada", "Repealed"),
    "not_verifiable": ("No verificable", "Not verifiable"),
    "pending": ("Pendiente", "Pending"),
}


def _flags(order: Order, checks: Sequence[citation_checker.Checked], jurisdiction: str) -> list[str]:
    spanish = order.language == "es"
    flags = []
    broken = [item for item in checks if item.verdict.status in citation_checker.BROKEN]
    for item in broken:
        words = _VERDICTS[item.verdict.status][0 if spanish else 1].lower()
        flags.append(
            f"Cita que revisar ({words}) - {item.citation.text}"
            if spanish
            else f"Citation to review ({words}) - {item.citation.text}"
        )
    if not covered(jurisdiction):
        flags.append(
            f"Sin corpus de {jurisdiction} - sus citas no son verificables aquí"
            if spanish
            else f"No corpus for {jurisdiction} - its citations are not verifiable here"
        )
    return flags
