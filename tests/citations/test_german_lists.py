"""Lists and ranges of German paragraphs are told from the paragraphs within one."""

from __future__ import annotations

import pytest

from app.citations import extract


@pytest.mark.parametrize(
    ("text", "articles", "paragraphs"),
    [
        ("§§ 3 bis 5 ArbZG", ("3-5",), ()),
        ("§§ 1, 3 und 7 AGG", ("1", "3", "7"), ()),
        ("§ 626 I, II BGB", ("626",), ("1", "2")),
        ("§ 626 Abs. 1 und 2 BGB", ("626",), ("1", "2")),
        ("§ 573 Abs. 2 Nr. 2 BGB", ("573",), ("2",)),
        ("§ 280 I 2 BGB", ("280",), ("1",)),
    ],
)
def test_a_list_of_paragraphs_is_not_a_place_within_the_last(
    text: str, articles: tuple[str, ...], paragraphs: tuple[str, ...]
) -> None:
    [found] = extract(f"Nach {text} gilt das.", "DE")
    assert found.articles == articles
    told = [one for division in found.divisions for one in division if one.kind in ("paragraph", "any")]
    assert tuple(value for one in told[:1] for value in one.values) == paragraphs
