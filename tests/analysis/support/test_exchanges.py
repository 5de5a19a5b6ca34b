"""Statements of words that all stand in the quotation, with two things exchanged (decision 109)."""

from __future__ import annotations

from app.analysis.support import Document, QuotedSpan, discrepancy

CONTRACT = """CONTRATO DE PANADERÍA

Panes Duero, S.A.S. (el «Empleador») y Nelly Rojas (la «Trabajadora») acuerdan:

"""

# The words quoted, a right statement and one that differs from it in a single point.
_PAIRS = (
    ("No habrá bonificación en los meses en que la Trabajadora falte sin excusa.",
     "No habrá bonificación en los meses en que la Trabajadora falta sin excusa.",
     "La Trabajadora no tiene bonificación en el mes en que falta con excusa."),
    ("Los testigos de la Trabajadora declararán antes que los del Empleador.",
     "Los testigos de la Trabajadora declararán antes que los del Empleador.",
     "Los testigos de la Trabajadora declaran después que los del Empleador."),
    ("El Empleador entregará uniforme y calzado el 30 de abril y el 31 de agosto de cada año.",
     "El Empleador entregará uniforme y calzado el 30 de abril y el 31 de agosto de cada año.",
     "El uniforme se entrega el 30 de abril y el calzado el 31 de agosto de cada año."),
    ("La presidenta convocará la junta. El administrador podrá aplazar la deuda por escrito.",
     "El administrador podrá aplazar la deuda por escrito.",
     "La presidenta podrá aplazar la deuda por escrito."),
    ("La Trabajadora entrará por la puerta trasera y los clientes por la principal.",
     "La Trabajadora entrará por la puerta trasera.",
     "La Trabajadora entrará por la puerta principal."),
    ("El Empleador pagará dentro de los siete primeros días de cada mes.",
     "El Empleador pagará dentro de los siete primeros días de cada mes.",
     "El Empleador pagará dentro de los siete últimos días de cada mes."),
    ("Los directivos podrán usar los coches de empresa, y pagarán ellos el combustible.",
     "Los directivos podrán usar los coches de empresa.",
     "La empresa paga el combustible de los coches de los directivos."),
)  # fmt: skip


def _refused(statement: str, quoted: str, text: str) -> bool:
    start = text.index(quoted)
    return discrepancy(statement, [QuotedSpan(start, start + len(quoted))], Document(text)) is not None


def test_things_exchanged_within_the_words_quoted_are_refused() -> None:
    for quoted, right, false in _PAIRS:
        text = f"{CONTRACT}1. {quoted}"
        assert not _refused(right, quoted, text), right
        assert _refused(false, quoted, text), false


def test_what_an_earlier_sentence_of_the_paragraph_says_is_no_heading() -> None:
    quoted = "Los locales no pagan los gastos de ascensor."
    before = (
        "1. Objeto. El Empleador elabora pan y bollería.\n\n2. Cuotas. La cuota sube a 92 euros por vivienda."
    )
    text = f"{CONTRACT}{before} {quoted}"
    assert not _refused("Los locales no pagan los gastos de ascensor.", quoted, text)
    assert _refused("Los gastos de ascensor no los pagan las viviendas.", quoted, text)


def test_a_time_of_day_makes_no_label_of_a_statement() -> None:
    quoted = "E-mails sent after 18:00 are received on the next day."
    text = f"{CONTRACT}3. {quoted}"
    assert _refused("E-mails with attachments sent after 18:00 are received on the next day.", quoted, text)
