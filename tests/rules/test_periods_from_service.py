"""Count periods that a document sets its addressee from its service, and those that the law gives to it."""

from __future__ import annotations

import pytest

from app.rules.brief import Brief
from app.rules.draft import Section, Statement
from app.rules.engine import RulesEngine

COURT = "JUZGADO DE PRIMERA INSTANCIA N.º 1 DE ÁVILA."
GRANT = "CONSEJERÍA DE EMPLEO. Acuerdo de inicio de reintegro de la subvención. Expediente 4/2026."


def periods_of(text: str, branch: str, jurisdiction: str = "ES") -> list[Statement]:
    """Return the statements of an analysis on periods."""
    draft = RulesEngine().analyse(Brief(text=text, jurisdiction=jurisdiction, branch=branch, language="es"))
    return [one for one in draft.statements if one.section is Section.DEADLINES]


def told(text: str, branch: str, jurisdiction: str = "ES") -> str:
    """Return what an analysis says of periods."""
    return " ".join(one.text for one in periods_of(text, branch, jurisdiction))


def counted(text: str, branch: str) -> Statement:
    """Return the one statement of a period that is counted from service."""
    (found,) = [one for one in periods_of(text, branch) if "si corre desde" in one.text]
    return found


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


@pytest.mark.parametrize(
    ("jurisdiction", "text"),
    [
        (
            "MX",
            "SECRETARÍA DEL TRABAJO. Oficio. Expediente 4/2026. Se le concede un plazo de quince días "
            "hábiles para presentar alegaciones. Notificado el 5 de noviembre de 2026.",
        ),
        (
            "CO",
            "MINISTERIO DEL TRABAJO. Resolución sancionatoria. Expediente 4/2026. Se le concede un plazo de "
            "quince días hábiles para presentar descargos. Notificada el 5 de noviembre de 2026.",
        ),
        (
            "MX",
            "Estimado señor: le requiero el pago de 5.000 pesos. Dispone de un plazo de diez días para "
            "pagar. Recibida el 5 de noviembre de 2026. Atentamente.",
        ),
    ],
    ids=["Mexican office", "Colombian ministry", "Mexican letter"],
)
def test_a_period_under_the_law_of_another_country_is_not_counted_as_in_spain(
    jurisdiction: str, text: str
) -> None:
    periods = periods_of(text, "contencioso", jurisdiction)
    assert any("Plazo" in one.text for one in periods)
    assert "si corre desde" not in " ".join(one.text for one in periods)
    cited = {citation for one in periods for citation in one.citations}
    assert cited.isdisjoint({"art. 5.1 CC", "art. 30 LPAC", "art. 133.1 LEC"})


def test_the_article_is_that_of_the_calendar_by_which_a_period_was_counted() -> None:
    text = (
        "SECRETARÍA DE TRABAJO. Oficio. Expediente 4/2026. Se le concede un plazo de quince días hábiles "
        "para presentar alegaciones. Notificado el 5 de noviembre de 2026."
    )
    draft = RulesEngine().analyse(Brief(text=text, jurisdiction="ES", branch="mercantil", language="es"))
    assert not draft.kind_known
    statement = counted(text, "mercantil")
    assert statement.citations == ("art. 30 LPAC",)
    assert "26 de noviembre de 2026, salvo festivos" in statement.text


@pytest.mark.parametrize(
    ("days", "last", "citations", "aside"),
    [
        ("diez días hábiles", "19 de noviembre de 2026", (), True),
        ("diez días", "15 de noviembre de 2026", ("art. 5.1 CC",), False),
    ],
)
def test_working_days_of_a_letter_are_its_own_and_depend_on_holidays(
    days: str, last: str, citations: tuple[str, ...], aside: bool
) -> None:
    letter = (
        f"Estimado señor: le requiero el pago de 5.000 euros. Dispone de un plazo de {days} para pagar. "
        "Recibida el 5 de noviembre de 2026. Atentamente."
    )
    statement = counted(letter, "civil")
    assert last in statement.text
    assert statement.citations == citations
    assert ("salvo festivos" in statement.text) is aside


@pytest.mark.parametrize(
    "words",
    [
        "Se concede un plazo de un mes para el pago, desde la firmeza del acto.",
        "Se concede un plazo de un mes para el pago de la deuda, a contar desde la firmeza.",
        "Se concede un plazo de diez días para presentar la cuenta, a partir de la terminación de las obras.",
        "Una vez firme, dispone de un plazo de un mes para el pago.",
        "La propuesta concedió un plazo de quince días para alegaciones.",
        "La propuesta concede un plazo de quince días para alegaciones.",
        "Se otorgó un plazo de diez días para presentar alegaciones, que no constan.",
        "Se requirió al interesado para que en el plazo de diez días aportase la memoria.",
    ],
)
def test_a_period_from_elsewhere_or_set_before_is_not_counted_from_service(words: str) -> None:
    assert "si corre desde" not in told(
        f"{GRANT} {words} Notificado el 5 de noviembre de 2026.", "contencioso"
    )


@pytest.mark.parametrize(
    "words",
    [
        "Se concede un plazo de diez días para presentar alegaciones, a contar desde el día siguiente a "
        "aquel en que tenga lugar la notificación.",
        "Se concede un plazo de diez días hábiles para alegaciones, contados a partir del siguiente al de su "
        "recepción.",
        "Se le notifica la propuesta y se concede un plazo de diez días para alegaciones.",
        "Se otorga un plazo de diez días; se presentará el escrito de alegaciones en el registro.",
    ],
)
def test_a_period_from_the_notification_is_counted_from_service(words: str) -> None:
    text = f"{GRANT} {words} Notificado el 5 de noviembre de 2026."
    assert "19 de noviembre de 2026" in told(text, "contencioso")


def test_a_period_that_runs_from_another_act_to_come_has_no_day_of_this_service() -> None:
    text = f"{GRANT} Contra su desestimación cabrá recurso contencioso en el plazo de veinte días. "
    told_ = told(f"{text}Notificada el 24 de septiembre de 2026.", "contencioso")
    assert "si corre desde que se notificó" not in told_


@pytest.mark.parametrize(
    ("text", "branch", "day", "never"),
    [
        (
            "CARTA DE DESPIDO DISCIPLINARIO. A D. Raúl Gil, conductor. Albacete, 22 de abril de 2026. "
            "Se le entrega "
            "en mano el mismo día.\n\nPRIMERO.- Presta usted servicios desde el 3 de febrero de 2014. "
            "Se le despide "
            "por lo ocurrido el 13 de abril de 2026.",
            "laboral",
            "21 de mayo de 2026",
            "de 2014, termina",
        ),
        (
            "COMUNICACIÓN DE SANCIÓN a D.ª Sonia Cano, celadora. Jaén, 7 de abril de 2026, notificada "
            "en mano ese "
            "día. Se le impone una suspensión de empleo y sueldo de tres días por falta grave.",
            "laboral",
            "6 de mayo de 2026",
            "de 2014",
        ),
        (
            "RECURSO DE APELACIÓN. Al Tribunal de Instancia de Burgos, Sección Civil. La sentencia de "
            "20 de abril de "
            "2026 se notificó el 27 de abril de 2026 y se impugna su pronunciamiento segundo. SUPLICO. "
            "Burgos, 15 de "
            "mayo de 2026.",
            "civil",
            "26 de mayo de 2026",
            "de 2014",
        ),
        (
            "CONTESTACIÓN A LA DEMANDA. Juicio ordinario 12/2026. La demandada, emplazada el 13 de "
            "abril de 2026, se "
            "opone a los hechos y suplica la desestimación. Ávila, 4 de mayo de 2026.",
            "civil",
            "12 de mayo de 2026",
            "de 2014",
        ),
        (
            "TESORERÍA GENERAL DE LA SEGURIDAD SOCIAL. RECLAMACIÓN DE DEUDA por cuotas a la Seguridad "
            "Social. Sujeto "
            "responsable: Obras, S.L. Notificada el 5 de mayo de 2026. Recargo del 20 por ciento.",
            "laboral",
            "5 de junio de 2026",
            "de 2014",
        ),
    ],
)
def test_the_day_of_service_named_again_begins_the_period_and_an_older_day_does_not(
    text: str, branch: str, day: str, never: str
) -> None:
    said = told(text, branch)
    assert day in said
    assert never not in said
