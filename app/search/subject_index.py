"""Find articles by the subjects that a jurist looks up there, as in the index at the end of a printed code.

`data/subject_index` says, law by law, which articles treat of which subjects, in the words of doctrine, of
plain Spanish and of English. A question finds the entries that have its words (BM25 over entries, not over
the text of the law), and with them their articles. An entry is a posting of the index like a stem, so that
its articles are those that are loaded (decision 086). Pure but for reading the files once.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from pydantic import Field

from app.platform.data_files import Entry, Texts, read_file
from app.search import thesaurus
from app.search.analyzer import stems
from app.search.thesaurus import Language

_FOLDER = Path(__file__).parent / "data" / "subject_index"
# BM25 of entries: saturation, and strength of length normalisation.
_SATURATION, _BY_LENGTH = 0.8, 0.3
# An entry that has less of a question than the best one counts less still: its score times its share of the
# best score to this power. How many entries are searched.
_STEEP, _MOST = 0.5, 60
# Of the phrases of an entry in English, what the one counts of which a question has most: English says in
# one short phrase ("right of way") what the law takes several words for. In Spanish it did not win.
_PHRASE = 0.5
_BETWEEN_PHRASES = re.compile("[,;]")
# An entry of more articles than these says little about any.
_FEW = 20
# What an entry weighs beside the words of the law: for a jurist, for a person who speaks of a case of their
# own, whose words the entries seldom have, and in English, in which the law has none. Chosen on questions of
# rounds 1 and 2; none is sharp.
_JURIST, _PERSON, _ENGLISH = 3.0, 2.0, 2.0
# From this score on an entry is surely meant; none of forty questions that have nothing to do with law has
# more than 5.2, half of the questions of law have 6.
_SURE = 5.5
# fmt: off
_SUFFIXES: Final = (
    "bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "nonies", "decies", "undecies",
    "duodecies", "terdecies",
)
# fmt: on
_NUMBER = re.compile(r"(\d+)\s*(.*)")


class Subject(Entry):
    """Words for a subject, in Spanish and in English."""

    es: str = ""
    en: str = ""


class _Law(Entry):
    title: Texts
    without: Texts = ()
    subjects: dict[str, Subject] = Field(min_length=1)


class _File(Entry):
    laws: list[_Law]


@dataclass(frozen=True, slots=True)
class Articles:
    """Articles of a law: the place of the first and the number of the last of each range.

    `mark` is the term by which they are indexed.
    """

    mark: str
    ranges: tuple[tuple[_Place, str], ...]

    def have(self, number: str) -> bool:
        """Tell whether an article is one of them."""
        place = _place(number)
        return place is not None and any(
            first <= place and (place <= _last(last) or _is_part(number, last)) for first, last in self.ranges
        )


# Where an article stands in its law: its number, and what follows it ("bis", "A"), in order.
_Place = tuple[int, tuple[tuple[int, str], ...]]


def _place(number: str) -> _Place | None:
    match = _NUMBER.fullmatch(number.strip().lower())
    if match is None:
        return None
    rest = match.group(2).replace("á", "a").split()
    return int(match.group(1)), tuple(
        (_SUFFIXES.index(one) if one in _SUFFIXES else len(one) * 100, one) for one in rest
    )


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """An entry as it is written: the names of its law, the numbers of its articles and its words."""

    title: Texts
    numbers: Sequence[str]
    subject: Subject


def listed(jurisdiction: str) -> Iterator[ListedEntry]:
    """Yield the entries of a jurisdiction that name few articles; of a range only whole numbers."""
    for name, law in _laws(jurisdiction):
        for key, subject in law.subjects.items():
            numbers: list[str] = []
            for place, last in articles(name, key).ranges:
                first = place[0]
                numbers += map(str, range(first, max(first, _last(last)[0]) + 1))
            if len(numbers) <= _FEW:
                yield ListedEntry(law.title, numbers, subject)


def _last(number: str) -> _Place:
    return _place(number) or (0, ())


def _is_part(number: str, whole: str) -> bool:
    """Tell whether an article is one of several numbered under another (588 ter a under 588 ter)."""
    return not whole.isdigit() and number.lower().startswith(f"{whole} ")


@dataclass(frozen=True, slots=True)
class Subjects:
    """Marks of the entries that a question means, with their weights.

    `best` is the score of the entry that has most of it, phrases aside, `sure` whether it is surely meant.
    """

    weights: Mapping[str, float]
    best: float

    @property
    def sure(self) -> bool:
        """Whether an entry is surely meant."""
        return self.best >= _SURE


@dataclass(frozen=True, slots=True)
class _Entries:
    """The entries of a jurisdiction in one language: their marks, and of each root those that have it.

    `phrases` is `None` where phrases do not count.
    """

    marks: Sequence[str]
    scores: Mapping[str, tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]]
    phrases: _Phrases | None


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Of each root the phrases with it and how telling it is.

    Of each phrase `whole` is how telling its roots are together, `of_entry` the place of its entry.
    """

    with_root: Mapping[str, tuple[npt.NDArray[np.int64], float]]
    whole: npt.NDArray[np.float64]
    of_entry: npt.NDArray[np.int64]

    def best(self, roots: Sequence[str], many: int) -> npt.NDArray[np.float64]:
        """Return of each of so many entries the score of the phrase of which these roots are most."""
        best = np.zeros(many)
        if found := [self.with_root[root] for root in roots if root in self.with_root]:
            had = np.bincount(
                np.concatenate([at for at, _ in found]),
                np.repeat([telling for _, telling in found], [len(at) for at, _ in found]),
            )
            said = np.flatnonzero(had)
            np.maximum.at(best, self.of_entry[said], had[said] ** 2 / self.whole[said])
        return best


@cache
def _laws(jurisdiction: str) -> Sequence[tuple[str, _Law]]:
    """Return the laws of a jurisdiction with the names that their marks have."""
    return [
        (" ".join(law.title), law)
        for path in sorted(_FOLDER.glob(f"{jurisdiction.lower()}_*.toml"))
        for law in read_file(path, _File).laws
    ]


def articles(name: str, key: str) -> Articles:
    """Read articles as an entry writes them: "12", "12-15" or "3,7-9", with the name of their mark.

    Raises:
        ValueError: The key names no articles.
    """
    ranges: list[tuple[_Place, str]] = []
    for part in key.split(","):
        first, _, last = part.strip().partition("-")
        place = _place(first)
        if place is None or _place(last or first) is None:
            raise ValueError(f"{name}: {key!r} names no articles, expected '12', '12-15' or '3,7-9'")
        ranges.append((place, last or first))
    return Articles(f"{name} {key}", tuple(ranges))


def is_titled(found: Sequence[str], title: Sequence[str], without: Sequence[str]) -> bool:
    """Tell whether the stems of a law's title have all phrases of `title` and none of `without`."""
    return all(thesaurus.stands_in(stems(phrase), found) for phrase in title) and not any(
        thesaurus.stands_in(stems(phrase), found) for phrase in without
    )


@lru_cache(maxsize=10_000)
def _of_title(jurisdiction: str, title: str) -> Sequence[Articles]:
    """Return the entries of a law that is known by its title."""
    found = stems(title)
    return [
        articles(f"subject {name}", key)
        for name, law in _laws(jurisdiction)
        if is_titled(found, law.title, law.without)
        for key in law.subjects
    ]


@lru_cache(maxsize=100_000)
def marks(jurisdiction: str, title: str, number: str | None) -> frozenset[str]:
    """Return the marks of the entries in which an article stands.

    Args:
        jurisdiction: Code of the jurisdiction.
        title: Title of the law.
        number: Number of the article as loaded ("588 ter a"); `None` has no marks.
    """
    if not number:
        return frozenset()
    return frozenset(one.mark for one in _of_title(jurisdiction, title) if one.have(number))


def laws(jurisdiction: str) -> Mapping[str, frozenset[str]]:
    """Return the marks of the entries of each law that the files of a jurisdiction name, by title."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, law in _laws(jurisdiction):
        found[name].update(articles(f"subject {name}", key).mark for key in law.subjects)
    return {name: frozenset(of_law) for name, of_law in found.items()}


@cache
def _entries(jurisdiction: str, language: Language) -> _Entries:
    texts = [
        (f"subject {name} {key}", getattr(subject, language))
        for name, law in _laws(jurisdiction)
        for key, subject in law.subjects.items()
    ]
    listed = [(mark, Counter(thesaurus.roots(text, language))) for mark, text in texts]
    count = Counter(root for _, roots in listed for root in roots)
    usual = sum(sum(roots.values()) for _, roots in listed) / max(1, len(listed))
    rarity = {
        root: math.log(1 + (len(listed) - times + 0.5) / (times + 0.5)) for root, times in count.items()
    }
    scores: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for at, (_, roots) in enumerate(listed):
        length = 1 - _BY_LENGTH + _BY_LENGTH * sum(roots.values()) / usual
        for root, times in roots.items():
            scores[root].append((at, rarity[root] * times / (times + _SATURATION * length)))
    return _Entries(
        [mark for mark, _ in listed],
        {
            root: (np.array([at for at, _ in found]), np.array([score for _, score in found]))
            for root, found in scores.items()
        },
        _phrases([text for _, text in texts], rarity) if language == "en" else None,
    )


def _phrases(texts: Sequence[str], rarity: Mapping[str, float]) -> _Phrases:
    """Return the phrases of English entries; `rarity` is how telling each root is."""
    phrases = [
        (at, roots)
        for at, text in enumerate(texts)
        for phrase in _BETWEEN_PHRASES.split(text)
        if (roots := dict.fromkeys(thesaurus.roots(phrase, "en")))
    ]
    by_root: dict[str, list[int]] = defaultdict(list)
    for place, (_, roots) in enumerate(phrases):
        for root in roots:
            by_root[root].append(place)
    return _Phrases(
        {root: (np.array(found), rarity[root]) for root, found in by_root.items()},
        np.array([sum(rarity[root] for root in roots) for _, roots in phrases]),
        np.array([at for at, _ in phrases], np.int64),
    )


def subjects(text: str, jurisdiction: str, language: Language, *, personal: bool) -> Subjects:
    """Return the entries that a question means.

    Args:
        text: The question.
        jurisdiction: Code of the jurisdiction whose law is searched.
        language: The language of the question.
        personal: Whether a person speaks of a case of their own.
    """
    entries = _entries(jurisdiction, language)
    empty = thesaurus.empty_roots(language)
    roots = [root for root in dict.fromkeys(thesaurus.roots(text, language)) if root not in empty]
    scored = [entries.scores[root] for root in roots if root in entries.scores]
    if not scored:
        return Subjects({}, 0.0)
    scores = np.bincount(
        np.concatenate([at for at, _ in scored]), np.concatenate([of_root for _, of_root in scored])
    )
    places = np.flatnonzero(scores)
    together = scores.astype(float)
    if entries.phrases is not None:
        together += _PHRASE * entries.phrases.best(roots, len(scores))
    order = places[np.lexsort((places, -together[places]))][:_MOST]
    most = float(together[order[0]])
    weight = _ENGLISH if language == "en" else _PERSON if personal else _JURIST
    found: dict[str, float] = {}
    for at, had in zip(order.tolist(), together[order].tolist(), strict=True):
        score = weight * had * (had / most) ** _STEEP
        found[entries.marks[at]] = max(found.get(entries.marks[at], 0.0), score)
    return Subjects(found, float(scores.max()))
