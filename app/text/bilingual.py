"""Texts in both languages of the service, and the choice of one of them. Pure (decision 064)."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeVar, get_args

Language = Literal["es", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

T = TypeVar("T")


class Bilingual(NamedTuple):
    """A text in Spanish and in English."""

    es: str
    en: str

    def in_(self, language: Language) -> str:
        """Return the text in `language`."""
        return pick(language, self.es, self.en)


def pick(language: Language, es: T, en: T) -> T:
    """Return `es` if the language is Spanish, else `en`."""
    return es if language == "es" else en


def language_of(code: object) -> Language:
    """Return the language of a stored or submitted code: English for `en`, Spanish for anything else."""
    return "en" if code == "en" else "es"
