"""The days that periods end on: every one computed by hand, from documents written for these tests."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from app.deadlines import personal_action
from app.rules import RulesEngine
from app.rules.brief import Brief
from app.rules.draft import Section, Statement
from app.rules.facts.keyword_index import table
from app.rules.periods.bases import Anchor, Bases
from app.rules.periods.interest import interest
from app.rules.periods.statutory import count, missing
from app.rules.rulebook.loader import rulebook

ENGINE = RulesEngine()
TEXTS = Path(__file__).parent / "periods"

MAINTENANCE = (TEXTS / "maintenance.txt").read_text("utf-8")
FRANCHISE = (TEXTS / "franchise.txt").read_text("utf-8")
PENALTY = (TEXTS / "penalty.txt").read_text("utf-8")
DISMISSAL = (TEXTS / "dismissal.txt").read_text("utf-8")
SERVICES = "CONTRATO DE SERVICIOS\nEn Ávila, a 3 de marzo de 2025, A, S.L. y B, S.L. acuerdan.\n"
LEASE = (TEXTS / "lease.txt").read_text("utf-8")
LOAN = (TEXTS / "loan.txt").read_text("utf-8")
DEMAND = (TEXTS / "demand.txt").read_text("utf-8")
MINUTES = (TEXTS / "minutes.txt").read_text("utf-8")
EMPLOYMENT = (TEXTS / "employment.txt").read_text("utf-8")
EARNEST = (TEXTS / "earnest.txt").read_text("utf-8")


def _deadlines(text: str, language: str = "es") -> list[Statement]:
    brief = Brief(text, "ES", "civil", "es" if language == "es" else "en")
    return [one for one in ENGINE.analyse(brief).statements if one.section is Section.DEADLINES]


def _until(text: str) -> dict[str, list[str]]:
    """Return the last days told, by rule or role."""
    found: dict[str, list[str]] = {}
    for one in _deadlines(text):
        if "until" in one.facts:
            found.setdefault(one.facts.get("rule") or one.facts["role"], []).append(one.facts["until"])
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            MAINTENANCE,
            {
                "term_end": ["2028-04-30"],  # three years whose first day is 1 May 2025
                "renewal_notice": ["2028-01-31"],  # 30 of April, 31 of March, 29 of February
                "agreed": ["2025-05-18"],  # 27 days of April are left after the 3rd, and 18 of May
                "after_end": ["2030-04-30"],
            },
        ),
        (
            FRANCHISE,
            {
                "term_end": ["2030-03-31"],
                "renewal_notice": ["2029-09-30"],  # six months before 31 March: September has thirty days
                "agreed": ["2025-07-12"],  # 17 of March, 30, 31, 30, and 12 of July
                "last_instalment": ["2026-04-05"],
                "after_end": ["2031-03-31"],
            },
        ),
        (
            PENALTY,
            {
                "dl_adm_lapse": ["2025-04-21"],  # 20 April 2025 is a Sunday
                "adm_appeal_deadline": ["2025-09-01"],  # 31 August 2025 is a Sunday; August counts
            },
        ),
        # Nine working days of December from the 18th, 2 and 3 January, and nine more from the 7th on.
        (
            DISMISSAL,
            {
                "dismissal_deadline": ["2025-01-17"],
                "dl_wages_year": ["2025-12-17"],
                "dl_objective_notice": ["2024-12-17"],
            },
        ),
        (
            LEASE,
            {
                "dl_lease_person": ["2029-08-31"],  # from the handover of 1 September, after the signature
                "dl_lease_withdrawal": ["2025-03-01"],
                "term_end": ["2025-08-31"],
                "dl_tenant_no_renewal": ["2025-08-01"],
            },
        ),
        (LOAN, {"last_instalment": ["2028-02-01"]}),  # from when the first payment runs is not said
        (DEMAND, {"dl_debt": ["2025-02-15"], "dl_debt_interrupted": ["2026-05-10"]}),
        (MINUTES, {"dl_community_challenge": ["2025-06-12"]}),
        (EMPLOYMENT, {"trial_end": ["2025-04-16"]}),
        (EARNEST, {"agreed": ["2025-12-08"], "upcoming": ["2025-10-15"]}),
    ],
    ids=[
        "maintenance",
        "franchise",
        "penalty",
        "dismissal",
        "lease",
        "loan",
        "demand",
        "minutes",
        "employment",
        "earnest",
    ],
)
def test_the_last_days_of_a_document_and_no_others(text: str, expected: dict[str, list[str]]) -> None:
    assert _until(text) == expected


@pytest.mark.parametrize(
    ("name", "rule", "since", "until"),
    [
        # The proposal was served before; the page was made available before it was opened.
        ("assessment", "assessment_payment", "2025-02-14", "2025-03-20"),
        ("assessment", "assessment_challenge", "2025-02-14", "2025-03-14"),
        # 1 May is a holiday: 2, 5-9, 12-16, 19-23 and 26-29 May.
        ("contract_end", "dismissal_deadline", "2025-04-30", "2025-05-29"),
        ("divorce", "dl_majority", "2014-03-03", "2032-03-03"),
        # Not from the infringement nor from the date of the charge.
        ("traffic", "traffic_deadline", "2025-05-08", "2025-05-28"),
    ],
)
def test_a_period_runs_from_the_day_of_its_own_event(name: str, rule: str, since: str, until: str) -> None:
    text = (TEXTS / f"{name}.txt").read_text("utf-8")
    (told,) = (one for one in _deadlines(text) if one.facts.get("rule") == rule)
    assert (told.facts["since"], told.facts["until"]) == (since, until)


def test_each_child_has_a_birthday() -> None:
    (told,) = (
        one
        for one in _deadlines((TEXTS / "divorce.txt").read_text("utf-8"))
        if one.facts.get("rule") == "dl_majority"
    )
    assert "9 de agosto de 2037" in told.text


def test_other_days_of_a_rule_are_told_too() -> None:
    (lapse,) = (one for one in _deadlines(PENALTY) if one.facts.get("rule") == "dl_adm_lapse")
    assert "21 de julio de 2025" in lapse.text  # 20 July 2025 is a Sunday
    (debt,) = (one for one in _deadlines(DEMAND) if one.facts.get("rule") == "dl_debt")
    assert "8 de mayo de 2025" in debt.text  # 82 days after 15 February: 13, 31, 30 and 8
    assert "30 de junio de 2028" in debt.text
    (minimum,) = (one for one in _deadlines(LEASE) if one.facts.get("rule") == "dl_lease_person")
    assert "30 de abril de 2029" in minimum.text  # four months before 31 August
    assert "30 de junio de 2029" in minimum.text


@pytest.mark.parametrize("text", [MAINTENANCE, FRANCHISE, PENALTY, DISMISSAL, LEASE, LOAN, DEMAND, EARNEST])
@pytest.mark.parametrize("language", ["es", "en"])
def test_every_computed_day_quotes_the_words_it_was_counted_from(text: str, language: str) -> None:
    told = [one for one in _deadlines(text, language) if "until" in one.facts]
    assert told
    for one in told:
        assert one.quotes
        assert all(quote in text for quote in one.quotes)


@pytest.mark.parametrize(
    "text",
    [
        # The day from which the period runs is not in the document.
        SERVICES
        + "1. El contrato tendrá una duración de dos años a contar desde la inscripción en el registro.",
        # A notice to end the contract at any time has no last day.
        SERVICES
        + "1. Cualquiera de las partes podrá resolver en cualquier momento con treinta días de preaviso.",
        # What runs from an invoice, a receipt or a demand.
        SERVICES
        + "1. El cliente pagará dentro de los treinta días siguientes a la recepción de cada factura.\n"
        "2. Los defectos se corregirán en el plazo de diez días desde el requerimiento.",
        # An earlier contract.
        SERVICES + "1. Las partes tuvieron un contrato anterior, vigente del 1 de enero de 2023 al 31 de "
        "diciembre de 2024.",
    ],
    ids=["another day", "at will", "events", "earlier contract"],
)
def test_no_day_is_told_where_the_document_does_not_give_its_beginning(text: str) -> None:
    assert _until(text) == {}


def test_a_renewal_that_is_six_months_long_is_no_notice() -> None:
    text = (
        "SERVICES AGREEMENT\nMadrid, 1 January 2025.\n1. The Agreement starts on 1 February 2025 and runs "
        "for 24 months. It renews for successive 6-month periods unless either party objects in writing "
        "45 days before expiry."
    )
    assert _until(text)["renewal_notice"] == [
        "2026-12-17"
    ]  # 31 January 2027 less 45: 31 of January, 14 of December


def test_an_act_is_not_served_on_the_day_on_which_its_opening_was() -> None:
    text = (
        "AYUNTAMIENTO DE OCA\nRESOLUCIÓN SANCIONADORA\nSe impone una multa de 300 euros por infracción "
        "leve.\n"
        "El acuerdo de inicio fue notificado el 4 de febrero de 2025.\n"
        "Cabe recurso potestativo de reposición.\nOca, a 2 de junio de 2025."
    )
    told = [one for one in _deadlines(text) if one.facts.get("rule") == "adm_appeal_deadline"]
    assert told
    assert "until" not in told[0].facts
    assert "Falta un dato para calcular el último día: la fecha de notificación del acto." in told[0].text


_FINE = (
    "AYUNTAMIENTO DE OCA\nRESOLUCIÓN SANCIONADORA\nSe impone una multa de 300 euros por infracción leve.\n"
    "{said}\nCabe recurso potestativo de reposición.\nOca, a 2 de junio de 2025."
)


@pytest.mark.parametrize(
    ("said", "until"),
    [
        ("La presente se notifica a la interesada el 5 de junio de 2025.", ["2025-07-07"]),
        ("Se paga en plazo. El presente acuerdo se notifica el 5 de junio de 2025.", ["2025-07-07"]),
        ("La presente se recibe por el obligado el jueves 5 de junio de 2025.", ["2025-07-07"]),
        ("Puesta a disposición en la sede y acceso por el interesado: 5 de junio de 2025.", ["2025-07-07"]),
        # A place for letters, an attempt, and what lies in another sentence.
        ("Domicilio de notificaciones: calle Herreros 14. El 5 de junio de 2025 se archivó copia.", []),
        ("Intento de notificación el 5 de junio de 2025, ausente.", []),
        ("La falta de acceso a la notificación equivale a rechazo. Sede, 5 de junio de 2025.", []),
    ],
)
def test_an_act_is_served_on_the_day_that_its_words_say(said: str, until: list[str]) -> None:
    # 5 July 2025 is a Saturday.
    assert _until(_FINE.format(said=said)).get("adm_appeal_deadline", []) == until


def test_goods_are_returned_from_their_delivery_and_a_letter_counts_from_its_receipt() -> None:
    shop = (
        "CONDICIONES GENERALES DE VENTA DE LA TIENDA ONLINE\nEl consumidor compra en nuestra página web.\n"
        "Derecho de desistimiento. El cliente puede desistir en catorce días naturales.\n"
        "Ejemplo. Pedido hecho el 1 de septiembre de 2026, entregado el 8 de septiembre de 2026."
    )
    assert _until(shop)["dl_distance_withdrawal"] == ["2026-09-22"]
    # What is received later is the customer's message, not the goods.
    told = " El cliente escribió, en correo electrónico recibido el 20 de septiembre de 2026, que lo quiere."
    assert _until(shop + told)["dl_distance_withdrawal"] == ["2026-09-22"]
    letter = (
        "CARTA DE DESPIDO DISCIPLINARIO\nPor la presente se le comunica su despido disciplinario por una "
        "falta muy grave. Tuvimos conocimiento de los hechos el 20 de mayo de 2026.\n"
        "Recibí: el trabajador            Fecha y hora: l0-06-2026, l3:40"
    )
    # Of June 2026 the 11th, 12th, 15th to 19th, 22nd to 26th, 29th and 30th, then 1 to 3, 6, 7 and 8 July.
    assert _until(letter)["dismissal_deadline"] == ["2026-07-08"]


def test_a_dismissal_with_effects_in_the_past_is_counted_from_its_handover_and_prudently() -> None:
    text = (
        "CARTA DE DESPIDO DISCIPLINARIO\nTeruel, 9 de junio de 2025\nPor la presente se le comunica su "
        "despido disciplinario, con efectos del 2 de junio de 2025, por falta muy grave.\n"
        "La empresa tuvo conocimiento de los hechos el 20 de mayo de 2025."
    )
    found = _until(text)
    assert found["dismissal_deadline"] == ["2025-07-07"]  # 10-13, 16-20, 23-27, 30 June-4 July, and 7 July
    assert found["dl_dismissal_prudent"] == ["2025-06-30"]
    assert found["dl_faults"] == ["2025-07-19"]  # 11 of May, 30 of June, 19 of July


@pytest.mark.parametrize(
    ("claimable", "days"),
    [
        (date(2021, 5, 1), (date(2026, 5, 1),)),
        (date(2020, 1, 14), (date(2025, 1, 14), date(2025, 4, 6))),
        (date(2020, 5, 1), (date(2025, 5, 1), date(2025, 6, 4))),  # born while limitation stood still
        (
            date(2014, 3, 1),
            (date(2020, 10, 7), date(2020, 12, 28)),
        ),  # the old fifteen years, cut by the reform
        (date(2004, 6, 1), (date(2019, 6, 1),)),
    ],
)
def test_personal_actions_are_barred_after_five_years(claimable: date, days: tuple[date, ...]) -> None:
    assert personal_action(claimable).days == days


def test_every_deadline_rule_can_be_counted_and_names_its_missing_datum() -> None:
    rules = [
        risk for risk in rulebook().risks if risk.section == "deadlines" and "calendar" in risk.parameters
    ]
    assert len(rules) > 25
    for risk in rules:
        parameters = risk.parameters
        assert "roles" not in parameters, risk.id
        day = date(2024, 2, 29)
        days = {parameters["since"][0]: (Anchor(day, 0, 1),)}
        if "until_of" in parameters:
            days[parameters["until_of"][0]] = (Anchor(date(2010, 1, 1), 0, 1),)
        if "longest" in parameters:
            days["end"] = (Anchor(date(2024, 5, 1), 0, 1),)
        (counted,) = count(parameters, Bases(days))
        assert counted.days, risk.id
        assert missing(parameters) is not None, risk.id
        told = parameters.get("dated")
        if told is not None:
            slots = {"since": "", **{f"d{at}": "" for at, _ in enumerate(counted.days, start=1)}}
            assert set(told) == {"es", "en"}
            for wording in told.values():
                wording.format_map(slots)


CLAIM = (
    "AL JUZGADO DE PRIMERA INSTANCIA DE TERUEL\nDEMANDA DE JUICIO ORDINARIO\nDon A demanda a C, S.L.\n"
    "La factura 7/2022, de 10.000,00 euros, venció el 30 de junio de 2022 y sigue impagada.\n"
    "Se piden el principal y el interés legal del artículo 1108 del Código Civil.\n"
    "Teruel, a 30 de junio de 2023."
)


def test_legal_interest_is_summed_by_the_rate_of_each_year() -> None:
    # 10,000 x 3 % x 184/365 = 151.2329 to 31 December 2022; 10,000 x 3.25 % x 181/365 = 161.1644 after it.
    counted = interest(Decimal(10_000), date(2022, 6, 30), date(2023, 6, 30), "legal")
    assert counted.due == Decimal("312.40")
    assert [(one.days, one.rate) for one in counted.stretches] == [(184, Decimal(3)), (181, Decimal("3.25"))]
    assert counted.unknown is None
    told = [
        one
        for one in ENGINE.analyse(Brief(CLAIM, "ES", "civil", "es")).statements
        if one.facts.get("role") == "interest_legal"
    ]
    assert [one.facts["value"] for one in told] == ["312.40"]
    assert "10.000 € × 3 % × 184 / 365 + 10.000 € × 3,25 % × 181 / 365" in told[0].text
    assert told[0].facts["source"] == "BOE-A-2021-21653, BOE-A-2022-22128"


def test_tax_interest_has_rates_of_its_own() -> None:
    # 1,000 x 3.75 % x 31/365 to 31 December 2022 and 1,000 x 4.0625 % x 31/365 in January 2023.
    assert interest(Decimal(1_000), date(2022, 11, 30), date(2023, 1, 31), "tax").due == Decimal("6.64")


def test_a_day_without_a_known_rate_ends_the_sum() -> None:
    counted = interest(Decimal(1_000), date(2025, 12, 1), date(2026, 2, 1), "legal")
    assert counted.unknown == date(2026, 1, 1)
    assert counted.due == Decimal("2.67")  # thirty days at 3.25 %
    text = CLAIM.replace("del artículo 1108 del Código Civil", "de la Ley 3/2004")
    draft = ENGINE.analyse(Brief(text, "ES", "civil", "es"))
    late = [one for one in draft.statements if one.facts.get("role") == "interest_commercial"]
    assert len(late) == 1
    assert "Falta un dato: el tipo oficial desde el 1 de julio de 2022." in late[0].text
    assert "value" not in late[0].facts


def test_interest_is_not_summed_backwards_and_rates_do_not_overlap() -> None:
    with pytest.raises(ValueError, match="not later"):
        interest(Decimal(1), date(2024, 1, 1), date(2024, 1, 1), "legal")
    rows = table("interest.toml")["rate"]
    for kind in ("legal", "tax", "commercial"):
        spans = sorted((row["from"], row["to"]) for row in rows if kind in row)
        assert all(first <= last for first, last in spans)
        assert all(one[1] < other[0] for one, other in pairwise(spans))


def test_the_end_of_a_range_is_not_its_beginning() -> None:
    text = (
        "CONTRATO DE ARRENDAMIENTO DE LOCAL\nEn Cuenca, a 1 de junio de 2025, A, S.L. arrienda a B, S.L.\n"
        "1. El arrendamiento se concierta por un año, desde hoy hasta el 31 de mayo de 2026."
    )
    assert _until(text) == {"term_end": ["2026-05-31"]}


def test_every_kind_that_a_base_names_exists() -> None:
    kinds = {kind.id for code in ("ES", "GB") for kind in rulebook(code).kinds}
    for base in table("bases.toml")["base"]:
        assert set(base.get("kinds", [])) <= kinds, base["id"]


@pytest.mark.parametrize(
    ("number", "last"),
    [
        ("Trescientas sesenta", "30 de junio de 2056"),
        ("Ciento veinte", "30 de junio de 2036"),
        ("Doscientas cuarenta y ocho (248)", "28 de febrero de 2047"),
        ("En sesenta", "30 de junio de 2031"),
    ],
)
def test_a_number_of_payments_in_words_is_read_with_all_its_words(number: str, last: str) -> None:
    text = (
        f"CONTRATO DE PRÉSTAMO\nMadrid, 30 de junio de 2026. Ana Gil presta a Luis Paz 90.000 euros.\n"
        f"{number} cuotas mensuales, la primera el treinta y uno de julio de dos mil veintiséis."
    )
    told = [one.text for one in _deadlines(text) if one.text.startswith("Último pago")]
    assert len(told) == 1
    assert told[0].startswith(f"Último pago: {last}.")
