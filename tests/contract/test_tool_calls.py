"""Analyses by models that look things up, over the vendors' protocols: what leaves, what is judged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import structlog
from flask.testing import FlaskClient
from sqlalchemy.exc import OperationalError

from app import corpus, governance, search, tenancy
from app.platform import clock
from app.platform.postgres import db
from app.search import operations
from app.search.index_cache import INDEX_CACHE
from tests import simulated_models
from tests.cast import Cast, Player
from tests.contract.conftest import Use
from tests.contract.law import CODE
from tests.corpus.conftest import clear
from tests.simulated_models import HOSTILE, blocks
from tests.vendors_server import Vendors, draft, opinion
from tests.vendors_wire import Asked, Call, Reply

TEXT = (
    "CONTRATO DE PASTOREO. De una parte, D. Tomás Herrero Vidal, con DNI 12345678Z; de otra, Dña. Lucía "
    "Prado Sanz. El pastor guarda el rebaño por un año. La renta será de 900 euros mensuales."
)
SECRETS = ("12345678Z", "87654321X", "Tomás", "Herrero", "Lucía", "Prado")
# Persons in the law: one of them is the document's, too.
CASE = """
##### Artículo 1904. Ejemplo.

Así lo probó el rebaño de D. Tomás Herrero Vidal, con DNI 12345678Z, y no el de D. Juan Cano Ruiz, con DNI
87654321X.
"""
PROTOCOLS = ("anthropic", "openai", "chat")
PASTOR = "BOE-A-1889-4763:1903"
LONG = {"ANALYSIS_DEADLINE_S": "60", "MODEL_ATTEMPT_S": "30"}


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.fixture(scope="module")
def law(configured: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A fictional code, loaded and indexed."""
    clear()
    file = Path(tmp_path_factory.mktemp("law")) / "BOE-A-1889-4763.md"
    file.write_text(CODE + CASE, encoding="utf-8")
    corpus.load("statutes", file, "markdown", now=clock.now())
    search.index(now=clock.now)
    INDEX_CACHE.clear()
    yield
    clear()
    with db.transaction() as session:
        for table in ("search_postings", "search_shelves", "search_models", "search_projections"):
            session.execute(sa.text(f"DELETE FROM {table}"))
    INDEX_CACHE.clear()


def _use(use: Use, protocol: str, **more: str) -> None:
    vendor = "anthropic" if protocol == "anthropic" else "openai"
    chat = "chat" if protocol == "chat" else "responses"
    use(NODE_A_ENGINE=vendor, NODE_A_MODEL="m-1", OPENAI_PROTOCOL=chat, **{**LONG, **more})


def _ask(client: FlaskClient, player: Player, text: str = TEXT, **fields: Any) -> Any:
    return client.post("/api/v1/analyze", json={"text": text, **fields}, headers=player.auth)


def _calls(*calls: tuple[str, dict[str, Any]]) -> Reply:
    return Reply(calls=tuple(Call(f"c{at}", name, given) for at, (name, given) in enumerate(calls)))


def _query(words: str) -> tuple[str, dict[str, Any]]:
    return "search_statutes", {"query": words, "jurisdiction": None, "fecha": None}


def _article(number: str) -> tuple[str, dict[str, Any]]:
    return "get_article", {"norma": "CC", "articulo": number, "jurisdiction": None, "fecha": None}


def _statement(text: str, *quotes: str, cites: str, section: str = "reasoning") -> dict[str, Any]:
    return {
        "section": section, "text": text, "quotes": list(quotes), "citations": [cites],
        "proposed_lock": "L1", "severity": "none", "reason": "",
    }  # fmt: skip


RIGHT = "El pastor no responde de las ovejas perdidas, salvo que durmiera"


def _results(server: Vendors) -> str:
    """What the second request has of results, as one text."""
    return server.bodies[1].decode()


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.usefixtures("law")
def test_a_statement_may_cite_what_a_tool_found_and_code_judges_it(
    client: FlaskClient, alice: Player, server: Vendors, use: Use, protocol: str
) -> None:
    _use(use, protocol)
    words = "El pastor no responderá de las ovejas perdidas, salvo que durmiera"
    said = draft(
        statements=[
            _statement(f"{RIGHT}.", words, cites=f"[{PASTOR}]"),
            _statement("El pastor responde de las ovejas perdidas.", words, cites=PASTOR),
        ]
    )
    server.script.extend([_calls(_query("pastor ovejas perdidas"), _article("1903")), said])
    answer = _ask(client, alice)
    body = answer.get_json()
    assert answer.status_code == 200, body
    assert server.asked == 2
    assert f"[{PASTOR}] art. 1903 CC" in _results(server)
    right = next(one for one in body["statements"] if one["text"].startswith("El pastor no responde"))
    assert right["lock"] == "L1"
    [authority] = right["authorities"]
    assert (authority["citation"], authority["status"], authority["support"]) == (
        "art. 1903 CC", "verified", "supported",
    )  # fmt: skip
    [wrong] = [one for one in body["statements"] if one["text"].startswith("El pastor responde")]
    assert (wrong["lock"], wrong["authorities"][0]["support"]) == ("L4", "silent")
    assert "2 tool calls" in body["analysis"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.usefixtures("law")
def test_no_person_of_the_document_or_of_the_law_leaves(
    client: FlaskClient, alice: Player, server: Vendors, use: Use, protocol: str
) -> None:
    _use(use, protocol)
    with db.transaction() as session:
        tenancy.set_options(session, alice.account_id, mask_names=True)
    quoted = _statement("Lo probó [PERSON_1], con DNI [ES_DNI_1].", cites=f"{PASTOR[:-1]}4")
    asked = _calls(_article("1904"), _query("a quién pertenece el rebaño"))
    server.script.extend([asked, draft(statements=[quoted])])
    body = _ask(client, alice).get_json()
    for secret in SECRETS:
        assert secret not in server.said()
        assert secret.encode("unicode_escape").decode() not in server.said()
    assert "con DNI [ES_DNI_1], y no el de" in _results(server), "the same person, the same placeholder"
    assert "[ES_DNI_2]" in _results(server)
    assert "Lo probó Tomás Herrero Vidal, con DNI 12345678Z." in body["analysis"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("character", ["honest", "greedy", "heedless", "parallel", "careless", "hostile"])
@pytest.mark.usefixtures("law")
def test_whatever_a_model_calls_the_analysis_is_given_and_the_floor_stands(
    client: FlaskClient, alice: Player, server: Vendors, use: Use, protocol: str, character: str
) -> None:
    use()
    floor = _ask(client, alice).get_json()
    _use(use, protocol, MODEL_TOOL_ROUNDS="3", MODEL_TOOL_CALLS="12")
    server.character = simulated_models.CHARACTERS[character]
    with structlog.testing.capture_logs() as lines:
        answer = _ask(client, alice)
    body = answer.get_json()
    assert (answer.status_code, body["model"]) == (200, "m-1")
    assert {one["text"] for one in floor["statements"]} <= {one["text"] for one in body["statements"]}
    # honest: two rounds; greedy: all of them; heedless: all, once more than it may, and without tools
    rounds = {"honest": 2, "greedy": 3, "heedless": 4, "parallel": 1, "careless": 1, "hostile": 1}
    assert server.asked == rounds[character] + 1
    assert not any(words[:12] in str(lines) for words in (*HOSTILE, "fianza"))
    with db.reading() as session:
        assert session.scalar(sa.text("SELECT count(*) FROM corpus_norms")) == 1
        [record] = governance.records(session, alice.account_id, limit=1)
    assert record.content["tokens"]["tools"]["input"] > 0
    assert record.content["tokens"]["draft"]["cached"] > 0


@pytest.mark.usefixtures("law")
def test_what_is_wrong_with_a_call_is_told_to_the_model(
    client: FlaskClient, alice: Player, server: Vendors, use: Use
) -> None:
    _use(use, "anthropic")
    seen: list[Asked] = []

    def character(asked: Asked) -> Any:
        seen.append(asked)
        return simulated_models.careless(asked)

    server.character = character
    assert _ask(client, alice).status_code == 200
    told = [one.text for one in seen[1].results]
    assert all(one.failed for one in seen[1].results)
    assert told[0] == "error: Additional properties are not allowed ('' was unexpected)" or "query" in told[0]
    assert "there is no such tool; there are search_statutes" in told[-1]


@pytest.mark.usefixtures("law")
def test_a_store_that_is_away_while_a_tool_runs_costs_the_tool_alone(
    client: FlaskClient, alice: Player, server: Vendors, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_: Any) -> Any:
        raise OperationalError("SELECT secret", {}, Exception("away"))

    _use(use, "openai")
    monkeypatch.setattr(operations, "search_statutes", away)
    server.script.append(_calls(_query("pastor"), _article("1903")))
    answer = _ask(client, alice)
    assert answer.status_code == 200
    assert "this tool cannot answer now" in _results(server)
    assert "El pastor no responder" in json.loads(server.bodies[1])["input"][-1]["output"]


@pytest.mark.usefixtures("law")
def test_a_computed_day_is_a_fact_of_code_for_node_b(
    client: FlaskClient, alice: Player, server: Vendors, use: Use
) -> None:
    _use(use, "openai", NODE_B_ENGINE="anthropic")
    asked = {
        "fechaBase": "2024-07-25", "cantidad": 20, "tipoComputo": "habiles", "regime": "procesal",
        "ccaa": "MD",
    }  # fmt: skip

    def findings(day: str, *replies: Reply) -> tuple[Any, list[str]]:
        text = f"Si se demanda por ello, el plazo vence el {day}."
        made = _statement(text, cites="art. 133.1 LEC", section="deadlines") | {"proposed_lock": "L4"}
        server.script.clear()
        server.bodies.clear()
        server.script.extend([*replies, draft(statements=[made]), opinion(), {"answers": []}])
        body = _ask(client, alice, mode="deep").get_json()
        [statement] = [one for one in body["statements"] if one["text"] == text]
        return statement, [one["type"] for one in body["audit"]["findings"] if day in one["description"]]

    statement, found = findings("23/09/2024", _calls(("compute_deadline", asked)))
    assert "Vence el 2024-09-23." in _results(server)
    assert (statement["lock"], found) == ("L4", [])
    assert "deadline-" in server.bodies[2].decode(), "node B is told what was computed"
    _, found = findings("23/09/2024")
    assert found == ["hallucination"], "nobody computed it"


def test_the_citator_is_offered_to_accounts_that_have_it(
    client: FlaskClient, alice: Player, server: Vendors, use: Use
) -> None:
    _use(use, "openai")
    names = []
    for has in (False, True):
        with db.transaction() as session:
            tenancy.set_options(session, alice.account_id, citator=has)
        server.bodies.clear()
        assert _ask(client, alice).status_code == 200
        names.append([one["name"] for one in json.loads(server.bodies[0])["tools"]])
    assert [one for one in names[1] if one not in names[0]] == ["citation_validity"]


def test_tools_can_be_switched_off(client: FlaskClient, alice: Player, server: Vendors, use: Use) -> None:
    _use(use, "openai", MODEL_TOOL_ROUNDS="0")
    assert _ask(client, alice).status_code == 200
    [body] = server.bodies
    assert "tools" not in json.loads(body)


def test_a_server_without_tools_still_gives_an_analysis(
    client: FlaskClient, alice: Player, server: Vendors, use: Use
) -> None:
    _use(use, "chat")
    server.script.append("400")
    assert _ask(client, alice).status_code == 200
    assert ["tools" in json.loads(one) for one in server.bodies] == [True, False]


def test_the_parts_of_a_long_document_share_their_calls(
    client: FlaskClient, alice: Player, server: Vendors, use: Use
) -> None:
    _use(use, "openai", PART_CHARACTERS="2000", MODEL_TOOL_CALLS="3", MODEL_TOOL_ROUNDS="2")
    asked: list[Asked] = []

    def character(one: Asked) -> Any:
        asked.append(one)
        return simulated_models.greedy(one)

    server.character = character
    answer = _ask(client, alice, "\n\n".join(f"{at}. {TEXT}" for at in range(1, 30)))
    assert answer.status_code == 200, answer.get_json()
    assert "3 tool calls" in answer.get_json()["analysis"]
    [whole] = [one for one in asked if "FINDINGS" in blocks(one.user)]
    assert (whole.tools, whole.forbidden) == ((), ())
