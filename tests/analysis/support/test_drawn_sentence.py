"""What a statement may leave out of the sentence that it is drawn from, and what it may not."""

from __future__ import annotations

import pytest

from app.analysis.support import Discrepancy, Document, QuotedSpan, discrepancy, left_out

CONTRACT = Document(
    """CONTRATO DE SUMINISTRO

Harinas del Esla, S.L. (la «Suministradora») y Obrador Valdería, S.L. (la «Compradora») acuerdan:

1. La Suministradora entregará 400 sacos de harina integral cada mes y 60 sacos de sal cada trimestre.
2. La Compradora devolverá los palés a la encargada de almacén y los sacos rotos en el muelle norte.
3. La Suministradora podrá sustituir la harina por otra de igual fuerza, pero no el trigo.
4. El almacén lo limpia la Compradora; la báscula es de la Suministradora, que la revisará en mayo.
5. Tras el primer año, la Compradora podrá reducir el pedido con aviso escrito de un mes.
6. La tarifa sube de siete a nueve euros por saco. Esta tarifa prevalece sobre el anexo.
7. La Compradora no podrá revender la harina sin molturar a panaderías de la comarca."""
)
AGREEMENT = Document(
    """SUPPLY AGREEMENT

Esla Flour Ltd (the "Supplier") and Ms Joan Weld (the "Baker") agree:

1. The Supplier shall deliver 400 bags a month and repair the scale within five working days of a call.
2. The reports belong to the Supplier; the recipes belong to the Baker, who grants the Supplier a licence.
3. The Supplier may end this agreement after a serious breach. The Annex prevails over these clauses."""
)


def _judged(document: Document, number: int, statement: str) -> Discrepancy | None:
    line = next(one for one in document.text.splitlines() if one.startswith(f"{number}. "))[3:]
    start = document.text.index(line)
    return discrepancy(statement, [QuotedSpan(start, start + len(line))], document)


def test_a_whole_part_of_a_sentence_may_be_left_out() -> None:
    for document, number, statement in (
        (CONTRACT, 1, "La Suministradora entregará 60 sacos de sal cada trimestre."),
        (CONTRACT, 2, "La Compradora devolverá los palés a la encargada de almacén."),
        (CONTRACT, 3, "La Suministradora no podrá sustituir el trigo."),
        (CONTRACT, 3, "La Suministradora podrá sustituir la harina por otra de igual fuerza."),
        (CONTRACT, 4, "La Suministradora revisará la báscula en mayo."),
        (AGREEMENT, 1, "The Supplier shall repair the scale within five working days of a call."),
        (AGREEMENT, 2, "The Baker grants the Supplier a licence."),
    ):
        assert _judged(document, number, statement) is None, statement


def test_parts_of_two_items_are_not_joined() -> None:
    for document, number, statement in (
        (CONTRACT, 1, "La Suministradora entregará 400 sacos de sal cada trimestre."),
        (CONTRACT, 2, "La Compradora devolverá los sacos rotos a la encargada de almacén."),
        (CONTRACT, 3, "La Suministradora podrá sustituir el trigo."),
        (CONTRACT, 4, "La Compradora revisará la báscula en mayo."),
        (AGREEMENT, 1, "The Supplier shall repair 400 bags a month."),
        (AGREEMENT, 2, "The reports belong to the Baker."),
    ):
        assert _judged(document, number, statement) is not None, statement


def test_what_limits_a_word_is_not_left_out() -> None:
    for document, number, statement, words in (
        (CONTRACT, 1, "La Suministradora entregará 400 sacos de harina cada mes.", "integral"),
        (
            CONTRACT,
            5,
            "La Compradora podrá reducir el pedido con aviso escrito de un mes.",
            "Tras el primer año",
        ),
        (
            CONTRACT,
            5,
            "Tras el primer año, la Compradora podrá reducir el pedido con aviso de un mes.",
            "escrito",
        ),
        (
            CONTRACT,
            7,
            "La Compradora no podrá revender la harina sin molturar.",
            "a panaderías de la comarca",
        ),
        (AGREEMENT, 3, "The Supplier may end this agreement after a breach.", "serious"),
    ):
        assert _judged(document, number, statement) is Discrepancy.LIMIT, statement
        line = next(one for one in document.text.splitlines() if one.startswith(f"{number}. "))[3:]
        start = document.text.index(line)
        told = left_out(statement, [QuotedSpan(start, start + len(line))], document)
        assert words in told, (statement, told)


def test_words_turned_round_are_refused() -> None:
    for document, number, statement in (
        (CONTRACT, 6, "La tarifa sube de nueve a siete euros por saco."),
        (CONTRACT, 6, "El anexo prevalece sobre esta tarifa."),
        (CONTRACT, 2, "La encargada de almacén devolverá los palés."),
        (AGREEMENT, 2, "The Supplier grants the Baker a licence."),
        (AGREEMENT, 3, "These clauses prevail over the Annex."),
    ):
        assert _judged(document, number, statement) is not None, statement


LETTERS = """PROCESSING

If a patient writes to the Processor, the Processor shall forward the letter to the Controller within two days
and shall not answer it unless the Controller so instructs."""


@pytest.mark.parametrize(
    ("act", "drawn"),
    [("forwards", True), ("shall forward", True), ("answers", False), ("may forward", False)],
)
def test_a_verb_in_the_third_person_is_the_one_behind_shall(act: str, drawn: bool) -> None:
    said = f"the Processor {act} the letter to the Controller within two days."
    statement = f"If a patient writes to the Processor, {said}"
    quoted = [QuotedSpan(LETTERS.index("If"), len(LETTERS))]
    assert (discrepancy(statement, quoted, Document(LETTERS), aligned=True) is None) is drawn


BOILERS = Document(
    """CONTRATO DE MANTENIMIENTO

Térmicas del Sil, S.L. (la «Mantenedora») y Balneario Las Ninfas, S.A. (la «Propietaria») acuerdan:

1. Desde el tercer año la cuota anual sube de 4.200 a 4.500 euros.
2. Los quemadores tienen garantía de tres años y las bombas, de dieciocho meses, contados desde la entrega.
3. La cuota incluye los filtros nuevos, pero no el gasóleo de calefacción.
4. Cuando la Propietaria ejerza el rescate, la Mantenedora dará los planos en veinte días hábiles.
5. La Mantenedora atenderá las averías en seis horas, contadas desde la llamada de la Propietaria.
6. En agosto la Mantenedora revisará el depósito y en mayo la chimenea.
7. La Mantenedora requerirá la firma del encargado antes de vaciar una caldera."""
)


@pytest.mark.parametrize(
    ("number", "statement", "drawn"),
    [
        (1, "La cuota anual sube de 4.200 a 4.500 euros desde el tercer año.", True),
        (1, "La cuota anual sube de 4.500 a 4.200 euros desde el tercer año.", False),
        (1, "La cuota anual sube de 4.200 a 4.500 euros.", False),
        (2, "Los quemadores tienen garantía de tres años, contados desde la entrega.", True),
        (2, "Los quemadores tienen garantía de dieciocho meses, contados desde la entrega.", False),
        (2, "Las bombas tienen garantía de tres años, contados desde la entrega.", False),
        (3, "La cuota no incluye el gasóleo de calefacción.", True),
        (3, "La cuota no incluye el gasóleo.", False),
        (3, "La cuota no incluye los filtros nuevos.", False),
        (3, "La cuota incluye el gasóleo de calefacción.", False),
        (
            4,
            "Si la Propietaria ejerce el rescate, la Mantenedora dará los planos en veinte días hábiles.",
            True,
        ),
        (
            4,
            "Si la Mantenedora ejerce el rescate, la Propietaria dará los planos en veinte días hábiles.",
            False,
        ),
        (5, "La Mantenedora atenderá las averías en seis horas desde la llamada de la Propietaria.", True),
        (6, "La Mantenedora revisará la chimenea en agosto.", False),
        (6, "En mayo la Mantenedora revisará el depósito.", False),
        (7, "La Mantenedora requiere la firma del encargado antes de vaciar una caldera.", True),
        (7, "La Mantenedora requiere la firma del encargado después de vaciar una caldera.", False),
    ],
)
def test_an_adjunct_moves_whole_and_a_thing_keeps_its_own_figure(
    number: int, statement: str, drawn: bool
) -> None:
    assert (_judged(BOILERS, number, statement) is None) is drawn
