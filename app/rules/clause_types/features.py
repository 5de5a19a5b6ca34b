"""Turn folded text into the features of the clause classifier: words, stems, synonyms, pairs, letter n-grams.

A feature is a 32-bit hash (CRC-32 for words and their parts, a mixture of two for pairs), the same on every
machine, with a scale that says how much its family counts. Synonyms are the groups of `data/synonyms.toml`,
of other languages than Spanish and English those of `data/languages/<code>/synonyms.toml`; stems are cut by
the endings of the language. Text is what `Document.folded` holds: lower case, no accents, one byte a
character.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.platform.data_files import Words, read_file
from app.text.tongues import Tongue

Hashes = NDArray[np.uint32]

PAIR_SCALE = 2.0
_GROUP_SCALE = 3.0
_DATA = Path(__file__).parents[1] / "data"
SYNONYMS = _DATA / "synonyms.toml"
_NGRAM_SCALE = 1.0
_NGRAMS = (3, 4, 5)
_LONGEST_WORD = 24
# Figures are read as one zero for each of their digits; "E" is the euro sign of folded text.
_TOKEN = re.compile(rb"[a-z]{1,%d}|0{1,6}|%%|E" % _LONGEST_WORD)
_ZEROS = bytes.maketrans(b"123456789", b"000000000")
# Endings of inflection and of the commonest derivations, the longest first by the regular expression's least
# prefix. At least four letters stay. Spanish and English documents are read alike.
_SPANISH_AND_ENGLISH = re.compile(
    rb"([a-z]{4,}?)(?:a?mientos?|imientos?|aciones|iciones|uciones|siones|acion|icion|ucion|sion|adores|adora?s?"
    rb"|edores|edora?s?|idores|idora?s?|mente|ables?|ibles?|[aei]ran|[aei]ra|[aei]ria|[aei]rian|[aei]ndo|iendo"
    rb"|[ai]d[oa]s?|[aei]r(?:se|la|lo|le)?s?|[ae]n|aba|aban|ieron|iese|ase|es|[aoe]s?|ations?|itions?|ments?"
    rb"|ing|ings|ed|ers?|ly|ies|y|s)"
)
_ENDINGS: Mapping[Tongue, re.Pattern[bytes]] = {
    "es": _SPANISH_AND_ENGLISH,
    "en": _SPANISH_AND_ENGLISH,
    "pt": re.compile(
        rb"([a-z]{4,}?)(?:a?mentos?|imentos?|[aiu]?coes|[aiu]?cao|soes|sao|ador(?:es|as?)?|edor(?:es|as?)?"
        rb"|idor(?:es|as?)?|mente|[aei]veis|[aei]vel|[aei]ra[os]?|[aei]rem|[aei]ria[ms]?|[aei]ndo|[ai]d[oa]s?"
        rb"|[aei]r(?:-?se|-?l[oa])?|[ae]m|ava[ms]?|iam?|ou|eu|iu|asse[ms]?|ais|eis|oes|aes|ao|[aoe]s?|res|r|s)"
    ),
    "fr": re.compile(
        rb"([a-z]{4,}?)(?:issements?|ements?|ments?|[ai]tions?|utions?|sions?|ateurs?|atrices?|eurs?|euses?"
        rb"|[ai]bles?|[ei]?ra(?:it|ient|i|s)?|[ei]?ront|aient|ait|ant(?:e?s?)?|issent|iss?ant|ees?|es?|er|ez|ent"
        rb"|it|is|ives?|ifs?|elles?|els?|ales?|aux|al|x|s)"
    ),
    "it": re.compile(
        rb"([a-z]{4,}?)(?:a?menti|a?mento|imenti|imento|[aiu]?zioni|[aiu]?zione|sioni|sione|ator[ei]|atric[ei]|itor[ei]"
        rb"|mente|[ai]bil[ei]|[aei]ranno|[aei]ra|[aei]rebber?[oe]?|[ae]ndo|[aiu]t[oaei]|[aei]r(?:e|si|lo|la|li|le)"
        rb"|[ae]v[aio](?:no)?|iva(?:no)?|[aeo]no|isc[eo](?:no)?|asse(?:ro)?|esse(?:ro)?|[aoei])"
    ),
    "de": re.compile(
        rb"([a-z]{4,}?)(?:ungen|ungs?|heit(?:en|s)?|keit(?:en|s)?|schaft(?:en|s)?|ieren|ierte?[nrs]?|lich(?:e[nmrs]?)?"
        rb"|isch(?:e[nmrs]?)?|bar(?:e[nmrs]?)?|ig(?:e[nmrs]?)?|ende[nmrs]?|ten|tet|te[rsnm]?|st|ern?|e[nmrs]?|n|s|t)"
    ),
}
_LEFT, _RIGHT = np.uint64(0x9E3779B1), np.uint64(0x85EBCA77)


@dataclass(frozen=True, slots=True)
class Word:
    """The features of one word: their hashes and scales, and the hash of its stem for pairs."""

    hashes: Hashes
    scales: NDArray[np.float32]
    stem: int


def readable(folded: bytes) -> bytes:
    """Return folded text as `tokens` wants it: every digit a zero."""
    return folded.translate(_ZEROS)


def tokens(text: bytes, start: int = 0, end: int | None = None) -> list[bytes]:
    """Return the words, figures and signs of a part of a text, in order."""
    return _TOKEN.findall(text, start, len(text) if end is None else end)


def stem(word: bytes, tongue: Tongue = "es") -> bytes:
    """Return a word without its usual ending."""
    found = _ENDINGS[tongue].fullmatch(word)
    return found[1] if found is not None else word


@cache
def _groups(tongue: Tongue) -> tuple[dict[bytes, str], dict[bytes, str]]:
    """Return the group of each word of a file of synonyms, and of each stem that one group alone has."""
    path = SYNONYMS if tongue in ("es", "en") else _DATA / "languages" / tongue / SYNONYMS.name
    by_word = {
        word.encode("ascii"): name
        for name, words in read_file(path, dict[str, Words]).items()
        for word in words
    }
    names: dict[bytes, set[str]] = {}
    for word, name in by_word.items():
        names.setdefault(stem(word, tongue), set()).add(name)
    return by_word, {root: min(found) for root, found in names.items() if len(found) == 1}


def word_features(word: bytes, ngrams: Sequence[int] = _NGRAMS, tongue: Tongue = "es") -> Word:
    """Return the features of one word by itself.

    They are the word, its stem, its n-grams with its two edges, and its group of synonyms, which stands for
    it in pairs.
    """
    own, group = roots(word, tongue)
    hashes, scales = [zlib.crc32(b"w" + word), own], [1.0, 1.0]
    if group != own:
        hashes.append(group)
        scales.append(_GROUP_SCALE)
    if len(word) > 2:
        edged = b" " + word + b" "
        grams = {edged[at : at + n] for n in ngrams for at in range(len(edged) - n + 1)}
        hashes += sorted(zlib.crc32(b"c" + gram) for gram in grams)
        scales += [_NGRAM_SCALE] * len(grams)
    return Word(np.array(hashes, np.uint32), np.array(scales, np.float32), group)


def roots(word: bytes, tongue: Tongue = "es") -> tuple[int, int]:
    """Return the hash of a word's stem, and that of its group of synonyms, or of its stem if it has none."""
    root = stem(word, tongue)
    by_word, by_stem = _groups(tongue)
    group = by_word.get(word) or by_stem.get(root)
    own = zlib.crc32(b"s" + root)
    return own, own if group is None else zlib.crc32(b"g" + group.encode("ascii"))


def find(vocabulary: Hashes, hashes: Hashes) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the place of each feature in a vocabulary, whose hashes are in order, and whether it is there.

    What is not there has the place 0.
    """
    places = np.searchsorted(vocabulary, hashes)
    if not len(vocabulary):
        return places, np.zeros(len(hashes), bool)
    places[places == len(vocabulary)] = 0
    return places, vocabulary[places] == hashes


def pair_hashes(stems: Sequence[int] | NDArray[np.uint64]) -> Hashes:
    """Return the features of neighbours: one for each stem and the next."""
    held = np.asarray(stems, np.uint64)
    mixed = held[:-1] * _LEFT + held[1:] * _RIGHT
    hashes: Hashes = ((mixed ^ (mixed >> np.uint64(29))) & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    return hashes
