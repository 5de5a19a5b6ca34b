"""Count periods that a document sets its addressee from its service, and those that the law gives to it."""

from __future__ import annotations

import pytest

from app.rules.brief import Brief
from app.rules.draft import Section
from app.rules.engine import RulesEngine

COURT = "JUZGADO DE PRIMERA INSTANCIA N.º 1 DE ÁVILA."
GRANT = "CONSEJERÍA DE EMPLEO. Acuerdo de inicio de reintegro de la subvención. Expediente 4/2026."


def told(text: str, branch: str) -> str:
    """Return what an analysis says of periods."""
    draft = RulesEngine().analyse(Brief(text=text, jurisdiction="ES", branch=branch, language="es"))
    return " ".join(one.text for one in draft.statements if one.section is Section.DEADLINES)


@pytest.mark.parametrize(
    ("text", "branch", "days"),
    [
        (
            f"{GRANT} Se conceden quince días hábiles para alegaciones. "
            "Notificado el 5 de noviembre de 2026.",
            "contencioso",
            ["26 de noviembre de 2026"],
        ),
        (
            f"{COURT} Proceso monitorio 9/2026. Se requiere al deudor para que en veinte días pague "
            "4.000 euros o se oponga. Notificado el 3 de noviembre de 2026.",
            "civil",
            ["1 de diciembre de 2026"],
        ),
        (
            "INSTITUTO NACIONAL DE LA SEGURIDAD SOCIAL. Resolución por la que se deniega la incapacidad "
            "permanente. Notificada el 2 de noviembre de 2026. Podrá interponer reclamación previa.",
            "laboral",
            ["15 de diciembre de 2026"],
        ),
        (
            "SEGUROS TAJO. Siniestro núm. 55. Estimada asegurada: el incendio ocurrió el 1 de junio de 2026 "
            "y usted lo declaró el 4 de junio de 2026. Rechazamos la indemnización. "
            "La póliza no da cobertura.",
            "civil",
            ["14 de julio de 2026", "1 de septiembre de 2026", "1 de junio de 2028"],
        ),
        (
            "ACTA DE LA JUNTA ORDINARIA DE LA COMUNIDAD DE PROPIETARIOS. Celebrada el 5 de octubre de 2026. "
            "Se aprueba un ascensor. El acta se comunicó a los propietarios ausentes "
            "el 19 de octubre de 2026.",
            "civil",
            ["18 de noviembre de 2026", "19 de enero de 2027", "19 de octubre de 2027"],
        ),
    ],
    ids=["allegations", "payment order", "benefits", "insurance", "absent owner"],
)
def test_the_last_day_is_counted_from_the_day_that_the_document_gives(
    text: str, branch: str, days: list[str]
) -> None:
    periods = told(text, branch)
    assert [day for day in days if day not in periods] == []


@pytest.mark.parametrize(
    "words",
    [
        "El plazo de seis días para resolver pertenece a la Administración.",
        "Se impone la suspensión de la ayuda en un plazo de diez días por la duración de la obra.",
    ],
)
def test_a_period_of_somebody_else_is_not_counted_from_service(words: str) -> None:
    periods = told(f"{GRANT} {words} Notificado el 5 de noviembre de 2026.", "contencioso")
    assert "si corre desde" not in periods


def test_a_period_without_a_day_of_service_is_told_as_it_stands() -> None:
    periods = told(f"{GRANT} Se conceden quince días hábiles para alegaciones.", "contencioso")
    assert "15 días hábiles" in periods
    assert "si corre desde" not in periods
