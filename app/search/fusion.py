"""Several rankings made one: reciprocal ranks, weighted (Cormack, Clarke and Büttcher 2009). Pure.

The constant is small and the words weigh more than the vectors, because on questions about law the words are
right far more often (docs/search.md has the figures); the vectors lift what both find, and bring what
shares no word with the question.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)

_CONSTANT = 5
WORDS, VECTORS = 1.0, 0.2


def fused(*rankings: tuple[float, Sequence[T]]) -> list[tuple[T, float]]:
    """(weight, items best first) of each ranking to items with a score of at most 1, best first.

    An item that leads every ranking has 1; equals keep the order in which they came.
    """
    most = sum(weight for weight, _ in rankings) / (_CONSTANT + 1)
    scores: dict[T, float] = {}
    for weight, ranking in rankings:
        for place, item in enumerate(_distinct(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + weight / (_CONSTANT + place)
    return [
        (item, min(1.0, score / most)) for item, score in sorted(scores.items(), key=lambda pair: -pair[1])
    ]


def _distinct(items: Iterable[T]) -> Iterable[T]:
    return dict.fromkeys(items)
