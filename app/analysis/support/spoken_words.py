"""Compare the words that stand behind the figures of a statement and of a passage. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from app.analysis.support.words import Token, Value, Words, alike, is_content, lexicon

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
