"""Numbers in words, in figures and as ordinals."""

import itertools
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.numerals import numerals, read_figure, read_numeral, read_ordinal, read_roman
from app.text.sentences import fold

ES_UNITS = [
    "cero",
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
    "trece",
    "catorce",
    "quince",
    "dieciséis",
    "diecisiete",
    "dieciocho",
    "diecinueve",
    "veinte",
    "veintiuno",
    "veintidós",
    "veintitrés",
    "veinticuatro",
    "veinticinco",
    "veintiséis",
    "veintisiete",
    "veintiocho",
    "veintinueve",
]
ES_TENS = ["-", "-", "-", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"]
ES_HUNDREDS = [
    "-",
    "ciento",
    "doscientos",
    "trescientos",
    "cuatrocientos",
    "quinientos",
    "seiscientos",
    "setecientos",
    "ochocientos",
    "novecientos",
]
EN_UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
EN_TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spell_es(number: int) -> str:
    if number >= 10**6:
        head, rest = divmod(number, 10**6)
        words = "un millón" if head == 1 else f"{apocope(spell_es(head))} millones"
        return words + (f" {spell_es(rest)}" if rest else "")
    if number >= 1000:
        head, rest = divmod(number, 1000)
        words = "mil" if head == 1 else f"{apocope(spell_es(head))} mil"
        return words + (f" {spell_es(rest)}" if rest else "")
    if number == 100:
        return "cien"
    if number > 100:
        head, rest = divmod(number, 100)
        return ES_HUNDREDS[head] + (f" {spell_es(rest)}" if rest else "")
    if number < 30:
        return ES_UNITS[number]
    tens, unit = divmod(number, 10)
    return ES_TENS[tens] + (f" y {ES_UNITS[unit]}" if unit else "")


def apocope(words: str) -> str:
    if words.endswith("veintiuno"):
        return words[:-9] + "veintiún"
    return words[:-1] if words.endswith("uno") else words


def spell_en(number: int) -> str:
    for scale, name in ((10**6, "million"), (1000, "thousand")):
        if number >= scale:
            head, rest = divmod(number, scale)
            return f"{spell_en(head)} {name}" + (
                f" {'and ' if rest < 100 else ''}{spell_en(rest)}" if rest else ""
            )
    if number >= 100:
        head, rest = divmod(number, 100)
        return f"{EN_UNITS[head]} hundred" + (f" and {spell_en(rest)}" if rest else "")
    if number < 20:
        return EN_UNITS[number]
    tens, unit = divmod(number, 10)
    return EN_TENS[tens] + (f"-{EN_UNITS[unit]}" if unit else "")


@given(st.integers(0, 999_999_999))
def test_spanish_words_read_back_as_the_number_they_spell(number: int) -> None:
    assert read_numeral(fold(spell_es(number)), "es") == number
    assert read_numeral(fold(spell_es(number).upper()), "es") == number


@given(st.integers(0, 999_999_999))
def test_english_words_read_back_as_the_number_they_spell(number: int) -> None:
    assert read_numeral(fold(spell_en(number)), "en") == number
    assert read_numeral(fold(spell_en(number).replace("-", " ").title()), "en") == number


@given(
    st.lists(
        st.sampled_from([*ES_UNITS, *ES_TENS[3:], *ES_HUNDREDS[1:], "mil", "millones", "y", "cien"]),
        max_size=9,
    )
)
def test_any_heap_of_spanish_number_words_is_read_without_overlap(words: list[str]) -> None:
    text = fold(" ".join(words))
    found = list(numerals(text, "es"))
    assert all(one.end <= two.start for one, two in itertools.pairwise(found))
    assert all(one.value >= 0 for one in found)


def test_two_numbers_side_by_side_are_not_added() -> None:
    assert [n.value for n in numerals("dos tres", "es")] == [2, 3]
    assert [n.value for n in numerals("five five", "en")] == [5, 5]


@pytest.mark.parametrize(
    ("figure", "value"),
    [
        ("1.200,50", "1200.50"),
        ("1,200.50", "1200.50"),
        ("1 200", "1200"),
        ("1'200'000", "1200000"),
        ("1.200", "1200"),
        ("12,5", "12.5"),
        ("850", "850"),
    ],
)
def test_figures_of_both_traditions_have_one_value(figure: str, value: str) -> None:
    assert read_figure(figure) == Decimal(value)


@pytest.mark.parametrize("figure", ["1.20.000", "1.200.50,3.", "", "1,2,3", "1.200.000.50"])
def test_uneven_figures_are_no_number(figure: str) -> None:
    assert read_figure(figure) is None


def test_three_digits_after_a_comma_are_decimals_in_a_percentage() -> None:
    assert read_figure("1,250", percentage=True) == Decimal("1.250")


@given(st.integers(0, 10**12), st.integers(0, 99))
def test_both_traditions_read_back(whole: int, cents: int) -> None:
    english = f"{whole:,}.{cents:02d}"
    spanish = english.translate(str.maketrans(",.", ".,"))
    assert read_figure(english) == read_figure(spanish) == Decimal(f"{whole}.{cents:02d}")


@pytest.mark.parametrize(
    ("words", "rank"),
    [
        ("primera", 1),
        ("primer", 1),
        ("decimotercera", 13),
        ("decima cuarta", 14),
        ("undecimo", 11),
        ("vigesimo primera", 21),
        ("trigesimosegunda", 32),
        ("twenty-first", 21),
        ("twelfth", 12),
        ("mesa", None),
        ("primera decima", None),
    ],
)
def test_ordinals_have_a_rank(words: str, rank: int | None) -> None:
    assert read_ordinal(words) == rank


@pytest.mark.parametrize(
    ("letters", "value"), [("IV", 4), ("xiv", 14), ("MCMXCIV", 1994), ("IIX", None), ("", None)]
)
def test_roman_numerals_are_read_only_when_well_formed(letters: str, value: int | None) -> None:
    assert read_roman(letters) == value
