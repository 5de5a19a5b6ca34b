"""A figure that a document lets others provide, recounts or denies is told as no fact of its own.

Pairs: words that make it one of the document, and words that look alike and do not.
"""

from __future__ import annotations

import pytest

from app.rules import RulesEngine
from app.rules.brief import Brief
from app.rules.draft import Section, Statement

_LEASE = """CONTRATO DE ARRENDAMIENTO DE LOCAL

En Burgos, a 3 de febrero de 2026.

REUNIDOS

De una parte, doña Inés Ortuño Vega, como arrendadora. De otra, Talleres Ebro, S.L., como arrendataria.

CLÁUSULAS

PRIMERA. Renta. La renta será de 1.250 euros mensuales.
"""


def _statements(
    text: str, *sections: Section, language: str = "es", branch: str = "civil"
) -> list[Statement]:
    draft = RulesEngine().analyse(Brief(text, "ES", branch, language))  # type: ignore[arg-type]
    return [one for one in draft.statements if one.section in sections]


def _told(words: str, *sections: Section) -> list[str]:
    return [one.text for one in _statements(_LEASE + words, *sections)]


@pytest.mark.parametrize(
    "words",
    [
        "SEGUNDA. Vecino. La arrendataria ha trabajado diecinueve meses durante la vigencia del "
        "contrato anterior.",
        "SEGUNDA. Turno. Desde el viernes a la salida del colegio hasta el domingo a las veinte "
        "horas, y la mitad de "
        "las vacaciones escolares.",
        "SEGUNDA. Aviso. La arrendataria no estará obligada a preavisar con quince días de antelación.",
        "SEGUNDA. Ley. Rige la Ley 5/2020, que exige para los bienes muebles una duración mínima de "
        "doce meses.",
        "SEGUNDA. Deudas. Responderá de las cuotas de los tres años anteriores.",
        "SEGUNDA. Carga. Se convocó la junta y se cursó con cuatro días de antelación.",
        "SEGUNDA. Espera. Transcurridos treinta días sin contestación, podrá presentar la demanda.",
    ],
)  # fmt: skip
def test_a_length_of_time_that_limits_nothing_is_no_deadline(words: str) -> None:
    assert _told(words, Section.DEADLINES) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("SEGUNDA. Preaviso. La arrendataria podrá desistir con un preaviso de treinta días.",
         "Preaviso o aviso: 30 días."),
        ("SEGUNDA. Obras. Se harán en el plazo de veinte días desde la recepción de la licencia.",
         "Plazo: 20 días."),
    ],
)  # fmt: skip
def test_a_length_of_time_that_the_document_sets_is_told(words: str, told: str) -> None:
    assert told in _told(words, Section.DEADLINES)


@pytest.mark.parametrize(
    ("words", "label"),
    [
        (
            "La opción deberá comunicarse a este departamento en un plazo de cuarenta y ocho horas.",
            "Preaviso",
        ),
        ("El socio puede suspender el abono hasta tres meses al año.", "Pago"),
        ("El ocupante desalojará en un mes.", "Entrega"),
    ],
)
def test_a_word_in_another_sense_gives_a_period_no_name(words: str, label: str) -> None:
    assert not any(one.startswith(label) for one in _told(f"SEGUNDA. Varios. {words}", Section.DEADLINES))


@pytest.mark.parametrize(
    ("words", "sum_"),
    [
        ("SEGUNDA. Otros. La renta del anterior inquilino, de 900 euros, consta como dato "
         "informativo.", "900"),
        ("SEGUNDA. Antes. El local estuvo arrendado a otra persona por 680 euros al mes.", "680"),
        ("SEGUNDA. Ruido. Rige la Ley 37/2003, sancionada con multa de 601 a 850 euros.", "850"),
        ("SEGUNDA. Llaves. Por el segundo juego se cobran 0 euros.", "0 €"),
        ("SEGUNDA. Fuero. Rige el artículo 9 de la Ley 5/2020, que fija una fianza de 700 euros.", "700"),
    ],
)  # fmt: skip
def test_a_sum_of_something_else_is_told_nowhere(words: str, sum_: str) -> None:
    assert not any(sum_ in one for one in _told(words, Section.AMOUNTS)[1:])


def test_what_the_document_provides_as_a_law_permits_is_its_own() -> None:
    words = (
        "SEGUNDA. Demora. Como permite el artículo 1108 del Código Civil, la arrendataria abonará 70 euros."
    )
    assert any("70 €" in one for one in _told(words, Section.AMOUNTS))


@pytest.mark.parametrize(
    ("written", "told"),
    [("semanal", "5 % a la semana."), ("mensual", "5 % al mes."), ("anual", "5 % al año."), ("", "5 %.")],
)
def test_a_rate_is_told_with_its_period(written: str, told: str) -> None:
    words = f"SEGUNDA. Mora. El retraso devengará un interés de demora del cinco por ciento {written}."
    assert any(one.endswith(told) for one in _told(words, Section.AMOUNTS))


def test_a_sum_and_a_day_are_told_once_under_their_name() -> None:
    words = (
        "SEGUNDA. Duración. El contrato durará del 1 de marzo de 2026 al 28 de febrero de 2029.\n"
        "TERCERA. Salida. No se marchará antes del 28 de febrero de 2029 ni dejará de pagar 1.250 "
        "euros al mes."
    )
    days = [one for one in _told(words, Section.DATES) if "28 de febrero de 2029" in one]
    sums = [one for one in _told(words, Section.AMOUNTS) if "1.250 €" in one]
    assert len(days) == len(sums) == 1


def test_a_meeting_is_held_and_not_signed_on_its_day() -> None:
    text = (
        "ACTA DE LA JUNTA\n\nEn Zaragoza, a 15 de junio de 2026, siendo las 19:30 horas, se reúne la junta."
    )
    [day] = _statements(text, Section.DATES)
    assert day.text == "Fecha: 15 de junio de 2026."


def test_the_end_that_a_contract_states_beside_its_length_is_not_computed() -> None:
    text = _LEASE + "SEGUNDA. Duración. Nueve meses, hasta el 3 de noviembre de 2026, sin prórroga."
    told = [one.text for one in _statements(text, Section.DEADLINES) if "Fin del plazo" in one.text]
    assert told
    assert all("3 de noviembre de 2026. Cálculo: fecha que dice el contrato." in one for one in told)


@pytest.mark.parametrize(
    ("words", "clause"),
    [
        ("La fiadora no podrá oponer ninguna excepción, ni las que competan a la deudora.", "non_compete"),
        ("Doña Inés se dedica a la intermediación y a la mediación de seguros desde 2010.", "arbitration"),
        ("La arrendataria se marchará sin que valga ningún preaviso.", "notice"),
        ("La mediación de la empresa que los puso en contacto no genera gasto alguno.", "arbitration"),
    ],
)
def test_a_word_alone_makes_no_clause(words: str, clause: str) -> None:
    told = _statements(_LEASE + f"SEGUNDA. Varios. {words}", Section.CLAUSES_PRESENT)
    assert clause not in {one.facts["clause"] for one in told}


def test_a_clause_is_told_where_its_sentence_provides_it() -> None:
    words = "SEGUNDA. Varios. Toda controversia se someterá al arbitraje de la Corte de Burgos."
    told = _statements(_LEASE + words, Section.CLAUSES_PRESENT)
    assert "arbitration" in {one.facts["clause"] for one in told}


def test_clauses_without_numbers_do_not_stand_in_the_recitals() -> None:
    text = """CONTRATO DE ARRENDAMIENTO DE LOCAL

En Burgos, a 3 de febrero de 2026.

EXPONEN

Que doña Inés es dueña del local y lo arrienda a Talleres Ebro, S.L., y acuerdan lo siguiente.

La renta será de 1.250 euros mensuales. Toda controversia se someterá al arbitraje de la Corte de Burgos.
"""
    told = [one.text for one in _statements(text, Section.CLAUSES_PRESENT)]
    assert "Arbitraje o mediación." in told
    assert not any("EXPONEN" in one for one in told)


def test_what_follows_the_last_numbered_clause_is_no_part_of_it() -> None:
    words = (
        "SEGUNDA. Fuero. Los juzgados de Burgos.\n\nToda controversia se someterá al arbitraje de la Corte."
    )
    told = _told(words, Section.CLAUSES_PRESENT)
    assert any(one.startswith("Arbitraje o mediación") and "cláusula" not in one for one in told)


_AGENCY = """CONTRATO DE AGENCIA COMERCIAL

En Burgos, a 3 de febrero de 2026, entre Conservas Ría, S.L. (la Empresa) y doña Inés Ortuño Vega (la Agente).

1. Objeto. La Agente promoverá la venta de los productos de la Empresa por dos años, hasta el 2 de "
"febrero de 2028.
2. Preaviso. La Empresa podrá denunciar el contrato indefinido con quince días de preaviso.
3. No competencia. Extinguido el contrato, la Agente no podrá vender productos competidores durante tres años.
4. Secreto. La Agente guardará secreto de las listas de clientes y de los precios de la Empresa.
"""


def test_what_a_risk_calls_unlawful_is_told_as_the_document_s_word() -> None:
    found = _statements(_AGENCY, Section.DEADLINES, Section.OBLIGATIONS)
    told = [one.text for one in found]
    assert "Preaviso o aviso, según el documento: 15 días (véanse los riesgos)." in told
    assert "Dice obligar al agente (véanse los riesgos)." in told
    assert "Obliga al agente." in told  # the duty of secrecy, which no risk is about
    # Three years of non-compete are void: the day on which they would end is none to heed.
    assert not any("2031" in one for one in told)


def test_who_is_not_bound_is_not_told_to_be() -> None:
    words = "SEGUNDA. Aviso. La arrendataria no estará obligada a preavisar su salida con quince días."
    assert _told(words, Section.OBLIGATIONS) == []


def test_the_last_one_named_bears_the_duty() -> None:
    words = (
        "SEGUNDA. Aval. Aunque deba menos el deudor principal, la fiadora responderá de un recargo del 15 %."
    )
    assert _told(words, Section.OBLIGATIONS) == ["Obliga al fiador."]


@pytest.mark.parametrize(
    ("written", "told", "not_told"),
    [
        ("comparece por medio de la procuradora doña Irene Zubiri Leoz y bajo la dirección del "
         "letrado don Ekain "
         "Gorka Sáez", "Letrado: Ekain Gorka Sáez.", "Procuradora: Ekain Gorka Sáez."),
        ("DON RAFAEL CANTOS MUÑOZ, procurador de DOÑA ANA POZO GIL, bajo la dirección letrada de doña "
         "Beatriz "
         "Luque Alba", "Dirección letrada: Beatriz Luque Alba.", "Representante: Beatriz Luque Alba."),
    ],
)  # fmt: skip
def test_counsel_is_told_by_his_own_office(written: str, told: str, not_told: str) -> None:
    text = f"AL JUZGADO\n\nDon Benito Larra Goñi, mayor de edad, {written}, comparece y DICE: que "
    "formula demanda."
    names = [one.text for one in _statements(text, Section.PARTIES)]
    assert told in names
    assert not_told not in names


def test_who_is_said_to_be_no_party_is_not_told_as_one() -> None:
    text = _LEASE + "SEGUNDA. Marca. La franquiciadora, Vigora Holding, S.A., no es parte del contrato."
    assert not any("Vigora" in one.text for one in _statements(text, Section.PARTIES))


def test_a_heading_names_a_term_only_where_its_clause_gives_one() -> None:
    delivery = "SEGUNDA. Plazo. La arrendadora entregará las llaves en diez días."
    term = "SEGUNDA. Plazo. El contrato durará dos años."
    for words, told in ((delivery, False), (term, True)):
        found = _statements(_LEASE + words, Section.CLAUSES_PRESENT)
        assert ("duration" in {one.facts["clause"] for one in found}) is told


def test_what_one_need_not_pay_is_no_duty() -> None:
    assert (
        _told("SEGUNDA. Mora. La arrendadora no pagará intereses en ningún caso.", Section.OBLIGATIONS) == []
    )


def test_the_day_of_an_opening_is_not_one_on_which_an_act_takes_effect() -> None:
    text = "RESOLUCIÓN. Expediente 4/2026. Notificado el acuerdo de inicio el 9 de febrero de 2026, se multa."
    [day] = _statements(text, Section.DATES, branch="contencioso")
    assert not day.text.startswith("Fecha de inicio")
