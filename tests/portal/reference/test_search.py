"""Finding a page of the reference."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.portal.docs.reference import Reference, read
from app.portal.docs.reference.search import LONGEST, search


@pytest.fixture(scope="module")
def book(app: Flask) -> Reference:
    return read(app.test_client().get("/api/v1/openapi.json").get_json())


def found(book: Reference, query: str) -> list[str]:
    return [hit.page.slug for hit in search(book.entries, query)]


def test_every_page_is_found_by_what_it_is_called(book: Reference) -> None:
    for page in book.pages.values():
        assert page.slug in found(book, page.summary[:LONGEST])[:3], page.slug
        if page.path:
            assert page.slug in found(book, f"{page.method} {page.path}")[:3], page.slug


def test_every_field_parameter_header_and_code_is_found(book: Reference) -> None:
    for query, slug in (
        ("X-RateLimit-Remaining", "analyze"), ("retry-after", "analyze"), ("INSUFFICIENT_CREDITS", "analyze"),
        ("Idempotency-Replayed", "analyze-batch"), ("monthly_credit_cap", "create-sub-key"),
        ("subkey", "create-sub-key"), ("sub-key", "create-sub-key"), ("pollUrl", "create-job"),
        ("analysis.completed", "on-analysis-completed"), ("POLLURL", "create-job"), ("poll", "create-job"),
    ):  # fmt: skip
        assert slug in found(book, query), query


def test_words_are_found_from_their_beginning_alone(book: Reference) -> None:
    # "update" has "date" in it, "because" has "use", "generatedAt" has "rate".
    assert "update-branding" not in found(book, "date")
    pages = {hit.page.slug: hit.names for hit in search(book.entries, "rate")}
    assert all("generatedAt" not in names for names in pages.values())
    assert len(found(book, "a b c d e f g h i zebra")) == 0


@pytest.mark.parametrize(
    "query", ["citationChecks", "CITATIONCHECKS", "citation_checks", "citationCh", "  citationChecks  "]
)
def test_a_field_is_found_however_it_is_written(book: Reference, query: str) -> None:
    hits = {hit.page.slug: hit.names for hit in search(book.entries, query)}
    assert "citationChecks" in hits["analyze"]


def test_every_word_must_be_there(book: Reference) -> None:
    assert set(found(book, "webhook rotate")) < set(found(book, "webhook"))
    assert found(book, "webhook zebra") == []


@pytest.mark.parametrize("query", ["", "   ", "?!", "_", "\u0301"])
def test_a_query_without_words_finds_nothing(book: Reference, query: str) -> None:
    assert found(book, query) == []


def test_what_a_page_is_called_counts_more_than_its_fields(book: Reference) -> None:
    names = found(book, "usage")
    assert names[0] == "usage"


def test_the_page_of_hits_shows_where_the_words_are(client: FlaskClient) -> None:
    page = client.get("/docs?q=citationChecks&in=python").text
    assert 'href="/docs/analyze?in=python"' in page
    assert '<code class="mono">citationChecks</code>' in page
    assert 'value="citationChecks"' in page
    nothing = client.get("/docs?q=zebra").text
    assert "No page contains all of these words" in nothing or "Ninguna página" in nothing


def test_a_hostile_query_is_text(client: FlaskClient) -> None:
    page = client.get("/docs", query_string={"q": '"><script>alert(1)</script>' + "a" * 500})
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert "<q>&#34;&gt;&lt;script&gt;" in page.text
    assert "a" * 101 not in page.text.partition("<main")[2]


def test_without_words_it_is_the_front(client: FlaskClient) -> None:
    front, blank = (client.get(path).text.partition("<main")[2] for path in ("/docs", "/docs?q=%20"))
    assert front
    assert blank == front
