"""Several papers on one sheet: a letter and its receipt, a contract and its annex."""

from __future__ import annotations

from app.rules import Brief, RulesEngine
from app.rules.draft import Section
from app.rules.reading import Reading

LETTER = """TALLERES ARDANZA, S.L.
Polígono Ansoleaga, 14, Pamplona

Pamplona, 3 de marzo de 2026

A la atención de D. Iker Olaizola Mendia

Muy señor nuestro:

Por la presente le comunicamos la extinción de su contrato por causas objetivas de carácter productivo, al
amparo del artículo 52.c) del Estatuto de los Trabajadores, con efectos del día de hoy. Los pedidos de la
sección de chapa han bajado un treinta por ciento respecto del año anterior y su puesto se ve amortizado.

Le corresponde una indemnización de veinte días de salario por año de servicio, 4.310,00 euros, que se le
abonará por transferencia el 30 de abril de 2026.

Atentamente,

Fdo.: Miren Zabalza Urra, gerente
"""
RECEIPT = """

RECIBO DE SALDO Y FINIQUITO

He recibido de TALLERES ARDANZA, S.L. la cantidad de 1.204,50 euros por las partes proporcionales de las pagas
extraordinarias, con lo que la relación laboral queda saldada y finiquitada por todos los conceptos, sin que
tenga nada más que pedir ni reclamar, y me comprometo a no impugnar el despido.

No se da copia a los representantes de los trabajadores ni se permite la presencia de ninguno en la firma.

Recibí. Pamplona, 3 de marzo de 2026. El trabajador
"""
RULES_OF_BOTH = {"dismissal_objective_without_notice", "receipt_discharge"}


def _met(text: str) -> set[str]:
    draft = RulesEngine().analyse(Brief(text, "ES", "laboral", "es"))
    return {one.facts.get("rule", "") for one in draft.statements if one.section is Section.RISKS}


def test_a_letter_and_the_receipt_below_it_are_two_papers() -> None:
    reading = Reading(LETTER + RECEIPT, "ES")
    assert [paper.kind.id for paper in reading.papers] == ["objective_dismissal", "settlement_receipt"]
    assert reading.text[reading.papers[1].span.start :].startswith("RECIBO DE SALDO")
    assert reading.recognition.id == "objective_dismissal"
    assert [paper.kind.id for paper in reading.enclosed] == ["settlement_receipt"]


def test_the_rules_of_each_paper_are_asked() -> None:
    assert _met(LETTER + RECEIPT) >= RULES_OF_BOTH
    assert not _met(LETTER) >= RULES_OF_BOTH


def test_the_answer_names_the_other_paper() -> None:
    draft = RulesEngine().analyse(Brief(LETTER + RECEIPT, "ES", "laboral", "es"))
    assert draft.document_kind == "carta de despido objetivo"
    assert "con un recibo de liquidación y finiquito" in draft.summary


def test_a_document_that_speaks_of_another_is_one_paper() -> None:
    assert Reading(LETTER, "ES").papers == ()
    mention = "\n\nCon la presente se le entrega también el recibo de saldo y finiquito para su examen.\n"
    assert Reading(LETTER + mention, "ES").enclosed == ()


def test_the_annexes_of_a_contract_belong_to_it() -> None:
    text = (
        "CONTRATO DE ARRENDAMIENTO DE VIVIENDA\n\nEl arrendador cede en arrendamiento la vivienda al "
        "arrendatario por una renta mensual de 700 euros y una fianza de una mensualidad.\n\n"
        "Fdo.: el arrendador\n\n"
        "ANEXO I. INVENTARIO\n\n" + "Una mesa de comedor, seis sillas y un sofá de tres plazas. " * 6
    )
    assert Reading(text, "ES").enclosed == ()


def test_text_without_end_is_read_in_time() -> None:
    text = "RECIBO DE FINIQUITO\n\nFdo.: A\n\n" * 4_000
    assert Reading(text, "ES").papers == ()
