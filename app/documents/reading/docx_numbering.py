"""Numbers of paragraphs in Word documents as Word prints them (ECMA-376, part 1, 17.9)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LEVELS = 9
_LONGEST_CHAIN = 12
_PLACE = re.compile(r"%([1-9])")
_DIGITS = re.compile(r"\d+")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_ORDINALS = {
    "es": "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo "
    "decimotercero decimocuarto decimoquinto decimosexto decimoséptimo decimoctavo decimonoveno vigésimo",
    "en": "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
}
_CARDINALS = {
    "es": "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
    "diecisiete dieciocho diecinueve veinte",
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty",
}


def counted(text: str) -> str:
    """Return `text` with all figures alike: what two headers have in common that differ by a page number."""
    return _DIGITS.sub("#", text.casefold())


def written(number: int, form: str, language: str = "es") -> str:
    """Return a number in one of Word's forms; a form that is not known here is written in figures."""
    if form in ("lowerLetter", "upperLetter") and number > 0:
        times, index = divmod(number - 1, 26)
        letters = chr(ord("a") + index) * min(times + 1, 20)
        return letters.upper() if form == "upperLetter" else letters
    if form in ("lowerRoman", "upperRoman") and 0 < number < 4000:
        letters = ""
        for value, sign in _ROMAN:
            count, number = divmod(number, value)
            letters += sign * count
        return letters.upper() if form == "upperRoman" else letters
    if form == "decimalZero":
        return f"{number:02d}"
    if form == "ordinal":
        return f"{number}.º" if language == "es" else f"{number}."
    if form in ("ordinalText", "cardinalText"):
        words = (_ORDINALS if form == "ordinalText" else _CARDINALS).get(language, "").split()
        if 0 < number <= len(words):
            return words[number - 1].capitalize()
    return "" if form == "none" else str(number)


@dataclass(frozen=True, slots=True)
class _Level:
    """One level of a list: where it starts, how its number is written, and what stands around it."""

    start: int
    form: str
    text: str
    suffix: str
    legal: bool
    restarts_after: int | None


class Numbering:
    """The lists of a document and how far each has been counted. Paragraphs are asked for in their order."""

    def __init__(self, styles: Any, numbering: Any) -> None:
        self._styles = (
            {one.get(_W + "styleId"): one for one in styles.iter(_W + "style")} if styles is not None else {}
        )
        self._default = next(
            (
                name
                for name, one in self._styles.items()
                if one.get(_W + "type") == "paragraph" and one.get(_W + "default") in ("1", "true")
            ),
            None,
        )
        self._language = _language(styles)
        self._abstract: dict[str, Any] = {}
        self._lists: dict[str, Any] = {}
        if numbering is not None:
            self._abstract = {
                one.get(_W + "abstractNumId"): one for one in numbering.iter(_W + "abstractNum")
            }
            self._lists = {one.get(_W + "numId"): one for one in numbering.iter(_W + "num")}
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[tuple[str, int]] = set()
        self._known: dict[tuple[str, int], _Level | None] = {}
        self._by_style: dict[str | None, tuple[str, int] | None] = {}
        self._headings: dict[str | None, bool] = {}

    def is_heading(self, properties: Any) -> bool:
        """Tell whether a paragraph is a heading, by its outline level or its style."""
        if _outlined(properties):
            return True
        name = self._style(properties)
        if name not in self._headings:
            self._headings[name] = any(
                _outlined(style.find(_W + "pPr")) or _named_heading(style) for style in self._chain(name)
            )
        return self._headings[name]

    def of(self, properties: Any) -> tuple[str, int] | None:
        """Return list and level of a paragraph, by its own properties, else by its style."""
        own = properties.find(_W + "numPr") if properties is not None else None
        name = self._style(properties)
        if name not in self._by_style:
            self._by_style[name] = self._style_list(name)
        inherited = self._by_style[name]
        if own is None:
            return inherited
        identifier, level = _value(own, "numId"), _value(own, "ilvl")
        if identifier is None and inherited is not None:
            identifier = inherited[0]
        if identifier in (None, "0"):
            return None
        if level is None and inherited is not None and inherited[0] == identifier:
            return inherited
        return str(identifier), _level_number(level)

    def label(self, properties: Any) -> str:
        """Count a paragraph; return its number and what separates it from the text, `""` for none."""
        found = self.of(properties)
        if found is None:
            return ""
        identifier, at = found
        level = self._level(identifier, at)
        if level is None:
            return ""
        key = self._key(identifier)
        counters = self._counts.setdefault(key, [None] * _LEVELS)
        if (identifier, at) not in self._begun:
            self._begun.add((identifier, at))
            if self._override(identifier, at) is not None:
                counters[at] = None
        now = counters[at]
        counters[at] = level.start if now is None else now + 1
        for deeper in range(at + 1, _LEVELS):
            below = self._level(identifier, deeper)
            after = below.restarts_after if below is not None else None
            if after is None or (after and at < after):
                counters[deeper] = None
        text = _PLACE.sub(
            lambda place: self._number(identifier, int(place[1]) - 1, counters, level), level.text
        )
        if level.form == "bullet":
            text = "•" if not text.strip() or not text.isascii() or text in "o§·" else text
        return text + ("" if level.suffix == "nothing" or not text else " ")

    def _number(self, identifier: str, at: int, counters: list[int | None], shown: _Level) -> str:
        level = self._level(identifier, at)
        if level is None:
            return ""
        value = counters[at]
        if value is None:
            # A level above that has not been used yet is counted as begun.
            value = counters[at] = level.start
        form = "decimal" if shown.legal and level.form not in ("decimalZero", "none") else level.form
        return written(value, form, self._language)

    def _style(self, properties: Any) -> str | None:
        name = _value(properties, "pStyle") if properties is not None else None
        return name if name is not None else self._default

    def _chain(self, name: str | None) -> list[Any]:
        """Return a style and those it is based on, the nearest first."""
        chain: list[Any] = []
        while name in self._styles and len(chain) < _LONGEST_CHAIN:
            style = self._styles[name]
            chain.append(style)
            name = _value(style, "basedOn")
        return chain

    def _style_list(self, name: str | None) -> tuple[str, int] | None:
        identifier: str | None = None
        level: str | None = None
        owner: str | None = None
        for style in self._chain(name):
            properties = style.find(_W + "pPr")
            found = properties.find(_W + "numPr") if properties is not None else None
            if found is None:
                continue
            level = level if level is not None else _value(found, "ilvl")
            if identifier is None and (identifier := _value(found, "numId")) is not None:
                owner = style.get(_W + "styleId")
        if identifier in (None, "0"):
            return None
        assert identifier is not None
        if level is None:
            # A level may say which style it belongs to.
            linked = self._abstract_of(identifier)
            for one in linked.iter(_W + "lvl") if linked is not None else ():
                if _value(one, "pStyle") in (name, owner):
                    return identifier, _level_number(one.get(_W + "ilvl"))
        return identifier, _level_number(level)

    def _key(self, identifier: str) -> str:
        """Return what lists that are counted together have in common."""
        found = self._lists.get(identifier)
        return f"{_value(found, 'abstractNumId')}" if found is not None else identifier

    def _abstract_of(self, identifier: str) -> Any:
        for _ in range(_LONGEST_CHAIN):
            found = self._lists.get(identifier)
            abstract = self._abstract.get(_value(found, "abstractNumId") or "") if found is not None else None
            linked = _value(abstract, "numStyleLink") if abstract is not None else None
            if linked is None or linked not in self._styles:
                return abstract
            properties = self._styles[linked].find(_W + "pPr")
            of_style = properties.find(_W + "numPr") if properties is not None else None
            following = _value(of_style, "numId") if of_style is not None else None
            if following is None:
                return abstract
            identifier = following
        return None

    def _override(self, identifier: str, at: int) -> Any:
        found = self._lists.get(identifier)
        for one in found.iter(_W + "lvlOverride") if found is not None else ():
            if one.get(_W + "ilvl") == str(at) and one.find(_W + "startOverride") is not None:
                return one
        return None

    def _level(self, identifier: str, at: int) -> _Level | None:
        if (identifier, at) not in self._known:
            self._known[identifier, at] = self._read_level(identifier, at)
        return self._known[identifier, at]

    def _read_level(self, identifier: str, at: int) -> _Level | None:
        found = self._lists.get(identifier)
        abstract = self._abstract_of(identifier)
        level = None
        start: str | None = None
        for one in found.iter(_W + "lvlOverride") if found is not None else ():
            if one.get(_W + "ilvl") == str(at):
                level = one.find(_W + "lvl")
                start = _value(one, "startOverride")
        if level is None and abstract is not None:
            level = next((one for one in abstract.iter(_W + "lvl") if one.get(_W + "ilvl") == str(at)), None)
        if level is None:
            return None
        restart = _value(level, "lvlRestart")
        return _Level(
            _whole(start if start is not None else _value(level, "start"), 1),
            _value(level, "numFmt") or _alternative_form(level) or "decimal",
            _value(level, "lvlText") or "",
            _value(level, "suff") or "tab",
            level.find(_W + "isLgl") is not None,
            _whole(restart, 0) if restart is not None else None,
        )


def _value(element: Any, name: str) -> str | None:
    """Return the value of a property of an element, `None` where there is none."""
    found = element.find(_W + name) if element is not None else None
    value: str | None = found.get(_W + "val") if found is not None else None
    return value


def _whole(value: str | None, otherwise: int) -> int:
    """Return a whole number up to some million, `otherwise` where there is none."""
    try:
        return max(0, min(int(value or ""), 10**6))
    except ValueError:
        return otherwise


def _level_number(value: str | None) -> int:
    return min(_whole(value, 0), _LEVELS - 1)


def _alternative_form(level: Any) -> str | None:
    found = next(level.iter(_W + "numFmt"), None)
    value: str | None = found.get(_W + "val") if found is not None else None
    return value


def _outlined(properties: Any) -> bool:
    outline = _value(properties, "outlineLvl") if properties is not None else None
    return outline is not None and _whole(outline, _LEVELS) < _LEVELS


def _named_heading(style: Any) -> bool:
    name = (_value(style, "name") or "").casefold()
    return name in ("title", "subtitle") or re.fullmatch(r"heading \d", name) is not None


def _language(styles: Any) -> str:
    found = next(styles.iter(_W + "lang"), None) if styles is not None else None
    return (found.get(_W + "val") or "es")[:2].lower() if found is not None else "es"
