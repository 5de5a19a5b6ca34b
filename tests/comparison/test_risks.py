"""Risks of two versions are matched by rule and clause, not by their words."""

from __future__ import annotations

from app.comparison.risks import Risk, match_risks


def risk(key: str = "", clause: int = 1, **also: object) -> Risk:
    fields: dict[str, object] = {
        "place": 0,
        "key": key,
        "severity": "medium",
        "clauses": (clause,),
        "law": frozenset(),
        "text": "Un riesgo.",
    }
    return Risk(**{**fields, **also})  # type: ignore[arg-type]


def test_what_the_same_rule_finds_in_both_stays_whatever_its_words_and_place() -> None:
    found = match_risks([risk("rule a", 1, text="Son 42 horas.")], [risk("rule a", 9, text="Son 45 horas.")])
    assert (len(found.stayed), found.appeared, found.went) == (1, (), ())


def test_what_only_one_version_has_appeared_or_went() -> None:
    found = match_risks([risk("rule a"), risk("rule b")], [risk("rule b"), risk("rule c")])
    assert [one.key for one in found.appeared] == ["rule c"]
    assert [one.key for one in found.went] == ["rule a"]


def test_several_of_one_rule_are_matched_by_their_clauses() -> None:
    before = [risk("rule a", 1, text="uno"), risk("rule a", 2, text="dos")]
    after = [
        risk("rule a", 2, text="dos bis"),
        risk("rule a", 1, text="uno bis"),
        risk("rule a", 3, text="tres"),
    ]
    found = match_risks(before, after)
    assert {(one.before.text, one.after.text) for one in found.stayed} == {
        ("uno", "uno bis"),
        ("dos", "dos bis"),
    }
    assert [one.text for one in found.appeared] == ["tres"]


def test_another_severity_and_other_figures_are_told() -> None:
    before = risk("rule a", severity="medium", numbers=frozenset({"1000"}))
    after = risk("rule a", severity="high", numbers=frozenset({"5000"}))
    [stayed] = match_risks([before], [after]).stayed
    assert stayed.severity_changed
    assert stayed.figures_changed
    [same] = match_risks([before], [before]).stayed
    assert not same.severity_changed
    assert not same.figures_changed


def test_a_models_risk_is_matched_by_clause_law_and_words() -> None:
    before = risk(law=frozenset({"art. 1154 CC"}), text="La pena es desproporcionada para el arrendatario.")
    worded = risk(
        law=frozenset({"art. 1154 CC"}), text="Resulta desproporcionada la pena que paga el arrendatario."
    )
    elsewhere = risk(clause=7, law=frozenset({"art. 1154 CC"}), text=before.text)
    assert len(match_risks([before], [worded]).stayed) == 1
    assert match_risks([before], [elsewhere]).stayed == ()


def test_a_models_other_risk_of_the_same_clause_is_another() -> None:
    before = risk(law=frozenset({"art. 1154 CC"}), text="La pena es desproporcionada.")
    other = risk(
        law=frozenset({"art. 1256 CC"}), text="Solo una parte puede cambiar el precio cuando quiera."
    )
    assert match_risks([before], [other]).stayed == ()


def test_each_risk_is_matched_once() -> None:
    found = match_risks([risk("rule a"), risk("rule a")], [risk("rule a")])
    assert len(found.stayed) == 1
    assert len(found.went) == 1
