"""Hold what node B gets to see: the anonymised document, node A's statements, and code's verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.analysis.checks.citation_findings import CheckedCitation
from app.analysis.checks.locks import JudgedStatement
from app.rules import Draft, Family, Source, Statement
from app.text.bilingual import Language


@dataclass(frozen=True, slots=True)
class Case:
    """One analysis to audit. `repr` shows no text.

    `judged` are node A's own statements with the locks they earned, in the order of the draft; `checks` every
    citation of document and draft; `cited` the checks of each citation as a statement writes it. `reference`
    is what the deterministic engine drafts about the same document, which is node A's own draft only where
    node A is that engine and left it unchanged. `inconsistencies` are what code found in the document itself;
    they stand among `judged` where the draft is ours. `sources` is the law that node A was told; `family`
    says what the kind of document belongs to.
    """

    document: str
    jurisdiction: str
    branch: str
    language: Language
    draft: Draft
    judged: Sequence[JudgedStatement]
    checks: Sequence[CheckedCitation]
    cited: Mapping[str, Sequence[CheckedCitation]] = field(repr=False)
    reference: Draft = field(repr=False)
    inconsistencies: Sequence[Statement] = field(default=(), repr=False)
    sources: Sequence[Source] = field(default=(), repr=False)
    family: Family = "unknown"

    def __repr__(self) -> str:
        return f"<Case of {len(self.judged)} statements>"
