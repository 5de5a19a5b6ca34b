"""Numbers in Portuguese, French, Italian and German words."""

from __future__ import annotations

import pytest

from app.text.foreign_numerals import foreign_numerals
from app.text.sentences import FoldedText
from app.text.tongues import Tongue


@pytest.mark.parametrize(
    ("tongue", "words", "value"),
    [
        ("pt", "dois mil e quinhentos", 2500),
        ("pt", "cento e oitenta", 180),
        ("pt", "dois milhoes e cem mil", 2_100_000),
        ("fr", "deux mille cinq cents", 2500),
        ("fr", "mille deux cents", 1200),
        ("fr", "quatre-vingt-dix-sept", 97),
        ("fr", "vingt et un", 21),
        ("fr", "vingt-et-un", 21),
        ("fr", "trente-cinq", 35),
        ("it", "duemilacinquecento", 2500),
        ("it", "centottanta", 180),
        ("it", "trentuno", 31),
        ("de", "zweitausendfunfhundert", 2500),
        ("de", "einundzwanzig", 21),
        ("de", "dreiundneunzigtausend", 93_000),
    ],
)
def test_a_number_in_words_is_read(tongue: Tongue, words: str, value: int) -> None:
    assert [one.value for one in foreign_numerals(words, tongue)] == [value]


def test_words_that_only_begin_like_a_number_are_none() -> None:
    assert [one.value for one in foreign_numerals("undici", "it")] == [11]
    assert list(foreign_numerals("seite und seiten", "de")) == []
    assert list(foreign_numerals("documento dos contratos", "pt")) == []


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("O contrato é celebrado entre o senhorio e a inquilina, que não pode ceder a fração.", "pt"),
        (
            "Le présent contrat est conclu entre les parties pour une durée de deux ans et le loyer est dû.",
            "fr",
        ),
        ("Il contratto è concluso tra le parti per la durata di due anni e il canone della locazione.", "it"),
        (
            "Der Vertrag wird zwischen den Parteien geschlossen und die Miete ist von dem Mieter zu zahlen.",
            "de",
        ),
        ("El contrato se celebra entre las partes por un plazo de dos años y la renta se paga al mes.", "es"),
        (
            "This agreement is made by the parties for a term of two years and the rent is due.",
            "en",
        ),
        ("DNI 1234", "es"),
    ],
)
def test_the_language_of_a_text_is_told_by_its_function_words(text: str, tongue: Tongue) -> None:
    assert FoldedText(text).tongue == tongue


def test_a_german_ordinal_and_an_abbreviation_end_no_sentence() -> None:
    text = (
        "Der Vertrag beginnt am 3. Februar 2026 nach § 1 Abs. 2 und ist mit der Kündigung beendet. Er zahlt."
    )
    source = FoldedText(text, "DE")
    start, end = source.sentence(0)
    assert text[start:end].strip().endswith("beendet.")
