"""Detect which jurisdiction's law governs a document by the document's own words (decision 018).

What counts and how much is in `data/jurisdiction_signs.toml`, for lawyers to extend: a governing-law clause
most, then the laws, courts and authorities of a country, then identifiers, currencies and places. A word that
several countries share counts for each of them by its share: "pesos" or "Córdoba" decides nothing by itself.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

from app.analysis.jurisdiction.signs import WORD, Pattern, PhraseNode, Sign, Signs, signs_of_jurisdictions
from app.text import linear
from app.text.normalize import CITATIONS, NormalizedText

# From here on a document is plainly of the jurisdiction detected, whatever jurisdiction was asked for.
PLAIN_CONFIDENCE: Final = 0.7

_EVIDENCE_COUNT: Final = 5
_EVIDENCE_LENGTH: Final = 80
# Fewer points than this, or a lead on the second smaller than this share of the first, is no finding.
_LEAST_SCORE: Final = 1.5
_LEAST_LEAD: Final = 0.25
# How fast confidence grows with points: 4 make it .63, 8 make it .86, where no other country has any.
_POINTS_OF_CONFIDENCE: Final = 4.0
_CLAUSE_CONFIDENCE: Final = 0.9
# One place, one office, one abbreviation is never beyond doubt.
_ONE_SIGN_CONFIDENCE: Final = 0.6
# Words between "governed by" and the country whose law it is; a sentence's end comes first.
_CLAUSEWORDS: Final = 30
_WEAK_CLAUSEWORDS: Final = 10
_COURTWORDS: Final = 12
_AFTERWORDS: Final = 8
# A word that comes again counts for a quarter each time, up to four times.
_REPEATED: Final = 0.25
_REPEATS: Final = 4
# Parties, places and money say who is involved rather than whose law governs: together no more than this.
_CIRCUMSTANCES: Final = 12.0
# The law of the Union is cited in its Member States and far beyond; it governs where nothing else speaks.
_UNION_BESIDE_A_COUNTRY: Final = 0.15
_COUNTRY_SPEAKS: Final = 3.0
_UNION_BY_ITS_LAWS_ALONE: Final = 0.6

_IN_WITHIN: Final = 8  # characters
_IN: Final = re.compile(r"\b(?:[Ee]n|[Ii]n|[Ee]m|à) $")
_SENTENCE_END = linear.compile(r"[.;!?][\s\"')\]]|\n\s*\n")
_NEGATIONS = frozenset({"no", "not", "nao", "ne", "non", "nicht"})
_NO_NEGATION = frozenset({"obstante", "only", "solo", "nur", "solamente", "later", "less"})


@dataclass(frozen=True, slots=True)
class Detection:
    """The jurisdiction that a document's words point to.

    Attributes:
        code: a code of `app.corpus.jurisdictions`, or `None` where the words do not tell.
        confidence: from 0 (nothing known) to 1; from `PLAIN_CONFIDENCE` on there is no reasonable doubt.
        evidence: at most five literal extracts of the document, of at most 80 characters each, the weightiest
            first; identifiers of persons are never among them.
        located: whether the document says of something that it is in a place of that country ("en Bogotá"),
            and does not only have the word ("una lima", "la libertad de pacto", "Dña. Victoria Lima").
    """

    code: str | None
    confidence: float
    evidence: tuple[str, ...] = field(repr=False)
    located: bool = False


class _Hit(NamedTuple):
    """One sign found: the words it covers, `first` to `last` (exclusive), and its offsets in the view."""

    first: int
    last: int
    start: int
    end: int
    sign: Sign
    shown: bool = True


@dataclass(slots=True)
class _CountryScore:
    """Points of one country, by sign, with the words that earned them."""

    points: dict[tuple[str, str], float] = field(default_factory=dict)
    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    extracts: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)

    def add(self, category: str, words: str, points: float, span: tuple[int, int] | None) -> None:
        key = (category, words)
        count = self.counts.get(key, 0)
        self.counts[key] = count + 1
        if count == 0:
            self.points[key] = points
        elif count <= _REPEATS:
            self.points[key] += points * _REPEATED
        if span is not None and key not in self.extracts:
            self.extracts[key] = span


def detect(text: str) -> Detection:
    """Tell the jurisdiction whose law governs `text`, from its words alone.

    Deterministic and linear in the length of `text`. What weighs most is the clause that names the governing
    law: a contract between two Spanish companies under English law is of GB.

    Args:
        text: the document, any length.

    Returns:
        The detection; `Detection(None, 0.0, ())` where nothing is known or two jurisdictions come out alike.

    Source: decision 018.
    """
    plain = CITATIONS.normalize(text)
    view = plain.text
    lowered = view.lower()
    spans = [match.span() for match in WORD.finditer(lowered)]
    words = [lowered[start:end] for start, end in spans]
    signs = signs_of_jurisdictions()
    hits = list(_found(words, spans, view, signs.phrases))
    tallies: dict[str, _CountryScore] = {}
    for hit in hits:
        _count(tallies, hit, " ".join(words[hit.first : hit.last]))
    may_match = [signs.patterns[place] for place in sorted(signs.sets.may_match(view))]
    hits += _count_patterns(tallies, view, [start for start, _ in spans], may_match)
    hits.sort(key=lambda hit: (hit.start, -hit.end))
    _count_clauses(tallies, hits, words, spans, view, signs)
    return _judged(tallies, words, plain, signs)


def _found(
    words: Sequence[str], spans: Sequence[tuple[int, int]], view: str, phrases: PhraseNode
) -> Iterator[_Hit]:
    """Return the longest phrase from each word on; phrases do not overlap, but for the last word of a cue."""
    index = 0
    while index < len(words):
        node: PhraseNode | None = phrases.following.get(words[index])
        best: tuple[int, list[Sign]] | None = None
        last = index
        while node is not None:
            last += 1
            apt = [sign for sign in node.signs if not sign.capitals or _stands_out(view, spans, index, last)]
            if apt:
                best = (last, apt)
            node = node.following.get(words[last]) if last < len(words) else None
        if best is None:
            index += 1
            continue
        for sign in best[1]:
            yield _Hit(index, best[0], spans[index][0], spans[best[0] - 1][1], sign)
        index = best[0]


def _stands_out(view: str, spans: Sequence[tuple[int, int]], first: int, last: int) -> bool:
    """Tell whether an abbreviation is written as one: more than one capital ("LEC", "KSchG"), not "sat"."""
    written = view[spans[first][0] : spans[last - 1][1]]
    return sum(letter.isupper() for letter in written) >= 2


def _count(tallies: dict[str, _CountryScore], hit: _Hit, words: str) -> None:
    span = (hit.start, hit.end) if hit.shown else None
    for country, points in hit.sign.points.items():
        tallies.setdefault(country, _CountryScore()).add(hit.sign.category, words, points, span)


def _count_patterns(
    tallies: dict[str, _CountryScore], view: str, starts: Sequence[int], patterns: Iterable[Pattern]
) -> list[_Hit]:
    """Count what the expressions find, and return it; every match of an expression is one sign repeated."""
    found: list[_Hit] = []
    for pattern in patterns:
        for match in pattern.expression.finditer(view):
            start, end = match.span(1)
            sign = Sign(pattern.points, pattern.category, False)
            hit = _Hit(bisect_left(starts, start), bisect_left(starts, end), start, end, sign, pattern.shown)
            _count(tallies, hit, pattern.expression.pattern)
            found.append(hit)
    return found


# What may name the law after "governed by", and the courts after "the courts of".
_GOVERNING: Final = frozenset({"law_of", "names", "laws", "forms", "law_acronyms", "places"})
_FORUM: Final = frozenset({"names", "places", "law_of"})
_CLAUSE_LAWS: Final = frozenset({"laws", "forms", "law_acronyms"})
_REACH: Final = {"clause": _CLAUSEWORDS, "clause_weak": _WEAK_CLAUSEWORDS, "court": _COURTWORDS}
_CUES: Final = frozenset({*_REACH, "clause_after"})


def _count_clauses(
    tallies: dict[str, _CountryScore],
    hits: Sequence[_Hit],
    words: Sequence[str],
    spans: Sequence[tuple[int, int]],
    view: str,
    signs: Signs,
) -> None:
    """Add the points of governing-law and forum clauses: a cue with a country in the same sentence."""
    if not any(hit.sign.category in _CUES for hit in hits):
        return
    sentence = _sentences(spans, view, signs.abbreviations)
    quoted = _quoted(spans, view, sentence)
    told = [hit for hit in hits if hit.sign.points]
    starts = [hit.first for hit in told]
    weights = signs.weights
    for index, hit in enumerate(hits):
        cue = hit.sign.category
        if cue in _REACH and not _denied(words, hit.first):
            categories = _FORUM if cue == "court" else _GOVERNING
            following = _first_named(told, starts, hit.last, _REACH[cue], sentence, categories)
            if following is None:
                continue
            if cue == "court":
                weight, kind = weights["court_clause"], "court_clause"
            elif following.sign.category in _CLAUSE_LAWS:
                weight, kind = weights["clause_law"], "clause"
            else:
                weight, kind = weights[cue], "clause"
            span, named = (hit.start, following.end), following
        elif cue == "clause_after" and not _denied(words, hit.first):
            preceding = _law_before(hits, index, sentence)
            if preceding is None:
                continue
            weight, kind = weights["clause"], "clause"
            span, named = (preceding.start, hit.end), preceding
        else:
            continue
        if quoted[hit.first]:
            weight = min(weight, weights["clause_quoted"])
        for country in named.sign.points:
            tally = tallies.setdefault(country, _CountryScore())
            tally.add(kind, country, weight / len(named.sign.points), span)


def _first_named(
    told: Sequence[_Hit],
    starts: Sequence[int],
    start: int,
    reach: int,
    sentence: Sequence[int],
    categories: frozenset[str],
) -> _Hit | None:
    """Return the first hit of `categories` within `reach` words from `start` on, in the same sentence."""
    for hit in islice(told, bisect_left(starts, start), None):
        if hit.first >= start + reach or sentence[hit.first] != sentence[start - 1]:
            return None
        if hit.sign.category in categories:
            return hit
    return None


def _law_before(hits: Sequence[_Hit], index: int, sentence: Sequence[int]) -> _Hit | None:
    """Return the country's law that `hits[index]` ("shall apply") speaks of, a few words before it."""
    after = hits[index]
    while index > 0:
        index -= 1
        hit = hits[index]
        if hit.last + _AFTERWORDS < after.first or sentence[hit.first] != sentence[after.first]:
            return None
        if hit.sign.category == "law_of" and hit.last <= after.first:
            return hit
    return None


def _sentences(spans: Sequence[tuple[int, int]], view: str, abbreviations: frozenset[str]) -> list[int]:
    """Return the number of each word's sentence; the point of an abbreviation does not end one."""
    ends = [match.start() for match in _SENTENCE_END.finditer(view)]
    numbers: list[int] = []
    place = number = 0
    first = before = 0
    for start, end in spans:
        while place < len(ends) and ends[place] < start:
            word = view[first:before]
            short = word.isalpha() and (len(word) < 3 or word.lower() in abbreviations)
            number += not (view[ends[place]] == "." and ends[place] == before and short)
            place += 1
        numbers.append(number)
        first, before = start, end
    return numbers


def _quoted(spans: Sequence[tuple[int, int]], view: str, sentence: Sequence[int]) -> list[bool]:
    """Tell whether each word stands in quotation marks that opened in its sentence."""
    if '"' not in view:
        return [False] * len(spans)
    inside: list[bool] = []
    within, before, number = False, 0, 0
    for (start, end), current in zip(spans, sentence, strict=True):
        if current != number:
            within, number = False, current
        if view.count('"', before, start) % 2:
            within = not within
        inside.append(within)
        before = end
    return inside


def _denied(words: Sequence[str], index: int) -> bool:
    """Tell whether one of two words before `index` denies what follows ("no se rige", "not be governed")."""
    return any(
        words[place] in _NEGATIONS and words[place + 1] not in _NO_NEGATION
        for place in range(max(0, index - 2), index)
    )


_CIRCUMSTANTIAL: Final = frozenset({"names", "money", "places", "identifiers", "usage", "authorities"})
# What words of another language are worth: "locador" is Spanish and Portuguese, "acta" is not of Portugal.
_IN_ANOTHER_LANGUAGE: Final = {"usage": 0.0, "courts": 0.5, "authorities": 0.5, "forum": 0.5}


def _score(tally: _CountryScore, spoken: bool) -> float:
    """Points of a country whose language the text is in, or not; circumstances are held to their most."""
    circumstances = rest = 0.0
    for (kind, _), points in tally.points.items():
        worth = points if spoken else points * _IN_ANOTHER_LANGUAGE.get(kind, 1.0)
        if kind in _CIRCUMSTANTIAL:
            circumstances += worth
        else:
            rest += worth
    return rest + min(circumstances, _CIRCUMSTANCES)


def _judged(
    tallies: Mapping[str, _CountryScore],
    words: Sequence[str],
    plain: NormalizedText,
    signs: Signs,
) -> Detection:
    language = _language(words, signs)
    scores = {
        country: _score(tally, language is None or language in signs.spoken[country])
        + signs.language_points.get(language or "", {}).get(country, 0.0)
        for country, tally in tallies.items()
    }
    union = "EU" in tallies and not any(kind == "forum" for kind, _ in tallies["EU"].points)
    if union and any(score >= _COUNTRY_SPEAKS for country, score in scores.items() if country != "EU"):
        scores["EU"] *= _UNION_BESIDE_A_COUNTRY
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    if not ranked or ranked[0][1] < _LEAST_SCORE:
        return Detection(None, 0.0, ())
    code, best = ranked[0]
    second = ranked[1][1] if len(ranked) > 1 else 0.0
    lead = (best - second) / best
    if lead < _LEAST_LEAD:
        return Detection(None, 0.0, ())
    confidence = (1 - math.exp(-best / _POINTS_OF_CONFIDENCE)) * (0.4 + 0.6 * lead)
    clauses = {country for country, tally in tallies.items() if ("clause", country) in tally.points}
    if clauses == {code} and tallies[code].points["clause", code] >= signs.weights["clause"]:
        confidence = max(confidence, _CLAUSE_CONFIDENCE)
    signs_of_code = tuple(tallies[code].points)
    if len(signs_of_code) == 1 and signs_of_code[0][0] in _CIRCUMSTANTIAL | {"acronyms", "courts", "law_of"}:
        confidence = min(confidence, _ONE_SIGN_CONFIDENCE)
    if code == "EU" and union:
        confidence = min(confidence, _UNION_BY_ITS_LAWS_ALONE)
    tally = tallies[code]
    return Detection(
        code, min(round(confidence, 2), 0.99), _evidence(tally, plain), _is_located(tally, plain.text)
    )


def _is_located(tally: _CountryScore, view: str) -> bool:
    return any(
        category == "places" and view[start].isupper() and _IN.search(view, max(start - _IN_WITHIN, 0), start)
        for (category, _), (start, _) in tally.extracts.items()
    )


def _language(words: Sequence[str], signs: Signs) -> str | None:
    """Return the language whose commonest words the text uses most, by twice as many as any other."""
    counts = dict.fromkeys(signs.languages, 0)
    for word in words:
        for code in signs.languages_of.get(word, ()):
            counts[code] += 1
    (first, most), (_, next_most) = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:2]
    return first if most >= 2 and most >= 1.3 * next_most else None


# "71.204.338-K": in the form of several countries' numbers, whatever sign it was counted for.
_NUMBER_OF_A_PERSON: Final = re.compile(r"[A-Za-z]{0,2}[\s.-]?\d[\d\s.-]{5,20}[A-Za-z]?")


def _evidence(tally: _CountryScore, plain: NormalizedText) -> tuple[str, ...]:
    """Return the extracts that earned most, cut from the document, none inside another."""
    chosen: list[str] = []
    for key in sorted(tally.extracts, key=lambda key: (-tally.points[key], tally.extracts[key])):
        start, end = plain.span(*tally.extracts[key])
        extract = _shortened(plain.original[start:end])
        if _NUMBER_OF_A_PERSON.fullmatch(extract):
            continue
        if not any(extract in other or other in extract for other in chosen):
            chosen.append(extract)
        if len(chosen) == _EVIDENCE_COUNT:
            break
    return tuple(chosen)


def _shortened(extract: str) -> str:
    """Return the end of a long extract, from the beginning of a word on: the country stands there."""
    if len(extract) <= _EVIDENCE_LENGTH:
        return extract
    cut = extract[-_EVIDENCE_LENGTH:]
    space = re.search(r"\s", cut)
    return cut[space.end() :] if space and space.end() < len(cut) else cut
