"""Every citation of a run, found in the document and in the draft, each checked once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, TypeAlias

from app import corpus
from app.analysis.engines.rules import rule_citations
from app.analysis.statements import Language
from app.citations import Citation, extract

# The bases of the rules are the same few hundred in every analysis; what a document or a model says is never
# kept beyond its run.
_read_once = lru_cache(maxsize=8192)(extract)

STATUSES = ("verified", "mismatch", "not_found", "derogated", "not_verifiable", "pending")
Consult: TypeAlias = Callable[[Sequence[Citation], date], corpus.Shelf]
BROKEN = frozenset({"mismatch", "not_found", "derogated"})


@dataclass(frozen=True, slots=True)
class Checked:
    """A citation as written, and what code found out about it."""

    citation: Citation
    verdict: corpus.Verdict
    in_document: bool


class Authorities:
    """Checks citations of one run against the law in force on `on`; equal citations are checked once.

    `consult` asks the loaded corpus about several citations in one go; without it the registry alone answers.
    """

    def __init__(self, jurisdiction: str, on: date, consult: Consult | None = None) -> None:
        self.jurisdiction, self._on, self._consult = jurisdiction, on, consult
        self._checked: dict[tuple[str, ...], Checked] = {}
        self._held: dict[str, bool | None] = {}

    def read(self, document: str) -> Sequence[Checked]:
        """Find and check the citations of the document, in order of appearance."""
        return self._check(extract(document, self.jurisdiction), in_document=True)

    def holds(self, written: str) -> bool | None:
        """Of an authority that a statement claims: `True` verified, `False` broken, `None` not verifiable."""
        if written not in self._held:
            statuses = {item.verdict.status for item in self.of(written)}
            self._held[written] = False if statuses & BROKEN else True if statuses == {"verified"} else None
        return self._held[written]

    def of(self, written: str) -> Sequence[Checked]:
        """What was found out about the authorities named in a statement's citation."""
        read = _read_once if written in rule_citations() else extract
        return self._check(read(written, self.jurisdiction), in_document=False)

    def checks(self) -> tuple[Checked, ...]:
        """Everything checked so far, in order of first appearance."""
        return tuple(self._checked.values())

    def _check(self, citations: Sequence[Citation], *, in_document: bool) -> Sequence[Checked]:
        keys = [citation.canonical or (citation.text,) for citation in citations]
        new = {key: one for key, one in zip(keys, citations, strict=True) if key not in self._checked}
        if new:
            shelf = self._consult(list(new.values()), self._on) if self._consult else corpus.Shelf()
            for key, one in new.items():
                self._checked[key] = Checked(one, corpus.verify(one, self._on, shelf), in_document)
        return [self._checked[key] for key in keys]


def counts(checks: Iterable[Checked]) -> dict[str, int]:
    """How many citations of each of the six statuses."""
    found = dict.fromkeys(STATUSES, 0)
    for item in checks:
        found[item.verdict.status] += 1
    return found


def on_the_wire(checks: Sequence[Checked], language: Language) -> dict[str, Any]:
    """`citationChecks` of the answer (decisions 6)."""
    by_status = counts(checks)
    return {
        "checks": [_one(item, language) for item in checks],
        "counts": by_status,
        "anyBroken": any(by_status[status] for status in BROKEN),
        "total": len(checks),
    }


def _one(item: Checked, language: Language) -> dict[str, Any]:
    verdict = item.verdict
    body: dict[str, Any] = {
        "citation": item.citation.text,
        "kind": item.citation.kind,
        "status": verdict.status,
        "similarity": verdict.similarity,
        "semantic": verdict.semantic,
        "url": verdict.url,
    }
    if verdict.mismatch_kind:
        body["mismatchKind"] = verdict.mismatch_kind
    body["note"] = verdict.note if language == "es" else verdict.note_en
    return body
