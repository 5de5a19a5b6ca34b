"""An article that has the words of a claim and rules another case does not support it.

The passages are of laws in force of Spain, Colombia, Mexico and Italy.
"""

from __future__ import annotations

import pytest

from app.analysis.support import support
from app.analysis.support.other_case import (
    counts_other_days,
    fixes_for_another,
    gives_to_opponent,
    is_of_other_regime,
    refuses,
)

# Powers refused: ES art. 492.1 TRLC, 1714 CC; CO 1284, 1865 CC,
# 153 CST, 496 C.Co.; MX 576, 1490, 2193 CCF, 79, 363 LFT.
EXONERATION = (
    "La exoneración no afectará a los derechos de los acreedores frente a los fiadores y avalistas, "
    "quienes no podrán "
    "invocar la exoneración del pasivo insatisfecho obtenido por el deudor."
)
LIMITS = "El mandatario no puede traspasar los límites del mandato."
CONDITION = "No se puede aceptar o repudiar condicionalmente, ni hasta o desde cierto día."
PRICE = (
    "Podrá asimismo dejarse el precio al arbitrio de un tercero. No podrá dejarse el precio al "
    "arbitrio de uno de los "
    "contratantes."
)
GUARDIAN = "El tutor no puede hacer donaciones a nombre del incapacitado."
WILL = (
    "El testador no puede prohibir que se impugne el testamento en los casos en que éste deba ser "
    "nulo conforme a la ley."
)
ORDER = (
    "Tratándose de títulos pagaderos a la orden, no podrá el deudor compensar con el endosatario lo "
    "que le debiesen los "
    "endosantes precedentes."
)
HOLIDAY = (
    "Las vacaciones no podrán compensarse con una remuneración. Si la relación de trabajo termina "
    "antes de que se cumpla "
    "el año de servicios, el trabajador tendrá derecho a una remuneración proporcionada al tiempo "
    "de servicios prestados."
)
LOANS = (
    "Los préstamos o anticipos de salarios que haga el empleador al trabajador no pueden devengar intereses."
)
TRUSTED = "No pueden ingresar en los sindicatos de los demás trabajadores, los trabajadores de confianza."
BRANCH = "La sucursal no podrá hacer avances o giros a la principal, a buena cuenta de utilidades futuras."


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("El avalista puede oponer al acreedor la exoneración obtenida por el deudor.", EXONERATION),
        ("El fiador podrá invocar frente al acreedor la exoneración del deudor.", EXONERATION),
        ("El mandatario puede traspasar los límites del mandato.", LIMITS),
        ("El heredero puede aceptar condicionalmente o desde cierto día.", CONDITION),
        ("El tutor puede hacer donaciones a nombre del incapacitado.", GUARDIAN),
        ("El testador puede prohibir que se impugne el testamento.", WILL),
        ("El deudor puede compensar con el endosatario lo que le debían los endosantes precedentes.", ORDER),
        ("Las vacaciones pueden compensarse con una remuneración.", HOLIDAY),
        ("Los préstamos del empleador al trabajador pueden devengar intereses.", LOANS),
        ("Los trabajadores de confianza pueden ingresar en los sindicatos de los demás trabajadores.",
         TRUSTED),
        ("La sucursal puede hacer giros a la principal a buena cuenta de utilidades futuras.", BRANCH),
        ("El precio puede dejarse al arbitrio de uno de los contratantes.", PRICE),
    ],
)  # fmt: skip
def test_a_power_that_the_article_refuses_is_no_power(claim: str, passage: str) -> None:
    assert refuses(claim, passage)
    assert support(claim, "", passage).verdict != "supported"


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("El avalista no puede oponer al acreedor la exoneración obtenida por el deudor.", EXONERATION),
        ("El acreedor puede dirigirse contra el avalista.", EXONERATION),
        ("El mandatario no puede traspasar los límites del mandato.", LIMITS),
        ("El heredero no puede aceptar condicionalmente.", CONDITION),
        ("El precio puede dejarse al arbitrio de un tercero.", PRICE),
        ("El tutor no puede hacer donaciones a nombre del incapacitado.", GUARDIAN),
        ("Los herederos pueden impugnar el testamento nulo conforme a la ley.", WILL),
        ("El deudor no puede compensar con el endosatario lo que le debían los endosantes.", ORDER),
        ("El trabajador puede reclamar una remuneración proporcionada al tiempo de servicios.", HOLIDAY),
        ("Los préstamos del empleador no pueden devengar intereses.", LOANS),
        ("La sucursal no puede hacer giros a la principal a buena cuenta de utilidades futuras.", BRANCH),
        ("La fianza puede llegar a dos mensualidades.",
         "La fianza no podrá exceder de dos mensualidades de renta."),
        ("Las partes pueden pactar el arbitraje.",
         "El juez no podrá negar a las partes pactar el arbitraje."),
    ],
)  # fmt: skip
def test_what_the_article_leaves_or_forbids_as_told_stays(claim: str, passage: str) -> None:
    assert not refuses(claim, passage)


# Periods of classes: ES art. 4.3 LISOS, 106.2 LIS; CO 1923, 1926 CC;
# MX 2398 CCF, 592 CCom, 915 CNPCF, 297 CFPC.
OFFENCES = (
    "En materia de prevención de riesgos laborales, las infracciones prescribirán: al año las "
    "leves, a los tres años las "
    "graves y a los cinco años las muy graves, contados desde la fecha de la infracción."
)
LEASING = (
    "Los contratos tendrán una duración mínima de 2 años cuando tengan por objeto bienes muebles y "
    "de 10 años cuando "
    "tengan por objeto bienes inmuebles o establecimientos industriales."
)
DEFECTS = (
    "La acción redhibitoria durará seis meses respecto de las cosas muebles y un año respecto de "
    "los bienes raíces."
)
REBATE = (
    "La acción para pedir rebaja del precio prescribe en un año para los bienes muebles y en diez y "
    "ocho meses para los "
    "bienes raíces."
)
LETTING = (
    "El arrendamiento no puede exceder de diez años para las fincas destinadas a habitación y de "
    "veinte años para las "
    "fincas destinadas al comercio o a la industria."
)
CARRIER = (
    "La responsabilidad del porteador se extingue por el transcurso de seis meses en las "
    "expediciones verificadas dentro "
    "de la República, y el de un año en la que tengan lugar para el extranjero."
)
APPEAL = (
    "Los plazos para la interposición del recurso de apelación serán de nueve días si fuere "
    "sentencia definitiva y de "
    "cinco días en contra de las demás resoluciones."
)
TERMS = (
    "Se tendrán por señalados los siguientes: Diez días para pruebas, y tres días para cualquier otro caso."
)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Las infracciones graves prescriben al año.", OFFENCES),
        ("Las infracciones leves prescriben a los tres años.", OFFENCES),
        ("Las infracciones muy graves prescriben a los tres años.", OFFENCES),
        ("Las infracciones graves prescriben a los cinco años.", OFFENCES),
        ("El contrato incumple la duración mínima, que para los bienes muebles es de diez años.", LEASING),
        ("La duración mínima para bienes inmuebles es de 2 años.", LEASING),
        ("La acción redhibitoria dura un año respecto de las cosas muebles.", DEFECTS),
        ("La acción redhibitoria dura seis meses respecto de los bienes raíces.", DEFECTS),
        ("La acción de rebaja del precio prescribe en un año para los bienes raíces.", REBATE),
        ("El arrendamiento de fincas destinadas al comercio no puede exceder de diez años.", LETTING),
        ("Para el extranjero, la responsabilidad del porteador se extingue en seis meses.", CARRIER),
        ("La sentencia definitiva se apela en cinco días.", APPEAL),
        ("Para pruebas hay tres días.", TERMS),
    ],
)  # fmt: skip
def test_a_figure_of_one_class_is_not_that_of_another(claim: str, passage: str) -> None:
    assert fixes_for_another(claim, passage)
    assert support(claim, "", passage).verdict != "supported"


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Las infracciones graves prescriben a los tres años.", OFFENCES),
        ("Las infracciones leves prescriben al año.", OFFENCES),
        ("Las infracciones muy graves prescriben a los cinco años.", OFFENCES),
        ("Las leves prescriben al año y las graves a los tres años.", OFFENCES),
        ("La duración mínima para bienes muebles es de dos años.", LEASING),
        ("La duración mínima para bienes inmuebles es de 10 años.", LEASING),
        ("La acción redhibitoria dura seis meses respecto de las cosas muebles.", DEFECTS),
        ("La acción redhibitoria dura un año respecto de los bienes raíces.", DEFECTS),
        ("La acción de rebaja del precio prescribe en un año para los bienes muebles.", REBATE),
        ("El arrendamiento de fincas destinadas al comercio no puede exceder de veinte años.", LETTING),
        ("En las expediciones para el extranjero, la responsabilidad se extingue en un año.", CARRIER),
        ("La sentencia definitiva se apela en nueve días.", APPEAL),
        ("Para pruebas hay diez días.", TERMS),
    ],
)  # fmt: skip
def test_a_figure_of_its_class_stays(claim: str, passage: str) -> None:
    assert not fixes_for_another(claim, passage)


# Regimes: CO art. 1003, 1013 C.Co.; IT 1681 c.c.; ES 1458, 1962, 1963 CC.
PASSENGERS = (
    "El transportador responderá de todos los daños que sobrevengan al pasajero desde el momento en "
    "que se haga cargo de "
    "éste.\nDicha responsabilidad cesará:\n1) Cuando los daños ocurran por obra exclusiva de "
    "terceras personas;\n"
    '4) Cuando ocurra la pérdida de cosas que puedan llevarse "a la mano".'
)
GOODS = "El remitente deberá entregar las mercancías al transportador debidamente embaladas y rotuladas."
TRAVELLER = (
    "Salva la responsabilità per il ritardo, il vettore risponde dei sinistri che colpiscono la "
    "persona del viaggiatore "
    "durante il viaggio, se non prova di avere adottato tutte le misure idonee a evitare il danno."
)
MOVABLES = "Las acciones reales sobre bienes muebles prescriben a los seis años de perdida la posesión."
IMMOVABLES = "Las acciones reales sobre bienes inmuebles prescriben a los treinta años."
SPOUSES = "Los cónyuges podrán venderse bienes recíprocamente."


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("El transportador queda libre por la mercancía cuando el daño ocurre por obra de terceros.",
         PASSENGERS),
        ("El transportador responde de los daños de las mercaderías.", PASSENGERS),
        ("La responsabilidad por el cargamento cesa por obra exclusiva de terceras personas.", PASSENGERS),
        ("El transportador responde de los bultos desde que se hace cargo.", PASSENGERS),
        ("El porteador responde de la mercancía salvo que pruebe todas las medidas idóneas.", TRAVELLER),
        ("The carrier is liable for the goods unless it took every suitable measure.", TRAVELLER),
        ("La acción real sobre el inmueble prescribe a los seis años.", MOVABLES),
        ("La acción sobre la finca prescribe a los seis años de perdida la posesión.", MOVABLES),
        ("La acción real sobre la vivienda prescribe a los seis años.", MOVABLES),
        ("La acción real sobre la maquinaria prescribe a los treinta años.", IMMOVABLES),
        ("La acción real sobre el vehículo prescribe a los treinta años.", IMMOVABLES),
        ("La pareja de hecho podrá venderse bienes recíprocamente.", SPOUSES),
    ],
)  # fmt: skip
def test_an_article_of_another_regime_does_not_support(claim: str, passage: str) -> None:
    assert is_of_other_regime(claim, "", passage)
    assert support(claim, "", passage).verdict != "supported"


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("El transportador responde de los daños que sobrevengan al pasajero.", PASSENGERS),
        ("La responsabilidad por el pasajero cesa por obra exclusiva de terceras personas.", PASSENGERS),
        ("El viajero lleva mercancía a la mano.", PASSENGERS),
        ("La responsabilidad cesa por obra exclusiva de terceras personas.", PASSENGERS),
        ("El remitente entrega las mercancías embaladas.", GOODS),
        ("El porteador responde de los siniestros del viajero.", TRAVELLER),
        ("The carrier is liable for accidents of the passenger.", TRAVELLER),
        ("La acción real sobre los muebles prescribe a los seis años.", MOVABLES),
        ("La acción real sobre bienes muebles prescribe a los seis años de perdida la posesión.", MOVABLES),
        ("La acción real sobre el inmueble prescribe a los treinta años.", IMMOVABLES),
        ("La acción real sobre la finca prescribe a los treinta años.", IMMOVABLES),
        ("Los cónyuges podrán venderse bienes.", SPOUSES),
    ],
)  # fmt: skip
def test_an_article_of_its_regime_stays(claim: str, passage: str) -> None:
    assert not is_of_other_regime(claim, "", passage)


# MX art. 76 LFT; CO arts. 78 and 186 CST.
VACATION_MX = (
    "Las personas trabajadoras que tengan más de un año de servicios disfrutarán de un periodo anual de "
    "vacaciones pagadas, que en "
    "ningún caso podrá ser inferior a doce días laborables, y que aumentará en dos días laborables, "
    "hasta llegar a veinte."
)
VACATION_CO = (
    "Los trabajadores que hubieren prestado sus servicios durante un año tienen derecho a quince (15) "
    "días hábiles "
    "consecutivos de vacaciones remuneradas."
)


def test_what_a_relative_clause_speaks_of_is_its_class() -> None:
    assert not fixes_for_another(
        "El lexcit garantiza un mínimo de doce días laborables de vacaciones.", VACATION_MX
    )


def test_the_document_s_own_figure_is_of_no_class() -> None:
    law = "El preaviso será de un mes para los técnicos y de quince días para los demás trabajadores."
    claim = "El plazo de los técnicos es de quince días."
    assert fixes_for_another(claim, law)
    assert not fixes_for_another(claim, law, "Los técnicos avisarán con quince días.")


def test_calendar_days_are_not_working_days() -> None:
    assert counts_other_days("Tienen derecho a quince días calendario de vacaciones.", VACATION_CO)
    assert not counts_other_days("Tienen derecho a quince días hábiles de vacaciones.", VACATION_CO)


def test_a_right_of_one_is_not_the_other_s() -> None:
    law = "Los trabajadores tendrán derecho a un aguinaldo anual, equivalente a quince días de salario."
    assert gives_to_opponent("La empresa tendrá derecho a un aguinaldo anual.", law)
    assert not gives_to_opponent("La trabajadora tendrá derecho a un aguinaldo anual.", law)
    assert not gives_to_opponent("La empresa debe pagar a los trabajadores un aguinaldo anual.", law)


def test_what_may_not_be_agreed_is_refused() -> None:
    """ES: art. 4.3 Ley 3/2004."""
    passage = (
        "Los plazos de pago podrán ser ampliados mediante pacto de las partes sin que, en ningún caso, "
        "se pueda acordar un plazo superior a 60 días naturales."
    )
    assert refuses("Las partes pueden acordar un plazo superior a 60 días naturales.", passage)
    assert not refuses("Las partes pueden ampliar mediante pacto los plazos de pago.", passage)
