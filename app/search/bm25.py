"""Compute BM25 over fields: weights of stems in passages, and scores of passages for a query. Pure.

    weight(stem) = tf / (k1 + tf),  tf = sum over fields of  w_f * tf_f / (1 - b_f + b_f * length_f / usual_f)

(Robertson, Zaragoza and Taylor 2004, "Simple BM25 Extension to Multiple Weighted Fields".) `usual_f` is a
constant instead of the average of the corpus, so that a stored posting stays right whatever is loaded later.

Adaptations to statutes of any country:

- The law's title and the headings above an article count, since an article seldom repeats the subject of its
  chapter.
- An article without a heading of its own, as in codes of the nineteenth century, is described by its first
  sentence, which then counts as a weak heading.
- Provisions that amend, repeal or are transitional (`Disposición transitoria…`) repeat the words of what they
  amend and are seldom the rule looked for; regulations develop an Act and repeat it (hierarchy of norms,
  art. 9.3 CE). Both count less.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.search.analyzer import stems
from app.search.postings import Postings

K1 = 1.2
_DISPOSITION, _REGULATION, _EMPTY = 0.85, 0.9, 0.5
_LEAD_STEMS = 25
# So many passages are looked at at once: they stay in the caches of a processor.
_AT_ONCE = 65_536
_LABEL = re.compile(
    r"(?:Art[íi]culos?|Arts?\.|Article|Disposici(?:ó|o)n(?:es)? \w+|Anexo)\s*"
    r"(?:\w+(?:[ºª.]| bis| ter| quater)?(?=[\s.]|$))?"
    r"(?:\s(?:bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies))?[\s.:)-]*",
    re.IGNORECASE,
)
_IS_DISPOSITION = re.compile(r"disposici[óo]n|anexo", re.IGNORECASE)
_IS_REGULATION = re.compile(r"Real Decreto [\d.]+/|Decreto [\d.]+ de |Orden ", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.:;])\s")
_NOTHING = re.compile(
    r"\W*\(?(?:derogad|suprimid|sin contenido|anulad|sin efecto)[oa]?s?\)?\W*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Field:
    """Parameters of a field: weight, strength of length normalisation (b), usual length in stems."""

    weight: float
    length: float
    usual: float


BODY, HEADING, PATH = Field(1.0, 0.6, 90.0), Field(3.0, 0.3, 5.0), Field(1.5, 0.3, 12.0)
TITLE, LEAD = Field(1.0, 0.3, 14.0), Field(1.0, 0.3, 14.0)


def rubric(heading: str) -> str:
    """Return a heading without its number: `Artículo 4. Cláusula general.` is `Cláusula general.`."""
    match = _LABEL.match(heading)
    return heading[match.end() :] if match else heading


def field_frequencies(
    kind: str, title: str, path: str, heading: str, text: str, language: str
) -> tuple[dict[str, float], float]:
    """Count the stems of a passage over its fields.

    Args:
        kind: `article` or `judgment`.
        title: The title of the law or judgment.
        path: The headings above the passage.
        heading: The heading of the article, with its number.
        text: The words of the passage.
        language: ISO 639-1, for the stemmer.

    Returns:
        The field-weighted frequency of each stem, and a factor from 0 to 1 by which the whole passage counts
        less (transitional provisions, regulations, repealed articles).
    """
    named = rubric(heading)
    fields = [
        (BODY, stems(text, language)),
        (HEADING, stems(named, language)),
        (PATH, stems(path, language)),
        (TITLE, stems(title, language)),
    ]
    if kind == "article" and not fields[1][1]:
        fields.append((LEAD, stems(_SENTENCE.split(text[:1_000], maxsplit=1)[0], language)[:_LEAD_STEMS]))
    frequencies: dict[str, float] = {}
    for field, found in fields:
        scale = field.weight / (1 - field.length + field.length * len(found) / field.usual)
        for stem, count in Counter(found).items():
            frequencies[stem] = frequencies.get(stem, 0.0) + scale * count
    standing = 1.0
    if kind == "article":
        standing *= _DISPOSITION if _IS_DISPOSITION.match(heading) else 1.0
        standing *= _REGULATION if _IS_REGULATION.match(title) else 1.0
        standing *= _EMPTY if _NOTHING.fullmatch(text) else 1.0
    return frequencies, standing


def quantized(frequencies: dict[str, float], standing: float) -> dict[str, int]:
    """Return the BM25 weight of each stem as one byte, 1 to 255.

    Args:
        frequencies: Field-weighted frequencies by stem.
        standing: The factor of the passage, 0 to 1.
    """
    return {stem: max(1, round(255 * standing * value / (K1 + value))) for stem, value in frequencies.items()}


def scores(
    wanted: Mapping[str, float], postings: Mapping[str, Postings], size: int
) -> npt.NDArray[np.float32]:
    """Return the BM25 score of every passage of a collection.

    Args:
        wanted: Weight of each stem of the query.
        postings: Postings of each of those stems.
        size: Number of passages, one more than the highest ordinal.

    Returns:
        An array of `size` scores, indexed by ordinal.
    """
    total = np.zeros(size, np.float32)
    for stem, weight in wanted.items():
        found = postings[stem]
        if not found.count:
            continue
        factor = np.float32(weight * inverse_frequency(found.count, size) / 255)
        if found.table is not None:
            there = min(size, len(found.table))
            total[:there] += factor * found.table[:there]
        else:
            within = found.before(size)  # later ones are of a batch that was committed after it was read
            np.add.at(total, within.ordinals, factor * within.weights)
    return total


def inverse_frequency(count: int, size: int) -> float:
    """Return how telling a term is that stands in `count` of `size` passages."""
    return math.log(1 + (size - count + 0.5) / (count + 0.5))


def most_said(phrases: Sequence[Sequence[str]], postings: Mapping[str, Postings], size: int) -> float:
    """Return how much of a matter the passage says that says most of it: 1 where it says nothing else.

    Of a wording, words that no passage has count as well; wordings of a single word are passed over, because
    they mean other things elsewhere ("lesión").

    Args:
        phrases: The wordings of the matter, as stems.
        postings: Postings of each of those stems.
        size: Number of passages.
    """
    most = 0.0
    for phrase in phrases:
        if len(phrase) > 1:
            wanted = dict.fromkeys(phrase, 1.0)
            whole = sum(inverse_frequency(postings[stem].count, size) for stem in wanted)
            most = max(most, float(scores(wanted, postings, size).max(initial=0.0)) / whole)
    return most


def top(
    scores: npt.NDArray[np.float32], allowed: npt.NDArray[np.bool_], most: int
) -> list[tuple[int, float]]:
    """Return the `most` best ordinals with their scores, best first; ties in order of ordinal.

    Args:
        scores: Scores by ordinal.
        allowed: Which ordinals may be returned.
        most: How many at most; ordinals with score 0 are left out.
    """
    counted = np.where(allowed, scores, np.float32(0))
    chosen = np.zeros(0, np.int64)
    floor = np.float32(0)
    for start in range(0, len(counted), _AT_ONCE):
        better = np.flatnonzero(counted[start : start + _AT_ONCE] > floor) + start
        chosen = np.concatenate([chosen, better])
        if len(chosen) > most:
            chosen = chosen[np.lexsort((chosen, -counted[chosen]))[:most]]
            floor = counted[chosen[-1]]  # of passages with the same score the first are taken
    order = np.lexsort((chosen, -counted[chosen]))
    return [(int(ordinal), float(counted[ordinal])) for ordinal in chosen[order]]
