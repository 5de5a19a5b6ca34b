"""A rule told in an article's own words is held against the article word by word."""

from __future__ import annotations

import pytest

from app.analysis.support import support
from app.analysis.support.words import read

REPAIRS = """Artículo 70. Plazos
Los días que dure la revisión hecha al amparo del seguro no cuentan en el plazo del mismo."""
DEPOSIT = """Artículo 71. Depósito
Los gastos de custodia y los de traslado serán a cargo del depositante."""
GOODS = """Artículo 72. Manifestación
El juez seguirá lo previsto para embargos, pero sin que el deudor esté obligado a declaración de bienes."""
WAGES = """Section 73.
No employer may do any of the following:
(a) Require, as a condition of employment, that an employee refrain from discussing the wages of the employee.
(b) Discharge an employee who discusses the wages."""
NOTICE = """Artículo 74. Convocatoria
1. La convocatoria para la junta se hará, cuando menos, con seis días de antelación."""
UNFAIR = """Artículo 75. Cláusulas abusivas por vincular el contrato a la voluntad del empresario
3. Las cláusulas de fechas de entrega meramente indicativas condicionadas a la voluntad del empresario."""
FREIGHT = """Artículo 76. Revocación
Cuando el consumidor revoque, los costos de flete y de seguro correrán a su cargo."""
STAY = """Artículo 77. Pacto de no concurrencia y de permanencia en la empresa
2. El pacto de no competencia para después del contrato no podrá durar más de dos años para los técnicos."""

SUPPORTED = [
    (
        REPAIRS,
        "Los días que dure la revisión cuentan en el plazo del seguro, y el artículo 70 dispone que "
        "los días que dure "
        "la revisión hecha al amparo del seguro no cuentan en el plazo del mismo.",
        "Los días que dure la revisión contarán en el plazo del seguro.",
    ),
    (
        DEPOSIT,
        "La custodia la paga el depositario, y el artículo 71 pone los gastos de custodia a cargo "
        "del depositante.",
        "El depositario pagará la custodia.",
    ),
    (
        GOODS,
        "El auto exige una declaración de bienes, y el artículo 72 dice que el deudor no está "
        "obligado a la declaración "
        "de bienes.",
        "Se requiere a la deudora una declaración de todos sus bienes.",
    ),
    (
        WAGES,
        "Noor may not discuss her wages, and under section 73 no employer may require, as a "
        "condition of employment, "
        "that an employee refrain from discussing the wages of the employee.",
        "You may not discuss your wages with anyone.",
    ),
    (
        NOTICE,
        "La convocatoria para la junta se entregó con cuatro días, y el artículo 74 exige seis, "
        "cuando menos.",
        "convocatorias entregadas con cuatro días de antelación",
    ),
    (
        UNFAIR,
        "The delivery date is merely indicative, whereas article 75 treats as unfair the clauses "
        "that set merely "
        "indicative delivery dates dependent on the trader's will.",
        "The delivery date is merely indicative.",
    ),
]
REFUSED = [
    (
        REPAIRS,
        "Los días que dure la revisión cuentan en el plazo del seguro, y el artículo 70 dispone que "
        "los días que dure "
        "la revisión hecha al amparo del seguro cuentan en el plazo del mismo.",
        "Los días que dure la revisión contarán en el plazo del seguro.",
    ),
    (
        DEPOSIT,
        "La custodia la paga el depositario, y el artículo 71 pone los gastos de custodia a cargo "
        "del depositario.",
        "El depositario pagará la custodia.",
    ),
    (
        GOODS,
        "El auto exige una declaración de bienes, y el artículo 72 dice que el deudor está obligado "
        "a la declaración "
        "de bienes.",
        "Se requiere a la deudora una declaración de todos sus bienes.",
    ),
    (
        WAGES,
        "Noor may not discuss her wages, and under section 73 an employer may require, as a "
        "condition of employment, "
        "that an employee refrain from discussing the wages of the employee.",
        "You may not discuss your wages with anyone.",
    ),
    (
        NOTICE,
        "La convocatoria para la junta se entregó con cuatro días, y el artículo 74 exige ocho, "
        "cuando menos.",
        "convocatorias entregadas con cuatro días de antelación",
    ),
    (
        UNFAIR,
        "The dismissal was unfair, whereas article 75 treats as unfair the dismissal that depends on "
        "the trader's will.",
        "The dismissal takes effect at once.",
    ),
    (
        FREIGHT,
        "La clienta paga el flete, y el artículo 76 dispone que, si el consumidor revoca, los costos "
        "de flete y de "
        "seguro correrán a cargo del proveedor.",
        "La clienta pagará el flete.",
    ),
    # The heading alone speaks of staying with the employer.
    (
        STAY,
        "The undertaking to stay for three years exceeds the two years which article 77 sets as the "
        "maximum duration "
        "of such an agreement.",
        "You undertake to stay with us for three years after the course.",
    ),
]
CITED = (
    "artículo 70",
    "artículo 71",
    "artículo 72",
    "section 73",
    "artículo 74",
    "article 75",
    "artículo 76",
    "article 77",
)


@pytest.mark.parametrize(("passage", "claim", "own"), SUPPORTED)
def test_a_rule_in_the_words_of_its_article_is_supported(passage: str, claim: str, own: str) -> None:
    assert support(claim, own, passage, citations=CITED).verdict == "supported"


@pytest.mark.parametrize(("passage", "claim", "own"), REFUSED)
def test_one_point_told_otherwise_is_not(passage: str, claim: str, own: str) -> None:
    assert support(claim, own, passage, citations=CITED).verdict != "supported"


DEFAULT_RATE = """Artículo 7. Interés de demora
2. El tipo legal de interés de demora será la suma del tipo aplicado por el Banco Central Europeo a su última
operación principal de financiación más ocho puntos porcentuales."""


@pytest.mark.parametrize(
    ("points", "verdict"), [("ocho", "supported"), ("siete", "silent"), ("nueve", "silent")]
)
def test_the_number_of_an_article_or_of_a_law_is_no_figure_of_the_law(points: str, verdict: str) -> None:
    claim = (
        "El tipo legal de interés de demora del artículo 7.2 de la Ley 3/2004 es el del Banco Central "
        f"Europeo más {points} puntos porcentuales."
    )
    own = "La demora devengará, sin necesidad de intimación, el interés legal previsto en la Ley 3/2004."
    cited = ["art. 7.2 Ley 3/2004"]
    assert support(claim, own, DEFAULT_RATE, citations=cited, article="7").verdict == verdict
    # Nor do a document's rooms and floors, where the article counts the same thing otherwise.
    document = read("Consta de siete habitaciones y nueve plantas.").values
    found = support(claim, own, DEFAULT_RATE, citations=cited, article="7", document=document)
    assert found.verdict == verdict


# ES arts. 1826, 1838, 1755 CC; CO art. 78 CST; MX art. 518 LFT; GB s. 2(1) UCTA 1977.
WHOLE_LESS = """Artículo 1826.
El fiador puede obligarse a menos, pero no a más que el deudor principal, tanto en la cantidad
como en lo oneroso."""
WHOLE_PAID = """Artículo 1838.
El fiador que paga por el deudor, debe ser indemnizado por éste."""
WHOLE_TRIAL = """Artículo 78. Duración máxima
El período de prueba no puede exceder de dos meses."""
WHOLE_TIME = """Artículo 518.
Prescriben en dos meses las acciones de los trabajadores que sean separados del trabajo.
La prescripción corre a partir del día siguiente a la fecha de la separación.
Este término se suspenderá a partir de la fecha de presentación de la solicitud de conciliación."""
# ES arts. 29 and 32.1 LAU; CL art. 159 of the Labour Code.
WHOLE_SOLD = """Artículo 29.
El adquirente de la finca arrendada quedará subrogado en los derechos y obligaciones del arrendador."""
WHOLE_SUBLET = """Artículo 32.
1. El arrendatario podrá subarrendar la finca o ceder el contrato sin necesidad de contar con el
consentimiento
del arrendador."""
WHOLE_FIXED = """Artículo 159.
La duración del contrato de plazo fijo no podrá exceder de un año."""
WHOLE_HARM = """Section 2. Negligence liability.
(1) A person cannot by reference to any contract term exclude or restrict his liability for death or
personal injury resulting from negligence."""


@pytest.mark.parametrize(
    ("passage", "claim", "citation"),
    [
        (
            WHOLE_LESS,
            "El fiador puede obligarse a menos, pero no a más que el deudor principal (art. 1826 CC).",
            "art. 1826 CC",
        ),
        (
            WHOLE_PAID,
            "El fiador que paga por el deudor debe ser indemnizado por éste (artículo 1838 del Código "
            "Civil).",
            "art. 1838 CC",
        ),
        (
            WHOLE_TIME,
            "Las acciones de los trabajadores que sean separados del trabajo prescriben en dos meses, a "
            "partir del día siguiente a "
            "la fecha de la separación, y el término se suspende desde la presentación de la solicitud "
            "de conciliación (art. 518 LFT).",
            "art. 518 LFT",
        ),
        (
            WHOLE_HARM,
            "A person cannot by reference to any contract term exclude or restrict his liability for "
            "death or personal injury "
            "resulting from negligence (UCTA 1977, s. 2(1)).",
            "s. 2(1) Unfair Contract Terms Act 1977",
        ),
    ],
)
def test_a_claim_that_is_the_rule_alone_is_supported(passage: str, claim: str, citation: str) -> None:
    assert (
        support(claim, "El acuerdo consta por escrito.", passage, citations=(citation,)).verdict
        == "supported"
    )


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        (WHOLE_LESS, "El fiador puede obligarse a más, pero no a menos que el deudor principal."),
        (WHOLE_PAID, "El fiador que paga por el deudor debe indemnizar a éste."),
        (WHOLE_TRIAL, "El período de prueba puede exceder de dos meses."),
        (
            WHOLE_SOLD,
            "El adquirente de la finca arrendada quedará subrogado en los derechos y obligaciones del "
            "arrendatario.",
        ),
        (
            WHOLE_SUBLET,
            "El arrendatario no podrá subarrendar la finca ni ceder el contrato sin el consentimiento "
            "del arrendador.",
        ),
        (WHOLE_FIXED, "La duración del contrato de plazo fijo no podrá exceder de dos años."),
        (WHOLE_HARM, "A person cannot exclude or restrict his liability for death or personal injury."),
        (
            WHOLE_TIME,
            "Las acciones de los trabajadores que sean separados del trabajo prescriben en tres meses.",
        ),
    ],
)
def test_the_rule_turned_round_or_cut_short_is_not(passage: str, claim: str) -> None:
    assert support(claim, "El acuerdo consta por escrito.", passage).verdict != "supported"


def test_one_month_with_a_possessive_is_a_period() -> None:
    (value,) = read("not less than one month's notice").values
    assert (value.kind, value.unit, int(value.figure)) == ("period", "month", 1)
