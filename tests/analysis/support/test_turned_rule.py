"""A claim that turns the rule of an article in its own words is not supported by it.

The passages are of laws in force of Spain, Mexico, Colombia and the United Kingdom.
"""

from __future__ import annotations

import pytest

from app.analysis.support import support
from app.analysis.support.turned_rule import turns

# ES: 28.3 and 30 Ley 12/1992, 11 LAU, 1504 and 1591 CC, 36.2 and 36.4 LAU.
MEAN = (
    "La indemnización no podrá exceder, en ningún caso, del importe medio anual de las remuneraciones "
    "percibidas por el agente durante los últimos cinco años."
)
LEAVING = (
    "El arrendatario podrá desistir del contrato de arrendamiento, una vez que hayan transcurrido al menos "
    "seis meses, siempre que se lo comunique al arrendador con una antelación mínima de treinta días. Las "
    "partes podrán pactar en el contrato que, para el caso de desistimiento, deba el arrendatario indemnizar "
    "al arrendador con una cantidad equivalente a una mensualidad de la renta en vigor por cada año del "
    "contrato que reste por cumplir."
)
DEMANDED = (
    "En la venta de bienes inmuebles, aun cuando se hubiera estipulado que por falta de pago del precio en "
    "el tiempo convenido tendrá lugar de pleno derecho la resolución del contrato, el comprador podrá pagar, "
    "aun después de expirado el término, ínterin no haya sido requerido judicialmente o por acta notarial."
)
RUIN = (
    "El contratista de un edificio que se arruinase por vicios de la construcción, responde de los daños y "
    "perjuicios si la ruina tuviere lugar dentro de diez años, contados desde que concluyó la construcción; "
    "igual responsabilidad, y por el mismo tiempo, tendrá el arquitecto que la dirigiere, si se debe la "
    "ruina a vicio del suelo o de la dirección."
)
KEYS = (
    "El saldo de la fianza en metálico que deba ser restituido al arrendatario al final del arriendo, "
    "devengará el interés legal, transcurrido un mes desde la entrega de las llaves por el mismo sin que se "
    "hubiere hecho efectiva dicha restitución."
)
# MX: 162 LFT, 56 LFPC.
SENIORITY = (
    "Los trabajadores de planta tienen derecho a una prima de antigüedad, de conformidad con "
    "las normas siguientes:\nI. La prima de antigüedad consistirá en el importe de doce días "
    "de salario, por cada año de servicios;\nIII. La prima de antigüedad se pagará a los "
    "trabajadores que se separen voluntariamente de su empleo, siempre que hayan cumplido "
    "quince años de servicios, por lo menos. Asimismo se pagará a los que sean separados de su "
    "empleo, independientemente de la justificación o injustificación del despido;\nV. En caso "
    "de muerte del trabajador, cualquiera que sea su antigüedad, la prima que corresponda se "
    "pagará a las personas mencionadas en el artículo 501; y"
)
REVOKED = (
    "El contrato se perfeccionará a los cinco días hábiles contados a partir de la entrega del bien o de la "
    "firma del contrato, lo último que suceda. Durante ese lapso, el consumidor tendrá el derecho de revocar "
    "su consentimiento sin responsabilidad alguna. En este caso, los costos de flete y seguro correrán a "
    "cargo del consumidor."
)
# CO: 78 and 64 CST, 518 and 1324 CCo.
TRIAL = (
    "En los contratos de trabajo a término fijo cuya duración sea inferior a un (1) año el período de prueba "
    "no podrá ser superior a la quinta parte del término inicialmente pactado para el respectivo contrato, "
    "sin que pueda exceder de dos meses."
)
WITHOUT_CAUSE = (
    "En los contratos a término indefinido la indemnización se pagará así:\na) Para trabajadores que "
    "devenguen un salario inferior a diez (10) salarios mínimos mensuales legales:\n1. Treinta (30) días de "
    "salario cuando el trabajador tuviere un tiempo de servicio no mayor de un (1) año.\n2. Si el trabajador "
    "tuviere más de un (1) año de servicio continuo se le pagarán veinte (20) días adicionales de salario "
    "sobre los treinta (30) básicos.\nb) Para trabajadores que devenguen un salario igual o superior a diez "
    "(10), salarios mínimos legales mensuales.\n1. Veinte (20) días de salario cuando el trabajador tuviere "
    "un tiempo de servicio no mayor de un (1) año.\n2. Si el trabajador tuviere más de un (1) año de "
    "servicio continuo, se le pagarán quince (15) días adicionales de salario sobre los veinte (20) días "
    "básicos."
)
RENEWAL = (
    "El empresario que a título de arrendamiento haya ocupado no menos de dos años consecutivos un inmueble "
    "con un mismo establecimiento de comercio, tendrá derecho a la renovación del contrato al vencimiento "
    "del mismo, salvo en los siguientes casos:\n1) Cuando el arrendatario haya incumplido el contrato;\n2) "
    "Cuando el propietario necesite los inmuebles para un establecimiento suyo destinado a una empresa "
    "sustancialmente distinta de la que tuviere el arrendatario"
)
AGENT = (
    "Cuando el empresario dé por terminado unilateralmente el contrato, sin justa causa comprobada, deberá "
    "pagar al agente una indemnización equitativa.\nSi es el agente el que da lugar a la terminación "
    "unilateral del contrato por justa causa comprobada, no tendrá derecho a indemnización o pago alguno por "
    "este concepto."
)
# GB: s. 86 ERA 1996, s. 3 UCTA 1977.
NOTICE = (
    "(2) The notice required to be given by an employee who has been continuously employed for one month or "
    "more to terminate his contract of employment is not less than one week."
)
WAIVER = (
    "Any provision for shorter notice has effect subject to subsections (1) and (2); but this section does "
    "not prevent either party from waiving his right to notice on any occasion or from accepting a payment "
    "in lieu of notice."
)
REASONABLE = (
    "The other cannot by reference to any contract term exclude or restrict any liability of his in respect "
    "of the breach, except in so far as the contract term satisfies the requirement of reasonableness."
)
DIFFERENT = (
    "The other cannot claim to be entitled to render a contractual performance substantially different from "
    "that which was reasonably expected of him."
)

# ES: 28.1 Ley 12/1992.
CUSTOMERS = (
    "Cuando se extinga el contrato de agencia, el agente que hubiese aportado nuevos clientes al empresario "
    "tendrá derecho a una indemnización si su actividad anterior puede continuar produciendo ventajas "
    "sustanciales al empresario y resulta equitativamente procedente."
)

# GB: s. 98(1) ERA 1996.
REASON = (
    "In determining whether the dismissal of an employee is fair or unfair, it is for the employer to show "
    "the reason, or the principal reason, for the dismissal."
)

TURNED = [
    ("It is for the employee to show the reason for the dismissal.", REASON),
    ("Todo agente tiene derecho a una indemnización cuando se extingue el contrato.", CUSTOMERS),
    ("La prima se pagará a quienes se separen voluntariamente, cualquiera que sea su antigüedad.", SENIORITY),
    ("El comprador podrá pagar después de expirado el término aunque haya sido requerido.", DEMANDED),
    ("El empresario tiene derecho a la renovación aunque haya incumplido el contrato.", RENEWAL),
    ("Los trabajadores despedidos solo reciben la prima si el despido es injustificado.", SENIORITY),
    ("A term that satisfies the requirement of reasonableness cannot restrict any liability.", REASONABLE),
    (
        "La indemnización será, como mínimo, el importe medio anual de las remuneraciones percibidas por el "
        "agente durante los últimos cinco años.",
        MEAN,
    ),
    (
        "En los contratos a término fijo inferiores a un año el período de prueba no podrá ser superior a la "
        "cuarta parte del término pactado.",
        TRIAL,
    ),
    (
        "El contrato se perfecciona a los cinco días hábiles contados a partir de la entrega o de la firma, "
        "lo primero que suceda.",
        REVOKED,
    ),
    ("It cannot claim to render a contractual performance different in any respect.", DIFFERENT),
    (
        "El arrendatario que desiste debe indemnizar al arrendador con una mensualidad de la renta en vigor "
        "por cada año que reste por cumplir.",
        LEAVING,
    ),
    ("Neither party may waive the right to notice or accept a payment in lieu of notice.", WAIVER),
    ("Los costos de flete y seguro corren a cargo del proveedor.", REVOKED),
    (
        "El arrendador podrá desistir del contrato de arrendamiento una vez transcurridos seis meses.",
        LEAVING,
    ),
    (
        "En caso de muerte del trabajador, la prima se paga a las personas mencionadas si había cumplido "
        "quince años de servicios.",
        SENIORITY,
    ),
    (
        "An employee continuously employed for one month or more must give not less than one month's notice.",
        NOTICE,
    ),
    (
        "El contratista responde si la ruina tiene lugar dentro de diez años contados desde que comenzó la "
        "construcción.",
        RUIN,
    ),
    (
        "El agente que da lugar a la terminación unilateral por justa causa comprobada conserva el derecho a "
        "indemnización por este concepto.",
        AGENT,
    ),
    (
        "El saldo de la fianza devengará el interés legal desde el mismo día de la entrega de las llaves.",
        KEYS,
    ),
    (
        "Al trabajador con un salario inferior a diez salarios mínimos y más de un año de servicio se le "
        "pagan quince días adicionales.",
        WITHOUT_CAUSE,
    ),
]
RIGHT = [
    ("It is for the employer to show the reason for the dismissal.", REASON),
    (
        "Todo agente tiene derecho a una indemnización si su actividad puede continuar produciendo "
        "ventajas al empresario y resulta procedente.",
        CUSTOMERS,
    ),
    (
        "La prima se pagará a quienes se separen voluntariamente, siempre que hayan cumplido quince años de "
        "servicios.",
        SENIORITY,
    ),
    ("El comprador podrá pagar aun después de expirado el término, si no ha sido requerido.", DEMANDED),
    ("El derecho a la renovación cesa cuando el arrendatario haya incumplido el contrato.", RENEWAL),
    ("Los trabajadores despedidos reciben la prima, sea o no justificado el despido.", SENIORITY),
    ("A term cannot restrict liability, except in so far as it is reasonable.", REASONABLE),
    (
        "La indemnización tiene como máximo el importe medio anual de las remuneraciones percibidas por el "
        "agente durante los últimos cinco años.",
        MEAN,
    ),
    (
        "En los contratos a término fijo inferiores a un año el período de prueba no podrá ser superior a la "
        "quinta parte del término pactado.",
        TRIAL,
    ),
    (
        "El contrato se perfecciona a los cinco días hábiles contados a partir de la entrega o de la firma, "
        "lo último que suceda.",
        REVOKED,
    ),
    ("It cannot claim to render a contractual performance substantially different.", DIFFERENT),
    (
        "Las partes pueden pactar que el arrendatario que desiste deba indemnizar con una mensualidad de la "
        "renta en vigor por cada año que reste por cumplir.",
        LEAVING,
    ),
    ("Either party may waive the right to notice or accept a payment in lieu of notice.", WAIVER),
    ("Los costos de flete y seguro corren a cargo del consumidor.", REVOKED),
    (
        "El arrendatario podrá desistir del contrato de arrendamiento una vez transcurridos seis meses.",
        LEAVING,
    ),
    ("En caso de muerte del trabajador la prima se paga cualquiera que sea su antigüedad.", SENIORITY),
    (
        "An employee continuously employed for one month or more must give not less than one week's notice.",
        NOTICE,
    ),
    (
        "El contratista responde si la ruina tiene lugar dentro de diez años contados desde que concluyó la "
        "construcción.",
        RUIN,
    ),
    (
        "El agente que da lugar a la terminación unilateral por justa causa comprobada no tiene derecho a "
        "indemnización por este concepto.",
        AGENT,
    ),
    (
        "El saldo de la fianza devengará el interés legal transcurrido un mes desde la entrega de "
        "las llaves.",
        KEYS,
    ),
    (
        "Al trabajador con un salario inferior a diez salarios mínimos y más de un año de servicio se le "
        "pagan veinte días adicionales.",
        WITHOUT_CAUSE,
    ),
]


@pytest.mark.parametrize(("claim", "passage"), TURNED)
def test_a_turned_rule_is_told(claim: str, passage: str) -> None:
    assert turns(claim, "", passage)


@pytest.mark.parametrize(("claim", "passage"), RIGHT)
def test_the_rule_as_it_stands_is_not_turned(claim: str, passage: str) -> None:
    assert not turns(claim, "", passage)


def test_what_a_document_does_against_the_law_turns_no_rule() -> None:
    own = "Los gastos de flete y seguro serán a cargo del proveedor."
    claim = "Los costos de flete se ponen a cargo del proveedor, y lexcit los pone a cargo del consumidor."
    assert not turns(claim, own, REVOKED)


def test_an_article_does_not_support_a_rule_that_its_claim_turns() -> None:
    """The whole judgment, as an analysis asks for it."""
    for claim, verdict in (
        ("Según lexcit, los costos de flete y seguro corren a cargo del proveedor.", "silent"),
        ("Según lexcit, los costos de flete y seguro corren a cargo del consumidor.", "supported"),
    ):
        assert support(claim, "", REVOKED).verdict == verdict
