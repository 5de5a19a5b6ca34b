"""Analyse one document: redact, retrieve, draft, check citations, judge support and locks, audit, render.

`analyse` is that walk from top to bottom. Nothing here charges or stores anything; no transaction is open
while an engine works.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Final

from app import redaction
from app.analysis import progress
from app.analysis.answer import report
from app.analysis.answer.attribution import attribute, attribution_line
from app.analysis.answer.citation_statements import (
    audit_flags,
    citation_statements,
    review_flags,
    without_cited_dates,
)
from app.analysis.audit import DETERMINISTIC, Audit, Case, auditor, challenge, conclude
from app.analysis.checks import citation_checker, locks
from app.analysis.checks.citation_checker import NOTHING_LOADED, CollectedCitations, LoadedLaw
from app.analysis.checks.citation_findings import CheckedCitation, CitationFindings
from app.analysis.checks.refusals import accepted, refusals
from app.analysis.cpu_lock import CPU_LOCK
from app.analysis.draft import given_analysis, merge, node_a, restatement
from app.analysis.errors import ModelFailed, ModelUnavailable
from app.analysis.jurisdiction import assessment
from app.analysis.jurisdiction.detection import Detection, detect
from app.analysis.llm.drafting import repair, restate
from app.analysis.llm.drafting.repair import Attack, Repair
from app.analysis.nodes import Nodes
from app.analysis.request import AnalysisRequest, Mode
from app.analysis.retrieval import Grounds, ground, verdicts
from app.analysis.sanitize import Cleaner, Restore
from app.analysis.support.quote_finder import QuoteFinder
from app.analysis.tools import Toolbox
from app.branding import Attribution
from app.citations import protected_spans
from app.platform import settings
from app.platform.confidential import DocumentText
from app.platform.settings import Settings
from app.rules import (
    MODEL,
    Brief,
    Draft,
    Reading,
    RulesEngine,
    Section,
    Statement,
    find_inconsistencies,
    leave_out_repeats,
)
from app.text.bilingual import Bilingual, pick

# Verdicts on a citation that the loaded law or the registry of norms has.
_FOUND: Final = frozenset({"verified", "mismatch", "derogated"})
_LAW_UNREAD: Final[Bilingual] = Bilingual(
    "No se pudo consultar la ley cargada al comprobar las citas: se compararon solo con el registro de "
    "normas, y ninguna afirmación se apoya en el texto de un artículo o de una sentencia.",
    "The loaded law could not be read when the citations were checked: they were compared with the registry "
    "of norms alone, and no statement rests on the text of an article or a judgment.",
)


@dataclass(frozen=True, slots=True)
class Analysis:
    """An analysis of one document, before anything is charged. `repr` shows no text.

    Attributes:
        request: what was asked, under the jurisdiction that was applied.
        report: the text and the statements, ready for the client.
        draft: node A's draft; its texts are anonymised.
        checks: every citation of document and draft with its verdict.
        redactions: how many values of each type of field were masked.
        audit: node B's at mode deep, ready for the client.
        own: the nodes, `A` and `B`, at which an engine of the account's own worked.
    """

    request: AnalysisRequest
    report: report.Report
    draft: Draft
    checks: tuple[CheckedCitation, ...]
    redactions: Mapping[str, int]
    audit: Audit | None = None
    own: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Analysis of {len(self.request.text)} characters>"

    @property
    def models(self) -> tuple[str, ...]:
        """Identifiers of what analysed and, at mode deep, of what audited."""
        return (self.draft.model, self.audit.auditor) if self.audit else (self.draft.model,)


@dataclass(frozen=True, slots=True)
class JudgedDraft:
    """A draft whose every citation is checked and every lock assigned.

    Attributes:
        judged: the statements with their locks; the first `own` are node A's, the others code's.
        own: how many statements are node A's.
        checks: every citation of document and draft with its verdict.
        flags: what a lawyer should review.
    """

    judged: tuple[locks.JudgedStatement, ...]
    own: int
    checks: tuple[CheckedCitation, ...]
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _CheckedDraft:
    """A judged draft with what its citations were checked by."""

    judged: JudgedDraft
    findings: CitationFindings
    collected: CollectedCitations
    law: LoadedLaw


@dataclass(frozen=True, slots=True)
class _Judging:
    """What every draft of one analysis is judged by: the request, the document, the day."""

    request: AnalysisRequest
    finder: QuoteFinder
    day: date
    citator: bool

    def judge(
        self,
        draft: Draft,
        collected: CollectedCitations,
        law: LoadedLaw,
        *,
        withdrawn: frozenset[int] = frozenset(),
    ) -> _CheckedDraft:
        """Check the citations of a draft and assign its locks, looking up law that is not known yet.

        `withdrawn` are the places of statements that leave the answer: what they cite is no part of it.
        """
        with CPU_LOCK:
            kept = [one for place, one in enumerate(draft.statements) if place not in withdrawn]
            collected = citation_checker.collect_statements(collected, kept, self.finder)
        law = citation_checker.look_up(collected, self.day, citator=self.citator, known=law)
        with CPU_LOCK:
            findings = citation_checker.check(collected, law, self.day, self.finder)
            judged = judge(self.request, draft, self.finder, findings, jurisdiction=self.request.jurisdiction)
            judged = replace(judged, judged=locks.without(judged.judged, withdrawn))
        return _CheckedDraft(judged, findings, collected, law)


def analyse(
    request: AnalysisRequest,
    *,
    mask_names: bool | None,
    on: datetime,
    attribution: Attribution,
    nodes: Nodes | None = None,
    citator: bool = False,
    deadline: float | None = None,
    given: DocumentText | None = None,
) -> Analysis:
    """Analyse one document against the law in force `on`.

    Args:
        request: the document and what is asked of it.
        mask_names: whether names of persons and addresses are masked; `None` where text leaves this process.
        on: the time of the request, whose law applies.
        attribution: under whose name the analysis is given.
        nodes: whose engines work; by default the operator's.
        citator: whether the account has that add-on: judgments cited are then checked against it.
        deadline: the monotonic time by which to be done, in seconds; by default `ANALYSIS_DEADLINE_S` from
            now for every 50,000 characters begun.
        given: an analysis of the document that somebody else wrote; it then stands in the place of node A's.

    Raises:
        ModelFailed: a model answered with nothing usable (502).
        ModelUnavailable: no model can be asked now (503).
    """
    config, day = settings.current(), on.date()
    if nodes is None:
        nodes = Nodes.of_settings(config)
    if deadline is None:
        deadline = time.monotonic() + config.analysis_deadline_s * request.units
    submitted, asked = request.text.reveal(), request.jurisdiction
    progress.begin(law=given is None and nodes.ask_models(request.mode), deep=request.mode == "deep")

    with CPU_LOCK:
        detected = detect(submitted)
        request = replace(request, jurisdiction=assessment.choose_jurisdiction(asked, detected))
        outside = nodes.send_text_outside(request.mode)
        if mask_names is None:
            mask_names = outside
        masker = _Masker(request.jurisdiction, config, mask_names=mask_names, outside=outside)
        redacted = masker.document(request, given)
        document = redacted.text if given is None else redacted.text[: redacted.placed(len(submitted))]
        collected = citation_checker.collect_document(document, request.jurisdiction)
        finder = QuoteFinder(document)
        reading = Reading(document, request.jurisdiction)

    brief = Brief(
        document,
        request.jurisdiction,
        request.branch,
        request.language,
        (),
        deadline,
        reading,
        asked_on=day,
    )
    if given is None:
        law, floor, grounds = _retrieve(request, brief, reading, collected, finder, day, nodes, masker)
        if floor is not None:
            brief = replace(
                brief,
                sources=grounds.sources,
                role=request.role,
                findings=floor.statements,
                days=grounds.days,
            )
        toolbox = None
        if nodes.a != RulesEngine.name and config.model_tool_rounds:
            toolbox = Toolbox(
                brief,
                masker,
                on=day,
                rounds=config.model_tool_rounds,
                calls=config.model_tool_calls * request.units,
                citator=citator,
            )
        progress.stage("drafting")
        draft = node_a.draft(brief, nodes, toolbox)
        if toolbox is not None:
            brief = replace(brief, sources=(*brief.sources, *toolbox.sources))
        if floor is not None and draft.engine != RulesEngine.name:  # a fallback to the rules is the floor
            draft = replace(draft, notes=(*draft.notes, *grounds.notes))
            with CPU_LOCK:
                draft = merge.merge(floor, draft, finder, request.jurisdiction, request.language).draft
    else:
        law, floor, grounds = NOTHING_LOADED, None, Grounds()
        progress.stage("drafting")
        with CPU_LOCK:
            draft = given_analysis.draft(redacted.text[len(document) :], brief)
    added: tuple[Statement, ...] = ()
    if request.mode == "deep":
        with CPU_LOCK:
            added = leave_out_repeats(find_inconsistencies(brief), draft.statements)
    if given is None:
        draft = _with_inconsistencies(draft, added, request)
    if mask_names:
        draft = replace(draft, notes=(*draft.notes, redaction.NAMES_ARE_PARTIAL[request.language]))

    progress.stage("judging")
    judging = _Judging(request, finder, day, citator=citator)
    checked = judging.judge(draft, collected, law)
    progress.sources_found(len(grounds.passages) + _number_found(checked.findings.checks))
    progress.statements_judged(len(checked.judged.judged))
    if config.restatement_round:
        draft, checked = _restate(brief, draft, checked, judging, nodes)

    audit, judged = None, checked.judged
    if request.mode == "deep":
        progress.stage("auditing")
        case = _case(request, brief, draft, floor, checked, finder, day, added)
        found = challenge(case, nodes.own_b or auditor(nodes.b), deadline=deadline)
        answers, failed = _repair(brief, draft, found.attacks(case), nodes)
        if answers is not None and answers.answers:
            draft = answers.applied(draft)
            checked = judging.judge(draft, checked.collected, checked.law, withdrawn=answers.withdrawn)
            judged = checked.judged
            progress.statements_judged(len(judged.judged))
            case = _case(request, brief, draft, floor, checked, finder, day, added)
        with CPU_LOCK:
            audit = conclude(case, found, answers, failed=failed)
            judged = replace(judged, judged=locks.dispute(judged.judged, audit.disputed()))
    if checked.law.unread:
        draft = replace(draft, notes=(*draft.notes, _LAW_UNREAD.in_(request.language)))

    with CPU_LOCK:
        analysis = render(
            request,
            draft,
            judged,
            restore=redacted.restore,
            redactions=dict(redacted.counts),
            attribution_line=attribution_line(
                draft, request.language, attribution.author(config.service_name)
            ),
            wire_name=config.wire_name,
            audit=audit,
            detected=detected,
            asked=asked,
            submitted=submitted,
            locate=redacted.original_span,
        )
        written, audit = attribute(
            analysis.report,
            analysis.audit,
            attribution,
            document=submitted,
            language=request.language,
            service_name=config.service_name,
            wire_name=config.wire_name,
        )
    return replace(analysis, report=written, audit=audit, own=_own(nodes, draft, audit))


def judge_and_render(
    request: AnalysisRequest,
    draft: Draft,
    document: str,
    *,
    jurisdiction: str,
    on: date,
    restore: Restore,
    redactions: Mapping[str, int],
    attribution_line: str,
    wire_name: str,
) -> Analysis:
    """Check, judge and render a draft about `document` by the registry of norms alone, waiting for nothing.

    `jurisdiction` is the one whose law the document cites.
    """
    finder = QuoteFinder(document)
    findings = citation_checker.check_by_registry(document, draft.statements, jurisdiction, on, finder)
    return render(
        request,
        draft,
        judge(request, draft, finder, findings, jurisdiction=jurisdiction),
        restore=restore,
        redactions=redactions,
        attribution_line=attribution_line,
        wire_name=wire_name,
    )


def judge(
    request: AnalysisRequest,
    draft: Draft,
    finder: QuoteFinder,
    findings: CitationFindings,
    *,
    jurisdiction: str,
) -> JudgedDraft:
    """Assign the locks of a draft's statements, and of one statement for each citation of the document.

    Args:
        request: what was asked.
        draft: node A's draft.
        finder: the document that it was drafted from.
        findings: what the checks of citations found.
        jurisdiction: the one whose law the document cites.
    """
    drafted = without_cited_dates(draft.statements, findings.document)
    by_code = citation_statements(findings.document, request.language, drafted, finder)
    judged = locks.judge(
        (*drafted, *by_code),
        finder,
        replace(findings, statements={**findings.statements, **by_code}),
    )
    flags = review_flags(findings.checks, jurisdiction, request.language)
    return JudgedDraft(judged, len(drafted), findings.checks, flags)


def render(
    request: AnalysisRequest,
    draft: Draft,
    judged: JudgedDraft,
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
        request: what was asked, under the jurisdiction that was applied.
        draft: node A's draft.
        judged: its statements with their locks.
        restore: puts back the identifiers that were masked in the document.
        redactions: how many values of each type of field were masked.
        attribution_line: the line that says who made the analysis and how.
        wire_name: the service's name in technical literals.
        audit: node B's audit, at mode deep.
        detected: the jurisdiction that the document's words point to.
        asked: the jurisdiction that the caller gave.
        submitted: the text as it was sent, where it is not the one that was analysed.
        locate: maps spans of the analysed text to the submitted one.
    """
    flags = judged.flags
    if audit is not None:
        draft = replace(draft, modules=(*draft.modules, *audit.modules))
        flags = (*flags, *audit_flags(audit, request.language))
    written = report.write(
        request,
        draft,
        judged.judged,
        judged.checks,
        flags,
        restore=restore,
        wire_name=wire_name,
        sources={"norms_registry": sum(item.verdict.status != "not_verifiable" for item in judged.checks)},
        attribution_line=attribution_line,
        assessment=assessment.assess(request, draft, detected, asked=asked),
        submitted=request.text.reveal() if submitted is None else submitted,
        locate=locate,
    )
    if audit is not None:
        engine = draft.engine if audit.auditor == DETERMINISTIC else "model"
        audit = audit.with_texts(Cleaner(restore, request.language, engine).engine_text)
        audit = audit.renumbered(report.order_of(judged.judged))
    return Analysis(request, written, draft, judged.checks, redactions, audit)


def sends_text_outside(config: Settings, mode: Mode) -> bool:
    """Tell whether an analysis in `mode` by the operator's engines may send text out of this process."""
    return Nodes.of_settings(config).send_text_outside(mode)


def by_rules_alone(engine: str) -> bool:
    """Tell by its `contentOrigin.engine` whether rules alone made an analysis, without a model."""
    return set(engine.split("+")) <= {MODEL, DETERMINISTIC}


class _Masker:
    """Anonymises the document, then whatever else goes out with it, under the same placeholders."""

    def __init__(self, jurisdiction: str, config: Settings, *, mask_names: bool, outside: bool) -> None:
        self._jurisdiction, self._mask_names, self._outside = jurisdiction, mask_names, outside
        self._recogniser = redaction.recogniser(config.name_recogniser) if mask_names else None
        self._document: redaction.Redaction | None = None

    def document(self, request: AnalysisRequest, given: DocumentText | None) -> redaction.Redaction:
        """Anonymise the document, with the analysis that somebody else wrote, if any."""
        text = request.text.reveal()
        if given is not None:
            # Both in one text, so that a value that stands in both gets one placeholder.
            text += given_analysis.BETWEEN + given.reveal()
        self._document = self._redact(text)
        return self._document

    def __call__(self, text: str) -> str:
        """Anonymise a text that goes out beside the document."""
        return self._redact(text).text

    def _redact(self, text: str) -> redaction.Redaction:
        return redaction.redact(
            text,
            jurisdiction=self._jurisdiction,
            protected=partial(protected_spans, text, self._jurisdiction),
            mask_names=self._mask_names,
            outside=self._outside,
            recogniser=self._recogniser,
            beside=self._document,
        )


def _with_inconsistencies(draft: Draft, added: tuple[Statement, ...], request: AnalysisRequest) -> Draft:
    """Return node A's draft with what node B's code found in the document itself, told as risks."""
    number = sum(one.section is Section.RISKS for one in added)
    if not number:
        return draft
    said = pick(
        request.language,
        f"El nodo B añade {number} {'incoherencia' if number == 1 else 'incoherencias'} del documento.",
        f"Node B adds {number} {'inconsistency' if number == 1 else 'inconsistencies'} of the document.",
    )
    summary = f"{draft.summary.rstrip()} {said}".strip()
    return replace(draft, statements=(*draft.statements, *added), summary=summary)


def _retrieve(
    request: AnalysisRequest,
    brief: Brief,
    reading: Reading,
    collected: CollectedCitations,
    finder: QuoteFinder,
    day: date,
    nodes: Nodes,
    masker: _Masker,
) -> tuple[LoadedLaw, Draft | None, Grounds]:
    """Look up the law that a model is told before it drafts, and what the rules find.

    The rules are told nothing. Where no model is to draft or, in mode deep, to audit, nothing is looked up.

    Returns:
        The law that was looked up for the document's citations, the rules' draft, the passages for a model.
    """
    if not nodes.ask_models(request.mode):
        return NOTHING_LOADED, None, Grounds()
    progress.stage("law")
    law = citation_checker.look_up(collected, day)
    with CPU_LOCK:
        cited = citation_checker.check(collected, law, day, finder).document
        floor = node_a.engine(RulesEngine.name).analyse(brief)
        grounds = ground(
            reading, floor.statements, collected.document, request.language, day, branch=request.branch
        )
        # A judgment may name people, too.
        passages = tuple(
            replace(one, source=replace(one.source, text=masker(one.source.text))) for one in grounds.passages
        )
    progress.sources_found(len(passages) + _number_found(cited))
    return law, floor, replace(grounds, passages=passages, verdicts=verdicts(cited, request.language))


def _own(nodes: Nodes, draft: Draft, audit: Audit | None) -> tuple[str, ...]:
    """Return at which nodes an engine of the account's own worked, and not code in its place."""
    worked = {"A": draft.engine == nodes.a, "B": audit is not None and audit.auditor != DETERMINISTIC}
    return tuple(node for node in nodes.own if worked[node])


def _number_found(checks: Iterable[CheckedCitation]) -> int:
    return sum(one.verdict.status in _FOUND for one in checks)


def _restate(
    brief: Brief, draft: Draft, checked: _CheckedDraft, judging: _Judging, nodes: Nodes
) -> tuple[Draft, _CheckedDraft]:
    """Have the model that drafted say again what was refused for its wording (decision 095).

    Returns:
        The draft with the restatements that earned a lock and say the same, judged again where there are any.
    """
    drafter = node_a.drafter(draft.engine, nodes)
    if drafter is None:
        return draft, checked
    with CPU_LOCK:
        refused = refusals(checked.judged.judged[: checked.judged.own], judging.finder)
    answers = restatement.ask(brief, draft.statements, refused, judging.finder, drafter) if refused else None
    if answers is None:
        return draft, checked
    proposed = replace(draft, statements=tuple(answers.statements.values()))
    again = judging.judge(proposed, checked.collected, checked.law).judged.judged
    with CPU_LOCK:
        told = {one.statement: one for one in refused}
        statements = list(draft.statements)
        said = {(one.section, one.text) for one in statements}
        for place, judged in zip(answers.statements, again, strict=False):
            key = (judged.statement.section, judged.statement.text)
            if key not in said and accepted(
                judged, checked.judged.judged[place], told[place], judging.finder
            ):
                statements[place] = judged.statement
                said.add(key)
    number = sum(one is not other for one, other in zip(statements, draft.statements, strict=True))
    modules = (
        f"node A restatement {answers.model}, {number} of {len(refused)} statements",
        restate.version(),
    )
    draft = replace(draft, statements=tuple(statements), modules=(*draft.modules, *modules))
    if number:
        checked = judging.judge(draft, checked.collected, checked.law)
    return draft, checked


def _repair(
    brief: Brief, draft: Draft, attacks: Sequence[Attack], nodes: Nodes
) -> tuple[Repair | None, bool]:
    """Have the model that drafted answer what is objected to it.

    Returns:
        Its answers, `None` where there was nothing to ask or nobody to ask it, and whether it failed to
        answer: the objections then stand, and the audit says so.
    """
    drafter = node_a.drafter(draft.engine, nodes)
    if drafter is None or not attacks:
        return None, False
    progress.stage("repair")
    try:
        return repair.ask(brief, draft, attacks, drafter), False
    except (ModelFailed, ModelUnavailable):
        return None, True


def _case(
    request: AnalysisRequest,
    brief: Brief,
    draft: Draft,
    floor: Draft | None,
    checked: _CheckedDraft,
    finder: QuoteFinder,
    day: date,
    inconsistencies: tuple[Statement, ...],
) -> Case:
    """Return what node B gets to see, with the rules' own draft of the same document as its reference."""
    judged, collected = checked.judged, checked.collected
    reference, authorities = floor or draft, checked.findings.authorities
    if floor is None and draft.engine != RulesEngine.name:
        with CPU_LOCK:
            reference = node_a.engine(RulesEngine.name).analyse(brief)
            collected = citation_checker.collect_statements(
                replace(collected, quotes=()), reference.statements
            )
        # What only the reference cites is no part of the answer: its checks stay apart.
        law = citation_checker.look_up(collected, day, known=checked.law)
        with CPU_LOCK:
            apart = citation_checker.check(collected, law, day, finder)
        authorities = {**apart.authorities, **checked.findings.authorities}
    return Case(
        document=brief.text,
        jurisdiction=request.jurisdiction,
        branch=request.branch,
        language=request.language,
        draft=draft,
        judged=judged.judged[: judged.own],
        checks=judged.checks,
        cited=authorities,
        reference=reference,
        inconsistencies=inconsistencies,
        sources=brief.sources,
        family=brief.reading.recognition.family if brief.reading else "unknown",
    )
