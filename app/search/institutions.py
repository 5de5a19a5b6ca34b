"""Tell which institution of law a question is about, and which articles govern it in each country.

`data/institutions` says what people call an institution ("dismissal without cause") in everyday words, in
Spanish and in English, and which articles govern it in each country, the principal ones first. What people
say in one country is understood in all: the entries of the index of subjects of every country that name
articles of an institution are read as words of it too. All its words together tell an institution (BM25 over
institutions), so that many weak hints in a long story count more than one strong word elsewhere. An article
of an institution is a posting of the index like a stem (decision 124). Pure but for reading the files once.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from pydantic import Field

from app.platform.data_files import Entry, Filled, Texts, read_file
from app.search import subject_index, thesaurus
from app.search.analyzer import stems
from app.search.thesaurus import Language

_FOLDER = Path(__file__).parent / "data" / "institutions"
COUNTRIES: Final = ("ES", "CO", "MX", "AR", "CL")
# BM25 over institutions: saturation, and strength of length normalisation; what a word of an entry of the
# index of subjects counts beside one of the institution's own.
_SATURATION, _BY_LENGTH, _OF_ENTRIES = 0.5, 0.5, 0.5
# Of the phrases of an institution, what the one counts that has the most telling words of a question.
_PHRASE = 0.5
# An institution that has less of a question than the best one counts less: its score times its share of the
# best score to this power. How many count, and by how much less each further article of one.
_STEEP, _MOST, _FURTHER = 1.0, 5, 0.87
_JURIST, _PERSON, _ENGLISH = 0.7, 4.0, 1.5
# From which score on an institution is meant surely, and rather, and how sure that is. Of 120 questions that
# have nothing to do with law the highest score was 7.5; half of what clients ask has 11 and more.
_SURE, _RATHER_SURE, _RATHER = 9.0, 6.6, 0.8


class _Institution(Entry):
    name: Filled
    es: Filled
    en: Filled
    ES: str = ""
    CO: str = ""
    MX: str = ""
    AR: str = ""
    CL: str = ""


class _Law(Entry):
    title: Texts
    without: Texts = ()


class _File(Entry):
    institutions: list[_Institution] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class _Provision:
    """An article, or a range, of a law that governs an institution."""

    law: str
    articles: subject_index.Articles

    @property
    def mark(self) -> str:
        return self.articles.mark


@dataclass(frozen=True, slots=True)
class Meant:
    """Marks of the provisions that govern what a question is about, with their weights.

    `best` is the score of the likeliest institution.
    """

    weights: Mapping[str, float]
    best: float

    @property
    def sure(self) -> float:
        """How sure it is that a matter of law is meant, from 0 to 1."""
        return 1.0 if self.best >= _SURE else _RATHER if self.best >= _RATHER_SURE else 0.0


@cache
def _laws() -> Mapping[str, Mapping[str, _Law]]:
    return read_file(_FOLDER / "laws.toml", dict[str, dict[str, _Law]])


@cache
def _institutions() -> Sequence[_Institution]:
    return [
        one
        for path in sorted(_FOLDER.glob("*.toml"))
        if path.name != "laws.toml"
        for one in read_file(path, _File).institutions
    ]


@cache
def _provisions(jurisdiction: str) -> Sequence[Sequence[_Provision]]:
    """Return the provisions of a country by institution, the principal ones first."""
    return [tuple(_read(jurisdiction, getattr(one, jurisdiction))) for one in _institutions()]


def _read(jurisdiction: str, written: str) -> Iterator[_Provision]:
    for part in filter(None, (one.strip() for one in written.split(";"))):
        law, _, numbers = part.partition(" ")
        if law not in _laws()[jurisdiction]:
            raise ValueError(f"{part!r} names a law of {jurisdiction} that laws.toml does not have")
        for number in numbers.split(","):
            key = number.strip()
            yield _Provision(law, subject_index.articles(f"institution {jurisdiction} {law}", key))


@lru_cache(maxsize=10_000)
def _of_title(jurisdiction: str, title: str) -> Sequence[_Provision]:
    """Return the provisions of a law that is known by its title, each once."""
    if jurisdiction not in COUNTRIES:
        return ()
    found = stems(title)
    there = {
        name
        for name, law in _laws()[jurisdiction].items()
        if subject_index.is_titled(found, law.title, law.without)
    }
    provisions = {one.mark: one for listed in _provisions(jurisdiction) for one in listed if one.law in there}
    return tuple(provisions.values())


@lru_cache(maxsize=100_000)
def marks(jurisdiction: str, title: str, number: str | None) -> frozenset[str]:
    """Return the marks of the provisions in which an article stands.

    Args:
        jurisdiction: Code of the jurisdiction.
        title: Title of the law.
        number: Number of the article as loaded; `None` has no marks.
    """
    if not number:
        return frozenset()
    return frozenset(one.mark for one in _of_title(jurisdiction, title) if one.articles.have(number))


@cache
def _entries_of() -> Sequence[Sequence[tuple[subject_index.Subject, float]]]:
    """Return by institution the entries of the index of subjects, of all countries, that treat of it.

    With each the share of its articles that are the institution's.
    """
    found: list[list[tuple[subject_index.Subject, float]]] = [[] for _ in _institutions()]
    for country in COUNTRIES:
        at: dict[str, list[int]] = defaultdict(list)
        for place, provisions in enumerate(_provisions(country)):
            for one in provisions:
                at[one.mark].append(place)
        for entry in subject_index.listed(country):
            of_law = _of_title(country, ". ".join(entry.title))
            shares: Counter[int] = Counter()
            for number in entry.numbers:
                of_number = {place for one in of_law if one.articles.have(number) for place in at[one.mark]}
                shares.update(of_number)
            for place, times in shares.items():
                found[place].append((entry.subject, times / len(entry.numbers)))
    return found


@dataclass(frozen=True, slots=True)
class _Words:
    """Of each root the institutions that have it with its scores, and the phrases with how telling it is.

    Of each phrase `whole` is how telling its roots are together, `of_phrase` its institution.
    """

    scores: Mapping[str, tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]]
    phrases: Mapping[str, tuple[npt.NDArray[np.int64], float]]
    whole: npt.NDArray[np.float64]
    of_phrase: npt.NDArray[np.int64]


@cache
def _words(language: Language) -> _Words:
    texts: list[Counter[str]] = []
    phrases: list[tuple[int, frozenset[str]]] = []
    for place, (one, entries) in enumerate(zip(_institutions(), _entries_of(), strict=True)):
        counted: Counter[str] = Counter()
        for text, weight in (
            (getattr(one, language), 1.0),
            (one.name if language == "es" else "", 1.0),
            *((getattr(entry, language), _OF_ENTRIES * share) for entry, share in entries),
        ):
            for phrase in text.split(","):
                roots = thesaurus.roots(phrase, language)
                for root in roots:
                    counted[root] += weight  # type: ignore[assignment]  # a Counter may hold floats
                if len(set(roots)) > 1:
                    phrases.append((place, frozenset(roots)))
        texts.append(counted)
    usual = sum(sum(one.values()) for one in texts) / len(texts)
    there = Counter(root for one in texts for root in one)
    rarity = {root: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for root, n in there.items()}
    scores: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for place, counted in enumerate(texts):
        length = 1 - _BY_LENGTH + _BY_LENGTH * sum(counted.values()) / usual
        for root, times in counted.items():
            scores[root].append((place, rarity[root] * times / (times + _SATURATION * length)))
    by_root: dict[str, list[int]] = defaultdict(list)
    for at, (_, roots_of) in enumerate(phrases):
        for root in roots_of:
            by_root[root].append(at)
    return _Words(
        {
            root: (np.array([place for place, _ in found]), np.array([score for _, score in found]))
            for root, found in scores.items()
        },
        {root: (np.array(found), rarity[root]) for root, found in by_root.items()},
        np.array([sum(rarity[root] for root in sorted(roots_of)) for _, roots_of in phrases]),
        np.array([place for place, _ in phrases]),
    )


def ranked(text: str, language: Language) -> list[tuple[int, float]]:
    """Return the institutions of which a question has words, by their places, with scores, best first."""
    known = _words(language)
    empty = thesaurus.empty_roots(language)
    roots = [root for root in dict.fromkeys(thesaurus.roots(text, language)) if root not in empty]
    scored = [known.scores[root] for root in roots if root in known.scores]
    if not scored:
        return []
    many = len(_institutions())
    scores = np.bincount(
        np.concatenate([at for at, _ in scored]), np.concatenate([of_root for _, of_root in scored]), many
    )
    places = np.flatnonzero(scores)
    if of_phrases := [known.phrases[root] for root in roots if root in known.phrases]:
        had = np.bincount(
            np.concatenate([at for at, _ in of_phrases]),
            np.repeat([telling for _, telling in of_phrases], [len(at) for at, _ in of_phrases]),
        )
        phrases = np.flatnonzero(had)
        best = np.zeros(many)
        np.maximum.at(best, known.of_phrase[phrases], had[phrases] ** 2 / known.whole[phrases])
        together = scores + _PHRASE * best
    else:
        together = scores.astype(float)
    order = places[np.lexsort((places, -together[places]))]
    return list(zip(order.tolist(), together[order].tolist(), strict=True))


def meant(text: str, jurisdiction: str, language: Language, *, personal: bool) -> Meant:
    """Return the provisions that govern what a question is about.

    Args:
        text: The question.
        jurisdiction: Code of the jurisdiction whose law is searched.
        language: The language of the question.
        personal: Whether a person speaks of a case of their own.
    """
    if jurisdiction not in COUNTRIES:
        return Meant({}, 0.0)
    weight = _ENGLISH if language == "en" else _PERSON if personal else _JURIST
    found: dict[str, float] = {}
    provisions = _provisions(jurisdiction)
    all_ranked = ranked(text, language)
    listed = [(place, score) for place, score in all_ranked if provisions[place]][:_MOST]
    for place, score in listed:
        share = weight * score * (score / listed[0][1]) ** _STEEP
        for further, one in enumerate(provisions[place]):
            found[one.mark] = max(found.get(one.mark, 0.0), share * _FURTHER**further)
    return Meant(found, all_ranked[0][1] if all_ranked else 0.0)
