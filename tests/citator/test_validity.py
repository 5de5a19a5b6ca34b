"""The rule of good law: facts in, standing out."""

from __future__ import annotations

from datetime import date

import pytest

from app.citator.authority_lookup import Authority
from app.citator.graph import Link
from app.citator.validity import AuthorityFacts, judge

ON = date(2026, 1, 1)
BY = Authority("judgment", "CO:CC:C-1/20", "", "CO", "C-1/20", None, date(2020, 5, 1), True)


def link(
    treatment: str, article: str = "", *, partial: bool = False, day: date | None = date(2020, 5, 1)
) -> Link:
    return Link(BY, article, treatment, partial, 1, day, "text")


@pytest.mark.parametrize(
    ("facts", "standing", "since"),
    [
        (AuthorityFacts(True, read=True), "good", None),
        (AuthorityFacts(True, read=False), "unknown", None),
        (AuthorityFacts(False, read=True), "unknown", None),
        (AuthorityFacts(True, against=(link("overrules"),), read=True), "overruled", date(2020, 5, 1)),
        (
            AuthorityFacts(True, against=(link("annuls"), link("overrules")), read=True),
            "annulled",
            date(2020, 5, 1),
        ),
        (AuthorityFacts(True, against=(link("distinguishes"),), read=True), "caution", date(2020, 5, 1)),
        (
            AuthorityFacts(True, against=(link("annuls", partial=True),), read=True),
            "caution",
            date(2020, 5, 1),
        ),
        (AuthorityFacts(True, against=(link("overrules", day=date(2030, 1, 1)),), read=True), "good", None),
        (AuthorityFacts(False, against=(link("annuls"),)), "annulled", date(2020, 5, 1)),
    ],
)
def test_judgments(facts: AuthorityFacts, standing: str, since: date | None) -> None:
    found = judge("judgment", "", facts, ON)
    assert (found.standing, found.since) == (standing, since)


STRUCK, PART = link("declares_unconstitutional", "5"), link("declares_unconstitutional", "5", partial=True)


@pytest.mark.parametrize(
    ("facts", "standing", "since"),
    [
        (AuthorityFacts(True), "good", None),
        (AuthorityFacts(False), "unknown", None),
        (AuthorityFacts(True, missing=True), "unknown", None),
        (AuthorityFacts(True, against=(STRUCK,)), "annulled", date(2020, 5, 1)),
        (AuthorityFacts(True, against=(PART,)), "caution", date(2020, 5, 1)),
        (AuthorityFacts(True, repealed=date(2016, 10, 2)), "repealed", date(2016, 10, 2)),
        (AuthorityFacts(True, repealed=date(2030, 1, 1)), "good", None),
        (AuthorityFacts(True, status="expired"), "repealed", None),
        (AuthorityFacts(True, status="annulled"), "annulled", None),
        (AuthorityFacts(True, empty=True), "repealed", None),
        (AuthorityFacts(True, ended=date(2024, 1, 1)), "repealed", date(2024, 1, 1)),
        (AuthorityFacts(True, reworded=date(2024, 1, 1)), "superseded", date(2024, 1, 1)),
        (AuthorityFacts(True, against=(link("repeals", "5"),)), "caution", date(2020, 5, 1)),
        (AuthorityFacts(True, against=(link("amends", "5"),)), "good", None),
    ],
)
def test_articles(facts: AuthorityFacts, standing: str, since: date | None) -> None:
    found = judge("norm", "5", facts, ON)
    assert (found.standing, found.since) == (standing, since)


def test_the_whole_law_does_not_fall_with_one_article() -> None:
    assert judge("norm", "", AuthorityFacts(True, against=(STRUCK,)), ON).standing == "caution"
    assert judge("norm", "6", AuthorityFacts(True), ON).standing == "good"
