"""Statements in a reader's own words, each beside a false twin that differs in one point."""

from __future__ import annotations

import pytest

from app.analysis.support import Document, QuotedSpan, discrepancy

TEXT = """CONTRATO DE ARRENDAMIENTO DE LOCAL

De una parte, doña Vera Cid Amo (en adelante, la Arrendadora). De otra, Hilos Prado, S.L., representada por
doña Marta Ruiz Peña (en adelante, la Arrendataria).

1. Duración. El contrato durará diez años, del 1 de abril de 2026 al 31 de marzo de 2036.
2. Carencia. En abril y mayo de 2026 no se paga renta, pero sí los gastos.
3. Fianza. El fiador responde solo de las rentas y solo hasta 9.000 euros, salvo dolo.
4. Uso. La Arrendataria no podrá ceder el local, a no ser que la Arrendadora lo autorice por escrito.
5. Desistimiento. La Arrendataria podrá desistir pasado el segundo año, siempre que avise con tres meses.
6. Visitas. Se hará una visita cada dos meses a la caldera. El taller cierra a las 21:00 horas.
7. Pagos. De la suma se pagaron ya 300 euros el 5 de junio de 2026.
8. Silencio. Si la Arrendadora no contesta en diez días, la obra se entenderá rechazada.
9. Firma. Don Luis Oro Gil firma solo como testigo.
10. Gastos. La Arrendataria no pagará los gastos de portería, aunque sí los de alumbrado.
11. Suministros. La Arrendataria pagará los suministros, a excepción del agua.
12. Avisos. Los avisos sobre obras irán a don Pau Rey Sol y los avisos sobre pagos a doña Eva Mas Ruiz.
13. Traspaso. La Arrendataria podrá traspasar el negocio tras informar a la Arrendadora.
14. Demora. Si un pago se retrasa más de quince días, devengará un interés del 4 % anual.
"""


def accepted(statement: str, quote: str) -> bool:
    """Tell whether the judge finds nothing against a statement."""
    flat = " ".join(TEXT.split())
    start = flat.index(quote)
    return discrepancy(statement, [QuotedSpan(start, start + len(quote))], Document(flat)) is None


@pytest.mark.parametrize(
    ("quote", "right", "false"),
    [
        # A period under its everyday name.
        ("El contrato durará diez años", "El contrato dura una década.", "El contrato dura medio año."),
        # A contrast that is told with "aunque" is no concession.
        ("En abril y mayo de 2026 no se paga renta, pero sí los gastos.",
         "En abril y mayo de 2026 la renta no se paga, aunque los gastos sí.",
         "En abril y mayo de 2026 no se pagan renta ni gastos."),
        ("La Arrendataria no podrá ceder el local, a no ser que la Arrendadora lo autorice por escrito.",
         "Para ceder el local, la arrendataria necesita que la arrendadora lo autorice por escrito.",
         "La arrendataria no podrá ceder el local aunque la arrendadora lo autorice por escrito."),
        # What is a condition of a right may be called necessary for it.
        ("La Arrendataria podrá desistir pasado el segundo año, siempre que avise con tres meses.",
         "Para desistir pasado el segundo año, la arrendataria debe avisar con tres meses.",
         "La arrendataria debe desistir pasado el segundo año, avisando con tres meses."),
        ("Se hará una visita cada dos meses a la caldera.",
         "A la caldera se le hace una visita cada dos meses.",
         "A la caldera se le hacen dos visitas al mes."),
        ("El taller cierra a las 21:00 horas.",
         "El taller cierra a las nueve de la noche.", "El taller cierra a las nueve de la mañana."),
        ("Si la Arrendadora no contesta en diez días, la obra se entenderá rechazada.",
         "Si la arrendadora no contesta en diez días, la obra se entiende rechazada.",
         "Si la arrendadora no contesta en diez días, la obra se entiende aceptada."),
        ("Don Luis Oro Gil firma solo como testigo.",
         "Don Luis Oro Gil firma solo como testigo.", "Don Luis Oro Gil firma por la arrendadora."),
        ("De la suma se pagaron ya 300 euros el 5 de junio de 2026.",
         "De la suma se pagaron 300 euros el 5 de junio de 2026.",
         "De la suma se pagarán 500 euros el 5 de junio de 2026."),
        ("La Arrendataria pagará los suministros, a excepción del agua.",
         "La arrendataria paga los suministros, menos el agua.",
         "La arrendataria paga los suministros, menos la luz."),
        ("Los avisos sobre obras irán a don Pau Rey Sol y los avisos sobre pagos a doña Eva Mas Ruiz.",
         "Los avisos sobre pagos van a doña Eva Mas Ruiz.", "Los avisos sobre pagos van a don Pau Rey Sol."),
        ("La Arrendataria podrá traspasar el negocio tras informar a la Arrendadora.",
         "La arrendataria puede traspasar el negocio tras informar a la arrendadora.",
         "La arrendataria puede traspasar el negocio con permiso de la arrendadora."),
        ("Si un pago se retrasa más de quince días, devengará un interés del 4 % anual.",
         "Si un pago se retrasa más de quince días, devenga un interés del 4 % al año.",
         "Todo pago que se retrase devenga un interés del 4 % al año."),
        ("La Arrendataria no pagará los gastos de portería",
         "La arrendataria no paga los gastos de portería.",
         "La arrendataria no paga los gastos de portería y de alumbrado."),
    ],
)  # fmt: skip
def test_a_retelling_is_accepted_and_its_twin_refused(quote: str, right: str, false: str) -> None:
    assert accepted(right, quote)
    assert not accepted(false, quote)


def test_who_represents_a_party_is_not_the_party() -> None:
    quote = "Hilos Prado, S.L., representada por doña Marta Ruiz Peña (en adelante, la Arrendataria)"
    assert accepted("Marta Ruiz Peña representa a la arrendataria.", quote)
    assert not accepted("Marta Ruiz Peña es la arrendataria.", quote)


def test_a_quotation_that_breaks_off_before_its_object_proves_nothing() -> None:
    assert not accepted("La arrendataria no pagará los gastos.", "La Arrendataria no pagará los gastos de")
