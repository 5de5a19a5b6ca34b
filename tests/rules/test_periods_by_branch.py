"""The days that the law of each branch sets, from papers written for these tests and counted by hand."""

from __future__ import annotations

import pytest

from app.rules import RulesEngine
from app.rules.brief import Brief
from app.rules.draft import Section, Statement

ENGINE = RulesEngine()


def _told(text: str, branch: str = "civil", language: str = "es") -> dict[str, list[Statement]]:
    found: dict[str, list[Statement]] = {}
    for one in ENGINE.analyse(Brief(text, "ES", branch, language)).statements:  # type: ignore[arg-type]
        if one.section is Section.DEADLINES:
            found.setdefault(one.facts.get("rule") or one.facts.get("role") or "", []).append(one)
    return found


CONSUMER = """RESOLUCIÓN SANCIONADORA
Dirección General de Consumo. Expediente 33/2026.
Por acuerdo de la Directora General de 9 de febrero de 2026, {served}, se inició el expediente sancionador
por infracción
leve en materia de defensa de los consumidores. La empresa dejó de aplicar la cláusula el 20 de enero de 2025.
RESUELVO imponer a la mercantil una multa de 900 euros.
En Logroño, a 16 de noviembre de 2026.
Notificada la presente el 18 de noviembre de 2026."""
BILL = """AYUNTAMIENTO DE PEDROSA
LIQUIDACIÓN DEL IMPUESTO SOBRE CONSTRUCCIONES, INSTALACIONES Y OBRAS
Resolución de la Alcaldía de 2 de marzo de 2026. Cuota a ingresar en periodo voluntario: 812,40 euros.
{served}
Contra esta liquidación cabe recurso de reposición."""
TRANSFER = """COMUNICACIÓN DE TRASLADO
En Burgos, a 4 de mayo de 2026. Estimada señora Olmedo: la empresa ha decidido su traslado definitivo al
centro de
trabajo de Lugo, con cambio de residencia, por razones organizativas (artículo 40 del Estatuto de los
Trabajadores), con
efectos de 11 de mayo de 2026. Recibí la carta el 6 de mayo de 2026. La trabajadora."""
OBJECTIVE = """CARTA DE DESPIDO OBJETIVO
En Cádiz, a 1 de junio de 2026. Muy señor nuestro: por causas económicas del artículo 52.c) del Estatuto de
los
Trabajadores extinguimos su contrato de trabajo con efectos de 5 de junio de 2026. Indemnización de veinte
días por año.
Entregada en mano el 1 de junio de 2026."""
AGENCY = """AGENCY AGREEMENT
This commercial agency agreement was made on 2 May 2017 between Norden GmbH, the Principal, and Carmen Ruiz,
the Agent,
for an indefinite term. The Agent promotes sales in Spain for a commission of 6 %. Spanish law applies.
The Principal's letter of termination was received by the Agent on {day}."""
MINUTES = """ACTA DE LA JUNTA DE LA COMUNIDAD DE PROPIETARIOS
En León, en el portal de la finca, el jueves 5 de marzo de 2026. Asisten once propietarios.
ACUERDOS. Primero. Se aprueba la derrama para la fachada. Segundo. Se prohíbe el alquiler turístico.
El secretario. Se remitió copia del acta a la propietaria ausente, que la recibe por burofax el 13 de marzo
de 2026."""
MARRIAGE = """CAPITULACIONES MATRIMONIALES
En Soria, a 7 de abril de 2026, doña Inés Lara y don Pablo Gil, que van a contraer matrimonio, pactan el
régimen de
separación de bienes."""
ORDER = """JUZGADO DE PRIMERA INSTANCIA NÚMERO 2 DE HARO
AUTO. Proceso de ejecución de títulos judiciales. Se despacha ejecución por 4.000 euros de principal.
En Haro, a 4 de mayo de 2026. Notificado el presente auto el 11 de mayo de 2026."""
MONITORIO = """JUZGADO DE PRIMERA INSTANCIA NÚMERO 2 DE HARO
DECRETO. Proceso monitorio 18/2026. Se requiere de pago al deudor por 1.900 euros o para que se oponga.
En Haro, a 4 de mayo de 2026. Notificado el presente decreto el 11 de mayo de 2026."""
DEFAMED = """AL JUZGADO DE INSTRUCCIÓN
Doña Eva Mora interpone QUERELLA por un delito de calumnias. El 3 de junio de 2025 don Luis Paz dijo ante
los vecinos, a
sabiendas de que era falso, que la querellante había robado la caja de la comunidad.
En Jaén, a 9 de febrero de 2026."""
POLICY = """PÓLIZA DE SEGURO DE HOGAR
Aseguradora Lumbre, S.A. Tomador: Andrés Sanz. Efecto: 1 de enero de 2026. La póliza vence el 31 de
diciembre de 2026 y se
prorroga por anualidades. Prima anual: 310 euros. Suma asegurada: 90.000 euros. Siniestros y exclusiones:
anexo."""


@pytest.mark.parametrize(
    ("text", "rule", "until"),
    [
        # Nine months from the decision, whose service has no part in it; 9 November is a Monday.
        (CONSUMER.format(served="notificado el 2 de marzo de 2026"), "dl_consumer_lapse", "2026-11-09"),
        (CONSUMER.format(served="notificado el 2 de marzo de 2026"), "dl_consumer_offence", "2026-01-20"),
        (
            BILL.format(served="Notificada a la interesada en mano el martes 10 de marzo de 2026."),
            "dl_local_tax_payment",
            "2026-04-20",
        ),
        # From the 16th on, the 5th of the second month.
        (
            BILL.format(served="El 18 de marzo de 2026 se notificó a la interesada la liquidación."),
            "dl_local_tax_payment",
            "2026-05-05",
        ),
        (TRANSFER, "dl_transfer_notice", "2026-06-05"),
        (OBJECTIVE, "dl_objective_notice", "2026-06-16"),
        # More than six years: six months, and then the end of that month.
        (AGENCY.format(day="10 June 2026"), "dl_agency_notice_end", "2026-12-31"),
        # Less than one year: one month.
        (AGENCY.format(day="2 March 2018"), "dl_agency_notice_end", "2018-04-30"),
        (MINUTES, "dl_community_challenge", "2026-06-05"),
        (MARRIAGE, "dl_marriage_year", "2027-04-07"),
        # Ten working days from 12 May: 12-15, 18-22 and 25.
        (ORDER, "dl_enforcement_opposed", "2026-05-25"),
        # Twenty: four weeks without holidays of the State.
        (MONITORIO, "dl_payment_order", "2026-06-08"),
        (DEFAMED, "dl_defamation_year", "2026-06-03"),
        (POLICY, "dl_policy_not_renewed", "2026-11-30"),
    ],
)
def test_a_branch_counts_from_the_day_of_its_own_event(text: str, rule: str, until: str) -> None:
    language = "en" if "AGREEMENT" in text else "es"
    (told,) = _told(text, language=language)[rule]
    assert told.facts["until"] == until


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        # A fine is no assessment; a contract of some years is disputed; no day of the event, no period.
        (CONSUMER.format(served="notificado el 2 de marzo de 2026"), "dl_local_tax_payment"),
        (BILL.format(served=""), "dl_local_tax_payment"),
        (AGENCY.format(day="10 June 2020"), "dl_agency_notice_end"),
        (MINUTES.partition("El secretario")[0], "dl_community_absent_challenge"),
        (MARRIAGE.replace("que van a contraer matrimonio", "casados en 2010"), "dl_marriage_year"),
        (DEFAMED.replace("calumnias", "estafa"), "dl_defamation_year"),
        (POLICY.replace("y se\nprorroga por anualidades", "sin más"), "dl_policy_not_renewed"),
    ],
)
def test_a_branch_is_silent_without_its_event(text: str, rule: str) -> None:
    language = "en" if "AGREEMENT" in text else "es"
    assert rule not in _told(text, language=language)


@pytest.mark.parametrize(
    "served",
    [
        "Notificada a la interesada, en presencia de su hermano y con copia, el lunes 18 de mayo de 2026.",
        "El día 18 de mayo de 2026 se le notificó la presente resolución.",
        "Con fecha 18 de mayo de 2026 la interesada recibió por correo certificado la resolución.",
        "La presente se dicta el 11 de mayo de 2026 y se notifica a la interesada el 18 de mayo de 2026.",
        "Puesta a disposición: 11 de mayo de 2026.\nAcceso al contenido: 18 de mayo de 2026.",
    ],
)
def test_the_service_of_an_act_is_told_in_any_order(served: str) -> None:
    text = (
        "AYUNTAMIENTO DE PEDROSA\nRESOLUCIÓN. Expediente 4/2026. "
        "La Alcaldía RESUELVE denegar la licencia de obras.\n"
        f"En Pedrosa, a 11 de mayo de 2026.\n{served}\nContra ella cabe recurso potestativo de reposición."
    )
    told = _told(text, "contencioso")["adm_appeal_deadline"]
    assert told[0].facts["until"] == "2026-06-18"


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("La escritura se otorgará, como tope, el día 30 de septiembre de 2026.", "2026-09-30"),
        ("El resto se abonará a más tardar el 15 de octubre de 2026.", "2026-10-15"),
        ("Primera cuota: 5 de noviembre de 2026.", "2026-11-05"),
        ("El vendedor pagó hasta el 2 de marzo de 2020 las cuotas.", None),
        ("La vivienda fue tasada el 9 de octubre de 2026.", None),
    ],
)
def test_a_day_set_as_a_limit_is_told(words: str, day: str | None) -> None:
    text = (
        f"CONTRATO DE COMPRAVENTA DE VIVIENDA\nEn Teruel, a 4 de mayo de 2026, A vende a B un piso. {words}"
    )
    days = [one.facts["until"] for one in _told(text).get("stated", [])]
    assert days == ([day] if day else [])


_APPEAL = """AL TRIBUNAL DE INSTANCIA DE CÓRDOBA, SECCIÓN CIVIL, PARA ANTE LA AUDIENCIA PROVINCIAL
Doña Ana Pozo, procuradora de don Luis Cantos Gil, comparece y DICE: que, notificada el lunes 8 de junio de
2026 la sentencia dictada en el juicio ordinario 214/2026, {other} interpone RECURSO DE APELACIÓN.
SUPLICO que se estime el recurso. En Córdoba, a 25 de junio de 2026."""


def test_the_last_day_of_a_civil_appeal_is_told_to_who_drafts_it() -> None:
    told = _told(_APPEAL.format(other="sin que se formulara reconvención,"))
    assert [one.facts["until"] for one in told["dl_civil_appeal_due"]] == ["2026-07-06"]
    assert "dl_counterclaim" not in told


_BENEFIT = """INSTITUTO NACIONAL DE LA SEGURIDAD SOCIAL. Dirección Provincial de Valladolid.
Resolución por la que se deniega la pensión de incapacidad permanente total.
Contra ella cabe reclamación previa. Desestimada la reclamación previa, podrá acudir al Juzgado en veinte
días.
Valladolid, 12 de mayo de 2026. Notificada a la interesada el 20 de mayo de 2026."""


def test_what_follows_a_prior_claim_does_not_hide_its_time() -> None:
    told = _told(_BENEFIT, "laboral")
    assert [one.facts["until"] for one in told["dl_benefits"]] == ["2026-07-01"]
    texts = [one.text for ones in told.values() for one in ones]
    assert not any("si corre desde que se notificó" in one for one in texts)


def test_a_tax_bill_leads_to_no_court_and_a_grant_recovered_to_no_penalty() -> None:
    bill = BILL.format(served="Notificada el 17 de noviembre de 2026.").replace(
        "LIQUIDACIÓN", "RESOLUCIÓN. LIQUIDACIÓN"
    )
    assert "adm_court_deadline" not in _told(bill, "contencioso")
    grant = """RESOLUCIÓN. Expediente 8/2026.
Por acuerdo de inicio del procedimiento de reintegro de 10 de junio de 2025 se reclama la subvención, sin
perjuicio de la infracción y de la multa. Notificada el 24 de septiembre de 2026."""
    assert "dl_adm_lapse" not in _told(grant, "contencioso")


def test_an_online_contract_dates_the_right_to_withdraw() -> None:
    text = """CONDICIONES GENERALES DE CONTRATACIÓN
El consumidor contrata por la web con Kronos Fitness, S.L. el uso del gimnasio por 39 euros al mes.
Aceptado mediante clic el 5 de octubre de 2026 a las 21:14."""
    [told] = _told(text)["dl_distance_withdrawal"]
    assert told.facts["until"] == "2026-10-19"


def test_a_letter_that_takes_effect_on_its_own_day_dates_the_action() -> None:
    text = """Peñíscola, 8 de septiembre de 2026. Estimada Sra. Querol: le comunicamos su despido
disciplinario, con efectos desde el día de la fecha, por transgresión de la buena fe contractual. El 22 de
agosto se llevó una chaqueta."""
    [told] = _told(text, "laboral")["dismissal_deadline"]
    assert told.facts["since"] == "2026-09-08"


def test_the_notice_of_a_traffic_charge_opens_no_appeal_yet() -> None:
    text = """JEFATURA PROVINCIAL DE TRÁFICO. NOTIFICACIÓN DE DENUNCIA. Multa: 100 euros.
Puede pagar con reducción del 50 % o alegar en el plazo de veinte días naturales. Contra la sanción quedará
abierto el recurso contencioso-administrativo en el plazo de dos meses. Notificada el 19 de agosto de 2026."""
    told = _told(text, "contencioso")
    assert not {"dl_traffic_remedies", "adm_court_deadline"} & set(told)
    assert not any("octubre" in one.text or "noviembre" in one.text for ones in told.values() for one in ones)
