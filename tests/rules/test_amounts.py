"""Money, percentages, what they are for, and words against figures."""

from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.facts.context import bound_before
from app.rules.facts.keyword_index import vocabulary
from app.rules.facts.money.amounts import Amount, Period, Purpose, extract_amounts
from app.rules.facts.sections import split_sections
from app.text.sentences import FoldedText
from tests.growth import assert_linear
from tests.rules.documents import (
    EMPLOYMENT_EN,
    EMPLOYMENT_ES,
    LEASE_EN,
    LEASE_ES,
    LEASE_MX,
    LEASE_ONE_PARAGRAPH,
    LOAN,
    SALE,
)


def amounts(text: str, jurisdiction: str = "ES") -> tuple[Amount, ...]:
    reading = FoldedText(text, jurisdiction)
    return extract_amounts(reading, split_sections(reading))


def only(text: str, jurisdiction: str = "ES") -> Amount:
    (found,) = amounts(text, jurisdiction)
    return found


@pytest.mark.parametrize(
    ("written", "value", "currency"),
    [
        ("1.200,50 €", "1200.50", "EUR"),
        ("€ 1.200,50", "1200.50", "EUR"),
        ("€1,200.50", "1200.50", "EUR"),
        ("1,200.50 EUR", "1200.50", "EUR"),
        ("EUR 1 200,50", "1200.50", "EUR"),
        ("1.200\u00a0euros", "1200", "EUR"),
        ("1.200,- €", "1200", "EUR"),
        ("12.000.000 EUROS", "12000000", "EUR"),
        ("1,5 millones de euros", "1500000.0", "EUR"),
        ("20 mil euros", "20000", "EUR"),
        ("£42,500.00", "42500.00", "GBP"),
        ("USD 250,000", "250000", "USD"),
        ("US$ 1,000", "1000", "USD"),
        ("3.000 dólares estadounidenses", "3000", "USD"),
        ("45.600.000 pesos colombianos", "45600000", "COP"),
        ("500 CHF", "500", "CHF"),
        ("ochocientos euros", "800", "EUR"),
        ("MIL DOSCIENTOS TREINTA Y CUATRO EUROS CON CINCUENTA Y SEIS CÉNTIMOS", "1234.56", "EUR"),
        ("un millón de euros", "1000000", "EUR"),
    ],
)
def test_money_in_many_spellings(written: str, value: str, currency: str) -> None:
    found = only(f"Se entrega la cantidad de {written} en este acto.")
    assert (found.value, found.currency, found.kind) == (Decimal(value), currency, "money")


@pytest.mark.parametrize(
    ("jurisdiction", "currency"),
    [("CO", "COP"), ("MX", "MXN"), ("AR", "ARS"), ("CL", "CLP"), ("ES", None)],
)
def test_pesos_and_the_dollar_sign_are_settled_by_the_jurisdiction(
    jurisdiction: str, currency: str | None
) -> None:
    for written in ("12.500 pesos", "$ 12.500"):
        found = only(f"La renta será de {written} mensuales.", jurisdiction)
        assert found.currency == currency
        assert found.flag == (None if currency else "ambiguous_currency")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("$12,500.00 M.N.", "12500.00"),
        ("$ 1.200.000 m/cte", "1200000"),
        ("$2.5m", "2500000"),
        ("2'50 euros", "2.50"),
        ("MIL QUINIENTOS CON 50/100 EUROS", "1500.50"),
    ],
)
def test_a_letter_after_a_figure_is_not_always_a_scale(written: str, value: str) -> None:
    assert only(f"La cantidad de {written} se paga hoy.", "MX").value == Decimal(value)


def test_vat_beside_a_price_does_not_make_it_a_tax() -> None:
    assert described("Total: 1.210,00 € (IVA incluido)") == [("1210.00", "other", None)]
    assert described("más 168 € de IVA") == [("168", "tax", None)]


def test_a_second_sign_settles_the_first() -> None:
    assert only("a price of $1,000 USD").currency == "USD"


@pytest.mark.parametrize(
    "written",
    [
        "OCHOCIENTOS EUROS (800 €)",
        "ochocientos euros (800,00 euros)",
        "800 € (ochocientos euros)",
        "OCHOCIENTOS (800) EUROS",
        "ochocientos (800,00) euros",
        "ochocientos\u00a0euros\n(800\u00a0€)",
    ],
)
def test_words_and_figures_of_one_amount_are_one_fact(written: str) -> None:
    found = only(f"La renta se fija en {written} mensuales.")
    assert (found.value, found.words_value, found.flag) == (Decimal(800), Decimal(800), None)
    assert found.quote == written


@pytest.mark.parametrize(
    ("written", "value", "words"),
    [
        ("OCHOCIENTOS EUROS (850 €)", 850, 800),
        ("900 € (ochocientos euros)", 900, 800),
        ("one thousand pounds (£1,100.00)", 1100, 1000),
        ("ochocientos (80) euros", 80, 800),
    ],
)
def test_words_that_contradict_figures_are_flagged(written: str, value: int, words: int) -> None:
    found = only(f"The rent of the lease is la renta de la vivienda the {written} per month.")
    assert (found.value, found.words_value, found.flag) == (Decimal(value), Decimal(words), "words_mismatch")


def test_percentages_are_a_kind_of_their_own() -> None:
    found = amounts(
        "Interés del 8,25 % anual, recargo del cinco por ciento (5%), TAE 6.70%, comisión 1,250 %."
    )
    assert [(a.kind, a.value, a.currency) for a in found] == [
        ("percentage", Decimal("8.25"), None),
        ("percentage", Decimal(5), None),
        ("percentage", Decimal("6.70"), None),
        ("percentage", Decimal("1.250"), None),
    ]
    assert only("una penalización del diez por ciento (15 %)").flag == "words_mismatch"


@pytest.mark.parametrize(
    "text",
    [
        "en la cuenta [IBAN_1] abierta en la entidad",
        "artículo 1.124 del Código Civil y artículo 12 de la Ley 29/1994",
        "el 31 de agosto de 2031, a las 12.30 horas",
        "tomo 1.234, libro 567, folio 89, finca 12.345",
        "80 m2 en la calle Olmo 3, 2.º B, 28001 Madrid",
        "durante 12 meses y 30 días",
        "con DNI [ES_DNI_1] y teléfono [PHONE_2]",
        "dos ejemplares y tres anexos",
        "cláusula 3.1.2 del contrato 2024/000123",
    ],
)
def test_numbers_that_are_no_money_are_left_alone(text: str) -> None:
    assert amounts(text) == ()


def described(text: str, jurisdiction: str = "ES") -> list[tuple[str, str, str | None]]:
    return [(str(a.value), a.purpose, a.period) for a in amounts(text, jurisdiction)]


def test_purpose_and_period_come_from_the_words_beside() -> None:
    assert described(LEASE_ES)[:2] == [("850", "rent", "month"), ("1600.00", "deposit", None)]
    assert described(SALE)[:4] == [
        ("245500.50", "price", None),
        ("20000", "deposit", None),
        ("225500.50", "price", None),
        ("85", "expenses", "month"),
    ]
    assert described(EMPLOYMENT_ES) == [
        ("24000", "salary", "year"),
        ("150.00", "salary", "month"),
        ("6000", "compensation", "year"),
    ]
    assert described(EMPLOYMENT_EN)[0] == ("42500.00", "salary", "year")
    assert described(LEASE_EN)[0] == ("1250.00", "rent", "month")
    assert described(LOAN)[0] == ("30000", "principal", None)


def test_the_heading_says_what_for_where_the_sentence_does_not() -> None:
    assert described(LEASE_ONE_PARAGRAPH) == [("900", "rent", "month")]
    assert described(LEASE_MX, "MX")[1] == ("25000.00", "deposit", None)


def test_the_vocabulary_names_only_known_purposes_and_periods() -> None:
    assert {key for key, _ in vocabulary("keywords.toml", "amount_purposes")} | {"other"} == set(
        get_args(Purpose)
    )
    assert {key for key, _ in vocabulary("keywords.toml", "amount_periods")} == set(get_args(Period))


@given(
    st.text(),
    st.sampled_from(["1 €", "$", "mil euros (", "uno por ciento", "€ 1.2.3", "(800) EUROS", "1,5 M€"]),
)
def test_any_text_is_read_and_quoted_literally(text: str, tail: str) -> None:
    whole = f"{text}{tail} {text}"
    end = 0
    for found in amounts(whole):
        assert whole[found.start : found.end] == found.quote
        assert found.start >= end
        end = found.end


@pytest.mark.parametrize(
    "unit", ["1 € ", "$1", "1.000", "mil ", "mil por ciento ", "1 ", "€", "uno (1) ", "(", "1,1 "]
)
def test_hostile_amounts_are_read_in_linear_time(unit: str) -> None:
    assert_linear(amounts, unit)


@pytest.mark.parametrize(
    ("text", "purposes"),
    [
        (
            "CUARTA. Fianza. Se entregan 2.300,00 euros, equivalentes a dos mensualidades de renta, "
            "en concepto de fianza.",
            ["deposit"],
        ),
        ("CUARTA. Fianza. Se entregan 2.300 euros, esto es, dos mensualidades de renta.", ["deposit"]),
        ("Deposit: £1,095, equivalent to five weeks' rent, held by the scheme.", ["deposit"]),
        (
            "A la firma se entregan 900 € en concepto de fianza y 1.800 € como garantía.",
            ["deposit", "guarantee"],
        ),
        (
            "El precio es de 250.000 euros, de los que 25.000 euros se entregan como arras.",
            ["price", "deposit"],
        ),
        (
            "TERCERA. Honorarios. Se abonarán 3.000 euros más IVA, a razón de 500 euros al mes.",
            ["fee", "fee"],
        ),
        ("Entrega 10.000 euros, a devolver en 24 cuotas mensuales de 430 euros.", ["other", "instalment"]),
        ("La renta se incrementará cada año un 5 %.", ["index"]),
        ("Entregamos a la deudora, para gastos del hogar, la suma de 3.500 euros.", ["other"]),
        ("SEGUNDA. Renta. Se pagan 800 euros. TERCERA. Gastos. Se pagan 50 euros.", ["rent", "expenses"]),
    ],
)
def test_the_words_that_label_an_amount_beat_the_nearest_word(text: str, purposes: list[str]) -> None:
    assert [found.purpose for found in amounts(text)] == purposes


def test_how_often_is_said_of_one_amount_and_not_of_the_next() -> None:
    found = amounts("Comisión del 5 % de las ventas y un fijo mensual de 800 euros; indemnización de 900 €.")
    assert [item.period for item in found] == [None, "month", None]


def test_a_daily_wage_that_is_paid_by_the_week_is_a_daily_wage() -> None:
    told = "El Patrón pagará un salario diario de $ 462.00 (cuatrocientos sesenta y dos pesos), por semana."
    assert [item.period for item in amounts(told, "MX")] == ["day"]
    assert [item.period for item in amounts("Una cuota de 31 euros, por semana.", "ES")] == ["week"]


@pytest.mark.parametrize(
    ("told", "period"),
    [
        ("La cuota anual de mantenimiento de 2027 es de 418 euros por semana.", "year"),
        ("La tasa trimestral de basuras será de 41 euros al mes natural completo.", "quarter"),
        ("The annual maintenance fee for 2027 is €418 per week.", "year"),
        ("La cuota anual, que se reparte en pagos, es hoy de 35 euros por semana.", "week"),
        ("La cuota es de 35 euros por semana.", "week"),
    ],
)
def test_a_fee_is_due_as_often_as_its_name_says(told: str, period: str) -> None:
    assert [item.period for item in amounts(told)] == [period]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("From December the rent goes up to £1,500.", None),
        ("La renta sube hasta 980 euros al mes.", None),
        ("The landlord may claim up to £1,500.", "at_most"),
        ("El fiador responde hasta 980 euros.", "at_most"),
    ],
)
def test_where_a_sum_arrives_is_no_limit_of_it(text: str, bound: str | None) -> None:
    reading = FoldedText(text, "GB" if "£" in text else "ES")
    (found,) = extract_amounts(reading, split_sections(reading))
    assert bound_before(reading, found.start) == bound
