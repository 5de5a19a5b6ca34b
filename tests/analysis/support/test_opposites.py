"""Statements whose every word stands in the clause, and that tell its opposite."""

from __future__ import annotations

import pytest

from app.analysis.support import Document, QuotedSpan, discrepancy

RULES = Document(
    """ESTATUTOS DEL TALLER COMÚN

Forja Duerna, S.L. (la «Gestora») y la Asociación de Herreros (la «Asociación») acuerdan:

1. La Gestora y la Asociación firmarán cada gasto superior a 300 euros.
2. La Gestora abrirá el taller los martes y los jueves por la mañana.
3. La Asociación podrá usar el horno grande o la fragua, con carbón propio.
4. Los socios dejarán las herramientas sobre el banco y los guantes bajo la mesa.
5. La Gestora limpiará el taller una vez al mes y la chimenea dos veces al año.
6. La Asociación responderá solidariamente con la Gestora de los daños a terceros.
7. La garantía del productor cubre el horno y la del instalador, la chimenea.
8. El taller está en la nave norte y el almacén, en la nave sur.
9. La Gestora avisará verbalmente al presidente y por escrito al secretario.
10. La Asociación podrá cerrar el horno en agosto si avisa por escrito antes del 30 de junio.
11. En invierno la Gestora tendrá un herrero de guardia los domingos.
12. La Gestora no podrá encender fuego en el patio entre junio y septiembre.
13. La Gestora atenderá las averías urgentes en seis horas.
14. La Asociación pagará la luz. La Gestora pagará el agua. Limpiará las naves cada mes.
15. La Asociación designa maestra a doña Sira Losa Prieto. Su visita durará dos horas como máximo.
16. Las multas impuestas a la Gestora por el ayuntamiento serán pagadas por ella."""
)
BOATHOUSE = Document(
    """BOATHOUSE RULES

Quay Rowers Ltd (the "Club") and Tidal Hire Ltd (the "Hirer") agree:

1. The Club and the Hirer must sign every repair order above £200.
2. The Hirer may use the red skiff or the dinghy on Saturdays in winter.
3. The Hirer shall store fuel outside the boathouse and oars inside it.
4. The Club inspects the hulls twice a year and the ropes once a month.
5. The Club shall repair the slipway at the Hirer's expense.
6. In the first year the Hirer shall pay quarterly and in the second year monthly.
7. When the Hirer calls, the Club shall attend within eight hours.
8. From the second season the yearly charge rises from £3,100 to £3,350.
9. The Club shall replace any cracked oar before 30 June 2027."""
)


def _judged(document: Document, number: int, statement: str) -> object:
    line = next(one for one in document.text.splitlines() if one.startswith(f"{number}. "))
    start = document.text.index(line) + len(f"{number}. ")
    return discrepancy(statement, [QuotedSpan(start, document.text.index(line) + len(line))], document)


@pytest.mark.parametrize(
    ("number", "statement"),
    [
        (1, "La Gestora o la Asociación firmarán cada gasto superior a 300 euros."),
        (2, "La Gestora abrirá el taller los lunes y los jueves por la mañana."),
        (2, "La Gestora abrirá el taller los martes y los jueves por la tarde."),
        (3, "La Asociación podrá usar el horno grande y la fragua, con carbón propio."),
        (4, "Los socios dejarán las herramientas bajo el banco."),
        (5, "La Gestora limpiará el taller dos veces al mes."),
        (5, "La Gestora limpiará la chimenea una vez al año."),
        (
            6,
            "La Asociación responderá mancomunadamente con la Gestora de los daños a terceros.",
        ),
        (7, "La garantía del productor cubre la chimenea."),
        (8, "El taller está en la nave sur."),
        (9, "La Gestora avisará verbalmente al secretario."),
        (10, "La Asociación podrá cerrar el horno antes del 30 de junio si avisa por escrito en agosto."),
        (11, "La Gestora tendrá un herrero de guardia los domingos."),
        (12, "La Gestora no podrá encender fuego en el patio entre septiembre y junio."),
        (13, "La Gestora atenderá las averías en seis horas."),
        (14, "La Asociación limpiará las naves cada mes."),
        (15, "La visita de la Asociación durará dos horas como máximo."),
        (16, "El ayuntamiento pagará las multas impuestas a la Gestora."),
    ],
)
def test_a_spanish_statement_does_not_tell_the_opposite(number: int, statement: str) -> None:
    assert _judged(RULES, number, statement) is not None


@pytest.mark.parametrize(
    ("number", "statement"),
    [
        (1, "The Club or the Hirer must sign every repair order above £200."),
        (2, "The Hirer may use the red skiff or the dinghy on Sundays in winter."),
        (3, "The Hirer shall store fuel in the boathouse."),
        (4, "The Club inspects the hulls once a year."),
        (4, "The Club inspects the hulls twice a month."),
        (5, "The Club shall repair the slipway at the Club's expense."),
        (5, "The Club shall repair the slipway at its own expense."),
        (6, "The Hirer shall pay quarterly in the second year."),
        (7, "If the Club calls, the Hirer shall attend within eight hours of the call."),
        (8, "The yearly charge rises from £3,100 to £3,350."),
        (9, "The Club shall replace any oar before 30 June 2027."),
    ],
)
def test_an_english_statement_does_not_tell_the_opposite(number: int, statement: str) -> None:
    assert _judged(BOATHOUSE, number, statement) is not None


@pytest.mark.parametrize(
    ("document", "number", "statement"),
    [
        (RULES, 1, "La Gestora y la Asociación firmarán cada gasto superior a 300 euros."),
        (RULES, 4, "Los socios dejarán las herramientas sobre el banco."),
        (RULES, 5, "La Gestora limpiará la chimenea dos veces al año."),
        (RULES, 7, "La garantía del productor cubre el horno."),
        (RULES, 8, "El almacén está en la nave sur."),
        (RULES, 9, "La Gestora avisará por escrito al secretario."),
        (
            RULES,
            10,
            "Si avisa por escrito antes del 30 de junio, la Asociación podrá cerrar el horno en agosto.",
        ),
        (RULES, 14, "La Gestora limpiará las naves cada mes."),
        (BOATHOUSE, 2, "In winter the Hirer may use the red skiff or the dinghy on Saturdays."),
        (BOATHOUSE, 3, "The Hirer shall store fuel outside the boathouse."),
        (BOATHOUSE, 4, "The Club inspects the hulls twice a year."),
        (BOATHOUSE, 5, "The Club shall repair the slipway at the Hirer's expense."),
        (BOATHOUSE, 9, "The Club shall replace any cracked oar before 30 June 2027."),
    ],
)
def test_what_a_clause_says_of_each_half_keeps_its_lock(
    document: Document, number: int, statement: str
) -> None:
    assert _judged(document, number, statement) is None
