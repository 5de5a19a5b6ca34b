"""The rule of good law: facts in, standing out."""

from __future__ import annotations

from datetime import date

import pytest

from app.citator.authority_lookup import Authority
from app.citator.graph import Link
from app.citator.validity import Facts, judge

ON = date(2026, 1, 1)
BY = Authority("judgment", "CO:CC:C-1/20", "", "CO", "C-1/20", None, date(2020, 5, 1), True)


def link(
    treatment: str, article: str = "", *, partial: bool = False, day: date | None = date(2020, 5, 1)
) -> Link:
    return Link(BY, article, treatment, partial, 1, day, "text")


@pytest.mark.parametrize(
    ("facts", "standing", "since"),
    [
        (Facts(True, read=True), "good", None),
        (Facts(True, read=False), "unknown", None),
        (Facts(False, read=True), "unknown", None),
        (Facts(True, against=(link("overrules"),), read=True), "overruled", date(2020, 5, 1)),
        (Facts(True, against=(link("annuls"), link("overrules")), read=True), "annulled", date(2020, 5, 1)),
        (Facts(True, against=(link("distinguishes"),), read=True), "caution", date(2020, 5, 1)),
        (Facts(True, against=(link("annuls", partial=True),), read=True), "caution", date(2020, 5, 1)),
        (Facts(True, against=(link("overrules", day=date(2030, 1, 1)),), read=True), "good", None),
        (Facts(False, against=(link("annuls"),)), "annulled", date(2020, 5, 1)),
    ],
)
def test_judgments(facts: Facts, standing: str, since: date | None) -> None:
    found = judge("judgment", "", facts, ON)
    assert (found.standing, found.since) == (standing, since)


STRUCK, PART = link("declares_unconstitutional", "5"), link("declares_unconstitutional", "5", partial=True)


@pytest.mark.parametrize(
    ("facts", "standing", "since"),
    [
        (Facts(True), "good", None),
        (Facts(False), "unknown", None),
        (Facts(True, missing=True), "unknown", None),
        (Facts(True, against=(STRUCK,)), "annulled", date(2020, 5, 1)),
        (Facts(True, against=(PART,)), "caution", date(2020, 5, 1)),
        (Facts(True, repealed=date(2016, 10, 2)), "repealed", date(2016, 10, 2)),
        (Facts(True, repealed=date(2030, 1, 1)), "good", None),
        (Facts(True, status="expired"), "repealed", None),
        (Facts(True, status="annulled"), "annulled", None),
        (Facts(True, empty=True), "repealed", None),
        (Facts(True, ended=date(2024, 1, 1)), "repealed", date(2024, 1, 1)),
        (Facts(True, reworded=date(2024, 1, 1)), "superseded", date(2024, 1, 1)),
        (Facts(True, against=(link("repeals", "5"),)), "caution", date(2020, 5, 1)),
        (Facts(True, against=(link("amends", "5"),)), "good", None),
    ],
)
def test_articles(facts: Facts, standing: str, since: date | None) -> None:
    found = judge("norm", "5", facts, ON)
    assert (found.standing, found.since) == (standing, since)


def test_the_whole_law_does_not_fall_with_one_article() -> None:
    assert judge("norm", "", Facts(True, against=(STRUCK,)), ON).standing == "caution"
    assert judge("norm", "6", Facts(True), ON).standing == "good"
