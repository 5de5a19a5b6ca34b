"""Audit one analysis: code's findings, a model's where one is set, and what to do about them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from app.analysis.audit import checks, model_audit
from app.analysis.audit.case import Case
from app.analysis.audit.finding import MOST, Finding, FindingType, Grounds, Outcome, merged, worst
from app.analysis.audit.model_audit import Opinion
from app.analysis.audit.objections import TYPES, Judge, JudgedObjection
from app.analysis.cpu_lock import CPU_LOCK
from app.analysis.llm import Model
from app.analysis.llm.drafting.repair import Answered, Attack, Repair
from app.analysis.llm.drafting.repair import version as repair_version
from app.analysis.llm.token_meter import BudgetSpent
from app.rules import Severity
from app.text.bilingual import pick

_ADVICE: dict[FindingType, tuple[str, str]] = {
    "hallucination": (
        "Cotejar con el documento las afirmaciones señaladas y suprimir las que no consten en él.",
        "Compare the statements named with the document and remove those that are not in it.",
    ),
    "citation_error": (
        "Corregir o suprimir las citas señaladas antes de usar el análisis.",
        "Correct or remove the citations named before using the analysis.",
    ),
    "missing_clause": (
        "Valorar si las cláusulas que faltan deben incorporarse al documento.",
        "Consider whether the missing clauses should be added to the document.",
    ),
    "weak_reasoning": (
        "Rebajar la rotundidad de lo afirmado o completar su apoyo.",
        "Weaken the statements or complete their support.",
    ),
    "other": (
        "Revisar los puntos señalados que el análisis no trata.",
        "Review the points named that the analysis does not cover.",
    ),
}

_NO_TOKENS = (
    "El análisis alcanzó su límite de tokens antes de la auditoría del modelo; audita solo el código. ",
    "The analysis met its limit of tokens before the model's audit; code alone audited it. ",
)
_NO_REPAIR = (
    "El nodo A no contestó a las objeciones: quedan como están.",
    "Node A did not answer the objections: they stand as they are.",
)
# What code finds of these is no matter of opinion.
_CERTAIN: Final[frozenset[FindingType]] = frozenset({"hallucination", "citation_error"})


@dataclass(frozen=True, slots=True)
class Audit:
    """AuditResult (decision 020). Texts are anonymised as the draft is; `modules` go to the audit block.

    `findings` are what still stands; `resolved` what node A amended, lowered or withdrew.
    """

    auditor: str
    text: str
    findings: tuple[Finding, ...]
    severity: Severity
    recommendations: str
    processing_ms: int
    modules: tuple[str, ...]
    resolved: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        return f"<Audit of {len(self.findings)} findings>"

    def with_texts(self, change: Callable[[str], str]) -> Audit:
        """Return the audit with its texts changed by `change`, such as to restore masked values."""
        return replace(
            self,
            text=change(self.text),
            recommendations=change(self.recommendations),
            findings=tuple(one.with_texts(change) for one in self.findings),
            resolved=tuple(one.with_texts(change) for one in self.resolved),
        )

    def disputed(self) -> dict[int, str]:
        """Return by its place why each statement is disputed: code upheld the objection and it stands."""
        found: dict[int, str] = {}
        for one in self.findings:
            if one.outcome == "disputed" and one.statement is not None:
                found.setdefault(one.statement, one.description)
        return found

    def renumbered(self, places: Sequence[int]) -> Audit:
        """Return the audit with findings that name statements by their place in the written analysis.

        Args:
            places: for each statement as written, its place in the draft; what was withdrawn is missing.
        """
        written = {place: number for number, place in enumerate(places)}

        def moved(one: Finding) -> Finding:
            # What was withdrawn has no place any more.
            return one if one.statement is None else replace(one, statement=written.get(one.statement))

        return replace(
            self,
            findings=tuple(map(moved, self.findings)),
            resolved=tuple(map(moved, self.resolved)),
        )

    def on_the_wire(self) -> dict[str, Any]:
        """Return AuditResult (decision 020); a finding's `statement` counts from 1."""
        return {
            "auditor": self.auditor,
            "text": self.text,
            "findings": [one.on_the_wire() for one in self.findings],
            **({"resolved": [one.on_the_wire() for one in self.resolved]} if self.resolved else {}),
            "overallSeverity": self.severity,
            "recommendations": self.recommendations,
            "processingMs": self.processing_ms,
            "audited": True,
        }

    def counts(self) -> dict[str, int]:
        """Count the findings of each type and severity, for the audit record."""
        found = Counter(f"{finding.type} {finding.severity}" for finding in self.findings)
        return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class Challenge:
    """What node B objects to before node A is asked: what code found and, where there is one, a model's view.

    `repr` shows no text.
    """

    certain: tuple[Finding, ...]
    opinion: Opinion | None
    judge: Judge
    vendor: str
    started: float
    spent: bool = False

    def __repr__(self) -> str:
        return f"<Challenge of {len(self.certain)} findings>"

    @property
    def objections(self) -> tuple[JudgedObjection, ...]:
        """The model's objections that count."""
        return self.opinion.objections if self.opinion else ()

    def attacks(self, case: Case) -> tuple[Attack, ...]:
        """Return what a model that drafted is asked about its own statements; what rules say stands."""
        certain = [
            Attack(one.statement, "code", one.description)
            for one in self.certain
            if one.statement is not None
        ]
        claimed = [
            Attack(
                one.objection.statement,
                "node B",
                one.objection.reason,
                one.passage.id,
                one.objection.words,
                one.passage.text,
            )
            for one in self.objections
            if one.objection.statement is not None
        ]
        # One that an authority contradicts has left the answer; corrected it may come back.
        return tuple(
            one for one in (*certain, *claimed) if case.judged[one.statement].statement.origin == "model"
        )[:MOST]


def challenge(case: Case, model: Model | None, *, deadline: float) -> Challenge:
    """Object to a draft, by code and, where `model` is given, by a model as well.

    The CPU lock is held while code works and not while the model is waited for.

    Raises:
        ModelFailed: the model answered with nothing usable (502). An audit is whole or it is none.
        ModelUnavailable: the model cannot be asked now (503).
    """
    started = time.monotonic()
    with CPU_LOCK:
        certain = tuple(checks.find_objections(case))
        judge = Judge(case.document, case.sources)
    opinion, spent = None, False
    if model is not None:
        try:
            opinion = model_audit.ask(case, certain, judge, model, deadline=deadline)
        except BudgetSpent:
            spent = True
    return Challenge(certain, opinion, judge, model.vendor if model else "", started, spent)


def conclude(
    case: Case, challenge: Challenge, repair: Repair | None = None, *, failed: bool = False
) -> Audit:
    """Say what stands of a challenge once node A has answered and code has judged its answers.

    Args:
        case: the draft as it is now, judged again where it was repaired.
        challenge: what was objected to the draft before.
        repair: node A's answers; `None` where it was not asked or did not answer.
        failed: whether node A was asked and did not answer.
    """
    asked = repair is not None or failed
    answers = repair.answers if repair is not None else {}
    certain = list(challenge.certain)
    if repair is not None:
        certain = [one for one in checks.find_objections(case) if one.statement not in repair.withdrawn]
    if asked:
        certain = [_still(one, case, answers) for one in certain]
    claimed = [_answered(one, case, challenge.judge, answers) for one in challenge.objections]
    open_, resolved = [one for one in claimed if not _is_resolved(one)], list(filter(_is_resolved, claimed))
    resolved = [*_repaired(challenge.certain, certain, answers), *resolved]
    findings = merged(certain, open_)
    modules = [f"node B deterministic auditor {checks.MODEL}"]
    auditor, text, advice = checks.MODEL, "", ""
    opinion = challenge.opinion
    if opinion is not None:
        auditor, text, advice = opinion.model, opinion.text, opinion.recommendations
        modules += [
            f"node B {challenge.vendor} {opinion.model}",
            model_audit.version(),
            f"node B objections {opinion.made} made {len(opinion.objections)} kept",
        ]
    told = ""
    if challenge.spent:
        modules.append(f"token budget met before {challenge.vendor}")
        told = pick(case.language, *_NO_TOKENS)
    if repair is not None:
        modules += [f"node A repair {repair.model}", repair_version()]
    if asked:
        told += _told_of_repair(case, answers, findings, failed=failed)
    return Audit(
        auditor=auditor,
        text=f"{told}{text or _summary(case, findings)}",
        findings=findings,
        severity=worst(findings),
        recommendations=advice or _recommendations(case, findings),
        processing_ms=max(1, round((time.monotonic() - challenge.started) * 1000)),
        modules=tuple(modules),
        resolved=tuple(resolved),
    )


def _still(finding: Finding, case: Case, answers: Mapping[int, Answered]) -> Finding:
    """Return what code finds in the draft as it is now, with what node A said of it."""
    if finding.statement is None:
        return finding
    now = case.judged[finding.statement]
    if now.statement.origin != "model" or now.withdrawn:
        return finding
    answer = answers.get(finding.statement)
    disputed = finding.type in _CERTAIN and finding.severity != "low"
    return replace(
        finding,
        outcome="disputed" if disputed else "stood_by",
        answer=answer.why if answer is not None and answer.action == "stand_by" else "",
    )


def _answered(judged: JudgedObjection, case: Case, judge: Judge, answers: Mapping[int, Answered]) -> Finding:
    """Return what a model objected to, with what became of it."""
    objection = judged.objection
    finding = Finding(
        TYPES[objection.fault],
        objection.severity,
        objection.reason,
        objection.statement,
        Grounds(objection.words, judged.passage.citation),
    )
    if objection.statement is None:
        return finding
    now = case.judged[objection.statement]
    answer = answers.get(objection.statement)
    if now.withdrawn:
        return replace(finding, outcome="withdrawn")
    # What node A wrote instead is held against the same passage.
    standing = judge.standing(objection, now) if answer is not None and answer.amended else judged.standing
    if standing == "upheld":
        return replace(finding, outcome="disputed", answer=answer.why if answer is not None else "")
    if answer is None:
        return finding
    if answer.action == "stand_by":
        return replace(finding, outcome="stood_by", answer=answer.why)
    return replace(finding, outcome="amended" if answer.amended else "lowered")


def _is_resolved(finding: Finding) -> bool:
    return finding.outcome in ("amended", "lowered", "withdrawn")


def _repaired(
    before: Sequence[Finding], now: Sequence[Finding], answers: Mapping[int, Answered]
) -> Iterator[Finding]:
    """Yield what code found in the draft before and does not find any more."""
    left = {(one.type, one.statement) for one in now}
    for one in before:
        answer = None if one.statement is None else answers.get(one.statement)
        if answer is not None and (one.type, one.statement) not in left:
            outcome: Outcome = "amended" if answer.amended else "lowered"
            yield replace(one, outcome="withdrawn" if answer.action == "withdraw" else outcome)


def _told_of_repair(
    case: Case, answers: Mapping[int, Answered], findings: Sequence[Finding], *, failed: bool
) -> str:
    if failed:
        return pick(case.language, *_NO_REPAIR) + " "
    done = Counter(one.action for one in answers.values())
    disputed = len({one.statement for one in findings if one.outcome == "disputed"})
    return (
        pick(
            case.language,
            f"El nodo A contestó a las objeciones: {done['amend']} afirmaciones corregidas, {done['lower']} "
            f"rebajadas, {done['withdraw']} retiradas, {done['stand_by']} mantenidas; "
            f"{disputed} quedan discutidas.",
            f"Node A answered the objections: {done['amend']} statements amended, {done['lower']} lowered, "
            f"{done['withdraw']} withdrawn, {done['stand_by']} stood by; {disputed} remain disputed.",
        )
        + " "
    )


def _summary(case: Case, findings: tuple[Finding, ...]) -> str:
    quotes = sum(len(judged.statement.quotes) for judged in case.judged)
    citations = sum(len(judged.statement.citations) for judged in case.judged)
    levels = Counter(finding.severity for finding in findings)
    done = pick(
        case.language,
        f"El auditor determinista ha cotejado {len(case.judged)} afirmaciones, {quotes} citas literales y "
        f"{citations} bases legales con el documento, con el registro de normas y con lo que las reglas "
        "encuentran por sí mismas.",
        f"The deterministic auditor compared {len(case.judged)} statements, {quotes} quotations and "
        f"{citations} legal bases with the document, the registry of norms and the findings of the rules.",
    )
    if not findings:
        return done + pick(
            case.language,
            " No tiene objeciones. Que no las tenga no prueba que el análisis sea completo.",
            " It has no objections. This does not prove that the analysis is complete.",
        )
    return done + pick(
        case.language,
        f" Objeciones: {levels['high']} de gravedad alta, {levels['medium']} media y {levels['low']} baja.",
        f" Objections: {levels['high']} of high severity, {levels['medium']} medium and {levels['low']} low.",
    )


def _recommendations(case: Case, findings: tuple[Finding, ...]) -> str:
    kinds = dict.fromkeys(finding.type for finding in findings)
    if not kinds:
        return pick(
            case.language,
            "Sin correcciones que proponer; un profesional debe revisar el análisis antes de usarlo.",
            "No corrections to propose; a professional should review the analysis before using it.",
        )
    return " ".join(pick(case.language, *_ADVICE[kind]) for kind in kinds)
