"""Read whole numbers written in Portuguese, French, Italian and German words.

Italian and German join a number to one word ("duemilacinquecento", "zweitausendfünfhundert"); it is taken
apart into the parts that Portuguese and French write with blanks, hyphens and "and" between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from app.text.expressions import compiled
from app.text.numerals import Numeral
from app.text.tongues import Tongue


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a language: what they add, what they multiply, what may stand between them."""

    adds: Mapping[str, int]
    hundred: Mapping[str, int]
    scales: Mapping[str, int]
    between: str
    joined: bool = False


def _numbered(words: str, first: int = 0) -> dict[str, int]:
    """Return words that stand in the order of their numbers, several of one number joined by "/"."""
    return {
        word: value for value, group in enumerate(words.split(), start=first) for word in group.split("/")
    }


def _tens(words: str, first: int = 20) -> dict[str, int]:
    return {word: first + 10 * at for at, group in enumerate(words.split()) for word in group.split("/")}


_PT: Final = _Words(
    _numbered(
        "zero um/uma dois/duas tres quatro cinco seis sete oito nove dez onze doze treze quatorze/catorze "
        "quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove"
    )
    | _tens("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa")
    | {"cem": 100, "cento": 100}
    | {
        stem + ending: 100 * (at + 2)
        for at, stem in enumerate(
            ["duzent", "trezent", "quatrocent", "quinhent", "seiscent", "setecent", "oitocent", "novecent"]
        )
        for ending in ("os", "as")
    },
    {},
    {"mil": 1000, "milhao": 10**6, "milhoes": 10**6},
    r"(?: {1,3}e {1,3}|,? {1,3})",
)
_FR: Final = _Words(
    _numbered(
        "zero un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
    )
    | _tens("vingt trente quarante cinquante soixante")
    | {"septante": 70, "huitante": 80, "octante": 80, "nonante": 90, "quatre-vingt": 80, "quatre-vingts": 80},
    {"cent": 100, "cents": 100},
    {"mille": 1000, "mil": 1000, "million": 10**6, "millions": 10**6},
    r"(?: {1,3}et {1,3}|-et-| ?- ?| {1,3})",
)
_IT: Final = _Words(
    _numbered(
        "zero un/uno/una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici "
        "quindici sedici diciassette diciotto diciannove"
    )
    | _tens("venti/vent trenta/trent quaranta/quarant cinquanta/cinquant sessanta/sessant settanta/settant "
            "ottanta/ottant novanta/novant"),
    {"cento": 100, "cent": 100},
    {"mille": 1000, "mila": 1000, "milione": 10**6, "milioni": 10**6},
    r" {1,3}(?:e {1,3})?",
    joined=True,
)  # fmt: skip
_DE: Final = _Words(
    _numbered(
        "null ein/eins/eine/einen/einem/einer zwei/zwo drei vier funf sechs sieben acht neun zehn elf zwolf "
        "dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn"
    )
    | _tens("zwanzig dreissig/dreisig vierzig funfzig sechzig siebzig achtzig neunzig")
    | {"und": 0},
    {"hundert": 100},
    {"tausend": 1000, "million": 10**6, "millionen": 10**6},
    r" {1,3}(?:und {1,3})?",
    joined=True,
)
_LANGUAGES: Final[Mapping[str, _Words]] = {"pt": _PT, "fr": _FR, "it": _IT, "de": _DE}


def foreign_numerals(folded: str, tongue: Tongue) -> Iterator[Numeral]:
    """Yield every whole number written in words of a language, in order, none overlapping.

    An article ("um", "une", "ein") is one as well: who asks must find a unit beside it.
    """
    words = _LANGUAGES[tongue]
    for run in _run(tongue).finditer(folded):
        parts = [
            part for word in _WORD.findall(run.group().replace("-et-", " ")) for part in _apart(tongue, word)
        ]
        value = _value(words, parts)
        if value is not None:
            yield Numeral(run.start(), run.end(), value)


@cache
def _run(tongue: Tongue) -> Any:
    words = _LANGUAGES[tongue]
    word = _alternatives(words)
    one = rf"(?:{word})+" if words.joined else rf"(?:{word})"
    return compiled(rf"\b{one}(?:{words.between}{one})*\b")


@lru_cache(maxsize=4096)
def _apart(tongue: Tongue, word: str) -> tuple[str, ...]:
    """Return the parts of a number written as one word, the longest first; none where it is no number.

    What is joined by hyphens ("quatre-vingt") may be one part.
    """
    words = _LANGUAGES[tongue]
    known = {**words.adds, **words.hundred, **words.scales}
    if word in known:
        return (word,)
    if not words.joined:
        first, dash, rest = word.partition("-")
        if dash and f"{first}-{rest.partition('-')[0]}" in known:
            first, rest = f"{first}-{rest.partition('-')[0]}", rest.partition("-")[2]
        return (first, *_apart(tongue, rest)) if dash and first in known and rest else ()
    for length in range(min(len(word) - 1, _LONGEST_PART), 1, -1):
        if word[:length] in known and (rest_parts := _apart(tongue, word[length:])):
            return (word[:length], *rest_parts)
    return ()


_WORD: Final = re.compile(r"[a-z]+(?:-[a-z]+)*")
_LONGEST_PART: Final = 12


def _alternatives(words: _Words) -> str:
    every = [*words.adds, *words.hundred, *words.scales]
    return "|".join(re.escape(word) for word in sorted(every, key=len, reverse=True))


def _value(words: _Words, parts: list[str]) -> int | None:
    """Return what the parts of a number amount to; None where they are no number."""
    if not parts or all(part == "und" for part in parts):
        return None
    total = group = 0
    for part in parts:
        if part in words.hundred:
            group = (group or 1) * words.hundred[part]
        elif part in words.scales:
            total += (group or 1) * words.scales[part]
            group = 0
        else:
            group += words.adds[part]
    return total + group
