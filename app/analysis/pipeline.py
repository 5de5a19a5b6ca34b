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
from app.analysis.answer.attribution import attribute, attribution_line
from app.analysis.audit import DETERMINISTIC, Audit, Case, run_audit
from app.analysis.cpu_lock import Turn
from app.analysis.judgments import good_judgments, judgment_texts
from app.analysis.jurisdiction import assessment
from app.analysis.jurisdiction.detection import Detection, detect
from app.analysis.readiness import outside
from app.analysis.request import AUTO, AnalysisRequest
from app.analysis.retrieval import covered, passages, sources
from app.analysis.sanitize import Cleaner, Restore
from app.branding import Attribution
from app.citations import protected_spans
from app.platform import settings
from app.rules import Brief, Draft, Lock, RulesEngine, Section, Statement, topics

_computing = Turn()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was found out about one document, before anything is charged. `repr` shows no text.

    `audit` is node B's at mode deep; its texts, like the report's, are ready for the client.
    """

    request: AnalysisRequest
    report: report.Report
    draft: Draft
    checks: tuple[citation_checker.CheckedCitation, ...]
    redactions: Mapping[str, int]
    audit: Audit | None = None

    def __repr__(self) -> str:
        return f"<Examination of {len(self.request.text)} characters>"

    @property
    def models(self) -> tuple[str, ...]:
        """Identifiers of what analysed and, at mode deep, of what audited."""
        return (self.draft.model, self.audit.auditor) if self.audit else (self.draft.model,)


@dataclass(frozen=True, slots=True)
class JudgedDraft:
    """A draft whose every citation is checked and every lock assigned; the first `own` are node A's."""

    judged: tuple[locks.JudgedStatement, ...]
    own: int
    checks: tuple[citation_checker.CheckedCitation, ...]
    flags: tuple[str, ...]


def analyse(
    request: AnalysisRequest,
    *,
    mask_names: bool | None,
    on: datetime,
    attribution: Attribution,
    citator: bool = False,
    deadline: float | None = None,
) -> Analysis:
    """Analyse one document against the law in force `on`, under the name that `attribution` gives.

    `mask_names` is the account's choice; without one (`None`) names of persons and addresses are masked where
    anything leaves this process. `citator` is whether the account has that add-on: judgments cited are then
    held against it. `deadline` is the monotonic time by which to be done; without it, `ANALYSIS_DEADLINE_S`
    from now. Raises `ModelUnavailable` or `ModelFailed` (503, 502) when an engine cannot.
    """
    config = settings.current()
    if deadline is None:
        deadline = time.monotonic() + config.analysis_deadline_s
    original = request.text.reveal()
    asked = request.jurisdiction
    with _computing:
        detected = detect(original)
    if asked == AUTO:
        request = replace(request, jurisdiction=assessment.chosen(asked, detected))
    found = citation_checker.Authorities(
        request.jurisdiction,
        on.date(),
        _computing.lent(corpus.look_up),
        _computing.lent(good_judgments) if citator else None,
        _computing.lent(judgment_texts),
    )
    leaves = outside(config, request.mode)
    if mask_names is None:
        mask_names = leaves
    with _computing:
        redacted = redaction.redact(
            original,
            jurisdiction=request.jurisdiction,
            protected=protected_spans(original, request.jurisdiction),
            mask_names=mask_names,
            outside=leaves,
            recogniser=redaction.recogniser(config.name_recogniser) if mask_names else None,
        )
        modelled = config.node_a_engine != "rules"
        known = sources(redacted.text, found, request.language) if modelled else ()
        about = topics(redacted.text, request.jurisdiction, request.language) if modelled else ""
    known += passages(about, request.jurisdiction, on.date(), config)
    brief = Brief(redacted.text, request.jurisdiction, request.branch, request.language, known, deadline)
    draft = node_a.draft(brief, computing=lambda: _computing)
    if mask_names:
        draft = replace(draft, notes=(*draft.notes, redaction.NAMES_ARE_PARTIAL[request.language]))
    with _computing:
        judged_draft = judge_draft(request, draft, redacted.text, found)
    audit = _audit(request, brief, draft, judged_draft, found) if request.mode == "deep" else None
    with _computing:
        found_out = render(
            request,
            draft,
            judged_draft,
            restore=redacted.restore,
            redactions=dict(redacted.counts),
            attribution_line=attribution_line(
                draft, request.language, attribution.author(config.service_name)
            ),
            wire_name=config.wire_name,
            audit=audit,
            detected=detected,
            asked=asked,
            submitted=original,
            locate=_locator(redacted),
        )
        written, told = attribute(
            found_out.report,
            found_out.audit,
            attribution,
            document=original,
            language=request.language,
            service_name=config.service_name,
            wire_name=config.wire_name,
        )
    return replace(found_out, report=written, audit=told)


def judge_draft(
    request: AnalysisRequest, draft: Draft, document: str, found: citation_checker.Authorities
) -> JudgedDraft:
    """Hold a draft against `document`, the text it was drafted from, and against the law."""
    literal = locks.QuoteFinder(document)
    cited = found.read(document, draft.statements, literal)
    statements = (*draft.statements, *_citation_statements(cited, request))
    judged = locks.judge(statements, literal, found.backing, recites=found.recited, judgments=found.judgments)
    checks = found.checks()
    return JudgedDraft(
        judged, len(draft.statements), checks, tuple(_flags(request, checks, found.jurisdiction))
    )


def render(
    request: AnalysisRequest,
    draft: Draft,
    judged_draft: JudgedDraft,
    *,
    restore: Restore,
    redactions: Mapping[str, int],
    attribution_line: str,
    wire_name: str,
    audit: Audit | None = None,
    detected: Detection = assessment.NOTHING_DETECTED,
    asked: str = "",
    submitted: str | None = None,
    locate: report.Locate = lambda start, end: (start, end),
) -> Analysis:
    """Write the report.

    Args:
        restore: puts back the identifiers that were masked in the document.
        detected: the jurisdiction that the document's words point to; `asked` is what the caller gave.
        submitted: the text as it was sent, where it is not the one that was analysed; `locate` maps spans
            to it.
    """
    flags = judged_draft.flags
    if audit is not None:
        draft = replace(draft, modules=(*draft.modules, *audit.modules))
        flags = (*flags, *_objections(request, audit))
    written = report.write(
        request,
        draft,
        judged_draft.judged,
        judged_draft.checks,
        flags,
        restore=restore,
        wire_name=wire_name,
        sources={
            "norms_registry": sum(
                1 for item in judged_draft.checks if item.verdict.status != "not_verifiable"
            )
        },
        attribution_line=attribution_line,
        assessment=assessment.assess(request, draft, detected, asked=asked),
        submitted=request.text.reveal() if submitted is None else submitted,
        locate=locate,
    )
    told = None
    if audit is not None:
        by_code = audit.auditor == DETERMINISTIC
        told = audit.with_texts(
            Cleaner(restore, request.language, draft.engine if by_code else "model").engine_text
        )
    told = told.renumbered(report.order_of(judged_draft.judged)) if told else None
    return Analysis(request, written, draft, judged_draft.checks, redactions, told)


def judge_and_render(
    request: AnalysisRequest,
    draft: Draft,
    document: str,
    found: citation_checker.Authorities,
    *,
    restore: Restore,
    redactions: Mapping[str, int],
    attribution_line: str,
    wire_name: str,
) -> Analysis:
    """A draft weighed and composed at once, where nothing is to be waited for."""
    return render(
        request,
        draft,
        judge_draft(request, draft, document, found),
        restore=restore,
        redactions=redactions,
        attribution_line=attribution_line,
        wire_name=wire_name,
    )


def _locator(redacted: redaction.Redaction) -> report.Locate:
    """Return how places of the anonymised text are found in the submitted one."""
    return redacted.original_span


def _audit(
    request: AnalysisRequest,
    brief: Brief,
    draft: Draft,
    judged_draft: JudgedDraft,
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
            jurisdiction=request.jurisdiction,
            branch=request.branch,
            language=request.language,
            draft=draft,
            judged=judged_draft.judged[: judged_draft.own],
            checks=judged_draft.checks,
            cited={
                written: one.of(written)
                for one, drafted in ((apart, reference), (found, draft))
                for statement in drafted.statements
                for written in statement.citations
            },
            reference=reference,
        )
    model = node_b.model(settings.current().node_b_engine)
    return run_audit(case, model, deadline=brief.deadline, computing=_computing)


def _objections(request: AnalysisRequest, audit: Audit) -> list[str]:
    if not audit.findings:
        return []
    high = sum(finding.severity == "high" for finding in audit.findings)
    return [
        f"Auditoría del nodo B - {len(audit.findings)} hallazgos, {high} de gravedad alta"
        if request.language == "es"
        else f"Node B audit - {len(audit.findings)} findings, {high} of high severity"
    ]


def _citation_statements(
    cited: Sequence[citation_checker.CheckedCitation], request: AnalysisRequest
) -> list[Statement]:
    """One statement for each citation of the document, its verdict as the text."""
    seen: dict[str, Statement] = {}
    for item in cited:
        verdict = item.verdict
        note = verdict.note if request.language == "es" else verdict.note_en
        seen.setdefault(
            item.citation.text,
            Statement(
                Section.CITATIONS,
                f"{_VERDICTS[verdict.status][request.language == 'en']}: {note}",
                quotes=(item.citation.text,),
                # The words stand in the document; only a verified authority lets that carry the certain lock.
                proposed=_earned(item),
                severity="high" if verdict.status in citation_checker.BROKEN else None,
                origin="code",
                facts={"status": verdict.status, "depth": verdict.depth or ""},
            ),
        )
    return list(seen.values())


def _earned(item: citation_checker.CheckedCitation) -> Lock:
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


def _flags(
    request: AnalysisRequest, checks: Sequence[citation_checker.CheckedCitation], jurisdiction: str
) -> list[str]:
    spanish = request.language == "es"
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
