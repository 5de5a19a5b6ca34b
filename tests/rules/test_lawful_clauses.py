"""Papers of thirteen countries whose clauses look alarming and are lawful: no risk of weight quotes one."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rules.brief import Brief
from app.rules.engine import RulesEngine

FOLDER = Path(__file__).parent / "texts" / "lawful_clauses"
_ENGLISH = ("GB", "US", "EU")
_LEAST = 40  # characters: a shorter line is no clause


@pytest.mark.parametrize("code", sorted(path.stem for path in FOLDER.glob("*.txt")))
def test_no_risk_of_weight_quotes_a_lawful_clause(code: str) -> None:
    papers = (FOLDER / f"{code}.txt").read_text("utf-8").split("=====\n")
    assert len(papers) >= 7
    alarms = []
    for paper in papers:
        clauses = [line for line in paper.splitlines() if len(line) > _LEAST]
        assert clauses
        brief = Brief(paper, code, "civil", "en" if code in _ENGLISH else "es")
        for told in RulesEngine().analyse(brief).statements:
            if told.section == "risks" and told.severity in ("high", "medium"):
                alarms += [
                    (told.facts.get("rule"), clause)
                    for clause in clauses
                    if any(words in clause or clause[:60] in words for words in told.quotes)
                ]
    assert alarms == []
