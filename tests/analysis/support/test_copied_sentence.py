"""What a statement copies, sentence by sentence, and what it may put in the place of a reference."""

from __future__ import annotations

from app.analysis.support import Document, QuotedSpan, discrepancy

CONTRACT = Document(
    """ACUERDO DE CESIÓN DE TALLER

Herrería Cantera, S.L. (la «Cedente») y Forjas del Nalón, S.L. (la «Cesionaria») acuerdan:

1. La Cedente entregará un torno y una fragua de gas. La Cesionaria los devolverá el 3 de mayo de 2029.
2. Las visitas son libres de 9:00 a 14:00 horas. Fuera de ese horario se requiere permiso escrito.
3. La Cesionaria tendrá doce días de cierre. La Cedente le comunicará la fecha con veinte días de antelación.
4. La Cesionaria constituirá un depósito. La Cedente lo devolverá en diez días, salvo que falten piezas.
5. La Cesionaria informará a Nuria Posada, jefa de taller, y no a los operarios.
6. La Cesionaria podrá usar la fragua, pero no por la noche."""
)


def _refused(statement: str, quoted: str) -> bool:
    start = CONTRACT.text.index(quoted)
    return discrepancy(statement, [QuotedSpan(start, start + len(quoted))], CONTRACT) is not None


def _line(number: int) -> str:
    return next(line[3:] for line in CONTRACT.text.splitlines() if line.startswith(f"{number}. "))


def test_a_reference_may_be_replaced_by_what_the_sentence_before_names() -> None:
    for number, statement in (
        (1, "La Cesionaria devolverá el torno y la fragua de gas el 3 de mayo de 2029."),
        (2, "Fuera del horario de visitas de 9:00 a 14:00 horas se requiere permiso escrito."),
        (3, "La Cedente comunicará a la Cesionaria la fecha con veinte días de antelación."),
    ):
        assert not _refused(statement, _line(number)), statement


def test_a_reference_replaced_by_something_else_is_refused() -> None:
    for number, statement in (
        (1, "La Cesionaria devolverá el horno de pan el 3 de mayo de 2029."),
        (1, "La Cedente devolverá el torno y la fragua de gas el 3 de mayo de 2029."),
        (2, "Dentro del horario de visitas de 9:00 a 14:00 horas se requiere permiso escrito."),
        (2, "Fuera del horario de visitas de 9:00 a 14:00 horas no se requiere permiso escrito."),
        (3, "La Cesionaria comunicará a la Cedente la fecha con veinte días de antelación."),
        (3, "La Cedente comunicará a la Cesionaria la fecha con doce días de antelación."),
    ):
        assert _refused(statement, _line(number)), statement


def test_what_denies_the_same_of_somebody_else_may_be_left_out_behind_a_comma() -> None:
    assert not _refused("La Cesionaria informará a Nuria Posada, jefa de taller.", _line(5))


def test_a_limit_behind_the_words_copied_may_not_be_left_out() -> None:
    assert _refused("La Cedente devolverá el depósito en diez días.", _line(4))
    assert _refused("La Cesionaria podrá usar la fragua.", _line(6))


LETTER = Document(
    """Herrería Cantera, S.L.

A la atención de doña Berta Sotillo Rey

Estimada señora Sotillo:

Usted trabajará de lunes a miércoles en Langreo. Los días que acuda al taller le pagaremos 7 euros.
Nuestro perito podrá trasladarla a Nava, pero no podrá cambiar su turno.
Asiste Marta Gil Pons (1.º A) sin derecho de voto. Su cuota de 40 euros la adelantará el taller."""
)


def _letter(statement: str, quoted: str) -> bool:
    start = LETTER.text.index(quoted)
    return discrepancy(statement, [QuotedSpan(start, start + len(quoted))], LETTER) is not None


def test_a_letter_is_about_the_person_that_it_is_addressed_to() -> None:
    quoted = "Usted trabajará de lunes a miércoles en Langreo."
    assert not _letter("Berta Sotillo trabaja de lunes a miércoles en Langreo.", quoted)
    assert _letter("Marta Gil trabaja de lunes a miércoles en Langreo.", quoted)


def test_pronouns_that_a_letter_leaves_out_brackets_and_another_act_may_differ() -> None:
    quoted = "Los días que acuda al taller le pagaremos 7 euros."
    assert not _letter("Los días que usted acuda al taller le pagaremos 7 euros.", quoted)
    assert not _letter(
        "Asiste Marta Gil Pons sin derecho de voto.", "Asiste Marta Gil Pons (1.º A) sin derecho de voto."
    )
    other_act = "Nuestro perito podrá trasladarla a Nava, pero no podrá cambiar su turno."
    assert not _letter("Nuestro perito podrá trasladarla a Nava.", other_act)


def test_what_limits_the_same_act_is_still_told() -> None:
    text = Document("Contrato. La Cesionaria podrá usar la fragua, pero no podrá usarla de noche. Fin.")
    quoted = "La Cesionaria podrá usar la fragua, pero no podrá usarla de noche."
    start = text.text.index(quoted)
    span = QuotedSpan(start, start + len(quoted))
    assert discrepancy("La Cesionaria podrá usar la fragua.", [span], text) is not None
