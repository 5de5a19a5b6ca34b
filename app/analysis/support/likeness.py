"""Measure how much two texts say in the same words, in any form and in either language. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from app.analysis.support import words

# Fewer words are not worth comparing.
_FEWEST: Final = 3

# For each word that claims something its stems and concepts.
Gist: TypeAlias = tuple[frozenset[str], ...]


def gist(text: str) -> Gist:
    """Return what a text is compared by."""
    tokens = words.read(text).tokens
    return tuple(
        words.stems(token.text) | concepts
        for token, concepts in zip(tokens, words.concepts_of(tokens), strict=True)
        if words.is_content(token)
    )


def alike(one: Sequence[frozenset[str]], other: Sequence[frozenset[str]]) -> float:
    """Return the share of the words of the shorter text that the longer has in any form."""
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < _FEWEST:
        return float(bool(shorter) and shorter == longer)
    every = frozenset().union(*longer)
    return sum(bool(word & every) for word in shorter) / len(shorter)
