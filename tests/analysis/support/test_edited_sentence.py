"""Edits of a quoted sentence that keep its meaning, and edits that do not (decision 130)."""

from __future__ import annotations

import pytest

from app.analysis.support import Document, QuotedSpan, discrepancy

SUPPLY = Document(
    """CONTRATO DE SUMINISTRO
Entre TALLERES BOREAL, S.L. (en adelante, el «Suministrador») y
HOTEL LAS ERAS, S.A. (en adelante, el «Comprador»).

1. Calendario.
Primer pago: 15 de marzo de 2027. Último pago: 30 de noviembre de 2027. Fianza: 6.000 euros.
2. Revisión. El Suministrador podrá revisar la tarifa una vez al año; si la subida supera el 6 %,
el Comprador podrá resolver el contrato en el mes siguiente al aviso.
3. Responsabilidad. El Suministrador responde de los defectos durante seis meses. Su responsabilidad
no excederá de 20.000 euros por entrega, salvo dolo.
4. Llaves. El Suministrador entregará al Comprador las llaves. Deberá devolverlas al terminar el contrato.
5. Visitas. El Suministrador nombra encargada a doña Eva Lis Rey. Su visita durará una hora.
"""
)
ORDER = Document(
    """AUTO 44/2026
JUZGADO DE LO MERCANTIL N.º 2 DE LEÓN
PARTE DISPOSITIVA
1. Conceder provisionalmente a doña Irene Sotelo Paz la exoneración del pasivo y aprobar el plan
de pagos de sesenta meses, sin incluir el crédito hipotecario.
2. Requerir a la empresa para que, en el plazo de veinte días desde la firmeza, presente ante el registro
el informe final.
"""
)
MINUTES = Document(
    """ACTA DE LA JUNTA DE PROPIETARIOS
Se aprueban las cuentas de 2025 con 20 votos a favor y 4 en contra.
La cuota mensual de cada vivienda pasa de 90 a 104 euros desde el 1 de enero de 2027;
la de los garajes no varía.
Las obras comenzarán el 8 de febrero de 2027 y durarán doce semanas como máximo.
"""
)
LEASE_IT = Document(
    """CONTRATTO DI LOCAZIONE
Tra la signora Elda Ferri, di seguito "Locatrice", e il signor Piero Sala, di seguito "Conduttore".
Art. 1. Il Conduttore non può cedere il contratto senza il consenso scritto della Locatrice.
Art. 2. Per ogni giorno di ritardo nella consegna è dovuta una penale di euro 40,00,
con un massimo di euro 800,00.
"""
)
LEASE_FR = Document(
    """CONTRAT DE BAIL
Entre la société Vauclair (le « Bailleur ») et Mme Odile Pratt (le « Locataire »).
1. Le Locataire paie un loyer mensuel de 650 euros avant le 5 de chaque mois.
2. Le Bailleur restitue le dépôt de garantie de 1300 euros dans un délai de deux mois
à compter de la livraison, sauf dommages.
"""
)
LEASE_PT = Document(
    """CONTRATO DE ARRENDAMENTO
Entre Rosa Veiga («Senhorio») e Tiago Pires («Arrendatário»).
1. O Senhorio devolve a caução de 1.000 euros no prazo de trinta dias, salvo danos.
"""
)
WORK_DE = Document(
    """ARBEITSVERTRAG
zwischen der Volz GmbH (nachfolgend „Arbeitgeberin“) und Herrn Jonas Reiter (nachfolgend „Arbeitnehmer“)
§ 1 Gehalt
(1) Das Bruttomonatsgehalt beträgt 3.640 Euro und wird zum Monatsende gezahlt.
"""
)


def _judged(document: Document, begins: str, statement: str) -> object:
    start = document.text.index(begins)
    stop = document.text.find("\n", start)
    while document.text[stop - 1 : stop] not in (".", ""):
        stop = document.text.find("\n", stop + 1)
    return discrepancy(statement, [QuotedSpan(start, stop)], document)


@pytest.mark.parametrize(
    ("document", "begins", "statement"),
    [
        (
            SUPPLY,
            "Primer pago",
            "El primer pago vence el 15 de marzo de 2027 y el último el 30 de noviembre de 2027.",
        ),
        (
            SUPPLY,
            "El Suministrador podrá",
            "Si la subida de la tarifa supera el 6 %, el Comprador puede resolver el contrato en el mes"
            " siguiente al aviso.",
        ),
        (
            SUPPLY,
            "Su responsabilidad",
            "La responsabilidad del Suministrador no excede de 20.000 euros por entrega, excepto dolo.",
        ),
        (
            ORDER,
            "Requerir",
            "La empresa debe presentar ante el registro el informe final en veinte días desde la firmeza.",
        ),
        (MINUTES, "Se aprueban", "The accounts of 2025 are approved with 20 votes in favour and 4 against."),
        (
            MINUTES,
            "La cuota",
            "The monthly fee of each dwelling goes from 90 to 104 euros from 1 January 2027.",
        ),
        (MINUTES, "Las obras", "The works will begin on 8 February 2027 and will last twelve weeks at most."),
        (
            LEASE_IT,
            "Il Conduttore",
            "El Arrendatario no puede ceder el contrato sin el consentimiento escrito de la Arrendadora.",
        ),
        (
            LEASE_IT,
            "Per ogni",
            "Por cada día de retraso en la entrega se debe una penalización de 40,00 euros,"
            " con un máximo de 800,00 euros.",
        ),
        (
            LEASE_FR,
            "Le Locataire paie",
            "El Arrendatario paga una renta mensual de 650 euros antes del 5 de cada mes.",
        ),
        (
            LEASE_FR,
            "Le Bailleur restitue",
            "El Arrendador restituye la fianza de 1300 euros en el plazo de dos meses desde la entrega,"
            " salvo daños.",
        ),
        (
            LEASE_PT,
            "O Senhorio devolve",
            "El Arrendador devuelve la fianza de 1.000 euros en el plazo de treinta días, salvo daños.",
        ),
        (WORK_DE, "Das Brutto", "El salario bruto mensual es de 3.640 euros y se paga a fin de mes."),
    ],
)
def test_an_edit_that_keeps_the_meaning_is_a_restatement(
    document: Document, begins: str, statement: str
) -> None:
    assert _judged(document, begins, statement) is None


@pytest.mark.parametrize(
    ("document", "begins", "statement"),
    [
        (
            SUPPLY,
            "Primer pago",
            "El primer pago vence el 30 de noviembre de 2027 y el último el 15 de marzo de 2027.",
        ),
        (SUPPLY, "Primer pago", "El primer pago se aplaza al 15 de marzo de 2027."),
        (
            SUPPLY,
            "El Suministrador podrá",
            "Si la subida de la tarifa supera el 6 %, el Suministrador puede resolver el contrato en el mes"
            " siguiente al aviso.",
        ),
        (
            SUPPLY,
            "Su responsabilidad",
            "La responsabilidad del Comprador no excede de 20.000 euros por entrega, salvo dolo.",
        ),
        (
            SUPPLY,
            "Su responsabilidad",
            "La responsabilidad del Suministrador no excede de 20.000 euros por entrega.",
        ),
        (SUPPLY, "Su visita", "La visita del Suministrador durará una hora."),
        (
            ORDER,
            "Conceder",
            "El auto deniega provisionalmente la exoneración del pasivo y aprueba el plan de pagos de sesenta"
            " meses, sin incluir el crédito hipotecario.",
        ),
        (
            ORDER,
            "Requerir",
            "La empresa puede presentar ante el registro el informe final en veinte días desde la firmeza.",
        ),
        (
            ORDER,
            "Requerir",
            "La empresa debe presentar ante el registro el informe final en veinte días desde la"
            " notificación.",
        ),
        (MINUTES, "Se aprueban", "The accounts of 2025 are approved with 4 votes in favour and 20 against."),
        (
            MINUTES,
            "La cuota",
            "The monthly fee of each garage goes from 90 to 104 euros from 1 January 2027.",
        ),
        (
            MINUTES,
            "Las obras",
            "The works will begin on 8 February 2027 and will last twelve weeks at least.",
        ),
        (
            LEASE_IT,
            "Il Conduttore",
            "La Arrendadora no puede ceder el contrato sin el consentimiento escrito del Arrendatario.",
        ),
        (LEASE_IT, "Il Conduttore", "El Arrendatario no puede ceder el contrato."),
        (
            LEASE_IT,
            "Per ogni",
            "Por cada día de retraso en la entrega se debe una penalización de 40,00 euros.",
        ),
        (
            LEASE_FR,
            "Le Locataire paie",
            "El Arrendador paga una renta mensual de 650 euros antes del 5 de cada mes.",
        ),
        (
            LEASE_FR,
            "Le Bailleur restitue",
            "El Arrendador restituye la fianza de 1300 euros en el plazo de dos meses desde la entrega.",
        ),
        (
            LEASE_PT,
            "O Senhorio devolve",
            "El Arrendatario devuelve la fianza de 1.000 euros en el plazo de treinta días, salvo daños.",
        ),
        (WORK_DE, "Das Brutto", "El salario bruto mensual es de 3.460 euros y se paga a fin de mes."),
    ],
)
def test_an_edit_that_changes_the_meaning_is_refused(document: Document, begins: str, statement: str) -> None:
    assert _judged(document, begins, statement) is not None
