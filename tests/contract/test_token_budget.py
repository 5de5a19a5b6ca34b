"""Tokens: counted by stage in usage, audit record and metrics, and limited by a budget."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from app import governance
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.contract.conftest import Use
from tests.vendors_server import Vendors, draft, opinion
from tests.vendors_wire import Reply

TEXT = (
    "CONTRATO DE ARRENDAMIENTO de vivienda en Madrid. El arrendador cede la vivienda por un año. La renta "
    "será de 900 euros mensuales. La fianza será de una mensualidad."
)
FIRST = Reply("{not json", input=1_000, cached=600, output=20)
SECOND = Reply(json.dumps(draft()), input=1_100, cached=700, output=90)
AUDIT = Reply(json.dumps(opinion()), input=2_000, cached=0, output=50)
COUNTS = {
    "draft": {"input": 1_000, "cached": 600, "output": 20},
    "audit": {"input": 2_000, "cached": 0, "output": 50},
    "repair": {"input": 1_100, "cached": 700, "output": 90},
}


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


def _ask(client: FlaskClient, player: Player, **fields: Any) -> Any:
    return client.post("/api/v1/analyze", json={"text": TEXT, **fields}, headers=player.auth)


def _usage(client: FlaskClient, player: Player, query: str = "") -> Any:
    return client.get(f"/api/v1/usage{query}", headers=player.auth).get_json()


def _metrics(client: FlaskClient) -> dict[str, float]:
    lines = client.get("/metrics").text.splitlines()
    return {
        name: float(value)
        for name, value in (line.rsplit(" ", 1) for line in lines if line.startswith("model_"))
    }


@pytest.mark.parametrize("protocol", ["anthropic", "openai", "chat"])
def test_tokens_are_counted_by_stage_wherever_they_are_told(
    client: FlaskClient, alice: Player, server: Vendors, use: Use, protocol: str
) -> None:
    vendor = "anthropic" if protocol == "anthropic" else "openai"
    use(
        NODE_A_ENGINE=vendor, NODE_B_ENGINE=vendor, NODE_A_MODEL="m-1", NODE_B_MODEL="m-2",
        OPENAI_PROTOCOL="chat" if protocol == "chat" else "responses",
    )  # fmt: skip
    before = _metrics(client)
    server.script.extend([FIRST, SECOND, AUDIT])
    answer = _ask(client, alice, mode="deep")
    assert answer.status_code == 200, answer.text
    with db.reading() as session:
        [record] = governance.records(session, alice.account_id, limit=1)
    assert record.content["tokens"] == COUNTS
    assert _usage(client, alice)["tokens"] == [
        {
            "model": f"{vendor} {'m-2' if stage == 'audit' else 'm-1'}",
            "stage": stage,
            "own_engine": False,
            **{f"{kind}_tokens": number for kind, number in COUNTS[stage].items()},
        }
        for stage in ("draft", "repair", "audit")
    ]
    after = _metrics(client)
    for stage, counts in COUNTS.items():
        for kind, number in counts.items():
            name = f'model_tokens_total{{kind="{kind}",own="false",stage="{stage}",vendor="{vendor}"}}'
            assert after[name] - before.get(name, 0) == number
    malformed = f'model_requests_total{{outcome="malformed",own="false",vendor="{vendor}"}}'
    assert after[malformed] - before.get(malformed, 0) == 1


def test_tokens_of_a_day_add_up_and_what_failed_is_among_them(
    client: FlaskClient, cast: Cast, alice: Player, server: Vendors, use: Use
) -> None:
    use(NODE_A_ENGINE="openai", NODE_A_MODEL="m-1")
    refused = Reply(stop="refuse", input=500, output=1)
    server.script.extend([SECOND, refused, Reply(json.dumps(draft()), input=200, cached=100, output=10)])
    assert [_ask(client, alice).status_code for _ in range(3)] == [200, 502, 200]
    [item] = _usage(client, alice)["tokens"]
    assert (item["input_tokens"], item["cached_tokens"], item["output_tokens"]) == (1_800, 800, 101)
    assert "tokens" not in _usage(client, alice, "?endpoint=/api/v1/analyze")
    assert "tokens" not in _usage(client, cast.player("bob"))


def test_an_analysis_without_a_model_says_nothing_of_tokens(
    client: FlaskClient, alice: Player, use: Use
) -> None:
    use()
    assert _ask(client, alice, mode="deep").status_code == 200
    with db.reading() as session:
        [record] = governance.records(session, alice.account_id, limit=1)
    assert "tokens" not in record.content
    assert "tokens" not in _usage(client, alice)


def test_a_budget_too_small_for_a_draft_gives_the_answer_of_the_rules(
    client: FlaskClient, cast: Cast, alice: Player, server: Vendors, use: Use
) -> None:
    use()
    floor = _ask(client, alice).get_json()
    use(NODE_A_ENGINE="openai", ANALYSIS_TOKENS="300")
    answer = _ask(client, alice)
    body = answer.get_json()
    assert server.asked == 0, "what would exceed the budget is not asked"
    assert (answer.status_code, body["model"], body["creditsCharged"]) == (200, "rules-1", 1)
    assert "alcanzó el límite de tokens" in body["analysis"]
    assert "token budget met by openai" in body["analysis"]
    assert body["statements"] == floor["statements"]
    assert cast.balance(alice).balance == 98


def test_a_budget_that_a_wrong_answer_used_up_asks_no_second_time(
    client: FlaskClient, alice: Player, server: Vendors, use: Use
) -> None:
    use(NODE_A_ENGINE="anthropic", ANALYSIS_TOKENS="100000")
    server.script.append(Reply("{not json", input=99_990, output=10))
    body = _ask(client, alice).get_json()
    assert server.asked == 1
    assert body["model"] == "rules-1"


def test_a_budget_met_by_the_draft_leaves_the_audit_to_code(
    client: FlaskClient, alice: Player, server: Vendors, use: Use
) -> None:
    use(NODE_A_ENGINE="openai", NODE_B_ENGINE="anthropic", ANALYSIS_TOKENS="100000")
    server.script.append(Reply(json.dumps(draft()), input=99_000, output=900))
    body = _ask(client, alice, mode="deep").get_json()
    assert server.paths == ["/v1/responses"]
    assert not body["audit"]["auditor"].startswith("claude")
    assert body["audit"]["text"].startswith("El análisis alcanzó su límite de tokens")
    assert "token budget met before anthropic" in body["analysis"]
    assert body["model"].startswith("gpt")


def test_no_budget_is_no_limit(client: FlaskClient, alice: Player, server: Vendors, use: Use) -> None:
    use(NODE_A_ENGINE="openai", ANALYSIS_TOKENS="0")
    server.script.append(Reply("{not json", input=10**8, output=1))
    assert re.match("gpt", _ask(client, alice).get_json()["model"])
