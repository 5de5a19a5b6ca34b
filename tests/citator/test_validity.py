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
        # Repealed by the index, which says not since when: of a day before the index nothing is known.
        (AuthorityFacts(True, status="repealed", edition=date(2026, 4, 1)), "unknown", None),
        (AuthorityFacts(True, status="repealed", repealed=date(2026, 2, 1)), "good", None),
        (AuthorityFacts(True, began=date(2026, 2, 1)), "unknown", None),
        (AuthorityFacts(True, against=(link("upholds_conditionally", "5"),)), "caution", date(2020, 5, 1)),
        # No text of the norm is loaded: the repealing provision alone speaks.
        (AuthorityFacts(True, against=(link("repeals", "5"),), loaded=False), "repealed", None),
        (
            AuthorityFacts(True, against=(link("repeals", "5", partial=True),), loaded=False),
            "caution",
            date(2020, 5, 1),
        ),
        # The loaded text is older than the repeal, or newer and keeps the article.
        (
            AuthorityFacts(True, against=(link("repeals", "5"),), edition=date(2020, 4, 1)),
            "repealed",
            date(2020, 5, 1),
        ),
        (
            AuthorityFacts(True, against=(link("repeals", "5"),), edition=date(2021, 4, 1)),
            "caution",
            date(2020, 5, 1),
        ),
        # Words older than any loaded text of an amended norm.
        (AuthorityFacts(True, unheld=date(2025, 1, 3), worded=date(2015, 1, 1)), "unknown", None),
        (
            AuthorityFacts(
                True, unheld=date(2025, 1, 3), worded=date(2015, 1, 1), against=(link("amends", "5"),)
            ),
            "superseded",
            date(2020, 5, 1),
        ),
        (
            AuthorityFacts(
                True, unheld=date(2025, 1, 3), worded=date(2021, 1, 1), against=(link("amends", "5"),)
            ),
            "unknown",
            None,
        ),
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


def test_a_norm_of_which_articles_were_repealed_is_not_repealed() -> None:
    found = judge("norm", "", AuthorityFacts(True, against=(link("repeals", "87"),), loaded=False), ON)
    assert found.standing == "caution"
    assert [(one.article, one.partial) for one in found.because] == [("87", True)]


def test_what_remains_of_a_repealed_norm_is_not_told_repealed() -> None:
    facts = AuthorityFacts(True, repealed=date(2020, 9, 1), remains="subsiste la disposición final primera")
    assert judge("norm", "", facts, ON).standing == "repealed"
    assert judge("norm", "100", facts, ON).standing == "repealed"
    kept = judge("norm", "df1", facts, ON)
    assert (kept.standing, "subsiste" in (kept.note or "")) == ("caution", True)
    named = AuthorityFacts(True, repealed=date(2020, 9, 1), remains="x", against=(link("repeals", "da2"),))
    assert judge("norm", "da2", named, ON).standing == "repealed"
