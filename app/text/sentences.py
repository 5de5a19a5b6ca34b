"""Prepare a document for the readers of facts: folded letters, sentence limits, language.

Every reader of facts matches on `FoldedText.folded` (or `cased`, where case or lines matter) and quotes from
`FoldedText.text`, so folding must never move a character: all three have the same length, always.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import re2

from app.text.bilingual import Language
from app.text.expressions import compiled
from app.text.foreign_numerals import foreign_numerals
from app.text.normalize import FACTS
from app.text.numerals import Numeral, numerals
from app.text.tongues import Tongue, tongue_of


def fold(text: str) -> str:
    """Fold `text` into lower case without accents, each white space one blank, as long as it was.

    Letters outside the Latin script become `x` and other symbols `?`, so the result can always be encoded
    (re2 refuses lone surrogates).
    """
    return FACTS.fold(text).lower().replace("\n", " ")


_WORD = re.compile(r"\b[a-z]+\b")
_SPANISH = frozenset(
    _WORD.findall(
        "de la el que en los las del por con para una se al su como sera este dicha contrato clausula"
    )
)
_ENGLISH = frozenset(
    _WORD.findall("the of and to in shall this by or for any with be is agreement party such under that on")
)
# A full stop ends a sentence only after a word that is not an abbreviation, and before a new start.
_STOP = compiled(
    r"([A-Za-z0-9\])\"'€%ºª]+)(?:[.;](?:[ \n]+|\.?-[ \n]*)[A-Z0-9\"'(\[?-])|\n *\n|\.-[ \n]|\n *(?:[a-z]\)"
    r"|[*-]|\(?[ivx]{1,4}\)) "
)
# A line that opens a clause opens a sentence, however the line before ended.
_ORDINALS = (
    "primer[ao] segund[ao] tercer[ao] cuart[ao] quint[ao] sext[ao] septim[ao] octav[ao] noven[ao] decim[ao]"
)
_DIVISIONS = "undecim[ao] duodecim[ao] clausula estipulacion articulo clause section article"
_OPENINGS = "|".join(f"{word.capitalize()}|{word.upper()}" for word in f"{_ORDINALS} {_DIVISIONS}".split())
_CLAUSE = compiled(
    r"\n *(?:[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}[.)-]+ |[0-9]{1,2}(?:\.[0-9]{1,2}){1,3} "
    rf"|(?:{_OPENINGS})\b)"
)
# The number of a line, or its letter, is no sentence by itself: "4. Liability", "I. Hechos".
_LINE_NUMBER = compiled(r"(?:^|\n) *(?:[0-9]{1,2}|[IVXivx]{1,5}|[A-Za-z])\. ?-? *")
# "Importe principal: 4.500,00 €" on a line of its own.
_FORM_LINE = compiled(r"^ {0,8}[A-Z][^\n:.;,]{1,45}:")
_TITLE = 90
_PAGE = 130
_WRAP = 55  # a line shorter than this was ended on purpose
# In a text longer than the first, what is longer than the second is no sentence but a table or a list, and is
# cut at a line: what is read around each of its figures would grow with it, and the time with its square.
_LONG, _LONGEST_SENTENCE = 50_000, 4_000
_ABBREVIATIONS = frozenset(
    [
        "d",
        "dª",
        "dna",
        "da",
        "sr",
        "sra",
        "srta",
        "sres",
        "dr",
        "dra",
        "num",
        "nums",
        "art",
        "arts",
        "no",
        "nº",
        "n",
        "pag",
        "pags",
        "ap",
        "apdo",
        "c",
        "cl",
        "esq",
        "exp",
        "expte",
        "s",
        "a",
        "l",
        "u",
        "ltd",
        "inc",
        "co",
        "corp",
        "mr",
        "mrs",
        "ms",
        "av",
        "avda",
        "ctra",
        "pza",
        "plza",
        "izq",
        "dcha",
        "prof",
        "ilmo",
        "excmo",
        "mag",
        "st",
        "lic",
        "ing",
        "arq",
        "sec",
        "vol",
        "fol",
        "rfc",
        "cv",
        "to",
        "cf",
    ]
)
_FOREIGN_ABBREVIATIONS = frozenset(
    [
        *["abs", "bzw", "ggf", "inkl", "nr", "str", "zzgl", "ziff", "evtl", "ca"],
        *["mme", "mlle", "mm", "me", "sig", "dott", "avv", "rag", "geom", "ltda"],
        *["lda", "exmo", "exma", "snr", "cod", "civ", "comma", "lett", "m", "al"],
    ]
)
_DAY = re.compile(r"\d{1,2}\Z")
# "… nominal anual. b) El tipo …": an item of a list that goes on in its line. "Art. 53.1. b) ET" is none.
_ITEM = compiled(r"[A-Za-z\])\"'%][.;] \(?[a-z]\) [A-Z]")


@dataclass(frozen=True)
class FoldedText:
    """One document, folded once, with its jurisdiction (ISO 3166-1 alpha-2, "ES" when unknown)."""

    text: str
    jurisdiction: str = "ES"

    @cached_property
    def cased(self) -> str:
        """Return `text` without accents, in its own case and with its line breaks, offset for offset."""
        return FACTS.fold(self.text)

    @cached_property
    def folded(self) -> str:
        """Return `text` folded by `fold`, offset for offset."""
        return self.cased.lower().replace("\n", " ")

    @cached_property
    def language(self) -> Language:
        """Return Spanish or English, whichever has more function words.

        Spanish when nothing speaks for English, or where the document is in a language beside these two.
        """
        return "en" if self.tongue == "en" else "es"

    @cached_property
    def tongue(self) -> Tongue:
        """Return the language of the document, one beside Spanish and English where its words are of it."""
        spanish, english = self._function_words
        return tongue_of(self._words, "en" if english > spanish else "es")

    @property
    def foreign(self) -> bool:
        """Tell whether the document is in neither Spanish nor English."""
        return self.tongue not in ("es", "en")

    @cached_property
    def languages(self) -> tuple[Language, ...]:
        """Return the main language, then the other one if it has a fifth of the function words or more."""
        if self.foreign:
            return (self.language,)
        spanish, english = self._function_words
        other: Language = "es" if self.language == "en" else "en"
        if min(spanish, english) * 5 >= max(spanish, english) > 0:
            return (self.language, other)
        return (self.language,)

    @cached_property
    def numerals(self) -> tuple[tuple[Numeral, ...], ...]:
        """Return the numbers written in words in each of `languages`, in order; else in that of the text."""
        if self.foreign:
            return (tuple(foreign_numerals(self.folded, self.tongue)),)
        return tuple(tuple(numerals(self.folded, language)) for language in self.languages)

    @cached_property
    def _words(self) -> Counter[str]:
        return Counter(_WORD.findall(self.folded))

    @cached_property
    def _function_words(self) -> tuple[int, int]:
        words = self._words
        return sum(words[one] for one in _SPANISH), sum(words[one] for one in _ENGLISH)

    @cached_property
    def limits(self) -> list[int]:
        """Return offsets where a sentence or a paragraph ends, ascending."""
        limits = {0, len(self.text), *self._titles}
        numbers = {match.end() for match in _LINE_NUMBER.finditer(self.cased)}
        for match in _STOP.finditer(self.cased):
            word = match.group(1)
            if word is None:
                limits.add(match.end())
            elif match.end() - 1 not in numbers and (
                not self._abbreviated(match) or "\n\n" in match.group(0)
            ):
                limits.add(match.end() - 1)
        limits.update(match.start() + 1 for match in _CLAUSE.finditer(self.cased))
        limits.update(match.start() + 3 for match in _ITEM.finditer(self.cased))
        if len(self.text) > _LONG:
            limits.update(self._cuts(sorted(limits)))
        return sorted(limits)

    def _cuts(self, limits: list[int]) -> Iterator[int]:
        """Yield where to cut what is too long for a sentence: after a line, else after a word."""
        for start, end in pairwise(limits):
            while end - start > _LONGEST_SENTENCE:
                most = start + _LONGEST_SENTENCE
                ends = (self.cased.rfind(sign, start, most) + 1 for sign in "\n ")
                start = next((one for one in ends if one > start), most)
                yield start

    def _abbreviated(self, stop: re2._Match) -> bool:
        """Tell whether a full stop belongs to an abbreviation. "No." is one only before a figure.

        German writes ordinals with one: "3. Februar", and numbers behind other words: "Abs. 2".
        """
        word = self.folded[slice(*stop.span(1))]
        if self.foreign and (word in _FOREIGN_ABBREVIATIONS or (self.tongue == "de" and _DAY.match(word))):
            return True
        return word in _ABBREVIATIONS and (word != "no" or self.cased[stop.end() - 1].isdigit())

    @cached_property
    def _titles(self) -> list[int]:
        """Return offsets right after titles in capitals, and before the lines of a form."""
        lines = self.cased.split("\n")
        # Where one line is longer than any page is wide, lines are paragraphs: none only wraps.
        unwrapped = any(len(line) > _PAGE for line in lines)
        limits: list[int] = []
        at = 0
        for line, following in pairwise(lines):
            at += len(line) + 1
            written = line.strip()
            title = (
                4 <= len(written) <= _TITLE
                and written.upper() == written
                and sum(c.isalpha() for c in written) * 2 > len(written)
                and not written.endswith((",", ";"))
                # A document all in capitals has lines like these that only wrap.
                and (len(written) < _WRAP or following[:40].upper() != following[:40])
            )
            if title:
                limits.append(at - len(line) - 1)
            apart = following[:1].isupper() and not written.endswith((",", ";")) and written != ""
            if apart and (unwrapped or (written.endswith(":") and len(written) < _WRAP)):
                limits.append(at)
            if title or _FORM_LINE.match(following[:60]) is not None:
                limits.append(at)
        return limits

    def sentence(self, offset: int) -> tuple[int, int]:
        """Return offsets (start, end) of the sentence that holds `offset`."""
        limits = self.limits
        after = bisect_right(limits, offset)
        start = limits[after - 1] if after else 0
        end = limits[after] if after < len(limits) else len(self.text)
        return start, end

    def window(self, start: int, end: int, back: int, ahead: int) -> tuple[int, int]:
        """Return offsets of `start:end` with `back` characters before and `ahead` after.

        They do not leave the sentence.
        """
        limits = self.limits
        at = bisect_right(limits, start)
        floor = limits[at - 1] if at else 0
        at = bisect_left(limits, end)
        ceiling = limits[at] if at < len(limits) else len(self.text)
        return max(floor, start - back), min(ceiling, end + ahead)

    def before(self, offset: int, reach: int) -> str:
        """Return folded words of the same sentence that precede `offset`.

        Args:
            offset: an offset of the text.
            reach: how many characters at most.
        """
        return self.folded[self.window(offset, offset, reach, 0)[0] : offset]

    def after(self, offset: int, reach: int) -> str:
        """Return folded words of the same sentence that follow `offset`.

        Args:
            offset: an offset of the text.
            reach: how many characters at most.
        """
        return self.folded[offset : self.window(offset, offset, 0, reach)[1]]
