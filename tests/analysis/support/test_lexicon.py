"""The lexicon finds every concept of a word, whatever its stems begin with."""

from __future__ import annotations

from app.analysis.support.words import Lexicon, concepts_of, lexicon, read

_ENTRIES = {
    "party": {"lessor": "arrendador* ar* owner", "lessee": "arrendatari* a*"},
    "general": {"pay": "pag* paga mas_tarde", "late": "tarde"},
}


def _by_every_stem(word: str) -> set[str]:
    return {
        f"{category}:{name}"
        for category, concepts in _ENTRIES.items()
        for name, words in concepts.items()
        for one in words.split()
        if "_" not in one and (word.startswith(one[:-1]) if one.endswith("*") else word == one)
    }


def test_a_word_has_the_concepts_of_every_stem_that_it_begins_with() -> None:
    words = Lexicon(_ENTRIES)
    for word in ("arrendadora", "arrendataria", "ar", "a", "owner", "owners", "paga", "pagas", "pa", "tarde"):
        assert words.concepts(word) == _by_every_stem(word), word


def test_the_words_of_a_phrase_have_its_concept_and_their_own() -> None:
    tokens = read("Pagará más tarde, 10 euros").tokens
    assert Lexicon(_ENTRIES).of_each(tokens) == [
        {"general:pay"},
        {"general:pay"},
        {"general:pay", "general:late"},
        frozenset(),
        frozenset(),
        frozenset(),
    ]


def test_a_lookup_changes_no_entry_of_the_lexicon() -> None:
    tokens = read("La arrendadora exonera de toda responsabilidad al arrendatario").tokens
    assert concepts_of(tokens) == concepts_of(tokens)
    assert lexicon().concepts("arrendadora") == concepts_of(tokens)[1]
