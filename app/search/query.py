"""Parse a query: weighted stems, the matters it names, the citations in it, its intent and its language.

Data files that lawyers may extend: `thesaurus` maps what people and jurists say to what the law says,
`concepts_*.toml` terms of legal doctrine to those of the law, `glossary_en_es.toml` English terms to
Spanish ones, and `subject_index` articles to their subjects. Pure but for reading them once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from app import corpus
from app.citations import Citation, extract
from app.platform.data_files import Entry, Filled, Texts, read_file
from app.search import institutions, subject_index, thesaurus
from app.search.analyzer import stems, words

Intent = Literal["citation", "statute", "semantic"]

_FOLDER = Path(__file__).parent / "data"
# A synonym counts less than the word that was typed; the second translation less than the first.
_SYNONYM, _OTHER_TRANSLATION, _TITLE, _UNTRANSLATED = 0.35, 0.5, 0.7, 0.3
# A word that the law says otherwise, and one that says nothing about the matter.
_SPOKEN, _EMPTY = 0.4, 0.15
_DOCTRINE, _SITUATION = 1.4, 1.25
# What an English question is given beside the scores of entries and institutions, of whose words it has few.
_IN_ENGLISH = 1.5
_LONGEST_PHRASE = 6
# A word of a question that weighs less says little about the matter.
_TELLING = 0.5
# By how many translations of a word matters are looked for.
_USUAL_TRANSLATIONS = 2
_ENGLISH_WORDS = """the of and is are was what when how does do can may must for with without by who which
    from within under between if to be has have should my an or on at been this that these their its"""
_SPANISH_WORDS = """de la el los las y que en un una por con para del al se es son cual cuando como quien
    si su lo sin sobre entre o"""
_ENGLISH, _SPANISH = frozenset(_ENGLISH_WORDS.split()), frozenset(_SPANISH_WORDS.split())
_OF_STATUTES = frozenset(stems("ley leyes código decreto estatuto reglamento constitución precepto norma"))

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Concept:
    """A matter that a query names: `phrases` of the law, as stems, the usual one first, and their weight."""

    phrases: tuple[Phrase, ...]
    weight: float


@dataclass(frozen=True)
class ParsedQuery:
    """A query as understood: `stems` with their weights, and `citations` in the order written.

    `branches` are the marks of the laws that are likely meant, from 0 to 1; `sure` is how sure it is that a
    matter of law is meant, likewise. `subjects` are the marks of entries of the index of subjects, weighted.
    `elsewhere` says that it has words of a matter that no law treats ("paella"). `institutions` are the marks
    of provisions that govern what it is about, weighted. `hints` are the scores of the best entry of the
    index of subjects and of the likeliest institution together; `None` for law of which there are none.
    """

    jurisdiction: str
    stems: Mapping[str, float]
    citations: tuple[Citation, ...]
    intent: Intent
    language: str
    concepts: tuple[Concept, ...] = ()
    branches: Mapping[str, float] = field(default_factory=dict)
    sure: float = 0.0
    subjects: Mapping[str, float] = field(default_factory=dict)
    elsewhere: bool = False
    institutions: Mapping[str, float] = field(default_factory=dict)
    hints: float | None = None

    @cached_property
    def telling(self) -> frozenset[str]:
        """The stems of its words that say something about the matter."""
        return frozenset(stem for stem, weight in self.stems.items() if weight >= _TELLING)

    @cached_property
    def said(self) -> frozenset[str]:
        """The stems by which the law says its matters."""
        return frozenset(stem for concept in self.concepts for phrase in concept.phrases for stem in phrase)

    @property
    def terms(self) -> frozenset[str]:
        """Everything that is looked up in the index."""
        return frozenset((*self.stems, *self.said, *self.branches, *self.subjects, *self.institutions))


class _OtherTopics(Entry):
    """Words of matters that no law treats, by topic, in Spanish and in English."""

    es: dict[str, Texts]
    en: dict[str, Texts]


@cache
def _other_topics(language: thesaurus.Language) -> frozenset[Phrase]:
    """Read the words of other topics, as words without accents."""
    topics = getattr(read_file(_FOLDER / "other_topics.toml", _OtherTopics), language)
    return frozenset(tuple(words(phrase)) for listed in topics.values() for phrase in listed)


def _is_elsewhere(text: str, language: thesaurus.Language) -> bool:
    """Tell whether a question has words of a matter that no law treats."""
    return any(known for _, known in _phrases(words(text), dict.fromkeys(_other_topics(language))))


class _Concept(Entry):
    """Words of a question, and words of the law that are searched beside them."""

    asked: Texts
    law: Texts = ()


class _Concepts(Entry):
    concepts: list[_Concept]


@cache
def _concepts(language: str) -> Mapping[Phrase, frozenset[str]]:
    """Read the concepts: from a phrase, as stems, to the stems that are searched beside it."""
    path = _FOLDER / f"concepts_{language}.toml"
    if not path.exists():
        return {}
    found: dict[Phrase, frozenset[str]] = {}
    for group in read_file(path, _Concepts).concepts:
        asked = [tuple(stems(phrase, language)) for phrase in group.asked]
        beside = {stem for phrase in asked for stem in phrase}
        beside.update(stem for phrase in group.law for stem in stems(phrase, language))
        for phrase in asked:
            found[phrase] = found.get(phrase, frozenset()) | frozenset(beside)
    return found


@cache
def _glossary_terms() -> Mapping[Phrase, tuple[str, ...]]:
    """Read the glossary: English phrases, as stems, with their Spanish translations, the usual one first."""
    branches = read_file(_FOLDER / "glossary_en_es.toml", dict[str, dict[str, Filled | Texts]])
    return {
        key: (terms,) if isinstance(terms, str) else tuple(terms)
        for entries in branches.values()
        for phrase, terms in entries.items()
        if (key := tuple(stems(phrase, "en")))
    }


@cache
def _glossary() -> Mapping[Phrase, tuple[Phrase, ...]]:
    """Return the glossary with the translations as stems."""
    known = _glossary_terms()
    return {key: tuple(tuple(stems(term, "es")) for term in terms) for key, terms in known.items()}


@cache
def _glossary_back() -> Mapping[Phrase, Mapping[Phrase, float]]:
    """Return the glossary from Spanish: phrases, as stems, with the English ones and their weights."""
    found: dict[Phrase, dict[Phrase, float]] = {}
    for english, translations in _glossary().items():
        for place, spanish in enumerate(translations):
            weights = found.setdefault(spanish, {})
            weight = 1.0 if place == 0 else _OTHER_TRANSLATION
            weights[english] = max(weights.get(english, 0.0), weight)
    return found


def spanish_of(word: str) -> frozenset[str]:
    """Return the Spanish stems that the glossary gives for one English word; empty where it has none."""
    key = tuple(stems(word, "en"))
    return frozenset(stem for term in _glossary().get(key, ()) if len(term) == 1 for stem in term)


def _phrases(found: Sequence[str], known: Mapping[Phrase, object]) -> Iterator[tuple[Phrase, bool]]:
    """Cut `found` into the longest known phrases and single stems; the flag tells which are known."""
    place = 0
    while place < len(found):
        for length in range(min(_LONGEST_PHRASE, len(found) - place), 0, -1):
            phrase = tuple(found[place : place + length])
            if phrase in known:
                yield phrase, True
                place += length
                break
        else:
            yield (found[place],), False
            place += 1


def is_english(text: str) -> bool:
    """Tell whether a query reads as English rather than Spanish."""
    found = words(text)
    english = sum(word in _ENGLISH for word in found)
    spanish = sum(word in _SPANISH for word in found)
    if english != spanish:
        return english > spanish
    said = stems(text, "en")
    known = sum(len(phrase) for phrase, is_known in _phrases(said, _glossary()) if is_known)
    # "error judicial" is spelled alike in both.
    alike = sum(stem in thesaurus.law_words() for stem in stems(text, "es"))
    return spanish == 0 and known * 2 > len(said) and known > alike


def _translated(text: str, shares: Mapping[int, float] | None = None) -> dict[str, float]:
    """Return the Spanish stems of an English text.

    Args:
        text: The text.
        shares: By place of a word among the words of the text, its weight where it is not 1.
    """
    found: dict[str, float] = {}
    placed = [(place, stem) for place, word in enumerate(words(text)) for stem in stems(word, "en")]
    at = 0
    for phrase, known in _phrases([stem for _, stem in placed], _glossary()):
        share = (shares or {}).get(placed[at][0], 1.0)
        at += len(phrase)
        if not known:
            for stem in {phrase[0], *stems(phrase[0], "es")}:
                weight = 1.0 if stem[0].isdigit() else _UNTRANSLATED * share
                found[stem] = max(found.get(stem, 0.0), weight)
            continue
        for place, term in enumerate(_glossary()[phrase]):
            for stem in term:
                weight = share * (1.0 if place == 0 else _OTHER_TRANSLATION)
                found[stem] = max(found.get(stem, 0.0), weight)
    return found


def _in_spanish(text: str) -> list[str]:
    """Return the usual Spanish words for those of an English text, as the glossary has them."""
    terms = _glossary_terms()
    return [
        term
        for phrase, known in _phrases(stems(text, "en"), terms)
        if known
        for term in terms[phrase][:_USUAL_TRANSLATIONS]
    ]


def _widened(found: Sequence[str], language: str) -> dict[str, float]:
    """Return the stems with weight 1 or more, and at a lower weight those of the concepts named by them."""
    wanted: dict[str, float] = {}
    for stem in found:
        wanted[stem] = wanted.get(stem, 0.0) + 1.0
    known = _concepts(language)
    # The longest phrase alone: "legítima defensa" is no question about the "legítima" of heirs.
    for phrase, _ in _phrases(found, known):
        for stem in known.get(phrase, ()):
            wanted.setdefault(stem, _SYNONYM)
    return wanted


def clause_stems(text: str, jurisdiction: str, language: str) -> Mapping[str, float]:
    """Return the weighted stems of a passage of a document, which speaks as the law does.

    Args:
        text: The passage.
        jurisdiction: Code of the jurisdiction whose law is searched.
        language: The language in which that law is indexed; English passages are translated for Spanish law.
    """
    if language == "es" and is_english(text):
        wanted = _translated(text)
        for stem, weight in _widened(list(wanted), language).items():
            wanted.setdefault(stem, min(weight, _SYNONYM))
    else:
        wanted = _widened(stems(text, language), language)
    _add_titles(wanted, extract(text, jurisdiction), language)
    return wanted


def clause_readings(text: str, jurisdiction: str, language: str) -> tuple[Mapping[str, float], ...]:
    """Return the weighted stems of a passage of a document as it stands and, where it can be, translated.

    The law above a country's own may be held in another language than the document's, in whole or in part:
    a Spanish document is read for law in English a second time, by the glossary.

    Args:
        text: The passage.
        jurisdiction: Code of the jurisdiction whose law is searched.
        language: The language in which that law is indexed.
    """
    own = clause_stems(text, jurisdiction, language)
    if language != "en" or is_english(text):
        return (own,)
    found: dict[str, float] = {}
    for phrase, known in _phrases(stems(text, "es"), _glossary_back()):
        if not known:
            if phrase[0][0].isdigit():
                found[phrase[0]] = 1.0
            continue
        for english, weight in _glossary_back()[phrase].items():
            for stem in english:
                found[stem] = max(found.get(stem, 0.0), weight)
    return (own, found) if found else (own,)


def _add_titles(wanted: dict[str, float], cited: Sequence[Citation], language: str) -> None:
    for citation in cited:
        norm = corpus.norm(citation.norm) if citation.norm else None
        for stem in stems(norm.title, language) if norm else ():
            wanted.setdefault(stem, _TITLE)


def parse(text: str, jurisdiction: str, language: str) -> ParsedQuery:
    """Parse a question about the law of a jurisdiction.

    Args:
        text: What the user typed.
        jurisdiction: Code of the jurisdiction whose law is searched.
        language: The language in which that law is indexed; English queries of Spanish law are translated.
    """
    cited = extract(text, jurisdiction)
    intent = _intent(text, cited, language)
    if language != "es":
        wanted = _counted(text, language, {})
        _add_titles(wanted, cited, language)
        return ParsedQuery(jurisdiction, wanted, cited, intent, language)
    asked_in: thesaurus.Language = "en" if is_english(text) else "es"
    understood = thesaurus.understand(text, asked_in, _in_spanish(text) if asked_in == "en" else ())
    shares = dict.fromkeys(understood.spoken, _SPOKEN) | dict.fromkeys(understood.empty, _EMPTY)
    wanted = _translated(text, shares) if asked_in == "en" else _counted(text, language, shares)
    _add_titles(wanted, cited, language)
    concepts = tuple(
        Concept(matter.law, weight * (_SITUATION if matter.everyday else _DOCTRINE))
        for matter, weight in understood.matters
    )
    branches = {thesaurus.mark(branch): share for branch, share in understood.branches.items()}
    subjects = subject_index.subjects(text, jurisdiction, asked_in, personal=understood.personal)
    meant = institutions.meant(text, jurisdiction, asked_in, personal=understood.personal)
    sure = max(1.0 if subjects.sure else understood.sure, meant.sure)
    return ParsedQuery(
        jurisdiction,
        wanted,
        cited,
        intent,
        language,
        concepts,
        branches,
        sure,
        subjects.weights,
        _is_elsewhere(text, asked_in),
        meant.weights,
        subjects.best + meant.best + (_IN_ENGLISH if asked_in == "en" else 0.0)
        if subjects.weights or meant.weights
        else None,
    )


def _counted(text: str, language: str, shares: Mapping[int, float]) -> dict[str, float]:
    """Return the stems of a text, each with the highest weight that a word of its has."""
    wanted: dict[str, float] = {}
    for place, word in enumerate(words(text)):
        for stem in stems(word, language):
            wanted[stem] = max(wanted.get(stem, 0.0), shares.get(place, 1.0))
    return wanted


def load() -> None:
    """Read the data files, so that the first question of a process does not wait for them."""
    for text in ("plazo para reclamar", "what is the time limit for a claim"):
        parse(text, "ES", "es")


def _intent(text: str, cited: Sequence[Citation], language: str) -> Intent:
    if any(citation.kind == "L2-J" or citation.articles for citation in cited):
        return "citation"
    if cited or _OF_STATUTES & set(stems(text, language)):
        return "statute"
    return "semantic"
