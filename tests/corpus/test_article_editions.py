"""Versions that follow from editions: whatever the order in which these were read."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.corpus.loading import article_editions
from app.corpus.loading.article_editions import NOTHING, Interval, Overlap, Readings
from app.corpus.loading.records import ArticleText, Wording

_FIRST = date(2019, 12, 30)
_DAYS = st.integers(0, 12).map(lambda days: _FIRST + timedelta(days=days * 30))
_WORDS = st.sampled_from(["uno", "dos", "tres"])


def _text(*wordings: Wording) -> ArticleText:
    return ArticleText("1", wordings, 1)


def _snapshot(words: str) -> ArticleText:
    return _text(Wording(words))


@st.composite
def _histories(draw: st.DrawFn) -> tuple[ArticleText, bool, date | None]:
    days = sorted(draw(st.sets(_DAYS, min_size=1, max_size=4)))
    ends = [*days[1:], None]
    wordings = [Wording(draw(_WORDS), day, end) for day, end in zip(days, ends, strict=True)]
    return _text(*wordings), True, draw(_DAYS)


@st.composite
def _snapshots(draw: st.DrawFn) -> tuple[ArticleText, bool, date | None]:
    return _snapshot(draw(_WORDS)), False, draw(_DAYS)


@st.composite
def _own_days(draw: st.DrawFn) -> tuple[ArticleText, bool, date | None]:
    return _text(Wording(draw(_WORDS), draw(_DAYS))), False, None


def _distinct(sources: list[tuple[ArticleText, bool, date | None]]) -> bool:
    """Two sources of one kind and one day are a text and its correction: their order is what tells."""
    kinds = [
        (history, edition or found.wordings[0].in_force_from, found.wordings[0].in_force_from is None)
        for found, history, edition in sources
    ]
    return len(kinds) == len(set(kinds))


def _read(sources: object) -> Readings:
    known = NOTHING
    for found, history, edition in sources:  # type: ignore[attr-defined]
        known = article_editions.merged(known, found, history=history, edition=edition)
    return known


@given(
    st.lists(st.one_of(_histories(), _snapshots(), _own_days()), min_size=1, max_size=4).filter(_distinct),
    st.sets(_DAYS, max_size=2),
)
def test_the_order_of_loading_does_not_matter(
    sources: list[tuple[ArticleText, bool, date | None]], absent: set[date]
) -> None:
    editions = absent | {edition for _, _, edition in sources if edition}
    found = {
        (article_editions.resolved(known, editions), str(article_editions.to_json(known)))
        for known in (_read(order) for order in permutations(sources))
    }
    assert len(found) == 1


@given(st.lists(st.one_of(_histories(), _snapshots(), _own_days()), max_size=5), st.sets(_DAYS, max_size=3))
def test_versions_are_in_order_apart_and_never_empty(
    sources: list[tuple[ArticleText, bool, date | None]], absent: set[date]
) -> None:
    versions = article_editions.resolved(_read(sources), absent)
    for one in versions:
        assert one.in_force_from is None or one.in_force_to is None or one.in_force_from < one.in_force_to
    for one, following in pairwise(versions):
        assert one.in_force_to is not None
        assert following.in_force_from is not None
        assert one.in_force_to <= following.in_force_from


@given(st.lists(st.one_of(_histories(), _snapshots(), _own_days()), max_size=4))
def test_what_is_kept_is_read_again(sources: list[tuple[ArticleText, bool, date | None]]) -> None:
    known = _read(sources)
    assert article_editions.from_json(article_editions.to_json(known)) == known


def test_an_older_edition_adds_a_version_before_the_present_one() -> None:
    known = _read(
        [(_snapshot("nuevo"), False, date(2024, 5, 6)), (_snapshot("viejo"), False, date(2020, 1, 1))]
    )
    versions = article_editions.resolved(known, [date(2020, 1, 1), date(2024, 5, 6)])
    assert [(one.in_force_from, one.in_force_to) for one in versions] == [
        (None, date(2024, 5, 6)),
        (date(2024, 5, 6), None),
    ]
    assert versions[-1].digest == Wording("nuevo").digest


def test_words_that_came_back_are_three_versions() -> None:
    seen = [("a", date(2020, 1, 1)), ("b", date(2022, 1, 1)), ("a", date(2024, 2, 29))]
    known = _read([(_snapshot(words), False, day) for words, day in seen])
    assert [one.in_force_from for one in article_editions.resolved(known, [day for _, day in seen])] == [
        None,
        date(2022, 1, 1),
        date(2024, 2, 29),
    ]


def test_a_text_without_a_day_never_replaces_one_with_a_day() -> None:
    undated, dated = (_snapshot("sin fecha"), False, None), (_snapshot("fechado"), False, date(2020, 1, 1))
    for order in ((undated, dated), (dated, undated)):
        (version,) = article_editions.resolved(_read(order), [date(2020, 1, 1)])
        assert version.digest == Wording("fechado").digest


def test_an_article_absent_before_begins_with_the_edition_that_has_it() -> None:
    known = _read([(_snapshot("x"), False, date(2024, 5, 6))])
    assert article_editions.resolved(known, [date(2020, 1, 1), date(2024, 5, 6), date(2025, 1, 1)]) == (
        Interval(Wording("x").digest, date(2024, 5, 6), date(2025, 1, 1)),
    )


@pytest.mark.parametrize(
    "wordings",
    [
        (Wording("a", date(2022, 1, 1), date(2021, 1, 1)),),
        (Wording("a", date(2022, 1, 1), date(2022, 1, 1)),),
        (Wording("a", date(2020, 1, 1), date(2023, 1, 1)), Wording("b", date(2022, 1, 1))),
        (Wording("a"), Wording("b")),
        (Wording("a", date(2020, 2, 29)), Wording("b", date(2020, 2, 29))),
    ],
)
def test_a_history_that_contradicts_itself_is_refused_with_its_intervals(
    wordings: tuple[Wording, ...],
) -> None:
    with pytest.raises(Overlap, match=r"overlap|before it has begun"):
        article_editions.merged(NOTHING, _text(*wordings), history=True, edition=None)


def test_days_of_its_own_that_overlap_are_refused_over_several_loads() -> None:
    known = _read([(_text(Wording("a", date(2020, 1, 1), date(2023, 1, 1))), False, None)])
    with pytest.raises(Overlap, match="2020-01-01 to 2023-01-01 and 2022-06-01 to today overlap"):
        article_editions.merged(known, _text(Wording("b", date(2022, 6, 1))), history=False, edition=None)


@given(st.lists(_snapshots(), min_size=1, max_size=4).filter(_distinct), _snapshots())
def test_versions_of_an_earlier_release_are_taken_for_what_they_show(
    sources: list[tuple[ArticleText, bool, date | None]], later: tuple[ArticleText, bool, date | None]
) -> None:
    editions = sorted(edition for _, _, edition in sources if edition)
    versions = article_editions.resolved(_read(sources), editions)
    supposed = article_editions.guessed(versions, history=False, edition=editions[-1])
    assert article_editions.resolved(supposed, editions[-1:]) == versions
