"""Parse a query: weighted stems, the citations in it, its intent and its language.

Two data files that lawyers may extend: `concepts_*.toml` maps terms of legal doctrine to those of the law,
and `glossary_en_es.toml` English terms to Spanish ones. Pure but for reading them once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from app import corpus
from app.citations import Citation, extract
from app.platform.data_files import Entry, Filled, Texts, read_file
from app.search.analyzer import stems, words

Intent = Literal["citation", "statute", "semantic"]

_FOLDER = Path(__file__).parent / "data"
# A synonym counts less than the word that was typed; the second translation less than the first.
_SYNONYM, _OTHER_TRANSLATION, _TITLE, _UNTRANSLATED = 0.35, 0.5, 0.7, 0.3
_LONGEST_PHRASE = 6
_ENGLISH_WORDS = """the of and is are was what when how does do can may must for with without by who which
    from within under between if to be has have should my an or on at been this that these their its"""
_SPANISH_WORDS = """de la el los las y que en un una por con para del al se es son cual cuando como quien
    si su lo sin sobre entre o"""
_ENGLISH, _SPANISH = frozenset(_ENGLISH_WORDS.split()), frozenset(_SPANISH_WORDS.split())
_OF_STATUTES = frozenset(stems("ley leyes código decreto estatuto reglamento constitución precepto norma"))

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query as understood: `stems` with their weights, and `citations` in the order written."""

    jurisdiction: str
    stems: Mapping[str, float]
    citations: tuple[Citation, ...]
    intent: Intent
    language: str


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
def _glossary() -> Mapping[Phrase, tuple[Phrase, ...]]:
    """Read the glossary: English phrases, as stems, with their Spanish translations, the usual one first."""
    branches = read_file(_FOLDER / "glossary_en_es.toml", dict[str, dict[str, Filled | Texts]])
    return {
        key: tuple(tuple(stems(term, "es")) for term in ([terms] if isinstance(terms, str) else terms))
        for entries in branches.values()
        for phrase, terms in entries.items()
        if (key := tuple(stems(phrase, "en")))
    }


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
    return spanish == 0 and known * 2 > len(said)


def _translated(text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for phrase, known in _phrases(stems(text, "en"), _glossary()):
        if not known:
            for stem in {phrase[0], *stems(phrase[0], "es")}:
                found[stem] = max(found.get(stem, 0.0), 1.0 if stem[0].isdigit() else _UNTRANSLATED)
            continue
        for place, term in enumerate(_glossary()[phrase]):
            for stem in term:
                found[stem] = max(found.get(stem, 0.0), 1.0 if place == 0 else _OTHER_TRANSLATION)
    return found


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


def parse(text: str, jurisdiction: str, language: str) -> ParsedQuery:
    """Parse a query about the law of a jurisdiction.

    Args:
        text: What the user typed.
        jurisdiction: Code of the jurisdiction whose law is searched.
        language: The language in which that law is indexed; English queries of Spanish law are translated.
    """
    cited = extract(text, jurisdiction)
    if language == "es" and is_english(text):
        wanted = _translated(text)
        for stem, weight in _widened(list(wanted), language).items():
            wanted.setdefault(stem, min(weight, _SYNONYM))
    else:
        wanted = _widened(stems(text, language), language)
    for citation in cited:
        norm = corpus.norm(citation.norm) if citation.norm else None
        for stem in stems(norm.title, language) if norm else ():
            wanted.setdefault(stem, _TITLE)
    return ParsedQuery(jurisdiction, wanted, cited, _intent(text, cited, language), language)


def _intent(text: str, cited: Sequence[Citation], language: str) -> Intent:
    if any(citation.kind == "L2-J" or citation.articles for citation in cited):
        return "citation"
    if cited or _OF_STATUTES & set(stems(text, language)):
        return "statute"
    return "semantic"
