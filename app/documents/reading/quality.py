"""Judge whether a text can be one that people wrote: what a broken text layer or bad OCR is not. Pure."""

from __future__ import annotations

import re

from app.documents.reading.language import function_words

_WORD = re.compile(r"[^\W\d_]+")
_VOWEL = re.compile(r"[aeiouyáéíóúàèìòùâêîôûäëïöüãõ]", re.IGNORECASE)
_CLUSTER = re.compile(r"[bcdfghjklmnpqrstvwxzñç]{6,}", re.IGNORECASE)
_FEWEST_WORDS = 25


def is_garbled(text: str, unmapped: int = 0) -> bool:
    """Tell whether a text layer is of no use.

    Args:
        text: What the layer says.
        unmapped: How many of its characters have no Unicode, so that they were guessed.
    """
    letters = sum(1 for character in text if not character.isspace())
    if not letters:
        return False
    strange = sum(1 for character in text if character == "\ufffd" or "\ue000" <= character <= "\uf8ff")
    if (strange + unmapped) > 0.15 * letters:
        return True
    words = _WORD.findall(text)
    if len(words) < _FEWEST_WORDS:
        return False
    if sum(map(len, words)) < 0.4 * letters and not any(map(str.isdigit, text)):
        return True
    known = max(function_words(text).values())
    if known >= 0.08 * len(words):
        return False
    # In no language of Europe are fewer than a third of the letters vowels.
    running = [word for word in words if word.islower()]
    if len(running) >= _FEWEST_WORDS and len(_VOWEL.findall("".join(running))) < 0.26 * sum(
        map(len, running)
    ):
        return True
    # Names, tables and other languages have few function words, but words that can be spoken.
    longer = [word for word in words if len(word) > 2 and word.isascii()]
    odd = sum(1 for word in longer if not _VOWEL.search(word) or _CLUSTER.search(word) or _mixed(word))
    single = sum(1 for word in words if len(word) == 1)
    return odd > 0.35 * max(len(longer), 1) or single > 0.6 * len(words)


def _mixed(word: str) -> bool:
    """Tell whether capitals stand among small letters, as they do in ciphers."""
    return not (word.islower() or word.isupper() or word[1:].islower())
