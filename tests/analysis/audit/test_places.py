"""A finding names the statement it attacks by its place in the analysis as it is written."""

from __future__ import annotations

from app.analysis.audit import Audit
from app.analysis.audit.finding import Finding


def test_a_finding_moves_with_its_statement() -> None:
    findings = (
        Finding("weak_reasoning", "low", "of the third drafted", 2),
        Finding("missing_clause", "low", "of the whole"),
    )
    audit = Audit("rules", "", findings, "low", "", 1, ())
    placed = audit.renumbered((2, 0, 1)).on_the_wire()["findings"]
    assert placed[0]["statement"] == 1
    assert "statement" not in placed[1]
