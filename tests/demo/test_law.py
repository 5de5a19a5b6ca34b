"""The fictional law of the demonstration: found, read, cited, and never taken for law."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from flask import Flask

from app import demo, tenancy
from app.demo.law import FILE
from app.platform import clock
from app.platform.postgres import db
from app.search import indexing
from tests.cast import Player
from tests.corpus.conftest import empty_corpus
from tests.portal.conftest import PortalClient, alice, member, stranger

__all__ = ["alice", "empty_corpus", "member", "stranger"]


def test_every_article_says_whose_law_it_is() -> None:
    rows = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    assert len(rows) > 20
    assert {row["jurisdiction"] for row in rows} == {"ZZ"}
    assert [row["law"] for row in rows if not row["law"].endswith("de Demostralia (texto ficticio)")] == []


@pytest.mark.usefixtures("empty_corpus")
def test_the_pages_of_the_law_show_it_as_what_it_is(
    app: Flask, alice: Player, member: Callable[[Player], PortalClient]
) -> None:
    assert demo.load_law() > 20
    assert demo.load_law() == 0
    indexing.index(now=clock.now)
    with db.transaction() as session:
        tenancy.set_options(session, alice.account_id, citator=True)
    visitor = member(alice)

    def answer(tool: str, **asked: str) -> str:
        page = visitor.get("/portal/law", query_string={"tool": tool, "country": "ZZ", **asked})
        assert page.status_code == 200
        assert "Law of a country that does not exist" in page.text
        return re.sub(r"</?mark>", "", page.text)

    assert "Fictional law (ZZ)" in visitor.get("/portal/law").text
    assert "El arrendador devolverá la fianza" in answer("search", q="devolución de la fianza")
    article = answer("article", norm="DEMO-LA", article="6")
    assert "dos por ciento" in article
    before = answer("article", norm="DEMO-LA", article="6", on="2020-05-01")
    assert "índice general de precios" in before
    assert "verdict--verified" in answer("check", q="art. 7 de la Ley de Arrendamientos de Demostralia")
    assert "verdict--not_verifiable" in answer(
        "check", q="art. 99 de la Ley de Arrendamientos de Demostralia"
    )
    cited = answer("citator", q="art. 6 de la Ley de Arrendamientos de Demostralia")
    assert "Ley de Medidas de Alquiler de Demostralia" in cited
