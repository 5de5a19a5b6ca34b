"""Dates, their roles and their flaws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.facts.time.dates import DateMention, extract_dates
from app.text.sentences import FoldedText
from tests.growth import assert_linear
from tests.rules.documents import CONSUMER_TERMS, DISMISSAL, EMPLOYMENT_EN, LEASE_ES, NDA_EN, SUMMONS

MONTHS_ES = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
]
MONTHS_EN = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def dates(text: str) -> tuple[DateMention, ...]:
    return extract_dates(FoldedText(text))


def spanish(written: str) -> DateMention:
    return dates(f"El presente contrato se firma para que conste el {written} por las partes.")[0]


def english(written: str) -> DateMention:
    return dates(f"This agreement shall be delivered to the parties and is of the {written}, in the office.")[
        0
    ]


@pytest.mark.parametrize(
    "written",
    [
        "3 de marzo de 2026",
        "3 de Marzo del 2026",
        "3 DE MARZO DE 2026",
        "3 de\u00a0marzo\nde 2026",
        "tres de marzo de dos mil veintiséis",
        "03/03/2026",
        "3-3-2026",
        "03.03.2026",
        "2026-03-03",
        "3/III/2026",
        "tres (3) días del mes de marzo de dos mil veintiséis (2026)",
    ],
)
def test_one_spanish_day_in_many_spellings(written: str) -> None:
    found = spanish(written)
    assert (found.iso, found.flag) == ("2026-03-03", None)


@pytest.mark.parametrize(
    "written",
    [
        "3 March 2026",
        "March 3, 2026",
        "3rd day of March, 2026",
        "March 3rd 2026",
        "third day of March 2026",
        "2026-03-03",
        "3 Mar. 2026",
    ],
)
def test_one_english_day_in_many_spellings(written: str) -> None:
    found = english(written)
    assert (found.iso, found.flag) == ("2026-03-03", None)


@given(st.dates())
def test_every_day_is_read_as_itself(day) -> None:  # type: ignore[no-untyped-def]
    if not 1900 <= day.year <= 2999:
        return
    for found in (
        spanish(f"{day.day} de {MONTHS_ES[day.month - 1]} de {day.year}"),
        spanish(f"{day.day:02d}/{day.month:02d}/{day.year}"),
        english(f"{MONTHS_EN[day.month - 1]} {day.day}, {day.year}"),
        english(f"{day.day} {MONTHS_EN[day.month - 1]} {day.year}"),
    ):
        assert found.iso == day.isoformat()


@pytest.mark.parametrize(
    "written", ["31 de febrero de 2026", "29/02/2025", "31 de abril de 2026", "32/01/2026", "10/13/2026"]
)
def test_impossible_days_are_flagged_and_kept(written: str) -> None:
    found = spanish(written)
    assert (found.iso, found.flag, found.quote) == (None, "impossible", written)


@pytest.mark.parametrize(
    ("written", "parts"), [("3 de marzo", (None, 3, 3)), ("marzo de 2026", (2026, 3, None))]
)
def test_partial_dates_are_flagged_and_keep_what_they_say(
    written: str, parts: tuple[int | None, ...]
) -> None:
    found = spanish(written)
    assert (found.iso, found.flag) == (None, "partial")
    assert (found.year, found.month, found.day) == parts


def test_day_and_month_in_doubt_are_said_to_be_so_in_english_only() -> None:
    found = english("03/04/2026")
    assert (found.iso, found.flag) == (None, "ambiguous")
    assert found.readings == ("2026-04-03", "2026-03-04")
    assert english("03/14/2026").iso == "2026-03-14"
    assert english("14/03/2026").iso == "2026-03-14"
    assert spanish("03/04/2026").iso == "2026-04-03"


def test_a_blank_left_for_the_date_is_reported() -> None:
    assert [(d.quote, d.flag) for d in dates(CONSUMER_TERMS)][-1] == ("__ de ________ de 20__", "blank")


@pytest.mark.parametrize(
    "text",
    [
        "conforme a la Ley 29/1994, de 24 de noviembre, de Arrendamientos Urbanos",
        "según el Real Decreto Legislativo 1/2007, de 16 de noviembre",
        "de la Ley Orgánica 3/2018, de 5 de diciembre",
        "la STS 123/2020, de 4 de mayo",
        "el Reglamento (UE) 2016/679",
        "expediente 12/2024/0034 del artículo 3/2",
    ],
)
def test_the_date_in_the_name_of_a_norm_is_no_fact_of_the_document(text: str) -> None:
    assert dates(text) == ()


def test_roles_come_from_the_words_beside_the_date() -> None:
    assert [(d.iso, d.role) for d in dates(LEASE_ES) if d.iso] == [
        ("2026-03-03", "signature"),
        ("2026-09-01", "start"),
        ("2031-08-31", "end"),
    ]
    assert [d.role for d in dates(EMPLOYMENT_EN)] == ["signature", "start"]
    assert [d.role for d in dates(SUMMONS)] == ["judgment", "notification"]
    assert [d.role for d in dates(DISMISSAL)] == ["signature", "start"]
    assert [d.role for d in dates(NDA_EN)] == ["start"]
    assert dates("D. Juan, nacido el 4 de mayo de 1980, comparece.")[0].role == "birth"


@given(
    st.text(),
    st.sampled_from(["31 de febrero de 2026", "1/1/1", "__ de __ de 20__", "May", "dos mil", "a 3 de"]),
)
def test_any_text_is_read_and_quoted_literally(text: str, tail: str) -> None:
    whole = f"{text} {tail} {text}"
    end = 0
    for found in dates(whole):
        assert whole[found.start : found.end] == found.quote
        assert found.start >= end
        end = found.end


@pytest.mark.parametrize(
    "unit", ["1/", "1-1-1 ", "de 1 ", "1 de enero ", "____ de ", "dos mil ", "may ", "...... de ", "2026-"]
)
def test_hostile_dates_are_read_in_linear_time(unit: str) -> None:
    assert_linear(dates, unit)


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        (
            "El contrato durará un año, del 1 de octubre de 2026 al 30 de septiembre de 2027.",
            ["start", "end"],
        ),
        ("The lease shall run from 1 June 2026 to 31 May 2028.", ["start", "end"]),
        ("Vigencia: entre el 1/2/2026 y el 31/1/2027.", ["start", "end"]),
        ("Debe las rentas del 1 de enero de 2026 al 31 de marzo de 2026.", ["other", "other"]),
        ("Vacaciones del 1 de agosto de 2026 al 15 de agosto de 2026.", ["other", "other"]),
        ("El resto se pagará antes del 30 de junio de 2026.", ["payment"]),
        ("Notificada la sentencia el 4 de mayo de 2026, cabe recurso.", ["notification"]),
        ("Asimismo, el 3 de mayo de 2026 se firmará.", ["other"]),
        ("Notificada la sentencia de 4 de mayo de 2026, cabe recurso.", ["judgment"]),
    ],
)
def test_two_dates_bound_a_term_only_where_something_runs(text: str, roles: list[str]) -> None:
    assert [found.role for found in dates(text)] == roles
