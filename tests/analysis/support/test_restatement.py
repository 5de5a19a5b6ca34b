"""What `[L1]` attests: a statement adds nothing to the words that it quotes (decision 013).

Each pair of statement and quotation is one kind of mistake of a careless or deceiving author, beside a right
statement of the same kind: a judge that refuses everything would be of no use either.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.support import Discrepancy, Document, QuotedSpan, discrepancy
from tests.growth import assert_linear

LEASE = """CONTRATO DE ARRENDAMIENTO DE LOCAL

En Burgos, a 3 de febrero de 2026.

De una parte, doña Inés Ortuño Vega (en adelante, la Arrendadora). De otra, Talleres Ebro, S.L. (en adelante,
la Arrendataria).

El local estuvo arrendado a Ferretería Sanz por una renta de 700 euros mensuales hasta el 30 de junio de 2025.

PRIMERA. Renta. La renta será de 1.250,00 euros mensuales, que la Arrendataria abonará por transferencia.
SEGUNDA. Duración. El contrato durará tres años, del 1 de marzo de 2026 al 28 de febrero de 2029.
TERCERA. Fianza. Se entregan 2.500 euros en concepto de fianza y 5.000 euros como garantía adicional.
CUARTA. Obras. La Arrendataria no podrá hacer obras sin consentimiento escrito de la Arrendadora.
QUINTA. Gastos. Ninguna de las partes deberá indemnización por la falta de uso. El IBI será de cuenta de la
Arrendadora, salvo la tasa de basuras, que pagará la Arrendataria.
SEXTA. Penalización. Si la Arrendataria se retrasa, pagará una multa de hasta 300 euros por mensualidad.
SÉPTIMA. Preaviso. La Arrendataria podrá desistir con un preaviso de treinta días hábiles.
OCTAVA. Suministro. La Arrendadora concede a la Arrendataria el uso no exclusivo del patio.
NOVENA. Ventas. La Arrendataria procurará alcanzar ventas de 90.000 euros el primer año y de 120.000 euros el
segundo.
"""
ENGLISH = """SERVICES AGREEMENT

This Agreement replaces the letter of 2 May 2025, under which a rate of £420 a day had been offered.
1. Fee. The Client shall pay the Consultant £475 a day, exclusive of VAT.
2. Notice. Either party may terminate this Agreement on 21 days' written notice.
3. Non-exclusive. The Consultant shall not subcontract the services unless the Client agrees in writing.
4. Liability. Neither party shall be liable for loss of profit.
"""


def judged(statement: str, *quotes: str, text: str = LEASE) -> Discrepancy | None:
    """The discrepancy of `statement` from words of `text`, each of which must stand there."""
    places = []
    for words in quotes:
        assert words in text, words
        start = text.index(words)
        places.append(QuotedSpan(start, start + len(words)))
    return discrepancy(statement, places, Document(text))


@pytest.mark.parametrize(
    ("statement", "quotes"),
    [
        ("La renta es de 1.250 euros al mes.", ["La renta será de 1.250,00 euros mensuales"]),
        ("Renta: 1.250 € al mes.", ["La renta será de 1.250,00 euros mensuales"]),
        ("El contrato termina el 28/02/2029.", ["del 1 de marzo de 2026 al 28 de febrero de 2029"]),
        ("El arrendamiento dura tres años.", ["El contrato durará tres años"]),
        ("La fianza asciende a 2.500 euros.", ["2.500 euros en concepto de fianza"]),
        ("La inquilina no puede hacer obras sin permiso escrito de la arrendadora.",
         ["La Arrendataria no podrá hacer obras sin consentimiento escrito de la Arrendadora"]),
        ("The tenant may not carry out works without the landlord's written consent.",
         ["La Arrendataria no podrá hacer obras sin consentimiento escrito de la Arrendadora"]),
        ("Arrendadora: Inés Ortuño Vega.", ["Inés Ortuño Vega"]),
        ("La multa por retraso es de hasta 300 euros por mensualidad.",
         ["pagará una multa de hasta 300 euros por mensualidad"]),
        ("Preaviso: 30 días hábiles.", ["podrá desistir con un preaviso de treinta días hábiles"]),
        ("Las ventas del segundo año que procurará alcanzar son 120.000 euros.",
         ["procurará alcanzar ventas de 90.000 euros el primer año y de 120.000 euros el\nsegundo"]),
    ],
)  # fmt: skip
def test_a_statement_that_restates_its_quotation_is_accepted(statement: str, quotes: list[str]) -> None:
    assert judged(statement, *quotes) is None


@pytest.mark.parametrize(
    ("statement", "quote", "why"),
    [
        ("La renta es de 250 euros.", "250,00 euros", Discrepancy.CUT),
        ("La Arrendataria es una sociedad.", "rrendataria abonará por transf", Discrepancy.CUT),
        ("La Arrendadora se llama Inés.", "Inés", Discrepancy.SHORT),
        ("Las obras están permitidas.", "La", Discrepancy.SHORT),
        ("La Arrendataria podrá hacer obras.", "podrá hacer obras", Discrepancy.CLIPPED),
        ("Las partes se deben indemnización.", "de las partes deberá indemnización", Discrepancy.CLIPPED),
        ("La tasa de basuras la paga la Arrendataria.", "la tasa de basuras, que pagará la Arrendataria",
         Discrepancy.CLIPPED),
        ("El IBI y las tasas son de cuenta de la Arrendadora.", "El IBI será de cuenta de la\nArrendadora",
         Discrepancy.EXCEPTION),
        ("La renta es de 1.350 euros al mes.", "La renta será de 1.250,00 euros mensuales",
         Discrepancy.FIGURE),
        ("El contrato empieza el 1 de abril de 2026.", "del 1 de marzo de 2026", Discrepancy.FIGURE),
        ("El preaviso es de treinta días naturales.", "con un preaviso de treinta días hábiles",
         Discrepancy.FIGURE),
        ("La multa es de 300 euros por mensualidad.", "pagará una multa de hasta 300 euros por mensualidad",
         Discrepancy.FIGURE),
        ("La fianza es de 5.000 euros.", "5.000 euros como garantía adicional", Discrepancy.ROLE),
        ("El contrato termina el 1 de marzo de 2026.", "del 1 de marzo de 2026 al 28 de febrero de 2029",
         Discrepancy.ROLE),
        ("El segundo año procurará alcanzar ventas de 90.000 euros.",
         "procurará alcanzar ventas de 90.000 euros el primer año y de 120.000 euros el\nsegundo",
         Discrepancy.ROLE),
        ("La Arrendadora abonará la renta por transferencia.",
         "que la Arrendataria abonará por transferencia", Discrepancy.PARTY),
        ("Arrendataria: Inés Ortuño Vega.", "Inés Ortuño Vega", Discrepancy.PARTY),
        ("La Arrendataria debe desistir con un preaviso de treinta días hábiles.",
         "La Arrendataria podrá desistir con un preaviso de treinta días hábiles", Discrepancy.MODALITY),
        ("La Arrendataria está obligada a alcanzar ventas de 90.000 euros el primer año.",
         "La Arrendataria procurará alcanzar ventas de 90.000 euros el primer año", Discrepancy.MODALITY),
        ("La Arrendataria podrá hacer obras sin consentimiento de la Arrendadora.",
         "La Arrendataria no podrá hacer obras sin consentimiento escrito de la Arrendadora",
         Discrepancy.POLARITY),
        ("La renta del local es de 700 euros mensuales.", "por una renta de 700 euros mensuales",
         Discrepancy.OTHER_MATTER),
        ("La Arrendadora concede el uso exclusivo del patio.", "el uso no exclusivo del patio",
         Discrepancy.POLARITY),
        ("La Arrendataria responde solidariamente de la renta.",
         "que la Arrendataria abonará por transferencia", Discrepancy.BEYOND),
        ("La renta es de 1.250 euros anuales.", "La renta será de 1.250,00 euros mensuales",
         Discrepancy.BEYOND),
        ("La duración del contrato es siempre de tres años.", "El contrato durará tres años",
         Discrepancy.BEYOND),
    ],
)  # fmt: skip
def test_a_statement_that_departs_from_its_quotation_is_refused(
    statement: str, quote: str, why: Discrepancy
) -> None:
    assert judged(statement, quote) is why


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("The Client pays £475 a day, VAT excluded.",
         "The Client shall pay the Consultant £475 a day, exclusive of VAT"),
        ("Either party may end the contract on 21 days' written notice.",
         "Either party may terminate this Agreement on 21 days' written notice"),
    ],
)  # fmt: skip
def test_right_english_statements_are_accepted(statement: str, quote: str) -> None:
    assert judged(statement, quote, text=ENGLISH) is None


@pytest.mark.parametrize(
    ("statement", "quote"),
    [
        ("The daily rate is £420.", "a rate of £420 a day had been offered"),
        ("The Consultant shall pay the Client £475 a day.", "The Client shall pay the Consultant £475 a day"),
        ("The Consultant shall not subcontract the services.",
         "The Consultant shall not subcontract the services"),
        ("Both parties are liable for loss of profit.", "party shall be liable for loss of profit"),
        ("The Client may terminate this Agreement at any time without notice.",
         "Either party may terminate this Agreement on 21 days' written notice"),
    ],
)  # fmt: skip
def test_wrong_english_statements_are_refused(statement: str, quote: str) -> None:
    assert judged(statement, quote, text=ENGLISH) is not None


DEED = """ACUERDO entre Clínica Duero, S.L. (en adelante, la Clínica), y Obras Arlanza, S.L. (en adelante, la
Contratista), representada por su abogado don Gil Ortega Rozas. Asiste el arquitecto don Bruno Sáez Merino.

La Contratista retirará en cinco días las respuestas a la reseña de la Clínica. Los gastos de la escritura los
pagará el Prestamista; los de cancelación, la Prestataria. Pagará 150 euros por día, salvo que el retraso se
deba a la Clínica. La primera cuota es de 900 euros; la segunda, de 1.100 euros.
"""


@pytest.mark.parametrize(
    ("right", "wrong", "quotes"),
    [
        (
            "El abogado de la Contratista es Gil Ortega Rozas.",
            "El abogado de la Contratista es Bruno Sáez Merino.",
            ["representada por su abogado don Gil Ortega Rozas", "el arquitecto don Bruno Sáez Merino"],
        ),
        (
            "La Contratista debe retirar las respuestas en cinco días.",
            "La Clínica debe retirar su reseña en cinco días.",
            ["La Contratista retirará en cinco días las respuestas a la reseña de la Clínica"],
        ),
        (
            "Los gastos de la escritura los paga el Prestamista.",
            "Los gastos de la escritura los paga la Prestataria.",
            ["Los gastos de la escritura los\npagará el Prestamista; los de cancelación, la Prestataria."],
        ),
        (
            "La primera cuota es de 900 euros.",
            "La primera cuota es de 1.100 euros.",
            ["La primera cuota es de 900 euros; la segunda, de 1.100 euros."],
        ),
    ],
    ids=["two quotations", "who acts", "two clauses", "figures"],
)
def test_what_one_clause_says_is_not_said_of_another(right: str, wrong: str, quotes: list[str]) -> None:
    assert judged(right, *quotes, text=DEED) is None
    assert judged(wrong, *quotes, text=DEED) in (Discrepancy.ROLE, Discrepancy.PARTY)


def test_even_if_takes_back_no_exception() -> None:
    quote = "Pagará 150 euros por día, salvo que el retraso se\ndeba a la Clínica"
    statement = "Paga 150 euros por día aunque el retraso se deba a la Clínica."
    assert judged(statement, quote, text=DEED) is Discrepancy.EXCEPTION


def test_the_duty_of_both_parties_is_not_read_from_a_sentence_that_denies_it() -> None:
    quote = "Ninguna de las partes deberá indemnización por la falta de uso"
    assert judged("Obliga a ambas partes.", quote) is Discrepancy.POLARITY


@given(st.text(max_size=200), st.text(min_size=1, max_size=60), st.integers(0, 60), st.integers(1, 60))
def test_no_text_makes_the_judge_fail(document: str, statement: str, start: int, length: int) -> None:
    text = document + " La renta será de 900 euros. " + statement
    end = min(len(text), start + length)
    discrepancy(statement, [QuotedSpan(min(start, end), end)], Document(text))


def test_a_beginning_is_no_end_whatever_else_the_label_calls_it() -> None:
    words = "El contrato durará tres años, del 1 de marzo de 2026 al 28 de febrero de 2029"
    assert judged("Fecha de inicio o de efectos: 1 de marzo de 2026.", words) is None
    assert judged("Fecha de fin o de efectos: 1 de marzo de 2026.", words) is Discrepancy.ROLE
    assert judged("Fecha de inicio: 1 de marzo de 2026. Fecha de fin: 28 de febrero de 2029.", words) is None


def test_an_identifier_of_a_statement_stands_with_the_words_quoted() -> None:
    text = (
        "De una parte, [PERSON_1], con DNI [ES_DNI_1] (el Arrendador).\n\n"
        "De otra, [PERSON_2], con DNI [ES_DNI_2]."
    )
    assert judged("Arrendador: [PERSON_1], [ES_DNI_1].", "[PERSON_1]", text=text) is None
    for strange in ("[ES_DNI_2]", "[ES_DNI_7]"):
        wrong = f"Arrendador: [PERSON_1], {strange}."
        assert judged(wrong, "[PERSON_1]", text=text) is Discrepancy.FIGURE


@pytest.mark.parametrize(
    "statement", ["La renta asciende a 950 euros.", "La renta ordinaria es de 950 euros."]
)
def test_a_table_without_full_stops_takes_linear_time(statement: str) -> None:
    first = "La renta es de 950 euros."

    def read(table: str) -> None:
        discrepancy(statement, [QuotedSpan(0, len(first))], Document(f"{first} Detalle {table}"))

    read("")  # the data files are read once
    assert_linear(read, "pago de 100 euros por cuota ordinaria\n")


def test_words_with_many_places_take_linear_time() -> None:
    statement = ("La renta pactada " * 8).strip()

    def read(words: str) -> Discrepancy | None:
        start = len(words) + 2
        quoted = [QuotedSpan(at, at + len(words.rstrip())) for at in (0, start)]
        return discrepancy(statement, quoted, Document(f"{words}\n\n{words}"))

    unit = "la renta pactada mensual se paga; "
    read(unit)
    for short in (340, 1_360):
        assert_linear(read, unit, short=short, long=4 * short)
    assert read(unit * 160) is Discrepancy.BEYOND
