"""Lawful papers of Brazil, Portugal, France, Italy and Germany: nothing is held against them."""

from __future__ import annotations

from pathlib import Path

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
