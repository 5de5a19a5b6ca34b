"""Lawful papers of other countries: nothing is held against them that their law does not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rules import Brief, RulesEngine

PAPERS = Path(__file__).parent / "texts" / "lawful"
_BRANCHES = {"travail": "laboral", "lavoro": "laboral", "trabalho": "laboral", "arbeitsvertrag": "laboral"}


def test_lawful_papers_of_five_countries_meet_no_risk_of_weight() -> None:
    engine = RulesEngine()
    papers = sorted(PAPERS.glob("*.txt"))
    assert len(papers) >= 10
    found = []
    for paper in papers:
        code, _, topic = paper.stem.partition("_")
        draft = engine.analyse(Brief(paper.read_text("utf-8"), code, _BRANCHES.get(topic, "civil"), "es"))
        found += [
            f"{paper.stem}: {one.text}"
            for one in draft.statements
            if one.section.value == "risks" and one.severity in ("high", "medium")
        ]
    assert found == []


# A rule is told of the documents that its article governs: defence before dismissal is not that of a warning,
# and repairs may be put on the tenant of business premises.
_WARNING = (
    "AMONESTACIÓN ESCRITA. Señor Quispe: se le imputa la tardanza del 3 de noviembre de 2026. "
    "Se le conceden tres días para presentar su descargo. Medida disciplinaria: amonestación."
)
_PREMISES = (
    "CONTRATO DE ARRENDAMIENTO DE LOCAL COMERCIAL. El arrendador da en arrendamiento el local comercial "
    "ubicado en Bogotá. El arrendatario asume las reparaciones necesarias y todas las reparaciones son a su "
    "cargo. Canon mensual de 3.000.000 de pesos."
)


@pytest.mark.parametrize(
    ("code", "branch", "text"), [("PE", "laboral", _WARNING), ("CO", "civil", _PREMISES)], ids=["PE", "CO"]
)
def test_a_rule_is_silent_about_papers_that_its_article_does_not_govern(
    code: str, branch: str, text: str
) -> None:
    draft = RulesEngine().analyse(Brief(text, code, branch, "es"))
    assert [one.text for one in draft.statements if one.section.value == "risks"] == []
