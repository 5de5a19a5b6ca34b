"""Right statements in an analyst's own words, each beside a false twin (decision 013).

A judge that is merely lenient accepts the twin, one that is merely strict refuses the paraphrase.
"""

from __future__ import annotations

import pytest

from app.analysis.support import Discrepancy, Document, QuotedSpan, discrepancy

CONTRACT = """CONTRATO DE SUMINISTRO

PRIMERA. Precio. El precio del suministro es de 36.000 euros (treinta y seis mil euros), a los que se \
añadirá el IVA.
SEGUNDA. Intereses. Las cantidades adelantadas no devengarán intereses ordinarios.
TERCERA. Subcontratación. El Proveedor podrá encargar a terceros la electricidad, pero no la fontanería.
CUARTA. Plazos. La primera cuota vence el 5 de junio de 2026 y la última el 5 de mayo de 2027.
QUINTA. Pena. Por cada día hábil de retraso se descontará del precio una pena de 150 euros.
SEXTA. Garantía. La garantía no incluye los neumáticos ni las pastillas de freno.
SÉPTIMA. Prima. El Cliente percibirá un incentivo anual de hasta 1.200 euros (mil doscientos euros).
OCTAVA. Cesión. El Cliente no podrá ceder el contrato sin consentimiento escrito del Proveedor.
NOVENA. Baja. No se aplica penalización alguna si la baja se debe a enfermedad.
DÉCIMA. Anterior. Ese contrato terminó el 31 de octubre de 2025.
UNDÉCIMA. Reembolso. El anticipo no es reembolsable, excepto si el Proveedor incumple su deber de formación.
DUODÉCIMA. Multa. La infracción de esta cláusula obligará a satisfacer al Proveedor la suma de 20.000 euros.
"""
LETTER = """Estimada inquilina:

Te escribimos por el piso que tienes alquilado. La comunidad y la basura van por nuestra cuenta.
Para pintar no necesitas permiso, excepto si usas colores oscuros. Si pagas tarde, te cobraremos un interés
del 5 % anual sobre lo que debas. Podrás marcharte si nos avisas con dos meses de antelación.
"""
ENGLISH = """DISTRIBUTION AGREEMENT

1. The Principal shall pay the Agent a commission of 6.5% of Net Sales.
2. The deposit shall not bear interest.
3. The Distributor shall purchase Products to a value of not less than GBP 180,000 in the first year.
4. The Supplier shall notify the Distributor of any breach within thirty-six hours.
5. It shall be paid in three instalments: EUR 60,000 on signature, EUR 80,000 on Acceptance and EUR \
40,000 in June.
"""


def judged(statement: str, quote: str, text: str) -> Discrepancy | None:
    assert quote in text, quote
    start = text.index(quote)
    return discrepancy(statement, [QuotedSpan(start, start + len(quote))], Document(text))


@pytest.mark.parametrize(
    ("text", "quote", "right", "wrong"),
    [
        (
            CONTRACT,
            "El precio del suministro es de 36.000 euros (treinta y seis mil euros), a los que se "
            "añadirá el IVA.",
            "El suministro cuesta treinta y seis mil euros, IVA aparte.",
            "El suministro cuesta 36.000 euros, IVA incluido.",
        ),
        (
            CONTRACT,
            "Las cantidades adelantadas no devengarán intereses ordinarios.",
            "Las cantidades adelantadas son sin intereses ordinarios.",
            "Las cantidades adelantadas generan intereses ordinarios.",
        ),
        (
            CONTRACT,
            "El Proveedor podrá encargar a terceros la electricidad, pero no la fontanería.",
            "El proveedor puede subcontratar a terceros la electricidad, pero la fontanería no.",
            "El proveedor puede subcontratar a terceros la electricidad y la fontanería.",
        ),
        (
            CONTRACT,
            "La primera cuota vence el 5 de junio de 2026 y la última el 5 de mayo de 2027.",
            "La primera cuota vence el 05/06/2026 y la última, el 05/05/2027.",
            "La primera cuota vence el 05/05/2027 y la última, el 05/06/2026.",
        ),
        (
            CONTRACT,
            "Por cada día hábil de retraso se descontará del precio una pena de 150 euros.",
            "La pena por retraso es de 150 euros por cada día hábil.",
            "La pena por retraso es de 150 euros por cada día natural.",
        ),
        (
            CONTRACT,
            "La garantía no incluye los neumáticos ni las pastillas de freno.",
            "Los neumáticos y las pastillas de freno quedan fuera de la garantía.",
            "Los neumáticos y las pastillas de freno entran en la garantía.",
        ),
        (
            CONTRACT,
            "El Cliente percibirá un incentivo anual de hasta 1.200 euros (mil doscientos euros).",
            "El cliente recibirá un incentivo anual de 1.200 euros como máximo.",
            "El cliente recibirá un incentivo anual de 1.200 euros.",
        ),
        (
            CONTRACT,
            "El Cliente no podrá ceder el contrato sin consentimiento escrito del Proveedor.",
            "Para ceder el contrato, el cliente necesita el consentimiento escrito del proveedor.",
            "El cliente podrá ceder el contrato sin consentimiento escrito del proveedor.",
        ),
        (
            CONTRACT,
            "No se aplica penalización alguna si la baja se debe a enfermedad.",
            "No hay penalización si la baja se debe a enfermedad.",
            "Hay penalización si la baja se debe a enfermedad.",
        ),
        (
            CONTRACT,
            "El anticipo no es reembolsable, excepto si el Proveedor incumple su deber de formación.",
            "El anticipo solo es reembolsable si el proveedor incumple su deber de formación.",
            "El anticipo es reembolsable.",
        ),
        (
            CONTRACT,
            "La infracción de esta cláusula obligará a satisfacer al Proveedor la suma de 20.000 euros.",
            "Quien infrinja esta cláusula debe pagar 20.000 euros al proveedor.",
            "Quien infrinja esta cláusula debe pagar 20.000 euros al cliente.",
        ),
        (
            CONTRACT,
            "Ese contrato terminó el 31 de octubre de 2025.",
            "Aquel contrato terminó el 31/10/2025.",
            "El contrato termina el 31/10/2025.",
        ),
        (
            LETTER,
            "La comunidad y la basura van por nuestra cuenta.",
            "La arrendadora asume la comunidad y la basura.",
            "La inquilina asume la comunidad y la basura.",
        ),
        (
            LETTER,
            "Para pintar no necesitas permiso, excepto si usas colores oscuros.",
            "La inquilina puede pintar sin permiso, salvo si usa colores oscuros.",
            "La inquilina puede pintar sin permiso.",
        ),
        (
            ENGLISH,
            "The Principal shall pay the Agent a commission of 6.5% of Net Sales.",
            "The Agent's commission, payable by the Principal, is 6.5% of Net Sales.",
            "The Principal's commission, payable by the Agent, is 6.5% of Net Sales.",
        ),
        (
            ENGLISH,
            "The deposit shall not bear interest.",
            "The deposit carries no interest.",
            "The deposit carries interest.",
        ),
        (
            ENGLISH,
            "The Distributor shall purchase Products to a value of not less than GBP 180,000 in the "
            "first year.",
            "The Distributor must buy Products worth at least GBP 180,000 in the first year.",
            "The Distributor must buy Products worth up to GBP 180,000 in the first year.",
        ),
        (
            ENGLISH,
            "The Supplier shall notify the Distributor of any breach within thirty-six hours.",
            "The Supplier must tell the Distributor of any breach within 36 hours.",
            "The Distributor must tell the Supplier of any breach within 36 hours.",
        ),
        (
            ENGLISH,
            "It shall be paid in three instalments: EUR 60,000 on signature, EUR 80,000 on Acceptance \
and EUR "
            "40,000 in June.",
            "The second instalment, EUR 80,000, has to be paid on Acceptance.",
            "The second instalment, EUR 60,000, has to be paid on signature.",
        ),
    ],
)
def test_a_paraphrase_is_accepted_and_its_twin_refused(text: str, quote: str, right: str, wrong: str) -> None:
    assert judged(right, quote, text) is None
    assert judged(wrong, quote, text) is not None


@pytest.mark.parametrize(
    ("quote", "right", "wrong"),
    [
        # One thing is said, not another.
        ("Podrá subarrendar el patio, en todo o en parte",
         "Puede subarrendar el patio.", "Puede subarrendar toda la nave."),
        # Cut off before "mas no".
        ("Se extiende la fianza a las mejoras, mas", None, "La fianza se extiende a las mejoras."),
        # What figured in an earlier document.
        ("El documento de reserva, en el que figuraba un precio de 17.500 euros",
         "En el documento de reserva figuraba un precio de 17.500 euros.", "El precio es de 17.500 euros."),
        # A name that the document gives to a party.
        ("la sanción de 200 euros, que deberá satisfacer el propio Comprador",
         "La multa de 200 euros la tiene que pagar el comprador.",
         "La multa de 200 euros la tiene que pagar el concesionario."),
        ("El Comprador debe asistir a la entrega", "El comprador debe asistir a la entrega.",
         "El comprador asiste a la entrega si quiere."),
    ],
)  # fmt: skip
def test_what_is_said_of_one_is_not_said_of_another(quote: str, right: str | None, wrong: str) -> None:
    text = (
        "CONTRATO\n\nAutos Vega, S.L. (en adelante, el Concesionario) y don Luis Rey (en adelante, el "
        "Comprador).\n"
        "Podrá subarrendar el patio, en todo o en parte. La nave no podrá subarrendarse.\n"
        "Se extiende la fianza a las mejoras, mas no a los muebles.\n"
        "El documento de reserva, en el que figuraba un precio de 17.500 euros, queda sin efecto.\n"
        "Pesa sobre él la sanción de 200 euros, que deberá satisfacer el propio Comprador.\n"
        "El Comprador debe asistir a la entrega.\n"
    )
    if right is not None:
        assert judged(right, quote, text) is None
    assert judged(wrong, quote, text) is not None


@pytest.mark.parametrize(
    ("quote", "right", "wrong"),
    [
        # A power is no duty, though something else in the sentence is denied.
        ("La Prestamista podrá dar por vencido el préstamo cuando no se paguen dos cuotas",
         "La prestamista puede dar por vencido el préstamo si no se pagan dos cuotas.",
         "La prestamista debe dar por vencido el préstamo si no se pagan dos cuotas."),
        # The other party by the name that the document gives it.
        ("con una franquicia de 3.000 euros a cargo de LA OPERADORA",
         "La franquicia de 3.000 euros corre a cargo de la operadora.",
         "La franquicia de 3.000 euros la soporta la cargadora."),
        # A day in a row that nobody named.
        ("Se deducirá el tres por ciento al segundo día de retraso",
         "Al segundo día de retraso se deduce el 3 %.", "Al tercer día de retraso se deduce el 3 %."),
        # One more in a list.
        ("La cuota de comunidad y el impuesto los paga LA OPERADORA",
         "La operadora paga la cuota de comunidad y el impuesto.",
         "La operadora paga la cuota de comunidad, el impuesto y la luz."),
        # Of an earlier relation.
        ("prestó servicios en virtud de un contrato temporal desde el 1 de septiembre de 2025",
         "Prestó servicios con un contrato temporal desde el 01/09/2025.",
         "Los servicios empiezan el 01/09/2025."),
        ("La merma será de hasta el 0,4 por ciento anual", "La merma no pasará del 0,4 % anual.",
         "La merma pasará del 0,4 % anual."),
    ],
)  # fmt: skip
def test_a_twin_in_the_words_of_another_office_is_refused(quote: str, right: str, wrong: str) -> None:
    text = (
        "CONTRATO DE TRANSPORTE\n\nDe una parte, Cerámicas, S.A., que en lo sucesivo será designada como «LA "
        "CARGADORA». De otra, Portes, S.L., que en lo sucesivo será designada como «LA OPERADORA».\n"
        "La directora prestó servicios en virtud de un contrato temporal desde el 1 de septiembre de 2025.\n"
        "La Prestamista podrá dar por vencido el préstamo cuando no se paguen dos cuotas.\n"
        "Se contratará una póliza, con una franquicia de 3.000 euros a cargo de LA OPERADORA.\n"
        "Se deducirá el tres por ciento al segundo día de retraso.\n"
        "La cuota de comunidad y el impuesto los paga LA OPERADORA.\n"
        "La merma será de hasta el 0,4 por ciento anual.\n"
    )
    assert judged(right, quote, text) is None
    assert judged(wrong, quote, text) is not None


def test_shares_are_not_exchanged_between_persons() -> None:
    text = "ESCRITURA\n\nLas participaciones, de las que 2.000 pertenecen a don Evaristo y 800 a doña Petra."
    quote = "de las que 2.000 pertenecen a don Evaristo y 800 a doña Petra"
    assert (
        judged("Don Evaristo es titular de 2.000 participaciones y doña Petra de 800.", quote, text) is None
    )
    assert (
        judged("Doña Petra es titular de 2.000 participaciones y don Evaristo de 800.", quote, text)
        is not None
    )


def test_a_quotation_that_ends_before_its_condition_proves_nothing() -> None:
    statement = "No se aplica penalización alguna."
    assert judged(statement, "No se aplica penalización alguna", CONTRACT) is Discrepancy.EXCEPTION


def test_a_term_of_the_document_is_not_exchanged_for_another() -> None:
    text = (
        "El Inversor aportará 600 euros. La Sociedad emite participaciones. Cada año se pagará "
        "a la Sociedad 200 euros. Lo que la Sociedad debe al Inversor se compensa con lo del Inversor."
    )
    quote = "pagará a la Sociedad 200 euros"
    assert judged("Pagará a la Sociedad 200 euros.", quote, text) is None
    assert judged("Pagará al Inversor 200 euros.", "pagará a la Sociedad 200 euros", text) is not None
