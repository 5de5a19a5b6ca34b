"""Check every citation of a document and of the statements about it, in three steps.

Collect what they cite and quote (pure), look it up in the loaded corpus in one go (the only step that waits),
check it against what was found (pure). Each step takes values and returns a value (decision 054).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import TypeAlias
from uuid import UUID

import psycopg
import sqlalchemy as sa

from app import citator, corpus
from app.analysis.checks import misapplied
from app.analysis.checks.citation_findings import (
    BROKEN,
    AuthorityFinding,
    CheckedCitation,
    CitationFindings,
    JudgmentState,
    StatementFindings,
)
from app.analysis.support import UNCHECKED, quoted_words, support
from app.analysis.support.quote_finder import QuoteFinder
from app.analysis.support.quoted_words import AttributedQuote, CheckedQuotation
from app.citations import Citation, extract
from app.platform import log
from app.platform.postgres import db
from app.rules import Statement, rule_citations

_logger = log.logger("analysis")

# The bases of the rules are the same few hundred in every analysis; what a document or a model says is never
# kept beyond its run.
_extract_once = lru_cache(maxsize=8192)(extract)

# Quotations of law that are compared with their articles, of the document and of the statements: more were
# written to keep us busy.
_MOST_QUOTES = 60

_Key: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StatementCitations:
    """Citations and quotations of one statement.

    Attributes:
        cited: each authority once: those it lists and, of a model, those its text and reason name.
        in_prose: those that its text and its reason name.
        quotes: words in quotation marks that do not stand in the document, with the articles they may be of.
    """

    cited: tuple[Citation, ...] = ()
    in_prose: tuple[Citation, ...] = ()
    quotes: tuple[AttributedQuote, ...] = ()


@dataclass(frozen=True, slots=True)
class CollectedCitations:
    """Citations and quotations of a document and its statements. `repr` shows no text.

    Attributes:
        jurisdiction: code of the jurisdiction under which citations are read.
        document: the citations of the document in order of appearance.
        quotes: the words that the document says are an article's.
        statements: by statement, what it cites and quotes.
        written: by citation as statements write it, the authorities it names.
    """

    jurisdiction: str
    document: tuple[Citation, ...] = ()
    quotes: tuple[AttributedQuote, ...] = ()
    statements: Mapping[Statement, StatementCitations] = field(default_factory=dict)
    written: Mapping[str, tuple[Citation, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<CollectedCitations of a document ({len(self.document)}), {len(self.statements)} statements>"

    def every(self) -> dict[_Key, Citation]:
        """Return each citation once: of the document, of the statements, then of what they quote."""
        cited = (one for found in self.statements.values() for one in found.cited)
        return _unique((*self.document, *cited, *self.quoted().values()))

    def quoted(self) -> dict[_Key, Citation]:
        """Return the citations of articles whose words are compared with something."""
        quotes = (*self.quotes, *(one for found in self.statements.values() for one in found.quotes))
        articles = (one for one in self.of_models().values() if one.kind == "L4-N" and one.articles)
        return _unique((*(one for quote in quotes for one in quote.citations), *articles))

    def of_models(self) -> dict[_Key, Citation]:
        """Return what models cite; its text decides whether it supports them (decision 014)."""
        return _unique(
            one
            for statement, found in self.statements.items()
            if statement.origin == "model"
            for one in found.cited
        )


@dataclass(frozen=True, slots=True)
class LoadedLaw:
    """Loaded law for some citations. Empty, the registry of norms alone answers.

    Attributes:
        lookup: norms, articles and judgments that were found.
        asked: the citations that were looked up; `worded` those of them whose articles came with their words.
        judgment_texts: by judgment, its loaded text.
        good_judgments: the judgments that the citator found to be still good law.
        unread: whether the store was away, so that something asked is not among it.
    """

    lookup: corpus.LookupResult = field(default_factory=corpus.LookupResult)
    asked: frozenset[_Key] = frozenset()
    worded: frozenset[_Key] = frozenset()
    judgment_texts: Mapping[UUID, str] = field(default_factory=dict)
    good_judgments: Collection[UUID] = frozenset()
    unread: bool = False

    def __repr__(self) -> str:
        return f"<LoadedLaw of {len(self.asked)} citations>"


NOTHING_LOADED = LoadedLaw()


def collect_document(document: str, jurisdiction: str) -> CollectedCitations:
    """Find what a document cites, and the words that it says are an article's."""
    cited = tuple(extract(document, jurisdiction))
    quotes = islice(quoted_words.attributed_quotes(document, cited), _MOST_QUOTES)
    return CollectedCitations(jurisdiction, cited, tuple(quotes))


def collect_statements(
    collected: CollectedCitations, statements: Sequence[Statement], finder: QuoteFinder | None = None
) -> CollectedCitations:
    """Add what `statements` about the document cite and quote.

    Args:
        collected: what the document cites.
        statements: the statements of a draft.
        finder: finds words in the document. Without it the statements' quotations are left aside.
    """
    written: dict[str, tuple[Citation, ...]] = {}
    found: dict[Statement, StatementCitations] = {}
    left = _MOST_QUOTES
    for statement in statements:
        for text in statement.citations:
            if text not in written:
                written[text] = _extract(text, collected.jurisdiction)
        listed = tuple(one for text in statement.citations for one in written[text])
        in_prose = tuple(_in_prose(statement, collected.jurisdiction))
        quotes = _quotes(statement, listed, collected.jurisdiction, finder) if finder else ()
        compared = tuple(islice(quotes, left))
        left -= len(compared)
        found[statement] = StatementCitations(
            tuple(_unique((*listed, *in_prose)).values()), in_prose, compared
        )
    return replace(collected, statements=found, written=written)


def look_up(
    collected: CollectedCitations, on: date, *, citator: bool = False, known: LoadedLaw = NOTHING_LOADED
) -> LoadedLaw:
    """Read from the corpus, in one go, what it knows of the citations collected.

    Waits for the database: call it outside a transaction and without the CPU lock. A database that does
    not answer a statement makes the answer poorer: what was known is returned, as `unread`, and the registry
    of norms alone judges the rest.

    Args:
        collected: what document and statements cite and quote.
        on: the day whose law applies.
        citator: whether the account has that add-on; it then says which judgments are still good law.
        known: what was looked up before; it is not looked up again.

    Returns:
        What was known and what was found.
    """
    try:
        return _look_up(collected, on, citator=citator, known=known)
    except (sa.exc.SQLAlchemyError, psycopg.Error) as error:
        # Where the connection itself is lost nothing can be charged either: the document waits for it.
        if not db.is_unavailable(error) or _is_lost(error):
            raise
        _logger.warning("citations not looked up", error=type(error).__name__)
        return replace(known, unread=True)


def _is_lost(error: Exception) -> bool:
    """Tell whether the connection failed, and not a statement of it (SQLSTATE classes 08 and 57P)."""
    state = getattr(getattr(error, "orig", None) or error, "sqlstate", None)
    return state is None or state.startswith(("08", "57P"))


def _look_up(collected: CollectedCitations, on: date, *, citator: bool, known: LoadedLaw) -> LoadedLaw:
    every, quoted = collected.every(), collected.quoted()
    worded = {key: one for key, one in quoted.items() if key not in known.worded}
    asked = [one for key, one in every.items() if key not in known.asked or key in worded]
    lookup = known.lookup
    if asked:
        lookup = lookup.merged(corpus.look_up(asked, on, list(worded.values())))
    of_models = collected.of_models()
    held = {key: _held(one, on, lookup) for key, one in every.items() if one.kind == "L2-J"}
    unread = {
        one.id
        for key, found in held.items()
        if key in of_models
        for one in found
        if one.id not in known.judgment_texts
    }
    texts = judgment_texts(unread) if unread else {}
    loaded = {one.id: one for found in held.values() for one in found}
    return LoadedLaw(
        lookup,
        known.asked | every.keys(),
        known.worded | quoted.keys(),
        {**known.judgment_texts, **texts},
        good_judgments(list(loaded.values()), on) if citator and loaded else frozenset(),
    )


def check(collected: CollectedCitations, law: LoadedLaw, on: date, finder: QuoteFinder) -> CitationFindings:
    """Check what was collected against the registry of norms and what was looked up.

    Args:
        collected: what document and statements cite and quote.
        law: what the corpus knows of it.
        on: the day whose law applies.
        finder: the document, which holds facts that need no authority.
    """
    own = {_key(one) for one in collected.document}
    checked = {key: _checked(one, on, law, in_document=key in own) for key, one in collected.every().items()}
    worded: dict[_Key, CheckedCitation] = {}
    for quote in collected.quotes:
        for found in _compared(quote, checked, law.lookup):
            _keep_worst(found, checked, worded)
    misquoted: dict[_Key, CheckedCitation] = {}
    statements: dict[Statement, StatementFindings] = {}
    texts = _texts(collected.of_models(), checked, law, on)
    for statement, cited in collected.statements.items():
        quotations = tuple(found for quote in cited.quotes for found in _compared(quote, checked, law.lookup))
        for found in quotations:
            _keep_quotation(found, checked, worded, misquoted)
        backing: tuple[AuthorityFinding, ...] = ()
        if statement.origin != "code":
            backing = tuple(
                _backing(statement, cited, one, checked[_key(one)], texts.get(_key(one), _NO_TEXT), finder)
                for one in cited.cited
            )
        states = tuple(one.judgment for one in backing if one.judgment is not None)
        statements[statement] = StatementFindings(backing, quotations, states)
    _keep_misapplied(collected, checked, worded, finder)
    return CitationFindings(
        checks=(*(worded.get(key, one) for key, one in checked.items()), *misquoted.values()),
        document=tuple(worded.get(_key(one), checked[_key(one)]) for one in collected.document),
        authorities={
            text: tuple(checked[_key(one)] for one in found) for text, found in collected.written.items()
        },
        statements=statements,
    )


def check_by_registry(
    document: str, statements: Sequence[Statement], jurisdiction: str, on: date, finder: QuoteFinder
) -> CitationFindings:
    """Collect and check at once by the registry of norms alone, without a look at the loaded corpus."""
    collected = collect_statements(collect_document(document, jurisdiction), statements, finder)
    return check(collected, NOTHING_LOADED, on, finder)


def _key(citation: Citation) -> _Key:
    # The same article with another paragraph named beside it is another citation.
    parts = (f"{one.kind} {'+'.join(one.values)}" for named in citation.divisions for one in named)
    return (*(citation.canonical or (citation.text,)), *parts)


def _unique(citations: Iterable[Citation]) -> dict[_Key, Citation]:
    found: dict[_Key, Citation] = {}
    for one in citations:
        found.setdefault(_key(one), one)
    return found


# Collecting


def _extract(written: str, jurisdiction: str) -> tuple[Citation, ...]:
    read = _extract_once if written in rule_citations(jurisdiction) else extract
    return tuple(read(written, jurisdiction))


def _in_prose(statement: Statement, jurisdiction: str) -> Iterator[Citation]:
    """Return the citations that a model writes into its prose."""
    if statement.origin == "model":
        for text in (statement.text, statement.reason or ""):
            yield from extract(text, jurisdiction) if text else ()


def _quotes(
    statement: Statement, listed: Sequence[Citation], jurisdiction: str, finder: QuoteFinder
) -> Iterator[AttributedQuote]:
    """Yield the words that a statement quotes and that are not the document's, with their articles."""
    quoted = [words for words in statement.quotes if quoted_words.telling(words)]
    quoted += quoted_words.quotations(statement.text)
    strange = [words for words in dict.fromkeys(quoted) if finder.find(words) is None]
    if not strange:
        return
    in_text = extract(statement.text, jurisdiction)
    beside = {
        one.words: one for one in quoted_words.quotes_beside(statement.text, in_text) if one.words in strange
    }
    named = _unique(one for one in listed or in_text if one.kind == "L4-N" and one.articles)
    for words in strange:
        quote = beside.get(words, AttributedQuote(words, tuple(named.values()), False))
        if quote.citations:
            yield quote


# Judgments


def _held(citation: Citation, on: date, lookup: corpus.LookupResult) -> tuple[corpus.LoadedJudgment, ...]:
    """Return the loaded judgments that a citation names, where it is right about them."""
    if citation.kind != "L2-J" or corpus.verify(citation, on, lookup).status != "verified":
        return ()
    # As for the verdict: a decision of several names is one, a list has no further identifiers.
    ids = citation.ids if len(citation.canonical) <= 1 else {}
    found = (lookup.judgment(form, ids) for form in citation.canonical or ("",))
    return tuple(one for one in found if one is not None)


def _judgment_state(citation: Citation, on: date, law: LoadedLaw) -> JudgmentState | None:
    if citation.kind != "L2-J":
        return None
    held = _held(citation, on, law.lookup)
    if not held:
        return "not_loaded"
    return "good_law" if all(one.id in law.good_judgments for one in held) else "loaded"


# Checking


def _checked(citation: Citation, on: date, law: LoadedLaw, *, in_document: bool) -> CheckedCitation:
    verdict = corpus.verify(citation, on, law.lookup)
    return CheckedCitation(citation, verdict, in_document, _judgment_state(citation, on, law))


@dataclass(frozen=True, slots=True)
class _CitedText:
    """The loaded words of what is cited and, where that is a paragraph, those of the whole article."""

    passage: str
    article: str = ""


_NO_TEXT = _CitedText("")


def _texts(
    cited: Mapping[_Key, Citation], checked: Mapping[_Key, CheckedCitation], law: LoadedLaw, on: date
) -> dict[_Key, _CitedText]:
    found: dict[_Key, _CitedText] = {}
    for key, one in cited.items():
        if one.kind == "L2-J":
            held = _held(one, on, law.lookup)
            text = "\n".join(law.judgment_texts[item.id] for item in held if item.id in law.judgment_texts)
            found[key] = _CitedText(text)
            continue
        words = law.lookup.words(one) if one.kind == "L4-N" else None
        # Of a law that could not be told from its namesakes, a paragraph that is not there supports nothing.
        if words is None or corpus.lacks_place(one, words[1]):
            continue
        place = corpus.words_of_place(one, words[1])
        if place:
            found[key] = _CitedText(f"{words[0]}\n{place}", words[1] if place != words[1] else "")
    return found


def _backing(
    statement: Statement,
    cited: StatementCitations,
    citation: Citation,
    checked: CheckedCitation,
    text: _CitedText,
    finder: QuoteFinder,
) -> AuthorityFinding:
    """Return what an authority is worth to a statement.

    A rule's authority supports it by its author's reading of the law, kept beside the rule; of anybody
    else's statement the text decides (decision 014).
    """
    verdict = checked.verdict
    depth, broken = verdict.depth or "", verdict.status in BROKEN
    if statement.origin == "rules":
        judged = "unchecked" if broken else "supported"
        return AuthorityFinding(citation.text, verdict.status, depth, judged, judgment=checked.judgment)  # type: ignore[arg-type]
    found = UNCHECKED
    if text.passage and not broken:
        found = support(
            statement.text,
            " \n".join(statement.quotes),
            text.passage,
            reason=statement.reason or "",
            citations=(*statement.citations, *(one.text for one in cited.in_prose)),
            title=finder.title,
            document=finder.document.words.values,
            article=text.article,
            is_judgment=citation.kind == "L2-J",
        )
    return AuthorityFinding(
        citation.text, verdict.status, depth, found.verdict, found.passage, checked.judgment
    )


# Quotations


def _compared(
    quote: AttributedQuote, checked: Mapping[_Key, CheckedCitation], lookup: corpus.LookupResult
) -> tuple[CheckedQuotation, ...]:
    """Return what came of one quotation: of several articles, that which is most like it; or nothing."""
    found: list[tuple[float, CheckedQuotation]] = []
    for citation in quote.citations:
        words = lookup.words(citation)
        if words is None:
            continue
        heading, text = words
        comparison = quoted_words.compare(quote, citation, text, heading)
        if comparison is None:
            continue
        verdict = checked[_key(citation)].verdict
        if quoted_words.is_quotation_of(quote, citation, verdict, comparison):
            literal = comparison.match == "literal" and QuoteFinder(text).find(quote.words) is not None
            quotation = CheckedQuotation(
                quote.words, citation, corpus.apply_comparison(verdict, comparison), literal
            )
            found.append((comparison.right + comparison.similarity, quotation))
    return tuple(one for _, one in sorted(found, key=lambda one: one[0])[-1:])


def _keep_worst(
    found: CheckedQuotation,
    checked: Mapping[_Key, CheckedCitation],
    worded: dict[_Key, CheckedCitation],
) -> None:
    """Keep what came of a quotation as the check of its citation; of several, the worst."""
    key = _key(found.citation)
    before = worded.get(key)
    if before is None or _rank(found.verdict) < _rank(before.verdict):
        worded[key] = replace(checked[key], verdict=found.verdict)


def _keep_quotation(
    found: CheckedQuotation,
    checked: Mapping[_Key, CheckedCitation],
    worded: dict[_Key, CheckedCitation],
    misquoted: dict[_Key, CheckedCitation],
) -> None:
    """Keep what came of a statement's quotation: the document's own citation is not the worse for it."""
    key = _key(found.citation)
    if not checked[key].in_document:
        _keep_worst(found, checked, worded)
    elif found.correct:
        worded.setdefault(key, replace(checked[key], verdict=found.verdict))
    else:
        misquoted[(*key, found.words)] = CheckedCitation(found.citation, found.verdict, False)


def _keep_misapplied(
    collected: CollectedCitations,
    checked: Mapping[_Key, CheckedCitation],
    worded: dict[_Key, CheckedCitation],
    finder: QuoteFinder,
) -> None:
    """Keep as a mismatch what the document cites for what it does not provide."""
    authorities = {statement: found.cited for statement, found in collected.statements.items()}
    for citation, note in misapplied.misapplied(collected.document, authorities, finder):
        key = _key(citation)
        before = worded.get(key, checked[key])
        worded[key] = replace(before, verdict=misapplied.apply(before.verdict, note))


def _rank(verdict: corpus.Verdict) -> tuple[bool, float]:
    return verdict.status == "verified", verdict.similarity or 0.0


def good_judgments(judgments: Sequence[corpus.LoadedJudgment], on: date) -> frozenset[UUID]:
    """Return the ids of those `judgments` against which the citator knows nothing (decision 034).

    One question for all of them: the number of statements does not grow with their number.
    """
    asked = [
        citator.Authority(
            "judgment", one.canonical, "", one.jurisdiction, one.title, one.url, one.dated, True, one.id
        )
        for one in judgments
    ]
    with db.reading() as session:
        return citator.good_judgments(session, asked, on)


def judgment_texts(judgments: Collection[UUID]) -> Mapping[UUID, str]:
    """Return the loaded texts of judgments by id; one with only an entry in an index has none."""
    with db.reading() as session:
        return corpus.judgment_texts(session, judgments)
