"""Hold what the checks of citations found, as values for locks, audit, report and records. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from app import corpus
from app.analysis.sanitize import prose
from app.analysis.support import Verdict
from app.analysis.support.quoted_words import CheckedQuotation
from app.citations import Citation
from app.rules import Statement
from app.text.bilingual import Language, pick

STATUSES = ("verified", "mismatch", "not_found", "derogated", "not_verifiable", "pending")
BROKEN = frozenset({"mismatch", "not_found", "derogated"})

# Of a judgment that is cited: not in the corpus, in it, or in it and confirmed by the citator.
JudgmentState = Literal["not_loaded", "loaded", "good_law"]


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """A citation as written, with its verdict.

    Attributes:
        citation: where it stands and what it names.
        verdict: one of six statuses, how deep it was checked, and why (decisions 015 and 016).
        in_document: whether the document cites it; otherwise only the analysis does.
        judgment: what the corpus knows of the judgment; `None` where a norm is cited.
    """

    citation: Citation
    verdict: corpus.Verdict
    in_document: bool
    judgment: JudgmentState | None = None


@dataclass(frozen=True, slots=True)
class AuthorityFinding:
    """One authority of a statement as code judged it (decision 014).

    Attributes:
        written: how the statement cites it.
        status: the status of the citation's verdict.
        depth: how deep the citation was checked, "" where it was not.
        support: what its loaded text says of the statement.
        passage: the words of it that were judged.
        judgment: what the corpus knows of the judgment; `None` where a norm is cited.
    """

    written: str
    status: str
    depth: str
    support: Verdict
    passage: str = ""
    judgment: JudgmentState | None = None

    @property
    def broken(self) -> bool:
        """Whether the authority does not exist, is repealed or is something else."""
        return self.status in BROKEN


@dataclass(frozen=True, slots=True)
class StatementFindings:
    """Findings about the authorities of one statement.

    Attributes:
        backing: its authorities in the order in which it cites them; none where code itself wrote it.
        quotations: the words of law that it quotes, each compared with its article.
        judgments: what the corpus knows of each judgment that it rests on.
    """

    backing: tuple[AuthorityFinding, ...] = ()
    quotations: tuple[CheckedQuotation, ...] = ()
    judgments: tuple[JudgmentState, ...] = ()


NOTHING_FOUND = StatementFindings()


@dataclass(frozen=True, slots=True)
class CitationFindings:
    """Findings about every citation of a document and of its statements. `repr` shows no text.

    Attributes:
        checks: each citation once, in order of first appearance (the document's first), then the citations
            that statements quote wrongly.
        document: those of the document, one for each place where it cites.
        authorities: by citation as statements write it, what it names. A quotation that is wrong does not
            count here.
        statements: by statement, what was found about its authorities.
    """

    checks: tuple[CheckedCitation, ...] = ()
    document: tuple[CheckedCitation, ...] = ()
    authorities: Mapping[str, tuple[CheckedCitation, ...]] = field(default_factory=dict)
    statements: Mapping[Statement, StatementFindings] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<CitationFindings of {len(self.checks)} citations>"

    def of(self, statement: Statement) -> StatementFindings:
        """Return the findings about `statement`; none for one that was not checked."""
        return self.statements.get(statement, NOTHING_FOUND)


NO_FINDINGS = CitationFindings()


def counts(checks: Iterable[CheckedCitation]) -> dict[str, int]:
    """Count the citations of each of the six statuses (decision 015)."""
    found = dict.fromkeys(STATUSES, 0)
    for item in checks:
        found[item.verdict.status] += 1
    return found


def on_the_wire(checks: Sequence[CheckedCitation], language: Language) -> dict[str, Any]:
    """Return `citationChecks` of the answer (decision 015)."""
    by_status = counts(checks)
    return {
        "checks": [_one(item, language) for item in checks],
        "counts": by_status,
        "anyBroken": any(by_status[status] for status in BROKEN),
        "total": len(checks),
    }


def _one(item: CheckedCitation, language: Language) -> dict[str, Any]:
    verdict = item.verdict
    body: dict[str, Any] = {
        "citation": prose(item.citation.text),
        "kind": item.citation.kind,
        "status": verdict.status,
        "similarity": verdict.similarity,
        "semantic": verdict.semantic,
        "url": verdict.url,
    }
    if verdict.mismatch_kind:
        body["mismatchKind"] = verdict.mismatch_kind
    body["depth"] = verdict.depth
    body["note"] = prose(pick(language, verdict.note, verdict.note_en))
    return body
