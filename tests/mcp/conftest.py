"""What the tests of the tool server share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from app import citator, corpus, search, tenancy
from app.platform import clock, settings
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.contract.law import CODE
from tests.corpus.conftest import clear
from tests.mcp.assistant import listening

JUDGMENT = {
    "jurisdiction": "ES",
    "title": "Sentencia 76/2019 del Tribunal Constitucional",
    "court": "Tribunal Constitucional",
    "date": "2019-05-22",
    "ecli": "ECLI:ES:TC:2019:76",
    "url": "https://law.example.com/stc76",
    "text": "El pastor que durmiera responde de las ovejas según el artículo 1903 del Código Civil.",
}


@pytest.fixture
def alice(cast: Cast) -> Player:
    """A tenant with the citator."""
    player = cast.player("alice")
    with db.transaction() as session:
        tenancy.set_options(session, player.account_id, citator=True)
    return player


@pytest.fixture
def law(app: Flask, tmp_path: Path) -> Iterator[None]:
    """A fictional code and a judgment that cites it, loaded, read and indexed."""
    clear()
    code = tmp_path / "BOE-A-1889-4763.md"
    code.write_text(CODE, encoding="utf-8")
    corpus.load("statutes", code, "markdown", now=clock.now())
    judgments = tmp_path / "judgments.jsonl"
    judgments.write_text(json.dumps(JUDGMENT), encoding="utf-8")
    corpus.load("judgments", judgments, "jsonl", now=clock.now())
    citator.read_waiting(clock.now)
    search.index(now=clock.now)
    search.embed(settings.current(), now=clock.now)
    yield
    clear()


@pytest.fixture
def url(app: Flask) -> Iterator[str]:
    """The base address of the application on a socket."""
    with listening(app) as found:
        yield found
