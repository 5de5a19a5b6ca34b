"""Read numbers as lawyers write them: in words (Spanish and English), in figures, in Roman numerals.

Invariant: a reader returns a number only when the whole notation is sound; otherwise None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import re2

from app.text.bilingual import Language, pick
from app.text.expressions import compiled

_ES_SMALL: Final = {
    word: value
    for value, words in enumerate(
        [
            "cero",
            "un uno una",
            "dos",
            "tres",
            "cuatro",
            "cinco",
            "seis",
            "siete",
            "ocho",
            "nueve",
            "diez",
            "once",
            "doce",
            "trece",
            "catorce",
            "quince",
            "dieciseis",
            "diecisiete",
            "dieciocho",
            "diecinueve",
            "veinte",
            "veintiun veintiuno veintiuna",
            "veintidos",
            "veintitres",
            "veinticuatro",
            "veinticinco",
            "veintiseis",
            "veintisiete",
            "veintiocho",
            "veintinueve",
        ]
    )
    for word in words.split()
}
_ES_TENS: Final = {
    "treinta": 30,
    "cuarenta": 40,
    "cincuenta": 50,
    "sesenta": 60,
    "setenta": 70,
    "ochenta": 80,
    "noventa": 90,
}
_ES_HUNDREDS: Final = {
    stem + ending: value
    for stem, value in {
        "doscient": 200,
        "trescient": 300,
        "cuatrocient": 400,
        "quinient": 500,
        "seiscient": 600,
        "setecient": 700,
        "ochocient": 800,
        "novecient": 900,
    }.items()
    for ending in ("os", "as")
} | {"cien": 100, "ciento": 100}
_ES_MILLION: Final = frozenset({"millon", "millones"})

_EN_SMALL: Final = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_EN_TENS: Final = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fourty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_EN_SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9}

_ES_WORDS: Final = [*_ES_SMALL, *_ES_TENS, *_ES_HUNDREDS, "mil", *_ES_MILLION]
_EN_WORDS: Final = [*_EN_SMALL, *_EN_TENS, "hundred", *_EN_SCALES]


def _runs(words: Sequence[str], link: str) -> re2._Regexp:
    word = "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"
    return compiled(rf"\b{word}(?:{link}{word})*\b")


_RUNS: Final = {
    "es": _runs(_ES_WORDS, r"(?: {1,3}y {1,3}| {1,3})"),
    "en": _runs(_EN_WORDS, r"(?:,? {1,3}and {1,3}| ?- ?|,? {1,3})"),
}
_WORD: Final = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A whole number written in words at `start:end` of the folded text."""

    start: int
    end: int
    value: int


def _read_es_hundreds(words: Sequence[str], at: int) -> tuple[int, int]:
    """Return the value below 1,000 at `words[at]` and the index after it.

    The index is `at` when there is none.
    """
    start, value = at, 0
    if at < len(words) and words[at] in _ES_HUNDREDS:
        value, at = _ES_HUNDREDS[words[at]], at + 1
        if words[at - 1] == "cien":
            return value, at
    if at < len(words) and words[at] in _ES_TENS:
        value, at = value + _ES_TENS[words[at]], at + 1
        if at + 1 < len(words) and words[at] == "y" and 0 < _ES_SMALL.get(words[at + 1], 0) < 10:
            value, at = value + _ES_SMALL[words[at + 1]], at + 2
    elif at < len(words) and words[at] in _ES_SMALL and not (at > start and words[at] == "cero"):
        value, at = value + _ES_SMALL[words[at]], at + 1
    return value, at


def _read_es_thousands(words: Sequence[str], at: int) -> tuple[int, int]:
    """Return the value below 1,000,000 at `words[at]` and the index after it."""
    value, after = _read_es_hundreds(words, at)
    if after < len(words) and words[after] == "mil" and words[after - 1 : after] != ["cero"]:
        units, end = _read_es_hundreds(words, after + 1)
        if end > after + 1 and units == 0:
            units, end = 0, after + 1
        return (value or 1) * 1000 + units, end
    return value, after


def _read_es(words: Sequence[str], at: int) -> tuple[int, int]:
    value, after = _read_es_thousands(words, at)
    if after > at and value and after < len(words) and words[after] in _ES_MILLION:
        units, end = _read_es_thousands(words, after + 1)
        if end > after + 1 and units == 0:
            units, end = 0, after + 1
        return value * 10**6 + units, end
    return value, after


def _read_en_hundreds(words: Sequence[str], at: int) -> tuple[int, int]:
    start, value = at, 0

    def tens(at: int) -> tuple[int, int]:
        if at < len(words) and words[at] in _EN_TENS:
            base, at = _EN_TENS[words[at]], at + 1
            unit = _EN_SMALL.get(words[at], 0) if at < len(words) else 0
            return (base + unit, at + 1) if 0 < unit < 10 else (base, at)
        if at < len(words) and words[at] in _EN_SMALL:
            return _EN_SMALL[words[at]], at + 1
        return 0, at

    value, at = tens(at)
    if at > start and value and at < len(words) and words[at] == "hundred":
        value, at = value * 100, at + 1
        skip = at + 1 if at < len(words) and words[at] == "and" else at
        rest, end = tens(skip)
        if end > skip and rest:
            return value + rest, end
    return value, at


def _read_en(words: Sequence[str], at: int) -> tuple[int, int]:
    total, limit, end = 0, 10**12, at
    while True:
        skip = end + 1 if end > at and end < len(words) and words[end] == "and" else end
        value, after = _read_en_hundreds(words, skip)
        if after == skip or (value == 0 and end > at):
            return total, end
        scale = _EN_SCALES.get(words[after], 1) if after < len(words) else 1
        if scale >= limit or (scale == 1 and skip > end and value >= 100):
            return total, end
        # "two hundred five hundred" is two numbers: after units nothing more may follow.
        total, limit, end = total + value * scale, scale, after + (scale > 1)
        if scale == 1:
            return total, end


def numerals(folded: str, language: Language) -> Iterator[Numeral]:
    """Yield every whole number written in words in folded text, in order, none overlapping."""
    read = pick(language, _read_es, _read_en)
    for run in _RUNS[language].finditer(folded):
        spans = [match.span() for match in _WORD.finditer(run.group())]
        words = [run.group()[start:end] for start, end in spans]
        at = 0
        while at < len(words):
            value, after = read(words, at)
            if after == at:
                at += 1
                continue
            yield Numeral(run.start() + spans[at][0], run.start() + spans[after - 1][1], value)
            at = after


def read_numeral(words: str, language: Language) -> int | None:
    """Return the number that folded `words` spell as a whole, or None when they do not spell exactly one."""
    found = list(numerals(words, language))
    if len(found) != 1 or words[: found[0].start].strip() or words[found[0].end :].strip():
        return None
    return found[0].value


_GROUPED: Final = compiled(r"\d{1,3}(?:([.,' ])\d{3})(?:[.,' ]\d{3})*(?:([.,])\d{1,2})?")
_PLAIN: Final = compiled(r"\d{1,15}(?:[.,]\d{1,6}|'\d{1,2})?")


def read_figure(figure: str, *, percentage: bool = False) -> Decimal | None:
    """Return the value of digits with separators of either tradition.

    For instance "1.200,50", "1,200.50", "1 200", "1'200".

    One separator followed by exactly three digits groups thousands, except in a percentage, where it marks
    decimals. Mixed or uneven grouping ("1.20.000", "1.200,50,3") gives None.
    """
    figure = figure.strip()
    grouped = _GROUPED.fullmatch(figure)
    if grouped and not (percentage and sum(figure.count(mark) for mark in ".,' ") == 1):
        mark, point = grouped.group(1), grouped.group(2)
        whole, fraction = figure, ""
        if point is not None:
            whole, _, fraction = figure.rpartition(point)
        if point == mark or any(other in whole for other in ".,' " if other != mark):
            return None
        return Decimal(whole.replace(mark, "") + ("." + fraction if fraction else ""))
    if _PLAIN.fullmatch(figure):
        return Decimal(figure.replace(",", ".").replace("'", "."))
    return None


_ROMAN: Final = compiled(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


def read_roman(letters: str) -> int | None:
    """Return the value of a well-formed Roman numeral in any case, or None."""
    letters = letters.lower()
    if not letters or not letters.isascii() or not _ROMAN.fullmatch(letters):
        return None
    values = [_ROMAN_VALUES[letter] for letter in letters]
    return sum(
        -value if value < following else value
        for value, following in zip(values, [*values[1:], 0], strict=True)
    )


_ES_ORDINAL_UNITS: Final = {
    stem: value
    for value, stems in enumerate(
        ["primer", "segund", "tercer", "cuart", "quint", "sext", "septim", "octav", "noven"], start=1
    )
    for stem in stems.split()
} | {"setim": 7, "primeir": 1, "terceir": 3, "oitav": 8, "non": 9}
"""With those that are spelt otherwise in Portuguese."""
_ES_ORDINAL_TENS: Final = {
    "decim": 10,
    "vigesim": 20,
    "trigesim": 30,
    "cuadragesim": 40,
    "quincuagesim": 50,
    "sexagesim": 60,
}
_ES_ORDINAL_WHOLE: Final = {"undecim": 11, "duodecim": 12, "unic": 1, "primer": 1, "tercer": 3}
_EN_ORDINALS: Final = {
    word: value
    for value, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        start=1,
    )
} | {"thirtieth": 30, "fortieth": 40, "fiftieth": 50}


def _read_es_ordinal(word: str) -> int | None:
    stem = word[:-1] if word[-1:] in {"o", "a"} else word
    if stem in _ES_ORDINAL_WHOLE:
        return _ES_ORDINAL_WHOLE[stem]
    if word[-1:] not in {"o", "a"}:
        return None
    if stem in _ES_ORDINAL_UNITS or stem in _ES_ORDINAL_TENS:
        return _ES_ORDINAL_UNITS.get(stem) or _ES_ORDINAL_TENS[stem]
    for tens, value in _ES_ORDINAL_TENS.items():
        for joined in (tens + "o", tens + "a"):
            if stem.startswith(joined):
                unit = stem.removeprefix(joined)
                unit = {"ctav": "octav", "septim": "septim"}.get(unit, unit)
                return value + _ES_ORDINAL_UNITS[unit] if unit in _ES_ORDINAL_UNITS else None
    return None


def read_ordinal(words: str) -> int | None:
    """Return the rank spelt by folded `words`, or None.

    For instance "vigesimo primera", "decimotercera", "twenty-first".
    """
    parts = words.replace("-", " ").split()
    if len(parts) == 1:
        return _EN_ORDINALS.get(parts[0]) or _read_es_ordinal(parts[0])
    if len(parts) != 2:
        return None
    if parts[0] in _EN_TENS and _EN_ORDINALS.get(parts[1], 10) < 10:
        return _EN_TENS[parts[0]] + _EN_ORDINALS[parts[1]]
    tens, unit = _read_es_ordinal(parts[0]), _read_es_ordinal(parts[1])
    if tens and unit and tens >= 10 and tens % 10 == 0 and unit < 10:
        return tens + unit
    return None
