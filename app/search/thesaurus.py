"""Understand a question: the matters that its words name, their branch of law, and whether a person asks.

`data/thesaurus` says what people and jurists call a matter and what the law calls it, a file for each branch;
`data/everyday_words.toml` which words of everyday speech are the same. Lawyers extend both (docs/search.md).
Pure but for reading them once.

A phrase is found where all its words stand near each other in any order and form. A person who speaks of a
case of their own ("me han echado") is understood with a word less; for a jurist's question what people say
counts less. Beside the matters that are named, others are likely: those of which one phrase, or all phrases
and the law's words together, have the most telling words of a question. Those of an English question are also
looked for by its words in Spanish, for which there are more phrases.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from app.platform.data_files import Entry, Texts, read_file
from app.search.analyzer import stems, stop_words, words

Language = Literal["es", "en"]
Phrase = tuple[str, ...]

_FOLDER = Path(__file__).parent / "data"
# How far apart the words of a phrase may stand, beyond their number.
_NEAR = 7
# By each further word a phrase is surer; of what lacks one word, and of what a jurist would not say, less so.
_LONGER, _PARTIAL, _UNLIKE = 0.25, 0.7, {"es": 0.5, "en": 0.8}
_SHORTEST_PARTIAL, _SHORTEST_ROOT = 3, 3
# Of a phrase of a likely matter: the share of its words, by how telling they are, and how telling these are
# together, at least; from where on no surer; how many matters; what they weigh beside those that are named,
# and where a jurist would not say it, or a client. Fitted, no values did better on questions left out.
_COVERED, _TELLING, _SURE, _MOST_LIKELY = 0.4, 6.0, 12.0, 8
_LIKELY, _OF_OTHERS = 0.9, 0.8
# Of all phrases of a matter together (BM25): how telling the words of a question are at least, saturation,
# strength of length normalisation; a word of the law beside one that people say; what the likeliest matter
# weighs beside a phrase that is there as a whole.
_TOGETHER, _SATURATION, _BY_LENGTH, _OF_THE_LAW, _BEST = 5.0, 1.2, 0.6, 0.5, 0.9
# How sure it is that a matter of law is meant where a word names one with nothing beside it ("heredar").
_TOLD = 0.7
# Of an English question asked in Spanish words: how many matters, and what they weigh.
_MOST_TRANSLATED, _TRANSLATED = 6, 0.8
_SAME = "="
_FIRST_PERSON_PAST = re.compile(r"\b\w{3,}[éí]\b")
_ENDINGS_TOLD = """ieron aron eron aban abas aba amos emos imos ian iamos ia ias ando iendo yendo ado ada ados
    adas ido ida idos idas ar er ir are ere ire aria eria iria arme erme irme arse erse irse arlo arla arle
    erlo irlo arnos arles ara era ira aran eran iran asen iesen iera ieran ases as es os a e o s an en on io
    ion iones ste aste iste"""
_ENDINGS = frozenset(_ENDINGS_TOLD.split())
_LONGEST_ENDING = max(map(len, _ENDINGS))


class _Entry(Entry):
    es: Texts
    en: Texts = ()
    law: Texts


class _Branch(Entry):
    laws: Texts
    situations: list[_Entry] = Field(default_factory=list)
    doctrine: list[_Entry] = Field(default_factory=list)


class _ByLanguage(Entry):
    es: Texts
    en: Texts


class _SameWords(Entry):
    es: dict[str, Texts]
    en: dict[str, Texts]


class _EverydayWords(Entry):
    same: _SameWords
    families: dict[str, Texts]
    empty: _ByLanguage
    vague: _ByLanguage
    telling: _ByLanguage
    first_person: _ByLanguage
    accented: Texts


class _Concept(Entry):
    asked: Texts
    law: Texts = ()


class _Concepts(Entry):
    concepts: list[_Concept]


@dataclass(frozen=True, slots=True)
class Matter:
    """What the law calls a matter, as stems, the usual phrase first; `everyday`: as people speak of it."""

    law: tuple[Phrase, ...]
    branch: str | None
    everyday: bool


@dataclass(frozen=True, slots=True)
class Understood:
    """The matters of a question with their weights, and what its words are for.

    `matters` are those it names, then the likely ones.
    `spoken` are the places of words that are said otherwise in the law, `empty` of those that say nothing.
    `sure` is how sure it is that a matter of law is meant: 1 where a phrase of several words stands in the
    question, otherwise the share of the likeliest matter, or of a word that names one with nothing beside it.
    """

    matters: tuple[tuple[Matter, float], ...]
    spoken: frozenset[int]
    empty: frozenset[int]
    personal: bool
    sure: float = 0.0

    @property
    def branches(self) -> Mapping[str, float]:
        """The branches of law meant, the likeliest with 1."""
        votes: Counter[str] = Counter()
        for matter, weight in self.matters:
            if matter.branch:
                votes[matter.branch] += weight  # type: ignore[assignment]  # a Counter may hold floats
        most = max(votes.values(), default=0)
        return {branch: vote / most for branch, vote in votes.items()}


@cache
def _everyday() -> _EverydayWords:
    return read_file(_FOLDER / "everyday_words.toml", _EverydayWords)


@cache
def _branches() -> Mapping[str, _Branch]:
    return {path.stem: read_file(path, _Branch) for path in sorted((_FOLDER / "thesaurus").glob("*.toml"))}


@cache
def _same(language: Language) -> Mapping[str, str]:
    listed = getattr(_everyday().same, language)
    return {
        word: _SAME + name for name, all_words in listed.items() for one in all_words for word in words(one)
    }


@cache
def _families() -> Mapping[str, str]:
    return {one: name for name, all_stems in _everyday().families.items() for one in all_stems}


def _root(word: str, language: Language) -> str:
    """Return what a folded word has in common with its other forms; empty for a stop word."""
    same = _same(language)
    if word in same:
        return same[word]
    if word in stop_words(language):
        return ""
    if language == "en":
        return "".join(stems(word, "en"))
    for ending in ("s", "es"):
        if word.endswith(ending) and word.removesuffix(ending) in same:
            return same[word.removesuffix(ending)]
    for length in range(min(_LONGEST_ENDING, len(word) - _SHORTEST_ROOT), 0, -1):
        if word[-length:] in _ENDINGS:
            word = word[:-length]
            break
    family = _families().get(word, word)
    return _SAME + family if family in _everyday().same.es else family


def _roots(text: str, language: Language) -> list[str]:
    return [_root(word, language) for word in words(text)]


def roots(text: str, language: Language) -> list[str]:
    """Return what the words of a text have in common with their other forms, without stop words, in order."""
    return [root for root in _roots(text, language) if root]


def empty_roots(language: Language) -> frozenset[str]:
    """Return the roots of words that say nothing about a matter ("quiero saber")."""
    return _listed("empty", language)


@cache
def _listed(kind: Literal["empty", "vague", "telling"], language: Language) -> frozenset[str]:
    """Return the roots of the words in a list of `everyday_words.toml`."""
    listed = getattr(getattr(_everyday(), kind), language)
    return frozenset(root for word in listed for root in _roots(word, language) if root)


def _key(phrase: str, language: Language) -> Phrase | None:
    """Return the roots by which a phrase is found; `None` where they would say nothing."""
    found = {root for root in _roots(phrase, language) if root}
    telling = found - _listed("empty", language)
    if not telling or (len(found) == 1 and found <= _listed("vague", language)):
        return None
    return tuple(sorted(telling if len(telling) > 1 else found))


def _law(phrases: Iterable[str]) -> tuple[Phrase, ...]:
    return tuple(tuple(dict.fromkeys(stems(phrase))) for phrase in phrases)


@cache
def _phrases(language: Language) -> tuple[Mapping[Phrase, Sequence[Matter]], Mapping[str, Sequence[Phrase]]]:
    """Return the matters that each phrase names, and the phrases of which a root is one of the two rarest."""
    found: dict[Phrase, list[Matter]] = defaultdict(list)

    def add(matter: Matter, said: Iterable[str]) -> None:
        for key in dict.fromkeys(_key(phrase, language) for phrase in said):
            if key:
                found[key].append(matter)

    for branch, listed in _branches().items():
        for entries, everyday in ((listed.situations, True), (listed.doctrine, False)):
            for one in entries:
                add(Matter(_law(one.law), branch, everyday), getattr(one, language))
    if language == "es":
        for concept in read_file(_FOLDER / "concepts_es.toml", _Concepts).concepts:
            add(Matter(_law((*concept.law, *concept.asked)), None, everyday=False), concept.asked)
    frequency = Counter(root for phrase in found for root in phrase)
    by_root: dict[str, list[Phrase]] = defaultdict(list)
    for phrase in found:
        # A phrase of which one root is lacking still has one of them.
        for root in sorted(phrase, key=lambda one: frequency[one])[:2]:
            by_root[root].append(phrase)
    return found, by_root


def _is_personal(text: str, said: Sequence[str], language: Language) -> bool:
    """Tell whether a person speaks of a case of their own ("me han echado", "pagué")."""
    if not set(getattr(_everyday().first_person, language)).isdisjoint(said):
        return True
    # The accent of a past tense in the first person, which the words as compared have not.
    return language == "es" and any(
        word not in _everyday().accented for word in _FIRST_PERSON_PAST.findall(text.lower())
    )


def understand(text: str, language: Language, translated: Sequence[str] = ()) -> Understood:
    """Return the matters that a question names.

    Args:
        text: The question.
        language: The language it is asked in.
        translated: Spanish words for those of an English question.
    """
    said = words(text)
    roots = [_root(word, language) for word in said]
    personal = _is_personal(text, said, language)
    matters, _ = _phrases(language)
    found: dict[Matter, float] = {}
    spoken: set[int] = set()
    sure = _TOLD if not _listed("telling", language).isdisjoint(roots) else 0.0
    for places, phrase, share in _in(roots, language, partly=personal):
        sure = 1.0 if share == 1 and len(phrase) > 1 else sure
        for matter in matters[phrase]:
            weight = share * (1 + _LONGER * (len(phrase) - 1))
            if matter.everyday and not personal:
                weight *= _UNLIKE[language]
            found[matter] = max(weight, found.get(matter, 0.0))
            if matter.everyday and personal and share == 1:
                spoken |= places
    empty = _listed("empty", language)
    likely = _likely({root for root in roots if root} - empty, language)
    in_spanish = {root for word in translated for root in _roots(word, "es") if root}
    translated_likely = _likely(in_spanish - _listed("empty", "es"), "es")[:_MOST_TRANSLATED]
    beside = {
        matter: _LIKELY * share * (1.0 if matter.everyday == personal else _OF_OTHERS)
        for matter, share in likely
    }
    for matter, share in translated_likely:
        beside.setdefault(matter, _LIKELY * _TRANSLATED * share)
    return Understood(
        (*found.items(), *((matter, weight) for matter, weight in beside.items() if matter not in found)),
        frozenset(spoken),
        frozenset(place for place, root in enumerate(roots) if root in empty),
        personal,
        max([sure, *(share for _, share in (*likely[:1], *translated_likely[:1]))]),
    )


@dataclass(frozen=True, slots=True)
class _MatterIndex:
    """Inverted lists from roots to phrases and matters, by their places in lists of all of them.

    `of_phrases` has of each root the phrases with it and how telling it is, `of_matters` the matters with it,
    how telling it is in each, and its BM25 score; `whole` how telling the roots of each phrase are together.
    """

    matters: Sequence[Matter]
    matters_of: Sequence[Sequence[int]]
    whole: npt.NDArray[np.float64]
    of_phrases: Mapping[str, tuple[npt.NDArray[np.int64], float]]
    of_matters: Mapping[str, tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]]]


@cache
def _index(language: Language) -> _MatterIndex:
    phrases, _ = _phrases(language)
    roots_of: dict[Matter, dict[str, float]] = defaultdict(dict)
    for phrase, matters in phrases.items():
        for matter in matters:
            roots_of[matter].update(dict.fromkeys(phrase, 1.0))
    telling = _rarity(roots_of.values())
    if language == "es":
        _add_words_of_the_law(roots_of)
    place = {matter: at for at, matter in enumerate(roots_of)}
    at_phrases: dict[str, list[int]] = defaultdict(list)
    for at, phrase in enumerate(phrases):
        for root in phrase:
            at_phrases[root].append(at)
    rarity = _rarity(roots_of.values())
    usual = sum(sum(roots.values()) for roots in roots_of.values()) / len(roots_of)
    at_matters: dict[str, list[tuple[int, float, float]]] = defaultdict(list)
    for matter, roots in roots_of.items():
        length = 1 - _BY_LENGTH + _BY_LENGTH * sum(roots.values()) / usual
        for root, weight in roots.items():
            score = rarity[root] * weight / (weight + _SATURATION * length)
            at_matters[root].append((place[matter], rarity[root] * weight, score))
    return _MatterIndex(
        tuple(roots_of),
        [[place[matter] for matter in matters] for matters in phrases.values()],
        np.array([sum(telling[root] for root in phrase) for phrase in phrases]),
        {root: (np.array(found), telling[root]) for root, found in at_phrases.items()},
        {
            root: (np.array([at for at, _, _ in found]), *np.array([rest for _, *rest in found]).T)
            for root, found in at_matters.items()
        },
    )


def _rarity(texts: Collection[Collection[str]]) -> Mapping[str, float]:
    """Return how telling each root is that stands in some of the texts."""
    counted = Counter(root for roots in texts for root in roots)
    return {root: math.log(1 + (len(texts) - count + 0.5) / (count + 0.5)) for root, count in counted.items()}


def _add_words_of_the_law(roots_of: Mapping[Matter, dict[str, float]]) -> None:
    for branch, listed in _branches().items():
        for entries, everyday in ((listed.situations, True), (listed.doctrine, False)):
            for one in entries:
                of_matter = roots_of.get(Matter(_law(one.law), branch, everyday), {})
                for phrase in one.law:
                    for root in _roots(phrase, "es"):
                        if root:
                            of_matter.setdefault(root, _OF_THE_LAW)


def _likely(roots: Set[str], language: Language) -> list[tuple[Matter, float]]:
    """Return the matters that have the most telling words of a question, with their shares, likeliest first.

    Where the words stand does not matter here, so that what is told at length is understood too.
    """
    index = _index(language)
    shares: dict[int, float] = defaultdict(float)
    if of_phrases := [index.of_phrases[root] for root in roots if root in index.of_phrases]:
        had = np.bincount(
            np.concatenate([at for at, _ in of_phrases]),
            np.concatenate([np.full(len(at), telling) for at, telling in of_phrases]),
            len(index.whole),
        )
        for phrase in np.flatnonzero((had >= _TELLING) & (had >= _COVERED * index.whole)).tolist():
            share = float(had[phrase] / index.whole[phrase]) * min(1.0, float(had[phrase]) / _SURE)
            for matter in index.matters_of[phrase]:
                shares[matter] = max(share, shares[matter])
    if of_matters := [index.of_matters[root] for root in roots if root in index.of_matters]:
        places, telling, scores = (np.concatenate(parts) for parts in zip(*of_matters, strict=True))
        had = np.bincount(places, telling, len(index.matters))
        together = np.bincount(places, scores, len(index.matters))
        for matter in np.argsort(-together, kind="stable")[:_MOST_LIKELY]:
            if had[matter] >= _TOGETHER:
                share = (
                    _BEST * float(together[matter] / together.max()) * min(1.0, float(had[matter]) / _SURE)
                )
                shares[int(matter)] = max(share, shares[int(matter)])
    best = sorted(shares.items(), key=lambda one: -one[1])[:_MOST_LIKELY]
    return [(index.matters[matter], share) for matter, share in best]


def _in(
    roots: Sequence[str], language: Language, *, partly: bool
) -> list[tuple[frozenset[int], Phrase, float]]:
    """Return the phrases in a question: their places, and 1 or, where a word is lacking, less.

    Of phrases within one another the longest alone is meant.
    """
    places: dict[str, list[int]] = defaultdict(list)
    for place, root in enumerate(roots):
        if root:
            places[root].append(place)
    _, by_root = _phrases(language)
    likely = dict.fromkeys(phrase for root in places for phrase in by_root.get(root, ()))
    whole: list[tuple[frozenset[int], Phrase]] = []
    parts: list[tuple[frozenset[int], Phrase]] = []
    for phrase in likely:
        lacking = sum(root not in places for root in phrase)
        if lacking > (partly and len(phrase) >= _SHORTEST_PARTIAL):
            continue
        there = [places[root] for root in phrase if root in places]
        nearest = min(
            ([min(of_root, key=lambda place: abs(place - first)) for of_root in there] for first in there[0]),
            key=lambda found: max(found) - min(found),
        )
        if max(nearest) - min(nearest) < len(phrase) + _NEAR:
            (parts if lacking else whole).append((frozenset(nearest), phrase))
    return [
        *((at, phrase, 1.0) for at, phrase in whole if not any(at < other for other, _ in whole)),
        *(
            (at, phrase, _PARTIAL)
            for at, phrase in parts
            if not any(at <= other for other, _ in whole) and not any(at < other for other, _ in parts)
        ),
    ]


def mark(branch: str) -> str:
    """Return the term by which the laws of a branch are indexed; no stem has a space in it."""
    return f"branch {branch}"


@lru_cache(maxsize=10_000)
def marks(title: str, language: str) -> tuple[str, ...]:
    """Return the marks of the branches to which a law belongs by its title; none but of law in Spanish."""
    if language != "es":
        return ()
    found = stems(title)
    return tuple(
        mark(branch)
        for branch, listed in _branches().items()
        if any(stands_in(stems(name), found) for name in listed.laws)
    )


def stands_in(phrase: Sequence[str], text: Sequence[str]) -> bool:
    """Tell whether the words of a phrase follow one another in a text."""
    return any(text[at : at + len(phrase)] == phrase for at in range(len(text) - len(phrase) + 1))


@cache
def law_words() -> frozenset[str]:
    """Return the stems that the law uses for any matter."""
    return frozenset(
        stem
        for of_phrase in _phrases("es")[0].values()
        for one in of_phrase
        for law in one.law
        for stem in law
    )
