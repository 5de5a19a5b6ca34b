"""Descriptions in pieces."""

from __future__ import annotations

from app.portal.docs.reference.prose import Piece, plain, prose

LINKS = {"GET /api/v1/events": "list-events", "GET /api/v1/jobs/{job_id}": "get-job"}


def test_paragraphs_are_joined_over_their_lines() -> None:
    found = prose("One\nand  two.\n\n \nThree.\n", {})
    assert [block.kind for block in found] == ["paragraph", "paragraph"]
    assert plain(found) == "One and  two. Three."
    assert prose(None, {}) == prose(" \n ", {}) == ()


def test_code_and_lists_are_known() -> None:
    (block,) = prose("- `a` first\n- second\n  goes on", {})
    assert block.kind == "list"
    assert block.lines == (
        (Piece("a", code=True), Piece(" first")),
        (Piece("second goes on"),),
    )


def test_an_operation_that_is_named_is_a_link_to_its_page() -> None:
    (block,) = prose("See GET /api/v1/events. Or `GET /api/v1/jobs/{job_id}`, not GET /api/v1/none.", LINKS)
    assert block.lines[0] == (
        Piece("See "),
        Piece("GET /api/v1/events", code=True, to="list-events"),
        Piece(". Or "),
        Piece("GET /api/v1/jobs/{job_id}", code=True, to="get-job"),
        Piece(", not GET /api/v1/none."),
    )


def test_what_is_no_markdown_stays_as_it_is() -> None:
    text = "<script>alert(1)</script> **b** [a](javascript:x) `open"
    assert plain(prose(text, LINKS)) == text
