"""Tell whether two texts are in the same language, by their function words. Pure.

A law may be loaded in one language and quoted in another: such words are neither right nor wrong.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.corpus.quote_match.tokens import words

_WORDS = {
    "es": "se en lo un es solo si podra debera el los las del una por con para como y su sus sera ni "
    "cuando sin sobre entre este esta hasta desde no que",
    "en": "the of and to in that is are be by for with or shall any which not on an this "
    "from his it may where such",
    "fr": "le les des du et qui dans pour par sur ne pas est sont une aux cette ou au leur avec sans il que",
    "de": "der die das und des dem den ist nicht von zu mit sich ein eine auf fur durch "
    "oder wird werden kann im bei",
    "it": "il gli della dei delle che per non con una sono nel alla dell al di questo "
    "chi le si dal nella anche",
    "pt": "os das dos do da uma por com para nao em ao pela pelo sao ou seu sua ser quando mais que foi pode",
}
_SETS = {code: frozenset(text.split()) for code, text in _WORDS.items()}
_SAMPLE = 400
# So many function words, and so many more than of the next language, tell one.
_FEWEST, _LEAD = 3, 2


def same_language(claim: str, text: str) -> bool:
    """Tell whether nothing shows that `claim` and `text` are in different languages."""
    first, second = _language(words(claim)[:_SAMPLE]), _language(words(text)[:_SAMPLE])
    return first is None or second is None or first == second


def _language(found: Iterable[str]) -> str | None:
    listed = list(found)
    counts = sorted(
        ((sum(word in known for word in listed), code) for code, known in _SETS.items()), reverse=True
    )
    (most, code), (next_most, _) = counts[0], counts[1]
    return code if most >= _FEWEST and most - next_most >= max(_LEAD, most // 8) else None
