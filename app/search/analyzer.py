"""Turn text into index terms: lower case, no accents, no stop words, Snowball stems. Pure.

Spanish, Portuguese, French, Italian, German and English by the language of the jurisdiction. An ending that
Spanish always accents (`-ción`, `-sión`) is accented before stemming, so that "indemnizacion" and
"indemnización" have one stem.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from functools import cache

import snowballstemmer

from app.text.normalize import WORDS

_ALGORITHMS = {
    "es": "spanish",
    "pt": "portuguese",
    "fr": "french",
    "it": "italian",
    "de": "german",
    "en": "english",
}
_WORD = re.compile(r"[a-z0-9]+")
_STOP = {
    "es": """a al algo ante aquel aquella aquellas aquello aquellos art articulo asi aun aunque cada como con
        contra cual cuales cualquier cualquiera cuando cuya cuyas cuyo cuyos de del desde donde durante e el
        ella ellas ellos en entre era eran es esa esas ese eso esos esta estas este esto estos fue fueron ha
        haber habia han hasta hay haya hayan he la las le les lo los mas me mediante mi mientras muy ni no nos
        o otra otras otro otros para pero por porque pues que quien quienes se sea sean segun ser si sido
        siempre sin sino sobre son su sus tal tales tambien tan tanto te tiene tienen toda todas todo todos
        tras tu u un una unas uno unos y ya""",
    "en": """a about all an and any are art article as at be been but by can do does each for from has have he
        her his how i if in into is it its may me must my no nor not of on or other our shall she should so
        some such than that the their them then there these they this those to under was we what when where
        which who whom whose why will with within would you your""",
    "pt": "a ao aos as com da das de do dos e em na nas no nos o os ou para pela pelo por que se um uma",
    "fr": "a au aux ce ces d de des du en est et il l la le les ou par pour qu que qui se sur un une",
    "it": "a al alla che con da dal dei del della delle di e gli i il in la le lo nel o per si su un una",
    "de": "am an auf bei das dem den der des die ein eine einer es fur im in ist mit nach oder und von zu",
}
_STOPPED = {language: frozenset(words.split()) for language, words in _STOP.items()}
# The vocabulary of a body of law is finite, what callers type is not.
_MOST_KEPT = 400_000
# Words as they are written, accents and capitals too: the law of five countries has 53,000, 30,000 take 9 MB.
_MOST_READ = 100_000

_kept: dict[tuple[str, str], str] = {}
_local = threading.local()


def stop_words(language: str) -> frozenset[str]:
    """Return the words that are left out; those of Spanish for a language without a list."""
    return _STOPPED.get(language, _STOPPED["es"])


def words(text: str) -> list[str]:
    """Return the words and numbers of `text`, folded, in order."""
    return _WORD.findall(WORDS.fold(text))


def stems(text: str, language: str = "es") -> list[str]:
    """Return the stems of `text` in order, without stop words.

    Args:
        text: Any text.
        language: ISO 639-1; languages without a stemmer are stemmed as Spanish.
    """
    found = []
    for word in words(text):
        stem = _kept.get((language, word))
        if stem is None:
            stem = _stem(word, language)
            if len(_kept) < _MOST_KEPT:
                _kept[language, word] = stem
        if stem:
            found.append(stem)
    return found


class _WordsRead(dict[str, tuple[str, ...]]):
    """The stems of words as they are written, each read when it is first met."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, word: str) -> tuple[str, ...]:
        found = tuple(stems(word, self._language))
        if len(self) < _MOST_READ:
            self[word] = found
        return found


@cache
def words_read(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return a mapping from any word, as it is written, to its stems; empty ones for a stop word."""
    return _WordsRead(language)


def _stem(word: str, language: str) -> str:
    """Return the stem of one folded word, empty for a stop word."""
    if word in stop_words(language):
        return ""
    if word[0].isdigit():
        return word
    if language in ("es", "pt") or language not in _ALGORITHMS:
        word = word[:-2] + "ón" if word.endswith(("cion", "sion")) else word
    return WORDS.fold(_stemmer(language).stemWord(word[:60]))


def _stemmer(language: str) -> snowballstemmer.stemmer:
    # A stemmer keeps the word it works on in itself: each thread has its own.
    held = _local.__dict__.setdefault("stemmers", {})
    if language not in held:
        held[language] = snowballstemmer.stemmer(_ALGORITHMS.get(language, "spanish"))
    return held[language]
