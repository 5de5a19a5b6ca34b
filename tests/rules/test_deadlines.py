"""Periods, what they are for, and the last day where the document lets it be told."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.facts.document_facts import extract_facts
from app.rules.facts.keyword_index import vocabulary
from app.rules.facts.sections import split_sections
from app.rules.facts.time.dates import extract_dates
from app.rules.facts.time.deadlines import Deadline, extract_deadlines
from app.rules.facts.time.purposes import DeadlinePurpose
from app.rules.facts.time.triggers import TriggerKind
from app.text.sentences import FoldedText
from tests.growth import assert_linear
from tests.rules.documents import (
    CONSULTING_EN,
    CONSUMER_TERMS,
    DISMISSAL,
    DOCUMENTS,
    EMPLOYMENT_ES,
    ENFORCEMENT,
    HOUSING_LEASE,
    LEASE_EN,
    LEASE_ES,
    NDA_EN,
    SANCTION,
    SERVICES,
    SUMMONS,
    TAX_RESOLUTION,
)


def deadlines(text: str, jurisdiction: str = "ES") -> tuple[Deadline, ...]:
    reading = FoldedText(text, jurisdiction)
    return extract_deadlines(reading, extract_dates(reading), split_sections(reading))


def only(text: str, jurisdiction: str = "ES") -> Deadline:
    (found,) = deadlines(text, jurisdiction)
    return found


@pytest.mark.parametrize(
    ("text", "number", "unit", "purpose"),
    [
        ("con un preaviso de treinta (30) días naturales", 30, "natural_day", "notice"),
        ("deberá comunicarlo con dos meses de antelación", 2, "month", "notice"),
        ("con quince días hábiles de anticipación", 15, "business_day", "notice"),
        ("pagará las facturas en el plazo de 60 días", 60, "day", "payment"),
        ("tendrá una duración de cinco años", 5, "year", "term"),
        ("se prorrogará por plazos de un año", 1, "year", "renewal"),
        ("tendrá un plazo de un año renovable", 1, "year", "term"),
        ("un período de prueba de seis meses", 6, "month", "probation"),
        ("devolverá la fianza en el plazo de un mes", 1, "month", "repayment"),
        ("at least ninety (90) days' prior written notice", 90, "day", "notice"),
        ("payable within 30 calendar days of the date of the invoice", 30, "natural_day", "payment"),
        ("shall remain in force for a term of two years", 2, "year", "term"),
        ("ten business days to remedy the breach", 10, "business_day", "cure"),
        ("no competencia durante un plazo de dos años", 2, "year", "non_compete"),
        ("el deber de secreto se mantendrá durante 5 años", 5, "year", "confidentiality"),
        ("subsane los defectos en el plazo de diez días", 10, "day", "cure"),
        ("presentar alegaciones en el plazo de quince días", 15, "day", "answer"),
    ],
)
def test_length_unit_and_purpose(text: str, number: int, unit: str, purpose: str) -> None:
    found = only(f"Las partes, the parties: {text}.")
    assert (found.number, found.unit, found.purpose) == (number, unit, purpose)


@pytest.mark.parametrize(
    "text",
    [
        "mayor de 18 años de edad, casado",
        "una jornada de 40 horas semanales",
        "two months' rent as a security deposit",
        "equivalente a dos mensualidades de renta",
        "cuenta con 20 años de experiencia",
        "el día uno de enero de 2026",
        "el Euríbor a 12 meses",
    ],
)
def test_numbers_of_days_that_limit_nothing_are_left_alone(text: str) -> None:
    assert deadlines(f"Consta que {text}.") == ()


def test_a_term_with_a_stated_start_has_a_last_day_and_its_rule() -> None:
    term = next(d for d in deadlines(LEASE_ES) if d.purpose == "term")
    assert (term.start_date, term.due, term.flags) == ("2026-09-01", "2031-08-31", ())
    assert [rule.basis for rule in term.rules] == ["art. 5.1 CC"]
    english = next(d for d in deadlines(LEASE_EN) if d.purpose == "term")
    assert (english.start_date, english.due) == ("2026-04-01", "2027-03-31")


def test_a_term_that_contradicts_its_stated_end_is_flagged() -> None:
    text = "La duración será de cinco años, desde el 1 de septiembre de 2026 hasta el 31 de agosto de 2030."
    assert only(text).flags == ("end_mismatch",)


def test_a_start_defined_elsewhere_is_used_when_it_is_the_only_one() -> None:
    terms = [d for d in deadlines(NDA_EN) if d.purpose == "term"]
    assert [(d.start_date, d.due) for d in terms] == [("2026-03-03", "2029-03-02")]
    two_starts = (
        "Comienza el 1 de enero de 2026. Surte efectos el 1 de mayo de 2026. Dura un año desde el inicio."
    )
    assert only(two_starts).due is None


def test_without_a_stated_start_no_day_is_computed() -> None:
    for found in deadlines(EMPLOYMENT_ES):
        assert found.due is None, found.quote


@pytest.mark.parametrize(
    "text",
    [
        "Se pagará 30 días antes del 31 de diciembre de 2026.",
        "Payment is due 30 days before 31 December 2026 under this agreement.",
        "Pagará en el plazo de un mes desde la notificación de la sentencia de 4 de mayo de 2020.",
        "Cabe pagar en un mes desde la entrega del informe de 4 de mayo de 2020.",
    ],
)
def test_a_date_that_is_not_the_start_computes_nothing(text: str) -> None:
    assert only(text).due is None


def test_words_that_contradict_figures_are_flagged() -> None:
    notice = next(d for d in deadlines(SERVICES) if d.purpose == "notice")
    assert (notice.quote, notice.flags) == ("dos (3) meses", ("words_mismatch",))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("La renta se abonará dentro de los cinco primeros días de cada mes.", (1, 5)),
        ("La renta se pagará dentro de los primeros siete (7) días de cada mes.", (1, 7)),
        ("El pago se hará entre los días 1 y 5 de cada mes.", (1, 5)),
        ("La renta se pagará el día uno de cada mes.", (1, 1)),
        ("Rent is payable on the first day of each month.", (1, 1)),
        ("Rent is payable within the first five days of every calendar month.", (1, 5)),
        ("The rent shall be paid on or before the 5th day of each month.", (5, 5)),
    ],
)
def test_days_of_every_month(text: str, days: tuple[int, int]) -> None:
    found = only(text)
    assert (found.days, found.recurrence, found.purpose) == (days, "monthly", "payment")


def test_trigger_words_are_literal_and_have_a_kind() -> None:
    found = next(d for d in deadlines(SERVICES) if d.purpose == "payment")
    assert (found.trigger, found.trigger_kind) == ("siguientes a la recepción de la factura", "receipt")
    assert found.trigger is not None
    assert found.trigger in SERVICES


def test_appeals_run_by_the_calendar_of_their_law() -> None:
    found = {d.procedural: d for d in deadlines(TAX_RESOLUTION)}
    assert (found["rea"].due, found["rea"].basis) == ("2024-02-29", "art. 235.1 LGT")
    assert (found["contencioso"].due, found["contencioso"].basis) == ("2024-04-01", "art. 46.1 LJCA")


def test_the_defence_is_due_after_august() -> None:
    answer = next(d for d in deadlines(SUMMONS) if d.procedural)
    assert (answer.procedural, answer.start_date, answer.due) == (
        "contestacion_ordinario",
        "2024-07-25",
        "2024-09-23",
    )


def test_a_length_other_than_the_laws_is_not_forced_into_it() -> None:
    appeal = [d for d in deadlines(SUMMONS) if d.purpose == "appeal"]
    assert [(d.number, d.procedural, d.due) for d in appeal] == [(10, None, None)]


def test_an_enforcement_order_is_paid_within_the_window_of_the_law() -> None:
    window = next(d for d in deadlines(ENFORCEMENT) if d.unit == "window")
    assert (window.start_date, window.due, window.basis) == ("2024-03-12", "2024-03-20", "art. 62.5 LGT")


def test_a_dismissal_is_contested_within_twenty_business_days() -> None:
    found = next(d for d in deadlines(DISMISSAL) if d.procedural == "despido")
    # Without the regional holiday of 28 March 2024: a day too early, never too late.
    assert (found.due, found.basis) == ("2024-04-01", "art. 103.1 LRJS")


def test_a_withdrawal_shorter_than_the_law_is_flagged_and_a_longer_one_is_not() -> None:
    assert deadlines(CONSUMER_TERMS)[0].flags == ("below_legal_minimum",)
    longer = deadlines(CONSUMER_TERMS.replace("7 días naturales", "30 días naturales"))[0]
    assert (longer.flags, longer.procedural) == ((), None)


def test_a_fine_is_paid_by_the_administrative_calendar() -> None:
    found = {d.purpose: d for d in deadlines(SANCTION)}
    assert (found["appeal"].procedural, found["appeal"].due) == ("alzada_admin", "2024-04-01")
    assert (found["payment"].due, found["payment"].rules[0].basis) == ("2024-03-21", "art. 30.2 LPAC")


def test_a_minimum_duration_has_no_last_day_and_a_term_has() -> None:
    terms = [(d.number, d.bound, d.due) for d in deadlines(HOUSING_LEASE) if d.purpose == "term"]
    assert terms == [(1, None, "2027-07-31"), (5, "min", None)]


def test_a_trigger_stops_where_another_provision_begins() -> None:
    found = next(d for d in deadlines(CONSULTING_EN, "US") if d.purpose == "term")
    assert (found.trigger, found.due, found.rules) == ("commencing on the Effective Date", "2028-08-31", ())


def test_spanish_law_computes_nothing_for_another_jurisdiction() -> None:
    text = "Notificado el 12 de marzo de 2024. Cabe recurso de alzada en un mes desde la notificación."
    assert only(text, "ES").due == "2024-04-12"
    assert (only(text, "CO").due, only(text, "CO").procedural) == (None, None)


def test_the_vocabulary_names_only_known_purposes_and_triggers() -> None:
    assert {key for key, _ in vocabulary("keywords.toml", "deadline_purposes")} | {"other"} == set(
        get_args(DeadlinePurpose)
    )
    assert {key for key, _ in vocabulary("keywords.toml", "trigger_kinds")} | {"date", "other"} == set(
        get_args(TriggerKind)
    )


PIECES = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.sampled_from(
            [
                "plazo de",
                "un mes",
                "30 días",
                "desde el",
                "1 de enero de 2026",
                "notificado",
                "31/12/2999",
                "recurso de alzada",
                "duración",
                "9999 años",
                "cinco",
                "(5)",
                "de cada mes",
                "los primeros",
                "hasta",
                "artículo 62.5 LGT",
                "within",
                "days",
                "años",
                "preaviso",
                ".",
                "\n",
            ]
        ),
    ),
    max_size=30,
)


@given(PIECES)
def test_any_text_is_read_and_quoted_literally(pieces: list[str]) -> None:
    text = " ".join(pieces)
    for found in deadlines(text):
        assert text[found.start : found.end] == found.quote
        assert found.trigger is None or found.trigger in found.quote


@given(PIECES, st.sampled_from(["ES", "MX", "ZZ", ""]))
def test_facts_never_fail_and_always_quote(pieces: list[str], jurisdiction: str) -> None:
    text = " ".join(pieces)
    facts = extract_facts(text, jurisdiction)
    for group in (facts.parties, facts.dates, facts.amounts, facts.deadlines, facts.sections):
        for fact in group:
            assert text[fact.start : fact.end] == fact.quote


@pytest.mark.parametrize("name", DOCUMENTS)
def test_facts_of_a_real_looking_document_quote_it(name: str) -> None:
    text = DOCUMENTS[name]
    facts = extract_facts(text)
    assert facts.document_language == ("en" if name.endswith("_en") else "es")
    for group in (facts.parties, facts.dates, facts.amounts, facts.deadlines, facts.sections):
        for fact in group:
            assert text[fact.start : fact.end] == fact.quote


@pytest.mark.parametrize(
    "unit",
    [
        "1 mes ",
        "un mes desde ",
        "en el plazo de un mes ",
        "recurso de alzada ",
        "los cinco primeros dias ",
        "desde el 1 de enero de 2026 ",
        "artículo 62.5 ",
        "del 1 de enero de 2026 al 1 de enero de 2027 ",
        "dura un año, del 1 de enero de 2026 al 1 de enero de 2027, ",
        "TÍTULO\n",
    ],
)
def test_hostile_periods_are_read_in_linear_time(unit: str) -> None:
    assert_linear(extract_facts, unit)


@pytest.mark.parametrize(
    ("text", "quote", "due", "flags"),
    [
        (
            "El contrato durará un año, del 1 de octubre de 2026 al 30 de septiembre de 2027.",
            "un año, del 1 de octubre de 2026 al 30 de septiembre de 2027",
            "2027-09-30",
            (),
        ),
        (
            "El contrato durará cinco años, del 1 de octubre de 2026 al 30 de septiembre de 2030.",
            "cinco años, del 1 de octubre de 2026 al 30 de septiembre de 2030",
            "2031-09-30",
            ("end_mismatch",),
        ),
        (
            "Term: from and including 1 September 2026 to and including 31 August 2027 (12 months).",
            "12 months",
            "2027-08-31",
            (),
        ),
    ],
)
def test_a_term_with_both_its_dates_is_checked_against_them(
    text: str, quote: str, due: str, flags: tuple[str, ...]
) -> None:
    found = only(text)
    assert (found.purpose, found.quote, found.due, found.flags) == ("term", quote, due, flags)


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        (
            "El contrato estará vigente desde el 1 de enero de 2026 hasta el 31 de diciembre de 2026.",
            1,
            "year",
        ),
        ("The lease shall run from 1 June 2026 to 30 September 2026.", 4, "month"),
        ("El arrendamiento será del 1 de julio de 2026 al 15 de agosto de 2026.", 46, "natural_day"),
        ("El arrendamiento será del 1 de julio de 2026 al 1 de julio de 2027.", 1, "year"),
    ],
)
def test_a_term_given_by_its_dates_alone_has_the_length_they_make(text: str, number: int, unit: str) -> None:
    found = only(text)
    assert (found.purpose, found.number, found.unit) == ("term", number, unit)
    assert found.quote in text


@pytest.mark.parametrize(
    "text",
    [
        "En Madrid, a 3 de marzo de 2026.\nPlazo de ejecución: un mes desde la firma del acta de replanteo.",
        "Se entrega el 1 de mayo de 2026. La fianza se devolverá en un mes desde la entrega de las llaves.",
        "El arrendamiento será del 31 de agosto de 2026 al 1 de julio de 2026.",
    ],
)
def test_a_day_that_starts_something_else_computes_nothing(text: str) -> None:
    assert all(found.due is None for found in deadlines(text))
