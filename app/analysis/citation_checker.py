"""Every citation of a run, found in the document and in the draft, each checked once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any, Protocol, TypeAlias
from uuid import UUID

from app import corpus
from app.analysis.locks import Backing, QuoteFinder
from app.analysis.sanitize import prose
from app.analysis.support import UNCHECKED, quoted_words, support
from app.analysis.support.quoted_words import AttributedQuote, CheckedQuotation
from app.citations import Citation, extract
from app.rules import Language, Statement, rule_citations

# The bases of the rules are the same few hundred in every analysis; what a document or a model says is never
# kept beyond its run.
_read_once = lru_cache(maxsize=8192)(extract)

STATUSES = ("verified", "mismatch", "not_found", "derogated", "not_verifiable", "pending")
BROKEN = frozenset({"mismatch", "not_found", "derogated"})
# Quotations of law that are held against their articles in one run: more were written to keep us busy.
_MOST_CLAIMS = 60

_Key: TypeAlias = tuple[str, ...]
Vet: TypeAlias = Callable[[Sequence[corpus.LoadedJudgment], date], Collection[UUID]]
ReadJudgments: TypeAlias = Callable[[Collection[UUID]], Mapping[UUID, str]]


class Consult(Protocol):
    """Asks the loaded corpus about several citations in one go; of those `quoted` also for the words."""

    def __call__(
        self, citations: Sequence[Citation], on: date, quoted: Iterable[Citation] = ()
    ) -> corpus.LookupResult: ...


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """A citation as written, and what code found out about it."""

    citation: Citation
    verdict: corpus.Verdict
    in_document: bool


class Authorities:
    """Checks citations of one run against the law in force on `on`; equal citations are checked once.

    `consult` asks the loaded corpus; without it the registry alone answers. `vet` says which judgments of the
    corpus are still good law; without it none is said to be. `read_judgments` gives the text of loaded
    judgments; without it none supports a statement.
    """

    def __init__(
        self,
        jurisdiction: str,
        on: date,
        consult: Consult | None = None,
        vet: Vet | None = None,
        read_judgments: ReadJudgments | None = None,
    ) -> None:
        self.jurisdiction, self._on, self._consult, self._vet = jurisdiction, on, consult, vet
        self._read_judgments = read_judgments
        self._literal: QuoteFinder | None = None
        # What each statement cites, in its list and in its text, and the loaded words of it.
        self._named: dict[Statement, tuple[Citation, ...]] = {}
        self._passages: dict[_Key, str] = {}
        # The whole article, where a paragraph of it is cited.
        self._articles: dict[_Key, str] = {}
        self._backing: dict[Statement, tuple[Backing, ...]] = {}
        self._checked: dict[_Key, CheckedCitation] = {}
        # Where words were quoted: the check with what came of them, and what each statement quotes.
        self._worded: dict[_Key, CheckedCitation] = {}
        self._misquoted: dict[_Key, CheckedCitation] = {}
        self._recited: dict[Statement, tuple[CheckedQuotation, ...]] = {}
        self._judgments: dict[_Key, tuple[corpus.LoadedJudgment, ...]] = {}
        self._good: Collection[UUID] | None = None
        self._own: tuple[_Key, ...] | None = None

    def read(
        self, document: str, statements: Sequence[Statement] = (), finder: QuoteFinder | None = None
    ) -> Sequence[CheckedCitation]:
        """Find and check the citations of the document, in order of appearance.

        With them, in the same consultation, those of `statements` about it, and the words of law that either
        quotes; `finder` looks words up in the document.
        """
        own: Sequence[Citation] = ()
        claims: list[AttributedQuote] = []
        if self._own is None:
            own = extract(document, self.jurisdiction)
            self._own = tuple(_key(one) for one in own)
            claims = (
                list(quoted_words.attributed_quotes(document, own))[:_MOST_CLAIMS] if self._consult else []
            )
        self._literal = finder or self._literal
        said = {one: found for one in statements if (found := self._claims(one, finder))}
        for statement in statements:
            self._named[statement] = self._names(statement)
        cited = [one for statement in statements for one in self._named[statement]]
        judged = [
            one for statement in statements if statement.origin == "model" for one in self._named[statement]
        ]
        self._look_up(own, cited, claims, said, judged)
        self._load_judgments(judged)
        return [self._worded.get(key, self._checked[key]) for key in self._own]

    def of(self, written: str) -> Sequence[CheckedCitation]:
        """What was found out about the authorities named in a statement's citation."""
        found = self._extracted(written)
        self._look_up((), found, (), {}, ())
        return [self._checked[_key(one)] for one in found]

    def backing(self, statement: Statement) -> tuple[Backing, ...]:
        """The authorities of a statement that was read, each with what its loaded text says of it.

        A rule's authority supports it by its author's reading of the law, kept beside the rule; of anybody
        else's statement the text decides (decision 014).
        """
        if statement.origin == "code":
            return ()
        if statement not in self._backing:
            cited = self._named.get(statement) or self._names(statement)
            self._backing[statement] = tuple(self._back(statement, one) for one in cited)
        return self._backing[statement]

    def _back(self, statement: Statement, citation: Citation) -> Backing:
        checked = self._checked.get(_key(citation))
        if checked is None:
            self._look_up((), [citation], (), {}, ())
            checked = self._checked[_key(citation)]
        verdict = checked.verdict
        depth = verdict.depth or ""
        if statement.origin == "rules":
            judged = "unchecked" if verdict.status in BROKEN else "supported"
            return Backing(citation.text, verdict.status, depth, judged)  # type: ignore[arg-type]
        passage = self._passages.get(_key(citation), "")
        found = UNCHECKED
        if passage and verdict.status not in BROKEN:
            found = support(
                statement.text,
                " \n".join(statement.quotes),
                passage,
                reason=statement.reason or "",
                citations=(*statement.citations, *(one.text for one in self._in_text(statement))),
                title=self._literal.title if self._literal else "",
                document=self._literal.document.words.values if self._literal else (),
                article=self._articles.get(_key(citation), ""),
            )
        return Backing(citation.text, verdict.status, depth, found.verdict, found.passage)

    def _names(self, statement: Statement) -> tuple[Citation, ...]:
        """What a statement cites; of a model's, what its text and its reason name too."""
        found = [*self._cited(statement), *self._in_text(statement)]
        return tuple({_key(one): one for one in reversed(found)}.values())[::-1]

    def _in_text(self, statement: Statement) -> list[Citation]:
        """The citations that a model writes into its prose."""
        if statement.origin != "model":
            return []
        return [
            one
            for text in (statement.text, statement.reason or "")
            for one in (extract(text, self.jurisdiction) if text else ())
        ]

    def _load_judgments(self, cited: Sequence[Citation]) -> None:
        """Read the texts of the loaded judgments that statements cite, in one question."""
        held = {_key(one): self._judgments.get(_key(one), ()) for one in cited if one.kind == "L2-J"}
        wanted = {one.id for key, found in held.items() if key not in self._passages for one in found}
        if not wanted or self._read_judgments is None:
            return
        texts = self._read_judgments(wanted)
        for key, found in held.items():
            text = "\n".join(texts[one.id] for one in found if one.id in texts)
            if text:
                self._passages[key] = text

    def recited(self, statement: Statement) -> Sequence[CheckedQuotation]:
        """The words of law that a statement which was read quotes, each held against its article."""
        return self._recited.get(statement, ())

    def judgments(self, written: str) -> Sequence[bool | None]:
        """Of each judgment named: `None` where it is not in the corpus, whether it is still good law where
        it is.
        """
        found: list[bool | None] = []
        for item in self.of(written):
            if item.citation.kind == "L2-J":
                held = self._judgments.get(_key(item.citation))
                found.append(all(one.id in self._still_good() for one in held) if held else None)
        return found

    def apart(self) -> Authorities:
        """Another reader that knows what this one knows, and whose findings are not this one's."""
        other = Authorities(self.jurisdiction, self._on, self._consult)
        other._checked, other._own = dict(self._checked), self._own
        return other

    def checks(self) -> tuple[CheckedCitation, ...]:
        """Everything checked so far, in order of first appearance, then what statements quote wrongly."""
        found = (self._worded.get(key, one) for key, one in self._checked.items())
        return (*found, *self._misquoted.values())

    def _extracted(self, written: str) -> Sequence[Citation]:
        read = _read_once if written in rule_citations() else extract
        return read(written, self.jurisdiction)

    def _cited(self, statement: Statement) -> list[Citation]:
        return [one for written in statement.citations for one in self._extracted(written)]

    def _claims(self, statement: Statement, finder: QuoteFinder | None) -> tuple[AttributedQuote, ...]:
        """The words that a statement quotes and that do not stand in the document."""
        if finder is None or self._consult is None:
            return ()
        strange = [words for words in statement.quotes if quoted_words.telling(words)]
        strange += quoted_words.quotations(statement.text)
        strange = [words for words in dict.fromkeys(strange) if finder.find(words) is None]
        if not strange:
            return ()
        written = extract(statement.text, self.jurisdiction)
        told = {
            one.words: one
            for one in quoted_words.quotes_beside(statement.text, written)
            if one.words in strange
        }
        named = [one for one in self._cited(statement) or written if one.kind == "L4-N" and one.articles]
        targets = tuple({_key(one): one for one in named}.values())
        claims = (told.get(words, AttributedQuote(words, targets, False)) for words in strange)
        return tuple(claim for claim in claims if claim.citations)

    def _look_up(
        self,
        own: Sequence[Citation],
        cited: Sequence[Citation],
        claims: Sequence[AttributedQuote],
        said: dict[Statement, tuple[AttributedQuote, ...]],
        judged: Sequence[Citation],
    ) -> None:
        """Check what is new, all in one consultation: the document's `own` citations, and those `cited`."""
        every = [*claims, *(one for found in said.values() for one in found)][:_MOST_CLAIMS]
        quoted = {_key(one): one for claim in every for one in claim.citations}
        # The words of what a model cites decide whether it supports what is said of it.
        quoted |= {_key(one): one for one in judged if one.kind == "L4-N" and one.articles}
        documents = {_key(one) for one in own}
        wanted: dict[_Key, Citation] = {}
        for one in (*own, *cited, *quoted.values()):
            wanted.setdefault(_key(one), one)
        new = {key: one for key, one in wanted.items() if key not in self._checked}
        if not new and not quoted:
            return
        shelf = corpus.LookupResult()
        if self._consult:
            asked = [*new.values(), *(one for key, one in quoted.items() if key not in new)]
            shelf = self._consult(asked, self._on, list(quoted.values()))
        for key, one in new.items():
            verdict = corpus.verify(one, self._on, shelf)
            self._checked[key] = CheckedCitation(one, verdict, key in documents)
            if one.kind == "L2-J" and verdict.status == "verified":
                self._judgments[key] = _judgments(one, shelf)
        for one in judged:
            words = shelf.words(one) if one.kind == "L4-N" else None
            # Of a law that could not be told from its namesakes, a paragraph that is not there supports
            # nothing.
            if words is not None and not corpus.lacks_place(one, words[1]):
                place = corpus.words_of_place(one, words[1])
                if place:
                    self._passages[_key(one)] = f"{words[0]}\n{place}"
                    self._articles[_key(one)] = words[1] if place != words[1] else ""
        for claim in claims:
            for found in self._recite(claim, shelf):
                self._word(found)
        for statement, made in said.items():
            heard = [found for claim in made if claim in every for found in self._recite(claim, shelf)]
            self._recited[statement] = tuple(heard)
            for found in heard:
                self._hear(found)

    def _recite(self, claim: AttributedQuote, shelf: corpus.LookupResult) -> tuple[CheckedQuotation, ...]:
        """What came of one quotation: of several articles, that which is most like it; or nothing."""
        heard: list[tuple[float, CheckedQuotation]] = []
        for citation in claim.citations:
            words = shelf.words(citation)
            if words is None:
                continue
            heading, text = words
            compared = quoted_words.compare(claim, citation, text, heading)
            if compared is None:
                continue
            verdict = self._checked[_key(citation)].verdict
            if quoted_words.is_quotation_of(claim, citation, verdict, compared):
                literal = compared.match == "literal" and QuoteFinder(text).find(claim.words) is not None
                found = CheckedQuotation(
                    claim.words, citation, corpus.apply_comparison(verdict, compared), literal
                )
                heard.append((compared.right + compared.similarity, found))
        return tuple(found for _, found in sorted(heard, key=lambda one: one[0])[-1:])

    def _word(self, found: CheckedQuotation) -> None:
        """Keep what came of words beside the check of their citation; of several, the worst."""
        key = _key(found.citation)
        before = self._worded.get(key)
        if before is None or _rank(found.verdict) < _rank(before.verdict):
            self._worded[key] = replace(self._checked[key], verdict=found.verdict)

    def _hear(self, found: CheckedQuotation) -> None:
        """What a statement quotes: the document's own citation is not the worse for it."""
        key = _key(found.citation)
        checked = self._checked[key]
        if not checked.in_document:
            self._word(found)
        elif found.correct:
            self._worded.setdefault(key, replace(checked, verdict=found.verdict))
        else:
            self._misquoted[(*key, found.words)] = CheckedCitation(found.citation, found.verdict, False)

    def _still_good(self) -> Collection[UUID]:
        if self._good is None:
            held = {one.id: one for found in self._judgments.values() for one in found}
            self._good = self._vet(list(held.values()), self._on) if self._vet and held else frozenset()
        return self._good


def _key(citation: Citation) -> _Key:
    # The same article with another paragraph named beside it is another citation.
    parts = (f"{one.kind} {'+'.join(one.values)}" for named in citation.divisions for one in named)
    return (*(citation.canonical or (citation.text,)), *parts)


def _rank(verdict: corpus.Verdict) -> tuple[bool, float]:
    return verdict.status == "verified", verdict.similarity or 0.0


def _judgments(citation: Citation, shelf: corpus.LookupResult) -> tuple[corpus.LoadedJudgment, ...]:
    # As for the verdict: a decision of several names is one, a list has no further identifiers.
    ids = citation.ids if len(citation.canonical) <= 1 else {}
    found = (shelf.judgment(form, ids) for form in citation.canonical or ("",))
    return tuple(one for one in found if one is not None)


def counts(checks: Iterable[CheckedCitation]) -> dict[str, int]:
    """How many citations of each of the six statuses."""
    found = dict.fromkeys(STATUSES, 0)
    for item in checks:
        found[item.verdict.status] += 1
    return found


def on_the_wire(checks: Sequence[CheckedCitation], language: Language) -> dict[str, Any]:
    """`citationChecks` of the answer (decision 015)."""
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
    body["note"] = prose(verdict.note if language == "es" else verdict.note_en)
    return body
