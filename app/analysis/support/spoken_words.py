"""Compare the words that stand behind the figures of a statement and of a passage. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from app.analysis.support.words import Token, Value, Words, alike, is_content, lexicon

_FEW, _NEAR = 2, 2
_WITHOUT = frozenset({"sin", "without"})
_DENYING = re.compile(r"nieg|deneg|denieg|prohib|impid|imped|forbid|deny|denies|priv[ae]n?$|veda|excluy")
_CLAUSE_MARKS = frozenset({",", ";", ".", ":"})
_DENIALS = frozenset({"no", "ni", "sin", "not", "nor", "without", "ningun", "ninguna", "never", "nunca"})


def names_one_of(word: str, segment: Sequence[str], common: set[str]) -> bool:
    """Tell whether a word stands among those behind a value, and not behind every value."""
    return any(
        alike(word, other) or concepts(word) & concepts(other) for other in segment if other not in common
    )


@lru_cache(maxsize=20_000)
def concepts(word: str) -> frozenset[str]:
    """Return the concepts of the lexicon that a word stands for, without that of a person."""
    return lexicon(paraphrases=False).concepts(word) - {"general:person"}


def after_denial(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a negation stands at most three words before the word at `at`."""
    return any(one.text in _DENIALS for one in tokens[max(0, at - 3) : at])


def denied_within(tokens: Sequence[Token], at: int, reach: int) -> bool:
    """Tell whether a word that denies stands within `reach` words before `at`, in its clause."""
    for distance, one in enumerate(reversed(tokens[max(0, at - reach) : at]), start=1):
        if one.text in _CLAUSE_MARKS:
            return False
        if one.text in _WITHOUT:
            if distance <= _NEAR or tokens[at - distance + 1].text == "que":
                return True
        elif one.text in _DENIALS or _DENYING.match(one.text):
            return True
    return False


def words_after_each(words: Words, values: Sequence[Value]) -> dict[tuple[int, int], list[str]]:
    """Return the words that follow each value, up to the next."""
    found: dict[tuple[int, int], list[str]] = {}
    for at, value in enumerate(values):
        end = values[at + 1].start if at + 1 < len(values) else 10**9
        found[(value.start, value.end)] = following(words.tokens, value.end, end)
    return found


def following(tokens: Sequence[Token], start: int, end: int) -> list[str]:
    """Return the words that claim something between `start` and `end`, up to the first comma or "and"."""
    found: list[str] = []
    for one in tokens:
        if not start <= one.start < end:
            continue
        if one.text in (",", ";", ".", ":") or (found and one.text in ("y", "and")):
            break
        if is_content(one):
            found.append(one.text)
    return found[:8]


def distinct(words: set[str]) -> int:
    """Return how many different words there are, forms of one word counted once."""
    kept: list[str] = []
    for word in sorted(words):
        if not any(alike(word, other) for other in kept):
            kept.append(word)
    return len(kept)


def given_to_another(said: Sequence[str], value: Value, sentences: Sequence[Words]) -> bool:
    """Return whether the words behind a figure stand, in the passage, only behind other figures."""
    other = False
    inside = outside = 0
    for words in sentences:
        values = [
            one
            for one in words.values
            if (one.kind == value.kind and one.unit == value.unit) or one.kind == "number"
        ]
        segments = words_after_each(words, values)
        mine = {
            (one.start, one.end)
            for one in values
            if value.is_said_by(one) or (one.kind == "number" and one.figure == value.bare)
        }
        common = set.intersection(*map(set, segments.values())) if len(segments) > 1 else set()
        score = {
            place: len({word for word in said if names_one_of(word, segment, common)})
            for place, segment in segments.items()
        }
        best = max((score[place] for place in mine), default=0)
        if said and best == len(set(said)):
            return False
        spoken = len({word for word in said if names_one_of(word, [one.text for one in words.tokens], set())})
        if mine:
            inside = max(inside, spoken)
        elif any(one.kind == value.kind for one in values):
            outside = max(outside, spoken)
        if len(values) < 2 or not mine:
            continue
        top = max(score.values(), default=0)
        other |= top - best >= _FEW or (bool(said) and not best and top == len(set(said)))
    # The sentence that speaks of those whom the statement names gives another figure.
    return other or (outside == len(set(said)) > max(inside, 1))
