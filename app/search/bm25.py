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
from app.search.postings import BLOCK, Postings

K1 = 1.2
_DISPOSITION, _REGULATION, _EMPTY = 0.85, 0.9, 0.5
_LEAD_STEMS = 25
# Of a matter's wordings: the second and later ones, by length of a wording, all but the best one; and what
# the laws of the branch that is asked about gain. Chosen on questions of five countries; none is sharp.
_OTHER_WORDING, _LENGTH, _OTHERS, _BRANCH = 0.7, 0.35, 0.3, 0.4
# How much less an entry of many articles tells about each.
_SHARED = 0.3
# So many passages are scored at once: what is added up then stays in the caches of a processor. Of a wording
# that fewer than one in `_FEW` of them have, the others are not touched, unless they are fewer than `_SMALL`.
_AT_ONCE, _FEW, _SMALL = BLOCK, 8, 32_768
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
        if found.count:
            inverse = inverse_frequency(found.count, size)
            within = found.ordinals < size
            ordinals, weights = found.ordinals, found.weights
            if not within.all():  # a batch that was committed after the collection was read
                ordinals, weights = ordinals[within], weights[within]
            total[ordinals] += np.float32(weight * inverse / 255) * weights
    return total


def inverse_frequency(count: int, size: int) -> float:
    """Return how telling a term is that stands in `count` of `size` passages."""
    return math.log(1 + (size - count + 0.5) / (count + 0.5))


def add_concept(
    total: npt.NDArray[np.float32],
    phrases: Sequence[Sequence[str]],
    weight: float,
    postings: Mapping[str, Postings],
) -> float:
    """Add to the scores of passages how well each says one matter, in any of its wordings.

    A passage is scored by the wording that it has most of, the others counting less, so that a matter which
    the laws of several countries name differently weighs no more than one with a single name.

    Args:
        total: Scores by ordinal, which are changed.
        phrases: The wordings, as stems, the usual one first; one that the collection lacks is passed over.
        weight: Weight of the matter.
        postings: Postings of each of those stems.

    Returns:
        What a passage full of the most telling wording would get.
    """
    size = len(total)
    wordings = []
    most = 0.0
    for place, phrase in enumerate(phrases):
        there = [postings[stem] for stem in phrase if postings[stem].count]
        if not there:
            continue
        share = (_OTHER_WORDING if place else 1.0) / len(there) ** _LENGTH
        telling = [share * inverse_frequency(found.count, size) for found in there]
        wordings.append([(found, one / 255) for found, one in zip(there, telling, strict=True)])
        most = max(most, sum(telling))
    starts = np.arange(0, size + _AT_ONCE, _AT_ONCE, dtype=np.uint32)
    starts[-1] = size  # what is beyond is of a batch that was committed after the collection was read
    edges = {
        id(found): np.searchsorted(found.ordinals, starts).tolist() for one in wordings for found, _ in one
    }
    for at in range(len(starts) - 1):
        start, end = int(starts[at]), int(starts[at + 1])
        sums = _Sums(end - start)
        for wording in wordings:
            parts = []
            for found, factor in wording:
                first, last = edges[id(found)][at], edges[id(found)][at + 1]
                if at == 0 and last == found.count:  # all of them, as they are
                    parts.append((found.ordinals, found.weights * factor))
                elif first < last:
                    parts.append(
                        (found.ordinals[first:last] - starts[at], found.weights[first:last] * factor)
                    )
            if parts:
                sums.add(parts)
        total[start:end] += sums.of_matter(weight)
    return weight * most


class _Sums:
    """Scores of some passages while the wordings of one matter are added up.

    Attributes:
        best: The score by the wording that each has most of.
        together: The sum of the scores by all wordings.
    """

    def __init__(self, size: int) -> None:
        """Begin with zeros."""
        self.best, self.together = np.zeros(size), np.zeros(size)
        self._scratch = np.zeros(size)  # zeros between two wordings

    def add(self, parts: Sequence[tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]]) -> None:
        """Add a wording: of each of its stems the passages that have it, and what it adds to each."""
        size, scratch = len(self.best), self._scratch
        if size < _SMALL or sum(len(ordinals) for ordinals, _ in parts) * _FEW >= size:
            # One pass over all stems of a wording is several times as fast as one over each.
            scored = np.bincount(
                np.concatenate([ordinals for ordinals, _ in parts]),
                np.concatenate([added for _, added in parts]),
                size,
            )
            self.together += scored
            np.maximum(self.best, scored, out=self.best)
            return
        for ordinals, added in parts:
            scratch[ordinals] += added
        for ordinals, _ in parts:
            said = scratch[ordinals]
            self.together[ordinals] += said
            self.best[ordinals] = np.maximum(self.best[ordinals], said)
            scratch[ordinals] = 0  # a passage with two of the stems counts at the first

    def of_matter(self, weight: float) -> npt.NDArray[np.float32]:
        """Return the scores by the matter, whose weight is given."""
        return (weight * ((1 - _OTHERS) * self.best + _OTHERS * self.together)).astype(np.float32)


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


def favour(
    total: npt.NDArray[np.float32], marked: Mapping[str, float], postings: Mapping[str, Postings]
) -> None:
    """Multiply the scores of passages whose law belongs to a branch; `marked` has the mark of each branch."""
    shares = np.zeros(len(total), np.float32)
    for mark, share in marked.items():
        ordinals = postings[mark].ordinals
        ordinals = ordinals[ordinals < len(total)]
        shares[ordinals] = np.maximum(shares[ordinals], np.float32(share))
    total *= 1 + np.float32(_BRANCH) * shares


def add_subjects(
    total: npt.NDArray[np.float32], weights: Mapping[str, float], postings: Mapping[str, Postings]
) -> None:
    """Add to the scores of articles the best weight of the entries of the index of subjects they stand in.

    An entry of many articles tells less about each of them.

    Args:
        total: Scores by ordinal, which are changed.
        weights: Weight of each entry, by its mark.
        postings: Postings of each of those marks.
    """
    best = np.zeros(len(total), np.float32)
    for mark, weight in weights.items():
        ordinals = postings[mark].ordinals
        ordinals = ordinals[ordinals < len(total)]
        if ordinals.size:
            best[ordinals] = np.maximum(best[ordinals], np.float32(weight / ordinals.size**_SHARED))
    total += best


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
