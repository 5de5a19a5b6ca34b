"""Parse the text of an article into a tree of its parts, by the signs at the beginning of lines. Pure.

Laws mark their parts in many ways ("1.", "(1)", "1.º", "a)", "IV.-", "§ 1º", "PARÁGRAFO 2."); a line that
begins with a sign continues the series that it fits, or begins a new one below.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from app.citations import as_roman, roman
from app.text import linear
from app.text.normalize import LAW

Family = Literal["number", "letter", "roman", "ordinal", "added"]

# What is longer is read as far as this: the longest article of a real law has some 60,000 characters.
_LONGEST = 200_000
_ORDINALS = {
    name: value
    for value, names in enumerate(
        (
            "primero primera primer first", "segundo segunda second", "tercero tercera tercer third",
            "cuarto cuarta fourth", "quinto quinta fifth", "sexto sexta sixth",
            "septimo septima setimo seventh", "octavo octava eighth", "noveno novena ninth",
            "decimo decima tenth", "undecimo undecima", "duodecimo duodecima", "decimotercero decimotercera",
            "decimocuarto decimocuarta", "decimoquinto decimoquinta",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_SUFFIX = r"(?:\s?(?P<suffix>bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies))?"
_MARKS = r"[ \t>*_«\"'\-–—•]{0,6}"
_DELIMITED = r"\s?(?:\.\s?[-–—]|\)\s?\.?-?|[.:;–—-]|[ºª]\.?-?)"
_NUMBER = linear.compile(
    rf"^{_MARKS}(?:(?P<open>\()|n\.?[ºo]\s?)?(?P<digits>\d{{1,3}})(?P<letter>[A-Z]{{1,2}})?"
    rf"(?P<mark>\.?[ºª]|o\b)?{_SUFFIX}(?P<end>{_DELIMITED})?(?P<space>\s|$)"
)
_LETTER = linear.compile(
    rf"(?i)^{_MARKS}(?P<open>\()?(?P<letter>[a-zñ]|aa|bb|cc|dd|ee)(?P<more>\d)?{_SUFFIX}"
    rf"(?P<end>\s?(?:\)\s?\.?-?|\.\s?[-–—]?|\s[-–—]))(?:\s|$)"
)
_ROMAN = linear.compile(
    rf"(?i)^{_MARKS}(?P<open>\()?(?P<roman>[ivxlc]{{1,8}})(?P<letter>-?[A-Z])?{_SUFFIX}"
    rf"(?P<end>\s?(?:\)\s?\.?-?|\.\s?[-–—]?|[ºª]\.?|\s?[-–—]))(?:\s|$)"
)
_ORDINAL = linear.compile(
    rf"(?i)^{_MARKS}(?P<word>{'|'.join(_ORDINALS)}){_SUFFIX}\s?(?:\.\s?[-–—]?|[:)])(?:\s|$)"
)
_ADDED = linear.compile(
    rf"(?i)^{_MARKS}(?:(?:paragrafo|par\.)\s{{0,2}}(?:(?P<value>\d{{1,2}})|(?P<word>{'|'.join(_ORDINALS)}|unico|unica|"
    r"transitorio))?|§\s?(?P<sign>\d{1,2}))(?:[ºªo])?(?:[\s.:)\-–—]|$)"
)
_SEVERAL = linear.compile(
    rf"(?i)^{_MARKS}\(?(?P<first>\d{{1,3}}|[a-zñ])[.)ºª]{{0,2}}\s?(?P<to>a|al|to|y|e|and|bis|-|–|—|,|&)\s?"
    r"\(?(?P<last>\d{1,3}|[a-zñ])[.)ºª]{1,2}\s?(?P<rest>.{0,120})$"
)
_ABOLISHED = linear.compile(
    r"(?i)^[\s*_«\"(\[.\-–—]{0,8}(?:apartado|parrafo|numeral|fraccion|inciso|literal|letra|subsection|paragraph)?"
    r"\s?(?:\d{1,2}\s)?(?:queda[n]?\s|ha\ssido\s|is\s|was\s|declarad[oa]s?\s)?(?:suprimid[oa]s?|derogad[oa]s?|"
    r"sin\scontenido|se\s(?:derogan?|suprimen?)|anulad[oa]s?|nul[oa]s?|inconstitucional(?:\sy\snul[oa])?|inexequible|"
    r"eliminad[oa]s?|sin\sefecto|repealed|revoked|omitted|deleted|reserved|abrog(?:e|ee|es|ees|ato|ata|ati|ate)|"
    r"supprime|supprimee|soppress[oa]|weggefallen|aufgehoben|gestrichen|revogad[oa]s?|vetad[oa]s?)"
    r"(?:[\s.,;:)\]\-–—*_»\"(\[].{0,140})?$"
)
_DOTS_ONLY = linear.compile(r"^[\s.…·*_\[\]()]{3,}$")


@dataclass(slots=True)
class Part:
    """A part of an article with its sign: `value` reads as that of a `Division`; `lines` are its own."""

    family: Family
    value: str
    order: int
    style: str
    lines: list[str]
    children: list[Part] = field(default_factory=list)
    blocks: int = 1

    def all_lines(self) -> list[str]:
        """Return its own lines and those of the parts in it."""
        return [*self.lines, *(line for child in self.children for line in child.all_lines())]

    @property
    def text(self) -> str:
        """Its words with those of the parts in it, one line each."""
        return "\n".join(self.all_lines())

    @property
    def abolished(self) -> bool:
        """Tell whether it says only that it was repealed."""
        own = " ".join(self.lines)
        return not self.children and len(own) < 200 and _is_abolished(own)


@lru_cache(maxsize=512)
def parts_of(text: str) -> Part:
    """Return the article as a tree of its parts; the root is the article itself. Cached."""
    root = Part("number", "", 0, "", [])
    path = [root]
    for line in _lines(text[:_LONGEST]):
        stated = _several(line)
        if stated:
            for family, value, order, rest in stated:
                _place(path, root, [(family, value, order, "several", rest)])
            continue
        if not _place(path, root, _signs(line)):
            path[-1].lines.append(line)
            path[-1].blocks += 1
    return root


def _is_abolished(words: str) -> bool:
    plain = LAW.fold(_without_sign(words)).strip()
    return bool(_ABOLISHED.match(plain) or _DOTS_ONLY.match(plain))


def _without_sign(words: str) -> str:
    """Return a line without the sign it begins with."""
    for expression in (_ADDED, _NUMBER, _LETTER, _ROMAN, _ORDINAL):
        match = expression.match(LAW.fold(words))
        if match and (expression is not _NUMBER or match["end"] or match["mark"] or match["open"]):
            return words[match.end() :]
    return words


def _lines(text: str) -> list[str]:
    """Return the lines that have words; a line that holds a run of signs ("1.- … 2.- …") is cut at each."""
    found: list[str] = []
    for line in text.splitlines():
        if line.strip():
            found += _cut(line.strip())
    return found


# "1.El traslado": no space behind the sign.
_GLUED = re.compile(
    r"^[ \t*_]{0,4}(?:(?:\(?\d{1,3}\)?[.)ºª-]{1,2}|[IVXL]{1,6}[.)]-?)(?=[A-Z*(\"])|"
    r"\(?[a-zA-Z]\)(?=[a-zA-Z*\"]))"
)
_INLINE = linear.compile(
    r"(?P<before>^|[:;.,)]\s+(?:y|e|o|u|and|or|et|und)?\s?)(?P<sign>\(?(?P<value>\d{1,2}|[a-z]|[ivx]{1,5}|[IVX]{1,5})"
    r"(?P<style>\.-|\.?\)|[ºª]\)?|\.\s-|°))\s"
)


def _cut(line: str) -> list[str]:
    """Cut a line at signs that count up from the first one, three of them or more."""
    runs: dict[str, list[tuple[int, str]]] = {}
    for match in _INLINE.finditer(line):
        value, style = match["value"], match["style"]
        family = "n" if value.isdigit() else "l"
        run = runs.setdefault(family + style, [])
        expected = _next(run[-1][1]) if run else {"1", "a", "i", "I"}
        if value in expected or (len(run) == 1 and value in _next(run[0][1])):
            run.append((match.start(2), value))
    places = sorted(place for run in runs.values() if len(run) > 2 for place, _ in run)
    edges = [0, *(place for place in places if place), len(line)]
    return [piece for first, last in pairwise(edges) if (piece := line[first:last].strip())]


def _next(value: str) -> set[str]:
    """Return the signs that may follow `value`."""
    if value.isdigit():
        return {str(int(value) + 1)}
    found: set[str] = set()
    number = roman(value)
    if number:
        follows = as_roman(number + 1)
        found.add(follows.upper() if value.isupper() else follows)
    if len(value) == 1:
        found |= {chr(ord(value) + step) for step in (1, 2)} | ({"ñ"} if value == "n" else set())
        if value == "ñ":
            found |= {"o"}
    return found


_Sign = tuple[Family, str, int, str, str]


def _signs(line: str) -> list[_Sign]:
    """Return what the sign at the beginning of a line may be: (family, value, position, style, line)."""
    plain = _GLUED.sub(r"\g<0> ", LAW.fold(line[:80]), count=1)
    found: list[_Sign] = []
    added = _ADDED.match(plain)
    if added:
        word = (added["word"] or "").lower()
        number = added["value"] or added["sign"] or str(_ORDINALS.get(word, "")) or "sole"
        return [("added", number, int(number) if number.isdigit() else 1, "added", line)]
    match = _NUMBER.match(plain)
    if match:
        rest = plain[match.end() :].lstrip(" -–—")
        bare = not (match["end"] or match["mark"] or match["open"])
        if not bare or (rest[:1].isupper() or rest[:1] in '("«'):
            letter = (match["letter"] or "").lower()
            value = f"{match['digits']}{letter}" + (f" {match['suffix'].lower()}" if match["suffix"] else "")
            style = (
                "("
                if match["open"]
                else "º"
                if match["mark"]
                else "bare"
                if bare
                else (match["end"] or "").strip()[:1]
            )
            found.append(("number", value, int(match["digits"]), f"n{style}", line))
    match = _LETTER.match(plain)
    if match and not match["more"]:
        letter = match["letter"]
        suffix = f" {match['suffix'].lower()}" if match["suffix"] else ""
        case = "A" if letter.isupper() else "a"
        style = f"l{'(' if match['open'] else match['end'].strip()[:1]}{case}{len(letter)}"
        found.append(("letter", letter.lower() + suffix, ord(letter.lower()[0]) - 96, style, line))
    match = _ROMAN.match(plain)
    if match and roman(match["roman"]):
        numeral = match["roman"]
        tail = (match["letter"] or "").lower().strip("-") + (
            f" {match['suffix'].lower()}" if match["suffix"] else ""
        )
        style = f"r{'(' if match['open'] else match['end'].strip()[:1]}{'A' if numeral[0].isupper() else 'a'}"
        found.append(("roman", numeral.lower() + tail, roman(numeral), style, line))
    match = _ORDINAL.match(plain)
    if match:
        suffix = f" {match['suffix'].lower()}" if match["suffix"] else ""
        place = _ORDINALS[match["word"].lower()]
        found.append(("ordinal", f"{place}{suffix}", place, "o", line))
    return found


def _several(line: str) -> list[tuple[Family, str, int, str]]:
    """Return the parts that a line such as "3 a 5. (Suprimidos)" says to be repealed."""
    match = _SEVERAL.match(LAW.fold(line[:200]))
    if not match or not _is_abolished(match["rest"]):
        return []
    first, last = match["first"].lower(), match["last"].lower()
    together = match["to"].lower() in ("y", "e", "and", ",", "&")
    if first.isdigit() and last.isdigit() and 0 < int(last) - int(first) < 40:
        values = [int(first), int(last)] if together else list(range(int(first), int(last) + 1))
        return [("number", str(value), value, match["rest"]) for value in values]
    if first.isalpha() and last.isalpha() and first < last:
        codes = [ord(first), ord(last)] if together else list(range(ord(first), ord(last) + 1))
        return [("letter", chr(code), code - 96, match["rest"]) for code in codes]
    return []


def _place(path: list[Part], root: Part, signs: Sequence[_Sign]) -> bool:
    """Put a line with a sign where it continues a series, or below as the first of a new one."""
    if not signs:
        return False
    for depth in range(len(path) - 1, 0, -1):
        open_part = path[depth]
        for family, value, order, style, line in signs:
            if family == open_part.family and (
                style == open_part.style or style == "several" or family == "added"
            ):
                following = value != open_part.value and _follows(open_part, value, order)
                if following:
                    _hang(path, depth, Part(family, value, order, style, [line]))
                    return True
    family, value, order, style, line = next((one for one in signs if one[2] == 1), signs[0])
    if family == "added":
        _hang(path, 1, Part(family, value, order, style, [line]))
        return True
    for depth in range(len(path) - 1, 0, -1):
        if path[depth].family == family and path[depth].style == style:
            # A gap, or a series that begins again: beside the last of its kind.
            _hang(path, depth, Part(family, value, order, style, [line]))
            return True
    _hang(path, len(path), Part(family, value, order, style, [line]))
    return True


def _follows(before: Part, value: str, order: int) -> bool:
    if order == before.order + 1:
        return True
    if order == before.order:  # "2 bis" after "2", "1A" after "1"
        return squeezed(value) != squeezed(before.value)
    return before.family == "letter" and 0 < order - before.order <= 2


def _hang(path: list[Part], depth: int, part: Part) -> None:
    del path[depth:]
    path[-1].children.append(part)
    path.append(part)


def squeezed(value: str) -> str:
    """Remove spaces and hyphens from a value, for comparison."""
    return value.replace(" ", "").replace("-", "")
