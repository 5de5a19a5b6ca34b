"""False restatements that stand close to their quotation, by the point in which they differ."""

from __future__ import annotations

import pytest

from app.analysis.support import Document, QuotedSpan, discrepancy


def accepted(text: str, statement: str, quote: str | None = None) -> bool:
    """Tell whether the judge finds nothing against a statement that quotes `quote`, or all of `text`."""
    quote = quote or text
    start = text.index(quote)
    return discrepancy(statement, [QuotedSpan(start, start + len(quote))], Document(text)) is None


@pytest.mark.parametrize(
    ("text", "quote", "false"),
    [
        ("Renta: 900 euros. La fianza es de 1.800 euros.", "La fianza es de 1.800 euros.",
         "La renta es de 1.800 euros."),
        ("La renta mensual es de 900 euros; la fianza se devuelve al final del contrato.", None,
         "La fianza es de 900 euros."),
        ("The monthly rent is 900 euros and the deposit is held by the agent.", None,
         "The deposit is 900 euros."),
        ("La penalización se reduce a la mitad. El precio es de 5.000 euros.",
         "El precio es de 5.000 euros.", "La penalización es de 5.000 euros."),
        ("La fianza es de dos meses.", None, "La duración es de dos meses."),
    ],
)  # fmt: skip
def test_a_value_keeps_its_role(text: str, quote: str | None, false: str) -> None:
    assert not accepted(text, false, quote)


@pytest.mark.parametrize(
    ("text", "false"),
    [
        ("El seguro no es voluntario.", "El seguro es voluntario."),
        ("El seguro es voluntario.", "El seguro no es voluntario."),
        ("La prima no es opcional.", "La prima es opcional."),
        ("La prima es opcional.", "La prima no es opcional."),
        ("The insurance is not optional.", "The insurance is optional."),
        ("The insurance is optional.", "The insurance is not optional."),
        ("No se admite el pago en metálico.", "Solo se admite el pago en metálico."),
        ("Clients may not enter the plant at night.", "Clients may only enter the plant at night."),
        ("La tarifa no baja con el uso.", "La tarifa es gratuita con el uso."),
    ],
)
def test_what_is_denied_is_not_affirmed(text: str, false: str) -> None:
    assert not accepted(text, false)


@pytest.mark.parametrize(
    ("text", "false"),
    [
        ("La cuota cubre el agua, pero no la luz.", "La cuota cubre la luz, pero no el agua."),
        ("The fee covers water but not power.", "The fee covers power but not water."),
        ("La póliza cubre el robo, no el hurto.", "La póliza cubre el hurto, no el robo."),
        ("La póliza no cubre el robo, pero sí el incendio.",
         "La póliza no cubre el incendio, pero sí el robo."),
        ("El contrato se prorroga, salvo que el Cliente se oponga.",
         "El contrato se prorroga si el Cliente se opone."),
        ("El prestador responde de los daños, salvo fuerza mayor.",
         "El prestador no responde de los daños, pero sí de fuerza mayor."),
        ("El inquilino puede tener animales, salvo perros.",
         "El inquilino puede tener perros, pero no animales."),
        ("The Tenant may not sublet unless the Landlord consents.",
         "The Tenant may not sublet if the Landlord consents."),
        ("The contract renews unless the Client objects in writing.",
         "The contract does not renew if the Client does not object in writing."),
        ("La empresa no paga las dietas, excepto los domingos.",
         "La empresa no paga las dietas los domingos."),
        ("La cuota cubre la luz y no el agua.", "La cuota cubre el agua y no la luz."),
    ],
)  # fmt: skip
def test_a_rule_and_its_exception_are_not_exchanged(text: str, false: str) -> None:
    assert not accepted(text, false)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("La cuota cubre el agua, pero no la luz.", "La cuota cubre el agua, pero no la luz."),
        ("The fee covers water but not power.", "The fee covers water but not power."),
        ("La empresa no paga las dietas, excepto los domingos.",
         "La empresa paga las dietas los domingos, pero no los demás días."),
        ("El prestador responde de los daños, salvo fuerza mayor.",
         "El prestador no responde de la fuerza mayor."),
        ("La póliza cubre el robo, no el hurto.", "La póliza no cubre el hurto, pero sí el robo."),
        ("El inquilino puede tener animales, salvo perros.",
         "El inquilino puede tener animales, pero no perros."),
        ("The Tenant may not sublet unless the Landlord consents.",
         "The Tenant may not sublet if the Landlord does not consent."),
        ("The contract renews unless the Client objects in writing.",
         "The contract renews if the Client does not object in writing."),
        ("The contract renews unless the Client objects in writing.",
         "The contract does not renew if the Client objects in writing."),
    ],
)  # fmt: skip
def test_a_rule_and_its_exception_are_told_in_other_words(text: str, right: str) -> None:
    assert accepted(text, right)


@pytest.mark.parametrize(
    ("text", "false"),
    [
        ("Las cuotas de enero, febrero y marzo se pagan juntas.",
         "Las cuotas de enero, febrero y marzo se pagan en tres días."),
        ("Las cuotas de enero, febrero y marzo se pagan juntas.",
         "Las cuotas de enero, febrero y marzo se pagan con 3 años."),
        ("La renta de enero, febrero y marzo se paga en Madrid.",
         "La renta se paga con 3 meses de retraso."),
        ("Firman Ana Ruiz y Eva Sanz en Madrid.", "Firman dos veces en Madrid."),
    ],
)  # fmt: skip
def test_what_is_listed_is_counted_as_itself(text: str, false: str) -> None:
    assert not accepted(text, false)


def test_a_statement_longer_than_a_sentence_is_refused() -> None:
    text = "La renta es de 900 euros. " * 60
    assert not accepted(text, text.strip())


@pytest.mark.parametrize(
    ("text", "right", "false"),
    [
        # A word that stands nowhere in the quotation.
        ("La Contratista limpiará la cocina cada día.", "La contratista debe limpiar la cocina cada día.",
         "La contratista debe limpiar la cocina y el jardín cada día."),
        ("El saldo queda condonado si es despedida sin causa.",
         "El saldo queda condonado si es despedida sin causa.",
         "El saldo queda condonado si renuncia o es despedida sin causa."),
        # What is said of one thing of a sentence is not said of another.
        ("La Contratista limpiará la cocina a diario y la campana cada seis meses.",
         "La contratista debe limpiar la campana cada seis meses.",
         "La contratista debe limpiar la campana a diario."),
        ("La hora de oficial se facturará a 34 euros y la de peón a 23 euros.",
         "La hora de oficial se factura a 34 euros.", "La hora de peón se factura a 34 euros."),
        ("La factura A-118, vencida el 31 de julio de 2026, y la A-131, vencida el 31 de agosto.",
         "La factura A-118 está vencida desde el 31 de julio de 2026.",
         "La factura A-131 está vencida desde el 31 de julio de 2026."),
        ("El Patrón entregará dos uniformes y un par de botas al año.",
         "El patrón entrega dos uniformes al año.",
         "El patrón entrega un uniforme y dos pares de botas al año."),
        # Who does what.
        ("La Prestadora podrá resolverlo si la Cliente deja impagadas tres facturas.",
         "La prestadora puede resolverlo si la cliente deja impagadas tres facturas.",
         "La cliente puede resolverlo si deja impagadas tres facturas."),
        ("El Empleador asumirá el 80 % del curso; el 20 % será de cargo de la Trabajadora.",
         "El empleador asume el 80 % del curso.",
         "Del curso, la trabajadora asume el 80 % y el empleador el 20 %."),
        # What is denied, of two things.
        ("Renunciaremos a los intereses; no renunciamos a los costes de cobro.",
         "No renunciamos a los costes de cobro.", "Renunciamos a los costes de cobro."),
        # What stands in two halves is not exchanged between them.
        ("La Inquilina dejará la bicicleta en el sótano y el carrito en el rellano.",
         "La inquilina debe dejar la bicicleta en el sótano y el carrito en el rellano.",
         "La inquilina deja el carrito en el sótano y la bicicleta en el rellano."),
        ("La Vendedora nombra administrador a su hermano, Iván Soto Ruiz.",
         "La vendedora nombra administrador a Iván Soto Ruiz, su hermano.",
         "La vendedora nombra administrador a Iván Soto Ruiz, su padre."),
        # A figure that is only offered, or that belongs to a thing of another date.
        ("La solicitante ofreció una caución de 5.000 euros.",
         "La solicitante ofreció una caución de 5.000 euros.", "La caución se fija en 5.000 euros."),
        ("El préstamo de 2021, de 350.000 euros, está pagado.",
         "El préstamo de 2021 es de 350.000 euros.", "El préstamo es de 350.000 euros."),
    ],
)  # fmt: skip
def test_every_word_has_its_place_in_the_quotation(text: str, right: str, false: str) -> None:
    assert accepted(text, right)
    assert not accepted(text, false)


@pytest.mark.parametrize(
    ("text", "false"),
    [
        ("El Empleador dará el almuerzo, por el cual la Trabajadora pagará 2.800 pesos.",
         "El empleador paga 2.800 pesos por el almuerzo."),
        ("La Cliente cede la cocina y paga el agua; el gas lo paga la Prestadora.",
         "El gas lo paga la cliente."),
    ],
)  # fmt: skip
def test_another_party_of_the_sentence_does_not_act(text: str, false: str) -> None:
    assert not accepted(text, false)


def test_a_word_of_another_quotation_is_not_joined_to_a_list() -> None:
    text = "Seguimos vendiendo en exclusiva en Soria. En Teruel nunca hubo exclusiva."
    places = [QuotedSpan(0, 41), QuotedSpan(42, len(text))]
    assert discrepancy("Se vende en exclusiva en Soria.", places[:1], Document(text)) is None
    assert discrepancy("Se vende en exclusiva en Soria y Teruel.", places, Document(text)) is not None


def test_a_persons_name_stands_with_the_office_said_of_it() -> None:
    text = "Informamos al delegado, don Rafael Tapia Cuenca. Firma Emilio Montalbán Rey, administrador único."
    places = [QuotedSpan(0, 48), QuotedSpan(49, len(text))]
    assert discrepancy("Informamos al delegado, don Rafael Tapia.", places[:1], Document(text)) is None
    assert discrepancy("Informamos al delegado, don Emilio Montalbán.", places, Document(text)) is not None


def test_a_figure_that_is_ours_is_not_the_addressees() -> None:
    text = "Dear Ms Vale,\nWe insure 70% of the stock and you insure 30%.\nYours,\nPort Depot Ltd"
    where = QuotedSpan(text.index("We insure"), text.index("30%") + 3)
    assert discrepancy("We insure 70% of the stock.", [where], Document(text)) is None
    assert discrepancy("We insure 30% of the stock and you 70%.", [where], Document(text)) is not None


@pytest.mark.parametrize(
    ("text", "quote", "false"),
    [
        ("You may work from home on Fridays once you have been here for four months.",
         "You may work from home on Fridays", "You may work from home on Fridays."),
        ("El Socio trabajará de martes a domingo en el taller. Descansará los lunes.", None,
         "El descanso del Socio es el domingo."),
        ("La caución se fija en 15.000 euros. La actora pedía 5.000 euros y el demandado, 40.000 euros.",
         "el demandado, 40.000 euros", "La caución es de 40.000 euros."),
    ],
)  # fmt: skip
def test_a_day_a_figure_and_a_condition_stay_with_their_clause(
    text: str, quote: str | None, false: str
) -> None:
    assert not accepted(text, false, quote)


def test_a_day_and_a_condition_in_their_clause_are_told() -> None:
    home = "You may work from home on Fridays once you have been here for four months."
    assert accepted(home, home)
    rest = "El Socio trabajará de martes a domingo en el taller. Descansará los lunes."
    assert accepted(rest, "El descanso es los lunes.")
