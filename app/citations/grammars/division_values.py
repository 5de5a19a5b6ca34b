"""Read values of subdivisions: figures, letters, Roman numerals, ordinals and ranges."""

from __future__ import annotations

import re

from app.citations.numerals import ENGLISH_WORD, ORDINAL_WORD, number

_LONGEST_RANGE = 40
ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
LAST, LAST_BUT_ONE, SOLE = "last", "last-1", "sole"


ORDINALS_ABROAD = {
    "premier": 1, "premiere": 1, "deuxieme": 2, "second": 2, "seconde": 2, "troisieme": 3, "quatrieme": 4,
    "cinquieme": 5, "sixieme": 6, "septieme": 7, "huitieme": 8, "neuvieme": 9, "dixieme": 10,
    "primo": 1, "prima": 1, "secondo": 2, "terzo": 3, "terza": 3, "quarto": 4, "quinto": 5, "sesto": 6,
    "settimo": 7, "ottavo": 8, "nono": 9, "decimo": 10,
    "primeiro": 1, "primeira": 1, "segundo": 2, "terceiro": 3, "terceira": 3, "quinta": 5, "setimo": 7,
    "oitavo": 8,
    "erster": 1, "ersten": 1, "zweiter": 2, "zweiten": 2, "dritter": 3, "dritten": 3, "vierter": 4,
    "vierten": 4,
}  # fmt: skip
_LASTS = "ultimo|ultima|ultimos|ultimas|final|last|dernier|derniere|letzter|letzten"
_BUT_ONE = "penultimo|penultima|penultimate|avant-dernier|vorletzter"
_SOLES = "unico|unica|sole|single|unique"
ORDINAL = "|".join(
    (_LASTS, _BUT_ONE, _SOLES, "|".join(sorted(ORDINALS_ABROAD, key=len, reverse=True)), ORDINAL_WORD,
     ENGLISH_WORD)
)  # fmt: skip
_SUFFIX = r"(?:\s(?:bis(?!\s\d)|ter|quater|quinquies|sexies|septies|octies))?"
VALUE = (
    rf"(?>(?:(?:{ORDINAL})|\(?\d{{1,3}}(?:\.?[ºª]|er|e|o)?[A-Z]{{0,2}}\)?{_SUFFIX}|"
    rf"\(?[ivxlcIVXLC]{{1,7}}(?:-[A-Z](?![a-z]))?\)?{_SUFFIX}|\(?[a-zA-Zñ]{{1,2}}\)|\(?(?![yY]\s)[a-zA-Zñ])(?![a-zA-Zñ0-9º])(?!\.\s?[a-z]\.))"
)
_TO = r"a|al|to|hasta|bis(?=\s\d)|-|a\sla|ao|au"
JOIN = rf"(?:\s?,\s?(?:[ye]\s|and\s|or\s)?|\s(?:{_TO}|y|e|o|u|and|or|et|und|ed)\s|-)"
_ONE_VALUE = re.compile(VALUE, re.IGNORECASE)
_ONE_JOIN = re.compile(JOIN, re.IGNORECASE)


def values_of(written: str, lettered: bool) -> tuple[str, ...]:
    """Return the values of a list as they are compared: "1 a 3 y 5" is 1, 2, 3 and 5.

    Args:
        written: the list, folded.
        lettered: whether its values are letters, so that "a" is one and no word between two.
    """
    found: list[str] = []
    joined, at = "", 0
    while match := _ONE_VALUE.match(written, at):
        value = value_of(match[0])
        if value:
            ranged = joined in ("a", "al", "to", "hasta", "bis", "-", "a la", "ao", "au")
            found += range_of(found[-1], value, lettered) if ranged and found else [value]
        join = _ONE_JOIN.match(written, match.end())
        if not join:
            break
        joined, at = join[0].strip(" ,").lower(), join.end()
    return tuple(dict.fromkeys(found))


def range_of(first: str, last: str, lettered: bool = False) -> list[str]:
    """Return the values after `first` up to `last`.

    "1" to "3" is 2 and 3, "a" to "c" is b and c, "i" to "ii" is ii.
    """
    if first.isdigit() and last.isdigit() and 0 < int(last) - int(first) <= _LONGEST_RANGE:
        return [str(value) for value in range(int(first) + 1, int(last) + 1)]
    start, end = roman(first), roman(last)
    if not lettered and start and end and 0 < end - start <= _LONGEST_RANGE:
        return [as_roman(value) for value in range(start + 1, end + 1)]
    if len(first) == len(last) == 1 and first.isalpha() and last.isalpha() and first < last:
        return [chr(code) for code in range(ord(first) + 1, ord(last) + 1)]
    return [last]


def roman(word: str) -> int:
    """Return the value of a roman numeral, 0 where `word` is none."""
    word = word.lower()
    if not word or set(word) - set(ROMAN):
        return 0
    values = [ROMAN[letter] for letter in word]
    found = sum(-one if one < max(values[place:], default=one) else one for place, one in enumerate(values))
    return found if as_roman(found) == word else 0


def as_roman(value: int) -> str:
    """Return a number up to a few hundred as a roman numeral, in small letters."""
    written = ""
    for figure, letters in (
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ):
        while value >= figure:
            written, value = written + letters, value - figure
    return written


def value_of(written: str) -> str:
    """Return a value as it is compared: `2`, `2 bis`, `1a`, `b`, `iv`, `last`, `sole`."""
    word = re.sub(r"[().ºª]", "", written).strip().lower()
    if re.fullmatch(_LASTS, word):
        return LAST
    if re.fullmatch(_BUT_ONE, word):
        return LAST_BUT_ONE
    if re.fullmatch(_SOLES, word):
        return SOLE
    if word in ORDINALS_ABROAD:
        return str(ORDINALS_ABROAD[word])
    marked = re.fullmatch(r"(\d{1,3})(?:er|eme|e|o|nd|rd|th|st)", word)
    if marked:
        return marked[1]
    if len(word) > 3 and word.isalpha() and not roman(word):
        value = number(word)
        return str(value) if value else ""
    return word
