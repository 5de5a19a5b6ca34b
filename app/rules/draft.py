"""Define what an engine hands over: statements with their claimed support, unchecked.

A draft is a proposal. Locks are assigned later, by `app.analysis.checks.locks`, from the submitted text and
the corpus alone (decision 013).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Severity = Literal["low", "medium", "high"]
# Who wrote a statement. A rule's legal basis is its author's reading of the law, kept beside the rule; what
# code computed is a fact; what a model or anybody else proposes is believed in nothing.
Origin = Literal["model", "rules", "code"]
# What a kind of document belongs to; `unknown` where no kind was recognised.
Family = Literal["contract", "pleading", "act", "letter", "ruling", "unknown"]


class Lock(StrEnum):
    """Certainty locks (decision 013), without their brackets."""

    L1 = "L1"
    L2J = "L2-J"
    L2JV = "L2-J-V"
    L4 = "L4"
    L5C = "L5-C"


class Section(StrEnum):
    """Where a statement stands in the report; the order here is the order on the page."""

    RISKS = "risks"
    DEADLINES = "deadlines"
    AMOUNTS = "amounts"
    RECOMMENDATIONS = "recommendations"
    CLAUSES_MISSING = "clauses_missing"
    REASONING = "reasoning"
    CITATIONS = "citations"
    OBLIGATIONS = "obligations"
    PARTIES = "parties"
    DATES = "dates"
    CLAUSES_PRESENT = "clauses_present"


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of the analysis and what its author says it stands on.

    `text` is prose in the answer's language, one paragraph, no Markdown headings, no lock tokens.
    `quotes` are words claimed to stand literally in the analysed text, each a contiguous slice of it.
    `citations` are legal authorities claimed as basis, written as a lawyer writes them
    ("art. 1124 CC"); each is extracted and verified by code before it reaches a reader.
    `proposed` is what the author believes it earns. `severity` and `reason` are required for L5-C. `origin`
    is set by the engine itself, never read from what a model answers. `facts` says the same as `text` in
    values that do not change with its wording or language: the rule's id, roles, figures, ISO dates. Only the
    engine `rules` and code give them. `plain` is what the engine `rules` says of a fact, "Importe: 900 €",
    where the words quoted do not bear out the name that `text` gives it; empty where then nothing is worth
    saying.
    """

    section: Section
    text: str
    quotes: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    proposed: Lock = Lock.L4
    severity: Severity | None = None
    reason: str | None = None
    origin: Origin = "model"
    facts: Mapping[str, str] = field(default_factory=dict, compare=False)
    plain: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Draft:
    """Node A's answer: what kind of document, a summary of two to five plain sentences, its statements.

    `analysed` of `total` characters were read. `modules` names what ran (for the audit block), `notes` are
    remarks for the reader about limits of the analysis; `usage` counts tokens where a model was called.
    `kind_known` is false where the kind of document was not recognised, so that its own risks could not be
    looked for.
    """

    engine: str
    model: str
    document_kind: str
    summary: str
    statements: tuple[Statement, ...]
    analysed: int
    total: int
    modules: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Mapping[str, int] = field(default_factory=dict)
    kind_known: bool = True


@dataclass(frozen=True, slots=True)
class Source:
    """A fact or a passage of law, with its permanent id and its words.

    `citation` is how a lawyer cites it: what a statement that names the id rests on. `computed` says that
    code reckoned the figures of its text.
    """

    id: str
    text: str
    citation: str = ""
    computed: bool = False
