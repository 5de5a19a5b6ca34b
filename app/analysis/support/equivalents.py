"""Read phrases and words that say the same as another one, wherever they stand. Pure.

Source: decision 130. A sentence that is drawn from another may say "a menos que" for "salvo que" and
"abona" for "pagará". What is here says the same in every clause; synonyms that depend on the matter are in
`synonyms.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from app.analysis.support.grammar import NEGATIONS
from app.analysis.support.words import Lexicon, Token, synonyms_of
from app.platform.data_files import Filled, read_file

_FILE: Final = Path(__file__).with_name("data") / "equivalents.toml"
_PHRASES: Final = "phrase"
_ENGLISH: Final = "english"
_SYNONYMS: Final = "synonyms"
_BINDING: Final = frozenset({"debe", "shall"})


@cache
def _entries() -> Mapping[str, Mapping[str, str]]:
    return read_file(_FILE, dict[str, dict[str, Filled]])


@cache
def _phrases() -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """Return phrases, the longest first, with what stands for each, by their first word."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for word, phrases in _entries()[_PHRASES].items():
        for phrase in phrases.split():
            parts = tuple(phrase.split("_"))
            found.setdefault(parts[0], []).append((parts, word))
    return {first: tuple(sorted(of, key=lambda one: -len(one[0]))) for first, of in found.items()}


@cache
def _words() -> Lexicon:
    return Lexicon(
        {name: of for name, of in _entries().items() if name not in (_PHRASES, _ENGLISH, _SYNONYMS)}
    )


@cache
def _small_words() -> Mapping[str, frozenset[str]]:
    return {word: frozenset(of.split()) for word, of in _entries()[_ENGLISH].items()}


def spanish_small_words(word: str) -> frozenset[str]:
    """Return the small words of Spanish that a translator puts for one of English."""
    return _small_words().get(word, frozenset())


def groups_of(word: str) -> frozenset[str]:
    """Return the groups of words that a folded word says the same as."""
    return _words().concepts(word) | (_synonyms(word) & _allowed())


@cache
def _allowed() -> frozenset[str]:
    """Return the groups of `synonyms.toml` of which one word may stand for another in the same place."""
    return frozenset(
        f"{category}:{name}" for category, names in _entries()[_SYNONYMS].items() for name in names.split()
    )


def _synonyms(word: str) -> frozenset[str]:
    return synonyms_of(Token("word", word, 0, len(word)))


def said_alike(one: str, other: str) -> bool:
    """Tell whether two folded words say the same."""
    return bool(groups_of(one) & groups_of(other))


def in_one_wording(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens in which one word stands for each phrase that says the same as others do."""
    phrases = _phrases()
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        for parts, word in phrases.get(token.text, ()):
            if word in _BINDING and found and found[-1].text in NEGATIONS:
                continue  # "no está obligado a": freed, not forbidden
            length = _length(tokens, at, parts)
            if length:
                found.append(token._replace(text=word, end=tokens[at + length - 1].end))
                at += length
                break
        else:
            found.append(token)
            at += 1
    return found


def _length(tokens: Sequence[Token], at: int, parts: Sequence[str]) -> int:
    """Return how many tokens a phrase has at a place, 0 where it does not stand there."""
    if at + len(parts) > len(tokens):
        return 0
    for more, part in enumerate(parts):
        text = tokens[at + more].text
        if text != part and not (more == len(parts) - 1 and {part: text} in ({"de": "del"}, {"a": "al"})):
            return 0
    return len(parts)
