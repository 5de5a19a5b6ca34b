"""Tell in which language a document is written: Spanish, English, Portuguese, French, Italian or German.

The service answers in the first two; the others are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

Tongue = Literal["es", "en", "pt", "fr", "it", "de"]

# Function words of each language that texts in the others hardly have, folded.
_WORDS: Final[Mapping[Tongue, frozenset[str]]] = {
    "es": frozenset(
        [
            *["el", "en", "los", "las", "y", "es", "lo", "por", "su", "sus"],
            *["con", "al", "del", "una", "que", "de", "la"],
            *["le", "les", "sin", "ni", "cuando", "para"],
        ]
    ),
    "en": frozenset(
        [
            *["the", "of", "and", "to", "in", "shall", "this", "by", "for", "any"],
            *["with", "be", "is", "agreement", "such", "under", "that", "on"],
        ]
    ),
    "pt": frozenset(
        [
            *["o", "os", "do", "da", "dos", "das", "em", "um", "uma", "com"],
            *["ao", "aos", "nao", "pelo", "pela", "na", "nas", "ou", "seu", "e"],
            *["de", "que"],
        ]
    ),
    "fr": frozenset(
        [
            *["le", "les", "des", "du", "et", "dans", "pour", "par", "une", "au"],
            *["aux", "est", "ne", "pas", "la", "de", "que"],
        ]
    ),
    "it": frozenset(
        [
            *["il", "gli", "della", "dei", "delle", "di", "che", "nel", "nella", "alla"],
            *["sono", "non", "dal", "dalla", "degli", "e", "per", "la", "del", "al"],
            *["con", "un", "una"],
        ]
    ),
    "de": frozenset(
        [
            *["der", "die", "das", "und", "den", "dem", "des", "ist", "mit", "von"],
            *["zu", "im", "fur", "nicht", "auf", "ein", "eine", "wird"],
        ]
    ),
}
# A text with fewer of them is too short to tell.
_FEWEST: Final = 5


def tongue_of(words: Mapping[str, int], otherwise: Literal["es", "en"]) -> Tongue:
    """Return the language whose function words a text has most.

    Args:
        words: how often each word stands in the text.
        otherwise: the language where none has more than Spanish and English, or too few are there.
    """
    counts = {tongue: sum(words.get(one, 0) for one in mine) for tongue, mine in _WORDS.items()}
    best = max(counts, key=lambda tongue: counts[tongue])
    if best in ("es", "en") or counts[best] < _FEWEST or counts[best] <= max(counts["es"], counts["en"]):
        return otherwise
    return best
