"""Analyses while the law, its index or a provider of embeddings is away: poorer answers that say so."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import corpus, search
from app.platform import clock, settings
from app.platform.postgres import db
from app.search.index_cache import INDEX_CACHE
from tests.cast import Cast, Player
from tests.contract.conftest import Use
from tests.contract.law import CODE
from tests.corpus.conftest import clear
from tests.vendors_server import Vendors, draft
from tests.vendors_wire import Call, Reply

TEXT = (
    "CONTRATO DE PASTOREO. El pastor guarda el rebaño por un año. La renta será de 900 euros mensuales, "
    "conforme al artículo 1902 del Código Civil."
)
PASTOR = "El pastor no responde de las ovejas perdidas, salvo que durmiera."
UNREAD = "No se pudo consultar la ley cargada al comprobar las citas"
UNTOLD = "No se pudo consultar la ley cargada: el modelo redactó sin sus textos"
LONG = {"ANALYSIS_DEADLINE_S": "60", "MODEL_ATTEMPT_S": "30"}


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.fixture(scope="module")
def law(configured: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A fictional code, loaded and indexed."""
    clear()
    file = Path(tmp_path_factory.mktemp("law")) / "BOE-A-1889-4763.md"
    file.write_text(CODE, encoding="utf-8")
    corpus.load("statutes", file, "markdown", now=clock.now())
    search.index(now=clock.now)
    INDEX_CACHE.clear()
    yield
    clear()
    with db.transaction() as session:
        for table in ("search_postings", "search_shelves", "search_models", "search_projections"):
            session.execute(sa.text(f"DELETE FROM {table}"))
    INDEX_CACHE.clear()


@contextmanager
def _locked(*tables: str) -> Iterator[None]:
    """Hold tables under a lock, and have the server cancel what waits for it, as its timeout would."""
    url = settings.current().database_url.get_secret_value()
    done = threading.Event()

    def cancel() -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            while not done.wait(0.02):
                connection.execute(
                    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                    "AND wait_event_type = 'Lock' AND state = 'active'"
                )

    with psycopg.connect(url) as holder:
        for table in tables:
            holder.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
        thread = threading.Thread(target=cancel)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
            holder.rollback()


def _ask(client: FlaskClient, player: Player, text: str = TEXT, **fields: Any) -> Any:
    return client.post("/api/v1/analyze", json={"text": text, **fields}, headers=player.auth)


def _statement(text: str, *quotes: str, cites: str) -> dict[str, Any]:
    return {
        "section": "reasoning", "text": text, "quotes": list(quotes), "citations": [cites],
        "proposed_lock": "L1", "severity": "none", "reason": "",
    }  # fmt: skip


def _lock_of(body: Any, text: str) -> str:
    return next(str(one["lock"]) for one in body["statements"] if one["text"].startswith(text))


@pytest.mark.usefixtures("law")
@pytest.mark.parametrize("mode", ["standard", "deep"])
@pytest.mark.parametrize("engine", ["rules", "openai"])
def test_law_that_is_away_costs_its_texts_and_no_analysis(
    client: FlaskClient, cast: Cast, alice: Player, server: Vendors, use: Use, engine: str, mode: str
) -> None:
    use(NODE_A_ENGINE=engine, **LONG)
    words = "El pastor no responderá de las ovejas perdidas, salvo que durmiera"
    made = draft(statements=[_statement(PASTOR, words, cites="art. 1903 del Código Civil")])
    server.script.extend([made, made])
    right = _ask(client, alice, mode=mode).get_json()
    with _locked("corpus_norms", "corpus_versions", "corpus_passages"):
        answer = _ask(client, alice, mode=mode)
    assert answer.status_code == 200, answer.text
    body = answer.get_json()
    assert UNREAD in body["analysis"]
    assert UNREAD not in right["analysis"]
    assert UNTOLD not in right["analysis"]
    if engine == "openai":
        assert UNTOLD in body["analysis"]
        assert (_lock_of(right, PASTOR), _lock_of(body, PASTOR)) == ("L1", "L4")
    cited = {one["citation"]: one["status"] for one in body["citationChecks"]["checks"]}
    assert "not_found" not in cited.values()
    price = 2 if mode == "deep" else 1
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100 - 2 * price, 0)


@pytest.mark.usefixtures("law")
def test_an_index_that_is_away_leaves_the_articles_cited(
    client: FlaskClient, alice: Player, server: Vendors, use: Use
) -> None:
    use(NODE_A_ENGINE="openai", **LONG)
    server.script.append(draft())
    with _locked("search_shelves", "search_postings"):
        INDEX_CACHE.clear()
        answer = _ask(client, alice)
    INDEX_CACHE.clear()
    assert answer.status_code == 200, answer.text
    assert UNTOLD in answer.get_json()["analysis"]
    assert UNREAD not in answer.get_json()["analysis"]
    assert {one["status"] for one in answer.get_json()["citationChecks"]["checks"]} == {"verified"}


@pytest.mark.usefixtures("law")
def test_a_provider_of_embeddings_that_is_away_costs_a_model_nothing_but_the_likeness(
    client: FlaskClient, alice: Player, server: Vendors, use: Use
) -> None:
    use(
        NODE_A_ENGINE="anthropic",
        EMBEDDING_ENGINE="openai",
        OPENAI_BASE_URL="http://127.0.0.1:9/v1",
        **LONG,
    )
    look_up = ("search_statutes", {"query": "pastor y ovejas perdidas", "jurisdiction": None, "fecha": None})
    server.script.extend([Reply(calls=(Call("c1", *look_up),)), draft()])
    answer = _ask(client, alice)
    assert answer.status_code == 200, answer.text
    assert "El pastor no responder" in server.bodies[1].decode()


@pytest.mark.usefixtures("law")
@pytest.mark.parametrize("mode", ["standard", "deep"])
def test_a_country_that_is_not_loaded_is_analysed_and_named(
    client: FlaskClient, alice: Player, server: Vendors, use: Use, mode: str
) -> None:
    use(NODE_A_ENGINE="openai", **LONG)
    server.script.append(draft(statements=[_statement(PASTOR, cites="artículo 1545 del Código Civil")]))
    answer = _ask(client, alice, jurisdiction="CL", mode=mode)
    assert answer.status_code == 200, answer.text
    body = answer.get_json()
    assert "La ley de CL no está indexada" in body["analysis"]
    assert _lock_of(body, PASTOR) == "L4"
