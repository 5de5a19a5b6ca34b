"""Tell the last days that the law gives to a document, from the day that its own words give them."""

from __future__ import annotations

from app.rules.brief import Brief
from app.rules.draft import Section
from app.rules.engine import RulesEngine
from app.rules.render import wording

# Branch, document, and the days that a lawyer counts by hand.
DOCUMENTS = (
    # The day of the minutes is that of the meeting.
    (
        "mercantil",
        "ACTA DE LA JUNTA GENERAL ORDINARIA DE TEJAS DEL SIL, S.L. En Ponferrada, en el domicilio social, "
        "a 15 de "
        "abril de 2026, a las 10:00 horas. Se aprueban las cuentas anuales de 2025 sin reparto de "
        "dividendos.",
        ("2027-04-15", "2026-05-15"),
    ),
    # A day of the week stands between the words and the date.
    (
        "civil",
        "TERMS AND CONDITIONS of the online shop. The consumer may withdraw.\n"
        "Delivered to the customer in person: Wednesday 18 November 2026.",
        ("2026-12-02", "2029-11-18"),
    ),
    # What the employer learnt in the summer is barred when the sanction comes.
    (
        "laboral",
        "Valladolid, 4 de noviembre de 2026. Muy señor nuestro: se le impone una sanción por falta muy "
        "grave. "
        "Según informe de la encargada, entregado a esta dirección el 20 de agosto de 2026, usted "
        "desobedeció. "
        "Recibí el 4 de noviembre de 2026.",
        ("2026-10-19", "2026-12-02"),
    ),
    # Who signed the receipt stands between the service and its day.
    (
        "contencioso",
        "AYUNTAMIENTO DE LEÓN. LIQUIDACIÓN DEFINITIVA del impuesto sobre el incremento de valor de los "
        "terrenos.\n"
        "Acuse de recibo firmado por el interesado el 18 de noviembre de 2026.\nCuota tributaria: 900 euros.",
        ("2027-01-05", "2026-12-18"),
    ),
    # The label of a line is of this act, whatever the heading above it names.
    (
        "contencioso",
        "AYUNTAMIENTO DE OLOT. NOTIFICACIÓN DEL ACUERDO DE ADJUDICACIÓN DEL CONTRATO Y REQUERIMIENTO DE "
        "FORMALIZACIÓN\nPuesta a disposición, acceso y notificación por sede electrónica: 10 de noviembre "
        "de 2026.\n"
        "Servicio de limpieza, valor estimado 1.480.000 euros. Licitador excluido.",
        ("2026-12-01",),
    ),
    # August does not run for judicial review.
    (
        "contencioso",
        "AYUNTAMIENTO DE ÁVILA. Resolución sancionadora. Se impone una multa de 600 euros. Pone fin a la vía "
        "administrativa. Notificada el 8 de junio de 2026.",
        ("2026-07-08", "2026-09-08"),
    ),
    # The end that was told, not the term first agreed.
    (
        "mercantil",
        "CONTRATO DE AGENCIA. En Reus, a 1 de marzo de 2024, entre el empresario y la agente. Duración: "
        "un año. "
        "NOTA: el empresario comunicó que el contrato queda extinguido con efectos de 15 de noviembre de "
        "2026.",
        ("2027-11-15",),
    ),
    # What was lent is given back on a day, or so long after the signature.
    (
        "civil",
        "CONTRATO DE PRÉSTAMO. En Ourense, a 10 de febrero de 2026. Don Luis presta a don Iván 6.000 "
        "euros. El "
        "capital se devolverá en un solo pago el día diez de julio de dos mil veintiséis.",
        ("2026-07-10", "2031-07-10"),
    ),
    (
        "civil",
        "CONTRATO DE PRÉSTAMO. En Ourense, a 15 de septiembre de 2026. Don Luis presta a don Iván 6.000 "
        "euros, que "
        "devolverá en un solo pago al cumplirse doce meses de la firma.",
        ("2027-09-15",),
    ),
    # The controller counts from when it was told, not from when the processor knew.
    (
        "mercantil",
        "DATA PROCESSING AGREEMENT of 12 January 2026 between the Controller and the Processor.\n"
        "E-MAIL RECEIVED BY THE CONTROLLER ON 26 NOVEMBER 2026 AT 09:30: there was a personal data breach "
        "that must be notified. We learned of it on 22 "
        "October 2026.",
        ("2026-11-29",),
    ),
    (
        "civil",
        "SEGUROS DEL NORTE. Siniestro 12/2026. Estimada asegurada: rehusamos el siniestro. Recibimos el "
        "18 de "
        "noviembre de 2026 su burofax con el nombramiento de perito. Vigo, 27 de noviembre de 2026.",
        ("2026-11-26",),
    ),
    (
        "mercantil",
        "COMPRAVENTA DE PARTICIPACIONES SOCIALES de una sociedad limitada. El vendedor comunicó por "
        "escrito a los "
        "administradores su propósito de vender las participaciones el 2 de noviembre de 2026. Vigo, 24 de "
        "noviembre de 2026.",
        ("2027-02-02",),
    ),
    (
        "civil",
        "ESCRITURA DE PRÉSTAMO CON GARANTÍA HIPOTECARIA. En Soria, a diez de marzo de dos mil veintiséis. La "
        "Caja presta a don Luis 90.000 euros, que devolverá en doscientas cuarenta cuotas mensuales, la "
        "primera el 30 de abril de 2026. El prestatario entregará, dentro de los veinte días "
        "naturales siguientes al "
        "de esta escritura, la póliza de seguro de daños.",
        ("2046-03-30", "2026-03-30"),
    ),
    (
        "civil",
        "CONTRATO DE PRÉSTAMO. En Ourense, a 10 de febrero de 2026. Don Luis presta a don Iván 6.000 euros. "
        "El préstamo vence a los ocho meses de la firma, en que don Iván devolverá el capital de una vez.",
        ("2026-10-10",),
    ),
)


def test_the_last_days_are_those_that_a_lawyer_counts() -> None:
    engine = RulesEngine()
    missed = []
    for branch, text, days in DOCUMENTS:
        brief = Brief(text=text, jurisdiction="ES", branch=branch, language="es")
        told = " ".join(
            one.text for one in engine.analyse(brief).statements if one.section is Section.DEADLINES
        )
        missed += [(day, text[:60]) for day in days if wording.day(day, "es") not in told]
    assert missed == []


def test_a_term_that_is_said_to_run_from_signing_is_not_told_as_assumed() -> None:
    text = (
        "CONTRATO DE PRÉSTAMO. En Ourense, a 10 de febrero de 2026. Don Luis presta a don Iván 6.000 euros. "
        "El préstamo vence a los ocho meses de la firma, en que don Iván devolverá el capital de una vez."
    )
    brief = Brief(text=text, jurisdiction="ES", branch="civil", language="es")
    told = [one.text for one in RulesEngine().analyse(brief).statements if one.section is Section.DEADLINES]
    assert [one for one in told if "10 de octubre de 2026" in one and "no fija otro comienzo" not in one]


def test_what_is_given_back_in_parts_does_not_end_the_loan_with_the_first() -> None:
    text = (
        "CONTRATO DE PRÉSTAMO. En Ourense, a 10 de febrero de 2026. Don Luis presta a don Iván 6.000 "
        "euros. El "
        "capital se devolverá en diez cuotas mensuales, la primera el 1 de abril de 2026."
    )
    brief = Brief(text=text, jurisdiction="ES", branch="civil", language="es")
    told = [one.text for one in RulesEngine().analyse(brief).statements if one.section is Section.DEADLINES]
    assert not [one for one in told if one.startswith("Fin del plazo") and "abril de 2026" in one]
