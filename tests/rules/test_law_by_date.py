"""The law that governs a document is that of its day, or of the first day of what it agrees on."""

from __future__ import annotations

from datetime import date

from app.rules.brief import Brief
from app.rules.engine import RulesEngine
from app.rules.facts.document_facts import extract_facts

PROCESSING = """CONTRATO DE ENCARGO DE TRATAMIENTO DE DATOS PERSONALES

En Concepción, a {dated}, entre CLÍNICA LOS AROMOS SpA, en adelante "la Clínica", y NUBE ANDINA LTDA., en
adelante "el Proveedor", se conviene lo siguiente.
Primero: El contrato comienza a regir el {begins} y durará tres años.
Segundo: El Proveedor podrá utilizar los datos personales de los pacientes para fines propios.
Tercero: El Proveedor no adoptará medidas de seguridad.
"""
WORK = """ARBEITSVERTRAG

zwischen der Möbel Harz GmbH, Braunschweig, und Herrn Tarek Sommerfeld, Braunschweig.
Das Arbeitsverhältnis beginnt am {begins}. Die regelmäßige Arbeitszeit beträgt 40 Stunden in der Woche.
Der Stundenlohn beträgt {wage} Euro brutto.

Braunschweig, den {dated}
"""


def _told(code: str, branch: str, text: str) -> set[str]:
    draft = RulesEngine().analyse(Brief(text, code, branch, "es"))
    return {one.facts["rule"] for one in draft.statements if "rule" in one.facts}


def _articles(text: str) -> set[str]:
    draft = RulesEngine().analyse(Brief(text, "CL", "civil", "es"))
    return {cite for one in draft.statements if one.section == "risks" for cite in one.citations}


def test_chile_asks_the_former_law_of_data_until_30_november_2026_and_the_new_one_after() -> None:
    before = PROCESSING.format(dated="10 de junio de 2026", begins="1 de julio de 2026")
    after = PROCESSING.format(dated="3 de diciembre de 2026", begins="15 de diciembre de 2026")
    assert "art. 8 Ley 19.628" in _articles(before)
    assert "art. 15 bis Ley 19.628" not in _articles(before)
    assert {"art. 15 bis Ley 19.628", "art. 14 quinquies Ley 19.628"} <= _articles(after)
    assert not {"art. 8 Ley 19.628", "art. 11 de la Ley 19.628"} & _articles(after)


def test_an_agreement_that_begins_under_the_new_law_is_asked_the_new_law() -> None:
    across = PROCESSING.format(dated="25 de noviembre de 2026", begins="1 de diciembre de 2026")
    assert "art. 15 bis Ley 19.628" in _articles(across)
    assert "art. 8 Ley 19.628" not in _articles(across)
    assert extract_facts(across, "CL").governed("contract") == "2026-12-01"
    assert extract_facts(across, "CL").governed("letter") == extract_facts(across, "CL").dated("letter")


def test_an_agreement_that_states_no_first_day_is_governed_from_its_own() -> None:
    dated = PROCESSING.format(dated="10 de junio de 2026", begins="día de su firma")
    assert extract_facts(dated, "CL").governed("contract") == "2026-06-10"
    assert "art. 8 Ley 19.628" in _articles(dated)
    assert "art. 15 bis Ley 19.628" not in _articles(dated)


UNDATED = PROCESSING.replace("En Concepción, a {dated}, entre", "Entre")


def test_a_document_without_a_day_is_asked_the_law_of_the_day_of_the_request() -> None:
    def articles(asked_on: date, begins: str = "día de su firma") -> set[str]:
        brief = Brief(UNDATED.format(begins=begins), "CL", "civil", "es", asked_on=asked_on)
        told = RulesEngine().analyse(brief).statements
        return {cite for one in told if one.section == "risks" for cite in one.citations}

    until, since = articles(date(2026, 11, 30)), articles(date(2026, 12, 1))
    assert "art. 8 Ley 19.628" in until
    assert "art. 15 bis Ley 19.628" not in until
    assert "art. 15 bis Ley 19.628" in since
    assert "art. 8 Ley 19.628" not in since
    assert "art. 15 bis Ley 19.628" in articles(date(2026, 11, 30), "15 de diciembre de 2026")
    assert "art. 15 bis Ley 19.628" in articles(date(2026, 12, 5), "15 de enero de 2026")


def test_without_the_day_of_the_request_a_document_without_a_day_is_asked_the_latest_law() -> None:
    undated = UNDATED.format(begins="día de su firma")
    assert "art. 15 bis Ley 19.628" in _articles(undated)
    assert "art. 8 Ley 19.628" not in _articles(undated)


def test_the_minimum_wage_of_germany_is_that_of_the_year_in_which_the_work_begins() -> None:
    rules = {"de_minimum_wage_hourly", "de_minimum_wage_hourly_2027", "de_wage_below_minimum"}
    cases = (
        ("2. November 2026", "1. Dezember 2026", "13,95", False),
        ("2. November 2026", "1. Dezember 2026", "13,50", True),
        ("2. November 2026", "1. Januar 2027", "13,95", True),
        ("4. Januar 2027", "1. Februar 2027", "14,59", True),
        ("4. Januar 2027", "1. Februar 2027", "14,60", False),
        ("3. März 2025", "1. April 2025", "13,00", False),
    )
    for dated, begins, wage, below in cases:
        told = _told("DE", "laboral", WORK.format(dated=dated, begins=begins, wage=wage))
        assert bool(told & rules) is below, (dated, begins, wage, told & rules)
