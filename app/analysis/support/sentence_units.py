"""Compare two sentences word by word: their units, and which of one stand in the other, in order. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from app.analysis.support.equivalents import groups_of, said_alike, spanish_small_words
from app.analysis.support.grammar import BEING, MAY, MUST, is_future, is_verb
from app.analysis.support.words import (
    Token,
    Value,
    alike,
    are_counterparts,
    lexicon,
    spanish_stems,
    stems,
    word_set,
)

ARTICLES: Final = frozenset({"el", "la", "los", "las", "the", "un", "una", "unos", "unas", "an"})
AND: Final = frozenset({"y", "and", "pero", "but", "ni", "nor"})
OR: Final = frozenset({"o", "or"})
DUTIES: Final = frozenset({"debe", "deben", "debera", "deberan", "must", "shall", "will"})
PREPOSITIONS: Final = word_set("prepositions") | {"entre", "between"}
POSSESSIVES: Final = frozenset({"su", "sus", "its", "their", "his", "her", "your", "our"})
COMPANY_FORMS: Final = frozenset(
    {"inc", "limited", "ltd", "llc", "plc", "gmbh", "corp", "s", "l", "a", "sl", "sa", "slu", "sau"}
)
_WHENEVER: Final = (frozenset({"si", "cuando"}), frozenset({"if", "when"}))
_HAVING: Final = frozenset({"have", "has"})
_SHORTEST: Final = 4
_LONG: Final = 3
# What a match is worth: a word that claims something, another one, a step over words left out.
_CONTENT, _SMALL, _STEP = 4.0, 1.0, 0.6
_NONE: Final = -1e9
_COGNATE: Final = 5
_NO_MARKS: Final[frozenset[str]] = frozenset()
_IN_SPANISH: Final = {"first": "prime", "last": "ultim", "next": "sigui", "previ": "anter", "primer": "prime"}
_KINDS_OF_DAY: Final = frozenset({"habil", "natur"})


class Unit(NamedTuple):
    """One word, figure with its unit, party or sign; `key` is what it is compared by, `led` by an article."""

    sort: str
    key: str
    token: Token
    value: Value | None = None
    led: bool = False


def aligned(
    said: Sequence[Unit], part: Sequence[Unit], *, crossed: bool = False, swaps: bool = False
) -> list[int]:
    """Return for each unit of a statement its place in a sentence, in order, or -1; the closest such.

    `crossed`: one of the two is in Spanish and the other in English; `swaps`: two words side by side may have
    changed places, as they do in another language.
    """
    rows, columns = len(said), len(part)
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    met = [[_NONE] * (columns + 1) for _ in range(rows + 1)]
    swap = [[_NONE] * (columns + 1) for _ in range(rows + 1)] if swaps else met
    same = _same_table(said, part, crossed)
    for one in range(rows - 1, -1, -1):
        for other in range(columns - 1, -1, -1):
            if same[one][other]:
                worth = _SMALL if said[one].sort == "small" else _CONTENT
                near = met[one + 1][other + 1] if one + 1 < rows and other + 1 < columns else 0.0
                met[one][other] = worth + max(near, best[one + 1][other + 1] - _STEP)
            best[one][other] = max(best[one + 1][other], best[one][other + 1], met[one][other])
            if swaps and _is_swapped(same, said, one, other):
                swap[one][other] = 2 * _CONTENT + best[one + 2][other + 2] - _STEP
                best[one][other] = max(best[one][other], swap[one][other])
    found = [-1] * rows
    one = other = 0
    stuck = False
    while one < rows and other < columns:
        if stuck and met[one][other] > _NONE and met[one][other] >= best[one][other] - _STEP:
            found[one] = other
            one, other = one + 1, other + 1
            continue
        stuck = False
        if met[one][other] > _NONE and met[one][other] >= best[one][other]:
            found[one] = other
            one, other = one + 1, other + 1
            stuck = True
        elif swaps and swap[one][other] > _NONE and swap[one][other] >= best[one][other]:
            found[one], found[one + 1] = other + 1, other
            one, other = one + 2, other + 2
        elif best[one + 1][other] >= best[one][other + 1]:
            one += 1
        else:
            other += 1
    return found


def _same_table(said: Sequence[Unit], part: Sequence[Unit], crossed: bool) -> list[list[bool]]:
    """Return which units say the same. Most words have nothing in common, which is seen at once."""
    theirs = [(other, _marks(other.key, crossed) if other.value is None else _NO_MARKS) for other in part]
    table = []
    for one in said:
        mine = _marks(one.key, crossed) if one.value is None else _NO_MARKS
        table.append(
            [
                (one.value is not None or not mine.isdisjoint(marks))
                and are_same(one, other, crossed=crossed)
                if (one.value is None) == (other.value is None)
                else False
                for other, marks in theirs
            ]
        )
    return table


def _is_swapped(same: Sequence[Sequence[bool]], said: Sequence[Unit], one: int, other: int) -> bool:
    """Tell whether two words side by side stand the other way round: "monthly fee", "cuota mensual"."""
    return (
        one + 1 < len(same)
        and other + 1 < len(same[one])
        and same[one][other + 1]
        and same[one + 1][other]
        and "word" in (said[one].sort, said[one + 1].sort)
        and not {said[one].sort, said[one + 1].sort} & {"value", "party", "mark"}
    )


@lru_cache(maxsize=20_000)
def _marks(key: str, crossed: bool) -> frozenset[str]:
    """Return what a word has in common with each word that may say the same."""
    alike = {
        f"={place}" for place, words in enumerate((MAY, DUTIES, BEING, _HAVING, *_WHENEVER)) if key in words
    }
    if crossed:
        alike |= spanish_stems(key) | {f"~{one}" for one in spanish_stems(key)}
        alike |= {f"/{one}" for one in (*spanish_small_words(key), key)}
        if len(key) >= _COGNATE:
            alike.add(f"^{key[:_COGNATE]}")
    return stems(key) | groups_of(key) | alike | {key}


def marks_of_all(units: Sequence[Unit], *, crossed: bool = False) -> frozenset[str]:
    """Return what the words and parties of a sentence have in common with words that say the same."""
    found: set[str] = set()
    for one in units:
        if one.value is None:
            found |= _marks(one.key, crossed)
    return frozenset(found)


def strangers(
    said: Sequence[Unit], part: Sequence[Unit], marks: frozenset[str], *, crossed: bool = False
) -> int:
    """Return how many words and figures of a statement say the same as none of a sentence."""
    values = [one.value for one in part if one.value is not None]
    return sum(
        not any(one.value.is_said_by(other) for other in values)
        if one.value is not None
        else one.sort == "word" and marks.isdisjoint(_marks(one.key, crossed))
        for one in said
    )


def are_same(one: Unit, other: Unit, *, crossed: bool = False) -> bool:
    """Tell whether two units say the same: a figure, a party, a word in whatever form or language."""
    if one.value is not None or other.value is not None:
        if one.value is None or other.value is None:
            return False
        ranked = (_ranks(one.key), _ranks(other.key)) if crossed else (one.key, other.key)
        return ranked[0] == ranked[1] and one.value.is_said_by(other.value)
    if "party" in (one.sort, other.sort) or "mark" in (one.sort, other.sort):
        return one.sort == other.sort and one.key == other.key
    if one.key == other.key and ("pronoun" not in (one.sort, other.sort) or one.sort == other.sort):
        return True
    for words in (MAY, DUTIES, BEING, _HAVING, *_WHENEVER):
        if one.key in words and other.key in words:
            return True
    mine, theirs = _parts_played(one.key), _parts_played(other.key)
    if (mine and theirs and mine.isdisjoint(theirs)) or are_counterparts(one.key, other.key):
        return False  # "arrendadora" and "arrendatario" have one stem
    if crossed and _translated(one, other):
        return not turned(one, other)
    sorts = {one.sort, other.sort}
    if "word" not in sorts or (len(sorts) > 1 and min(len(one.key), len(other.key)) < _COGNATE):
        return False  # "presente" is a word that claims nothing, and a form of "presentar"
    return bool(stems(one.key) & stems(other.key) or said_alike(one.key, other.key)) and not turned(
        one, other
    )


@lru_cache(maxsize=20_000)
def _parts_played(word: str) -> frozenset[str]:
    """Return which parties to a contract a word may name."""
    return frozenset(one for one in lexicon().concepts(word) if one.startswith("party:"))


def _translated(one: Unit, other: Unit) -> bool:
    """Tell whether one unit is the other in the other language."""
    if other.key in spanish_small_words(one.key) or one.key in spanish_small_words(other.key):
        return True
    if one.sort != other.sort or one.sort != "word":
        return False
    # "Aprueban" has the stem of "aprobar" behind a sign of its own.
    return alike(one.key, other.key) or any(
        f"~{stem}" in stems(second.key)
        for first, second in ((one, other), (other, one))
        for stem in spanish_stems(first.key)
    )


def _ranks(key: str) -> tuple[str, ...]:
    """Return the ranks of a figure in Spanish; what kind of day it is stands in its unit."""
    return tuple(_IN_SPANISH.get(one, one) for one in key.split() if one not in _KINDS_OF_DAY)


def turned(one: Unit, other: Unit) -> bool:
    """Tell whether one word is a future and the other a past."""
    return is_future(one.token) != is_future(other.token) and any(
        word.key.endswith(("aron", "ieron", "ed")) for word in (one, other)
    )


def clitic(said: Unit, part: Sequence[Unit], place: int) -> bool:
    """Tell whether an infinitive of the sentence has a pronoun that the statement's lacks: "endosarlos"."""
    return said.key != part[place].key and part[place].key.startswith(said.key) and len(said.key) > _LONG


def is_verbal(unit: Unit) -> bool:
    """Tell whether a unit is surely a verb."""
    return unit.sort in ("word", "small") and (is_verb(unit.token) or unit.key in MAY or unit.key in MUST)


def parallel(one: Unit, other: Unit, part: Sequence[Unit], second: int) -> bool:
    """Tell whether two parts of a sentence begin alike: with a figure, a preposition or a verb."""
    if one.value is not None or other.value is not None:
        return one.value is not None and other.value is not None and one.value.kind == other.value.kind
    following = part[second + 1] if second + 1 < len(part) else None
    verbal = is_verbal(other) or (
        other.key in ("no", "not") and following is not None and is_verbal(following)
    )
    if is_verbal(one) or verbal:
        return is_verbal(one) and verbal
    return one.key == other.key and one.key in PREPOSITIONS


def ends_with(before: Sequence[Token], run: Sequence[Token]) -> bool:
    """Tell whether the words before end with those of `run`, articles and titles apart."""
    words = [one.text for one in before if one.kind == "word" and one.text not in ARTICLES]
    wanted = [one.text for one in run]
    return words[len(words) - len(wanted) :] == wanted


def has_object(part: Sequence[Unit], at: int) -> bool:
    """Tell whether a bare word stands before a noun with its article, a figure or "to": a verb."""
    following = part[at + 1] if at + 1 < len(part) else None
    return (
        part[at].sort == "word"
        and not part[at].led
        and following is not None
        and (following.led or following.value is not None or following.key in POSSESSIVES)
    )


def is_infinitive(unit: Unit) -> bool:
    """Tell whether a unit looks like an infinitive in Spanish."""
    return unit.sort == "word" and not unit.led and unit.key.endswith(("ar", "er", "ir", "arlo", "arla"))


def third_person(token: Token, before: Sequence[Unit], key: str) -> str:
    """Return an English verb behind who acts as it stands behind "shall": "hosts and backs up"."""
    acts = bool(before) and (
        before[-1].sort == "party"
        or (before[-1].key in AND and len(before) > 1 and before[-2].sort == "word")
    )
    if not acts or not key.endswith("s") or key.endswith("ss") or len(key) < _SHORTEST:
        return key
    if key.endswith("ies"):
        return key[:-3] + "y"
    return key[:-2] if key.endswith(("shes", "ches", "xes", "oes")) else key[:-1]
