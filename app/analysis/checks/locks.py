"""Assign certainty locks: what a statement earns by the document and the law. Pure.

Source: decision 013. A lock speaks of the statement, not of the existence of some words:

- `[L1]` restates words that stand in the document or in a loaded article (`app.analysis.support`);
- `[L2-J]` rests on a loaded judgment of which a passage supports it; `[L2-J-V]` where beyond that the
  citator, which the account must have, finds it still good law;
- `[L5-C]` is a critical risk with its reason, whose quotation stands in the document and whose authority
  supports it;
- everything else is `[L4]`. A statement of which an authority is broken, silent or contradicts it has
  nothing higher.

What was proposed and could not be confirmed is lowered and said; what an authority contradicts is withdrawn.
A fact whose name the words quoted do not bear out is told without its name: a wrong name is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.analysis import support
from app.analysis.checks.citation_findings import (
    NO_FINDINGS,
    AuthorityFinding,
    CitationFindings,
    JudgmentState,
    StatementFindings,
)
from app.analysis.support.quote_finder import Evidence, QuoteFinder, normalize
from app.analysis.support.quoted_words import CheckedQuotation
from app.rules import Lock, Section, Statement

_IN_PROSE = re.compile(r"«([^«»]{1,2000})»|“([^“”]{1,2000})”|„([^„“”]{1,2000})[“”]|\"([^\"\n]{1,2000})\"")


class DowngradeReason(StrEnum):
    """Why a statement did not earn the lock that was proposed for it."""

    NOT_FOUND = "quoted words not found in the document"
    NO_QUOTE = "no words were quoted"
    APPROVES = "what is said to be valid is no critical risk"
    NO_REASON = "critical risk without high severity and a reason"
    NO_BASIS = "legal basis not confirmed"
    NO_JUDGMENT = "judgment not resolved in the corpus"
    NOT_GOOD_LAW = "judgment not confirmed to be still good law"
    MISQUOTED = "the article cited does not say the words quoted"
    PROSE = "the statement puts words in quotation marks that stand nowhere"
    SILENT = "the authority cited says nothing of this"
    CONTRADICTED = "the authority cited says the contrary"
    UNSUPPORTED = "no loaded authority was found to support it"
    CUT = "the quotation cuts a word or a figure"
    SHORT = "the quotation is neither a whole value nor three words"
    CLIPPED = "the quotation begins behind a negation or exception that governs it"
    GOVERNED = "what stands over or behind the words quoted takes them back"
    EXCEPTION = "the statement leaves out an exception or a condition"
    LIMIT = "the statement leaves out words that limit what it says"
    FIGURE = "a figure or date of the statement does not stand in the quotation"
    ROLE = "the quoted clause gives the value another role, or none"
    PARTY = "the quoted words name another party"
    MODALITY = "the quoted words say may, must or must not otherwise"
    POLARITY = "the quoted words deny what the statement says, or the reverse"
    OTHER_MATTER = "the quoted words are about another contract, time or thing"
    BEYOND = "the statement says more than the quotation"


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """A statement with the lock it earned, the words that prove it, and why it was lowered if it was.

    `quotations` are words of law that it quotes, compared with the articles; `backing` its authorities.
    `withdrawn` statements leave the answer: an authority that they cite says the contrary, node A took them
    back, they are said of a risk that leaves it, or without a doubtful name they say nothing new. `disputed`
    says why code holds a statement to be wrong that node A stands by.
    """

    statement: Statement
    lock: Lock
    evidence: tuple[Evidence, ...]
    lowered: DowngradeReason | None = None
    quotations: tuple[CheckedQuotation, ...] = ()
    backing: tuple[AuthorityFinding, ...] = ()
    withdrawn: bool = False
    disputed: str = ""

    @property
    def contradicted(self) -> bool:
        """Whether an authority that a model's statement cites says the contrary."""
        return self.statement.origin == "model" and any(one.support == "contradicted" for one in self.backing)


def judge(
    statements: Iterable[Statement], finder: QuoteFinder, findings: CitationFindings = NO_FINDINGS
) -> tuple[JudgedStatement, ...]:
    """Give every statement the lock it earned.

    Args:
        statements: what an engine proposes.
        finder: the document that they are about, anonymised as they are.
        findings: what the checks of citations found about each of them.
    """
    judged = [_judge(one, finder, findings.of(one)) for one in statements]
    said = {(one.statement.section, one.statement.text) for one in judged if not _misnamed(one)}
    for place, one in enumerate(judged):
        if _misnamed(one):
            plain = _unnamed(one, finder, findings)
            key = (plain.statement.section, plain.statement.text)
            if key in said:
                plain = replace(plain, statement=replace(plain.statement, text=""))
            judged[place] = replace(plain, withdrawn=not plain.statement.text)
            said.add(key)
    return _with_parts(tuple(judged))


def _misnamed(judged: JudgedStatement) -> bool:
    """Tell whether the words quoted do not bear out the name that a statement gives to a fact."""
    refused = judged.statement.proposed is Lock.L1 and judged.lock is Lock.L4
    return refused and judged.statement.plain is not None


def _unnamed(judged: JudgedStatement, finder: QuoteFinder, findings: CitationFindings) -> JudgedStatement:
    """Return a fact judged again without its name, empty where then nothing is worth saying.

    A period of which not even its length stands in the words quoted is none.
    """
    statement = judged.statement
    plain = replace(statement, text=statement.plain or "", plain=None)
    if not plain.text:
        return replace(judged, statement=plain)
    again = _judge(plain, finder, findings.of(statement))
    if statement.section is Section.DEADLINES and again.lock is Lock.L4:
        return replace(judged, statement=replace(plain, text=""))
    return again


def _with_parts(judged: tuple[JudgedStatement, ...]) -> tuple[JudgedStatement, ...]:
    """Return statements of which those that are said of a risk leave the answer with it."""
    gone = {
        one.statement.facts["issue"]
        for one in judged
        if one.withdrawn and "issue" in one.statement.facts and "part" not in one.statement.facts
    }
    return tuple(
        replace(one, withdrawn=True) if one.statement.facts.get("issue") in gone else one for one in judged
    )


def _judge(statement: Statement, finder: QuoteFinder, findings: StatementFindings) -> JudgedStatement:
    quotations, backing = findings.quotations, findings.backing
    of_law = {one.words for one in quotations if one.literal}
    found = [finder.find(quote) for quote in statement.quotes]
    evidence = tuple(item for item in found if item is not None)
    missing = any(
        item is None and quote not in of_law for quote, item in zip(statement.quotes, found, strict=True)
    )
    plain = _unquoted(statement, finder, of_law)
    why = _refused(statement, backing, quotations, missing, plain is not statement)
    lock = Lock.L4
    if why is None:
        lock, why = _earned(plain, finder, evidence, of_law, findings)
    judged = JudgedStatement(plain, lock, evidence, why, quotations, backing)
    return replace(judged, withdrawn=judged.contradicted)


def without(judged: Sequence[JudgedStatement], places: Collection[int]) -> tuple[JudgedStatement, ...]:
    """Return statements of which those at `places`, and what is said of them, are withdrawn."""
    return _with_parts(
        tuple(replace(one, withdrawn=True) if place in places else one for place, one in enumerate(judged))
    )


def dispute(judged: Sequence[JudgedStatement], reasons: Mapping[int, str]) -> tuple[JudgedStatement, ...]:
    """Return statements of which the disputed ones say why and have no lock above `[L4]`.

    Args:
        judged: the statements with their locks.
        reasons: by the place of a statement, what it is disputed for.
    """
    return tuple(
        replace(one, lock=Lock.L4, disputed=reasons[place]) if place in reasons else one
        for place, one in enumerate(judged)
    )


def _refused(
    statement: Statement,
    backing: Sequence[AuthorityFinding],
    quotations: Sequence[CheckedQuotation],
    missing: bool,
    reworded: bool,
) -> DowngradeReason | None:
    """Say why a statement can have no lock above `[L4]`, whatever was proposed for it."""
    if any(not one.correct for one in quotations):
        return DowngradeReason.MISQUOTED
    if any(one.support == "contradicted" for one in backing):
        return DowngradeReason.CONTRADICTED
    if missing:
        return DowngradeReason.NOT_FOUND
    if reworded:
        return DowngradeReason.PROSE
    if statement.proposed is Lock.L4:
        return None
    if any(one.broken for one in backing):
        return DowngradeReason.NO_BASIS
    if any(one.support == "silent" for one in backing) and not _supported(backing):
        return DowngradeReason.SILENT
    return None


def _supported(backing: Sequence[AuthorityFinding]) -> bool:
    return any(one.support == "supported" for one in backing)


def _earned(
    statement: Statement,
    finder: QuoteFinder,
    evidence: Sequence[Evidence],
    of_law: frozenset[str] | set[str],
    findings: StatementFindings,
) -> tuple[Lock, DowngradeReason | None]:
    if statement.proposed is Lock.L4:
        return Lock.L4, None
    if statement.origin == "code":
        # A verdict of code about a citation that stands in the document, in code's own words.
        return _by_code(statement, evidence, findings.judgments)
    if statement.proposed is Lock.L1:
        return _restated(statement, finder, evidence, of_law)
    quoted = _places(evidence)
    whole = support.unsound(quoted, finder.document) if quoted else None
    if whole is not None:
        return Lock.L4, DowngradeReason[whole.name]
    if statement.proposed is Lock.L5C:
        if statement.severity != "high" or not statement.reason:
            return Lock.L4, DowngradeReason.NO_REASON
        if statement.origin == "model" and support.approves(statement.text, statement.citations):
            return Lock.L4, DowngradeReason.APPROVES
        if not evidence and not of_law and statement.origin == "model":
            return Lock.L4, DowngradeReason.NO_QUOTE
        if (
            statement.origin == "model"
            and quoted
            and not support.speaks_of(statement.text, quoted, finder.document)
        ):
            return Lock.L4, DowngradeReason.OTHER_MATTER
        if statement.origin == "rules" or _supported(findings.backing):
            return Lock.L5C, None
        return Lock.L4, DowngradeReason.UNSUPPORTED
    return _by_judgments(statement, findings)


def _by_code(
    statement: Statement, evidence: Sequence[Evidence], judgments: Sequence[JudgmentState]
) -> tuple[Lock, DowngradeReason | None]:
    if statement.proposed is Lock.L1:
        return (Lock.L1, None) if evidence else (Lock.L4, DowngradeReason.NO_QUOTE)
    return _good_law(statement, judgments)


def _restated(
    statement: Statement, finder: QuoteFinder, evidence: Sequence[Evidence], of_law: Iterable[str]
) -> tuple[Lock, DowngradeReason | None]:
    """`[L1]` where the statement restates the words of the document, or of an article, that it quotes."""
    if evidence:
        discrepancy = support.discrepancy(
            statement.text, _places(evidence), finder.document, aligned=statement.origin == "model"
        )
        return (Lock.L1, None) if discrepancy is None else (Lock.L4, DowngradeReason[discrepancy.name])
    for words in of_law:
        article = support.Document(words)
        if support.discrepancy(statement.text, [support.QuotedSpan(0, len(words))], article) is None:
            return Lock.L1, None
    return Lock.L4, DowngradeReason.BEYOND if of_law else DowngradeReason.NO_QUOTE


def _places(evidence: Sequence[Evidence]) -> list[support.QuotedSpan]:
    return [support.QuotedSpan(one.start, one.end) for one in evidence]


def _by_judgments(statement: Statement, findings: StatementFindings) -> tuple[Lock, DowngradeReason | None]:
    """Return the lock of a statement on judgments: each is loaded, and a passage of one supports it."""
    if not findings.judgments or "not_loaded" in findings.judgments:
        return Lock.L4, DowngradeReason.NO_JUDGMENT
    if not any(one.support == "supported" and one.judgment for one in findings.backing):
        return Lock.L4, DowngradeReason.UNSUPPORTED
    return _good_law(statement, findings.judgments)


def _good_law(
    statement: Statement, judgments: Sequence[JudgmentState]
) -> tuple[Lock, DowngradeReason | None]:
    if not judgments or "not_loaded" in judgments:
        return Lock.L4, DowngradeReason.NO_JUDGMENT
    if all(one == "good_law" for one in judgments):
        return Lock.L2JV, None
    return Lock.L2J, DowngradeReason.NOT_GOOD_LAW if statement.proposed is Lock.L2JV else None


def _unquoted(statement: Statement, finder: QuoteFinder, of_law: Iterable[str]) -> Statement:
    """Return the statement without quotation marks around words that stand nowhere."""
    if statement.origin != "model" or not any(mark in statement.text for mark in '«“„"'):
        return statement
    known = [normalize(words) for words in of_law]

    def kept(match: re.Match[str]) -> str:
        words = next(group for group in match.groups() if group is not None)
        if not words.strip():
            return words
        stands = finder.find(words) is not None or any(normalize(words) in one for one in known)
        return match[0] if stands else words

    text = _IN_PROSE.sub(kept, statement.text)
    return statement if text == statement.text else replace(statement, text=text)
