"""Check that a quotation proves something: whole words and values, enough of them, not clipped. Pure.

Source: decision 013. A quotation begins and ends between words and values, is a whole value, a name, a
    heading or three
words, and does not begin behind a negation or exception that governs it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from app.analysis.support.glosses import Gloss, gloss
from app.analysis.support.grammar import (
    CLAUSE_END,
    DETERMINERS,
    MAY,
    MUST,
    PROHIBITED,
    SECOND_PERSON,
    is_future,
    marks_of,
    persons_of,
)
from app.analysis.support.paragraphs import Paragraphs
from app.analysis.support.parties import Parties, is_thing
from app.analysis.support.words import MONTHS, Token, Value, Words, concepts_of, is_content, read, word_set
from app.text.sentences import FoldedText


class Discrepancy(StrEnum):
    """Why a statement does not restate the words that it quotes."""

    CUT = "the quotation cuts a word or a figure"
    SHORT = "the quotation is neither a whole value nor three words"
    CLIPPED = "the quotation begins behind a negation or exception that governs it"
    GOVERNED = "what stands over or behind the words quoted takes them back"
    EXCEPTION = "the statement leaves out an exception or a condition"
    LIMIT = "the statement leaves out words that limit what it says"
    FIGURE = "a figure or date of the statement does not stand in the quotation"
    ROLE = "the quoted clause gives the value another role, or none"
    PARTY = "the quoted words bind, name or address another party"
    MODALITY = "the quoted words say may, must or must not otherwise"
    POLARITY = "the quoted words deny what the statement says, or the reverse"
    OTHER_MATTER = "the quoted words are about another contract, time or thing"
    BEYOND = "the statement says more than the quotation"
    PROSE = "quotation marks in the statement hold words that stand nowhere"


_FEWEST_WORDS = 3
_TITLE = 160  # characters
_NAMED_AS = re.compile(
    r"(?:\ben (?:adelante|lo sucesivo)(?: [a-z]+){0,4}|\bdenominad[oa]s?|\bhereinafter(?: called|"
    r" referred to as)?|\()[ ,:(\"'«“]{1,4}"
    r"(?:tambien |indistintamente )?(?:el|la|the) [\"'«“]?([a-z]{5,})\b"
)
_CONTRACT = re.compile(r"\b(?:contrato|acuerdo|pacto|convenio|escritura|agreement|contract|lease|deed)\b")
# A letter from the one who is elsewhere written to: a tenant, an employee, a client.
_WRITER_IS_ADDRESSEE = re.compile(
    r"\bcomo (?:inquilin|arrendatari|trabajador|client|consumidor|prestatari|asegurad|comprador)[a-z]*"
    r"|\b(?:mi caser|nuestr[oa] caser|mi empresa|my landlord|my employer|as your (?:tenant|client|employee))"
)
_SALUTATION = re.compile(
    r"\b(?:(?:estimad|querid|apreciad|distinguid)[oa]s? (?:sr|senor|cliente|companer|don|d|[a-z]+(?=[,:]))|"
    r"muy senor(?:a|es)?|"
    r"les? (?:comunicamos|informamos|requerimos|escribimos)|a la atencion de|dear (?:mr|mrs|ms|sir|madam))\b"
)
_OF_READER = re.compile(r"\b(?:usted(?:es)?|tu|you)\b")
# A quotation that ends so has lost what the words are about.
_OPEN_ENDS = frozenset(
    {"que", "de", "del", "por", "para", "con", "sin", "no", "not", "of", "to", "the", "that", "than"}
)
HONORIFICS = word_set("honorifics")


@dataclass(frozen=True, slots=True)
class QuotedSpan:
    """Words of a document that a statement quotes: `document[start:end]`."""

    start: int
    end: int


class Document:
    """A document read once, for any number of statements about it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.reading = FoldedText(text)

    @cached_property
    def words(self) -> Words:
        """Tokens and values of the whole document."""
        return read(self.text)

    @cached_property
    def gloss(self) -> Gloss | None:
        """The document in Spanish words, where it is in another language than Spanish and English."""
        return gloss(self.text)

    @cached_property
    def in_spanish(self) -> Document | None:
        """The document of its Spanish words."""
        return Document(self.gloss.text) if self.gloss else None

    @cached_property
    def concepts(self) -> list[frozenset[str]]:
        """The concepts of each token of the whole document."""
        return concepts_of(self.words.tokens)

    @cached_property
    def paragraphs(self) -> Paragraphs:
        """The paragraphs and items of lists, with what stands over each."""
        return Paragraphs(self.text)

    @cached_property
    def title(self) -> list[Token]:
        """The words of the title that claim something: it names the document's subject matter."""
        return [one for one in self.tokens(0, min(len(self.text), _TITLE)) if is_content(one)]

    @cached_property
    def title_concepts(self) -> frozenset[str]:
        """The concepts of the words of the title."""
        return frozenset(concept for found in concepts_of(self.title) for concept in found)

    @cached_property
    def defined_terms(self) -> frozenset[str]:
        """Words that the document writes with a capital letter within its sentences, twice or more."""
        counted: Counter[str] = Counter()
        for before, token in pairwise(self.words.tokens):
            if (
                token.kind == "word"
                and before.kind == "word"
                and self.text[token.start].isupper()
                and not self.text[before.start].isupper()
                and token.text not in MONTHS
            ):
                counted[token.text] += 1
        return frozenset(word for word, count in counted.items() if count > 1)

    @cached_property
    def is_contract(self) -> bool:
        """Whether the document's first words call it a contract: it then tells of what is to come."""
        return _CONTRACT.search(self.reading.folded[:200]) is not None

    @cached_property
    def party_terms(self) -> frozenset[str]:
        """The names that the document gives to its parties: "(en adelante, el Concesionario)"."""
        return frozenset(
            match[1] for match in _NAMED_AS.finditer(self.reading.folded) if not is_thing(match[1])
        )

    @cached_property
    def parties(self) -> Parties:
        """Who the parties of the document are, and what it calls them."""
        return Parties(
            self.text,
            self.reading.folded,
            self.words,
            letter=self._is_addressed,
            known_sides=not self._written_by_addressee,
        )

    @cached_property
    def _written_by_addressee(self) -> bool:
        """Whether the writer is a tenant, an employee, a client, and not the reader."""
        folded = self.reading.folded
        return any(
            not _OF_READER.search(folded, max(0, match.start() - 40), match.start())
            for match in _WRITER_IS_ADDRESSEE.finditer(folded)
        )

    @cached_property
    def is_letter(self) -> bool:
        """Whether the document speaks to its reader and of its writer: "le comunicamos", "you owe us"."""
        return self._is_addressed and not self._written_by_addressee

    @cached_property
    def _is_addressed(self) -> bool:
        """Whether the document speaks to a reader: often, or in the words with which a letter begins."""
        if _SALUTATION.search(self.reading.folded):
            return True
        addressed = sum(one.text in SECOND_PERSON for one in self.words.tokens)
        return addressed >= _FEWEST_WORDS and "you" in persons_of(self.words.tokens)

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.words.tokens]

    def tokens(self, start: int, end: int) -> Sequence[Token]:
        """Return the tokens that touch `start:end`."""
        first = bisect_right(self._starts, start) - 1
        if first < 0 or self.words.tokens[first].end <= start:
            first += 1
        return self.words.tokens[first : bisect_left(self._starts, end)]

    def values(self, start: int, end: int) -> list[Value]:
        """Return the values that stand wholly in `start:end`."""
        return [one for one in self.words.values if one.start >= start and one.end <= end]

    def values_like(self, value: Value) -> list[Value]:
        """Return the values of the document of the kind and unit of `value`."""
        return self._by_kind.get((value.kind, value.unit), [])

    @cached_property
    def _by_kind(self) -> dict[tuple[str, str], list[Value]]:
        found: dict[tuple[str, str], list[Value]] = {}
        for one in self.words.values:
            found.setdefault((one.kind, one.unit), []).append(one)
        return found

    def sentence(self, start: int, end: int) -> tuple[int, int]:
        """Return where the sentences begin and end that `start:end` stands in."""
        first = self.reading.sentence(start)[0]
        last = self.reading.sentence(max(start, end - 1))[1]
        return min(first, start), max(last, end)


def unsound(quoted: Sequence[QuotedSpan], document: Document) -> Discrepancy | None:
    """Return why quotations prove nothing (cut, too short, clipped), or `None` where each stands."""
    for one in quoted:
        found = _whole(one, document) or _clipped(one, document)
        if found:
            return found
    return None


def _whole(quoted: QuotedSpan, document: Document) -> Discrepancy | None:
    """Tell whether the quotation begins and ends between words, and is long enough to prove something."""
    tokens = document.tokens(quoted.start, quoted.end)
    if not tokens:
        return Discrepancy.SHORT
    first, last = tokens[0], tokens[-1]
    if first.start < quoted.start or last.end > quoted.end:
        return Discrepancy.CUT
    if any(
        one.start < quoted.start < one.end or one.start < quoted.end < one.end
        for one in _values_at(quoted, document)
    ):
        # A date without its year, an amount without its currency: the value is not whole.
        inside = [one for one in tokens if one.kind in ("word", "number", "date")]
        if len(inside) < _FEWEST_WORDS:
            return Discrepancy.CUT
    if last.text in _OPEN_ENDS:
        return Discrepancy.CUT
    said = [one for one in tokens if one.kind in ("word", "number", "date")]
    if len(said) >= _FEWEST_WORDS:
        return None
    if document.values(quoted.start, quoted.end) or _is_heading(quoted, document):
        return None
    return None if _is_name(tokens, document) else Discrepancy.SHORT


def _values_at(quoted: QuotedSpan, document: Document) -> list[Value]:
    near = document.tokens(max(0, quoted.start - 60), quoted.end + 60)
    if not near:
        return []
    return document.values(near[0].start, near[-1].end)


def _is_heading(quoted: QuotedSpan, document: Document) -> bool:
    """Return whether the words are the whole heading of a clause: only its number stands before them."""
    text = document.text
    line = text.rfind("\n", 0, quoted.start) + 1
    before, after = text[line : quoted.start].strip(), text[quoted.end : quoted.end + 2]
    numbered = not before or (before[-1:] in ".-:)–—º°" and len(before.split()) <= _FEWEST_WORDS)
    return numbered and (not after or after[0] in ".:\n")


def _is_name(tokens: Sequence[Token], document: Document) -> bool:
    """Tell whether the words are a whole name: capitals, and none before or after that belong to it."""
    said = [one for one in tokens if one.kind == "word"]
    if not any(is_content(one) for one in said) or not all(
        document.text[one.start].isupper() or one.text in ("de", "del", "la", "y", "of", "and")
        for one in said
    ):
        return "[" in document.text[tokens[0].start : tokens[-1].end]
    before = document.tokens(max(0, tokens[0].start - 30), tokens[0].start)
    after = document.tokens(tokens[-1].end, tokens[-1].end + 30)
    previous = before[-1] if before else None
    following = after[0] if after else None
    if (
        previous
        and previous.kind == "word"
        and document.text[previous.start].isupper()
        and previous.text not in HONORIFICS
    ):
        return (
            document.text[previous.start : previous.end].isupper()
            != document.text[said[0].start : said[0].end].isupper()
        )
    return not (
        following
        and following.kind == "word"
        and document.text[following.start].isupper()
        and following.start - tokens[-1].end <= 1
    )


def _clipped(quoted: QuotedSpan, document: Document) -> Discrepancy | None:
    """Tell whether a negation or exception before the quotation, in its sentence, governs it."""
    start, _ = document.sentence(quoted.start, quoted.end)
    before = [one for one in document.tokens(start, quoted.start) if one.end <= quoted.start]
    cut = last_break(before, document)
    before = before[cut:]
    marks = sorted(
        {
            *marks_of(before, negations=True, exceptions=True),
            *(at for at, one in enumerate(before) if one.text in PROHIBITED),
        }
    )
    if not marks:
        return None
    behind = before[marks[-1] + 1 :]
    inside = document.tokens(quoted.start, quoted.end)
    if behind and behind[-1].text == "," and inside and _opens_clause(inside):
        return None
    return Discrepancy.CLIPPED


def last_break(tokens: Sequence[Token], document: Document) -> int:
    """Return the index behind the last mark that ends a clause."""
    if not tokens:
        return 0
    start, end = tokens[0].start, tokens[-1].end
    folded = document.reading.folded[start:end]
    last = 0
    for match in CLAUSE_END.finditer(folded):
        last = match.end()
    if document.text[start:end].rfind(":") + 1 > last:
        last = document.text[start:end].rfind(":") + 1
    return next((at for at, one in enumerate(tokens) if one.start >= start + last), len(tokens))


def _opens_clause(tokens: Sequence[Token]) -> bool:
    """Tell whether words begin with a subject of their own and have a verb: a new main clause."""
    opener = tokens[0].text in DETERMINERS or (
        tokens[0].kind == "word" and any(c.startswith("party:") for c in concepts_of(tokens[:1])[0])
    )
    return opener and any(
        one.text in MUST
        or one.text in MAY
        or is_future(one)
        or one.text in ("es", "son", "is", "are", "will")
        for one in tokens
    )
