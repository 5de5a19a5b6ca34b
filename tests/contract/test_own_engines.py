"""An account's own engine: set, used, changed and removed, over the real wire protocols."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app.analysis import own_engines
from app.analysis.own_engines import connection
from app.jobs.execution import runner
from app.platform import redis_client, settings
from app.platform.postgres import db, rls
from tests.cast import LEASE, Cast, Player
from tests.contract.conftest import Use
from tests.mcp.assistant import rpc
from tests.vendors_server import Vendors, draft, opinion

PATH = "/api/v1/account/engine"
KEY = "sk-canary-7f3a9c51e2b84d60-x7Qa"


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.fixture
def mallory(cast: Cast) -> Player:
    return cast.player("mallory")


@pytest.fixture
def here(use: Use, server: Vendors) -> Vendors:
    """The server of the vendors, at an address that the operator allows; its own engines are the rules."""
    use(ENGINE_ALLOW_HOSTS=server.url.removeprefix("http://"))
    connection._MODELS.clear()
    return server


def choose(here: Vendors, engine: str = "openai", **changes: Any) -> dict[str, Any]:
    base = here.url if engine == "anthropic" else f"{here.url}/v1"
    chosen = {"node": "A", "engine": engine, "model": f"{engine}-own-1", "baseUrl": base, "apiKey": KEY}
    return {name: value for name, value in (chosen | changes).items() if value is not None}


def put(client: FlaskClient, player: Player, body: dict[str, Any]) -> Any:
    return client.put(PATH, json=body, headers=player.auth)


def listed(client: FlaskClient, player: Player) -> list[dict[str, Any]]:
    answer = client.get(PATH, headers=player.auth)
    assert answer.status_code == 200, answer.text
    return list(answer.get_json()["engines"])


def analyse(client: FlaskClient, player: Player, **fields: Any) -> Any:
    return client.post("/api/v1/analyze", json={"text": LEASE, **fields}, headers=player.auth)


def balance(player: Player) -> int:
    with rls.as_system(), db.reading() as session:
        return int(
            session.scalar(
                sa.text("SELECT balance FROM credit_balances WHERE account_id = :a"), {"a": player.account_id}
            )
            or 0
        )


@pytest.mark.parametrize(
    ("engine", "protocol", "path"),
    [
        ("anthropic", None, "/v1/messages"),
        ("openai", None, "/v1/responses"),
        ("openai", "responses", "/v1/responses"),
        ("openai", "chat", "/v1/chat/completions"),
    ],
)
def test_it_analyses_in_place_of_the_operators(
    client: FlaskClient, alice: Player, here: Vendors, engine: str, protocol: str | None, path: str
) -> None:
    answer = put(client, alice, choose(here, engine, protocol=protocol))
    assert answer.status_code == 200, answer.text
    assert here.paths == [path]
    assert here.keys == [KEY]
    here.script.append(draft(summary="By the account's own model."))
    done = analyse(client, alice)
    assert done.status_code == 200, done.text
    body = done.get_json()
    assert here.paths == [path, path]
    assert set(here.keys) == {KEY}
    assert "By the account's own model." in body["analysis"]
    assert body["model"] not in ("", "rules")
    assert body["contentOrigin"]["engine"] == body["model"]
    assert body["creditsCharged"] == 1
    # Names and identifiers stay here, as with the operator's model.
    said = here.said()
    assert "12345678Z" not in said
    assert "Herrero" not in said


def test_nothing_shows_the_key_and_everything_else_is_shown(
    client: FlaskClient, alice: Player, here: Vendors
) -> None:
    answer = put(client, alice, choose(here, protocol="chat"))
    assert answer.status_code == 200
    engine = answer.get_json()["engine"]
    assert engine == listed(client, alice)[0]
    assert engine["keyHint"] == KEY[-4:]
    assert (engine["node"], engine["engine"], engine["model"]) == ("A", "openai", "openai-own-1")
    assert (engine["baseUrl"], engine["protocol"]) == (f"{here.url}/v1", "chat")
    assert engine["testedAt"] == engine["createdAt"]
    assert engine["setBy"] == {"kind": "api_key", "id": str(alice.key_id), "name": f"{alice.key[:12]}…"}
    assert KEY not in answer.text
    assert KEY not in client.get(PATH, headers=alice.auth).text


def test_a_short_key_gets_no_hint(client: FlaskClient, alice: Player, here: Vendors) -> None:
    assert put(client, alice, choose(here, apiKey="none")).get_json()["engine"]["keyHint"] == ""


def test_the_record_the_activity_and_the_usage_say_whose_it_was(
    client: FlaskClient, alice: Player, here: Vendors
) -> None:
    assert put(client, alice, choose(here)).status_code == 200
    here.script.append(draft())
    answer = analyse(client, alice)
    assert answer.status_code == 200, answer.text
    with rls.as_system(), db.reading() as session:
        content = session.scalar(
            sa.text("SELECT content FROM audit_records WHERE account_id = :a"), {"a": alice.account_id}
        )
    assert content["ownEngines"] == ["A"]
    assert content["models"] == [answer.get_json()["model"]]
    usage = client.get("/api/v1/usage", headers=alice.auth).get_json()
    assert [(one["model"], one["own_engine"]) for one in usage["tokens"]] == [("openai openai-own-1", True)]
    trail = client.get("/api/v1/audit/activity", headers=alice.auth)
    assert KEY not in trail.text
    [change] = [one for one in trail.get_json()["data"] if one["action"] == "engine.set"]
    assert change["details"] == {
        "node": "A", "engine": "openai", "model": "openai-own-1", "officialAddress": False, "replaced": False,
    }  # fmt: skip


def test_an_analysis_by_the_rules_says_nothing_of_own_engines(client: FlaskClient, alice: Player) -> None:
    assert analyse(client, alice).status_code == 200
    with rls.as_system(), db.reading() as session:
        content = session.scalar(
            sa.text("SELECT content FROM audit_records WHERE account_id = :a"), {"a": alice.account_id}
        )
    assert "ownEngines" not in content


def test_node_b_audits_by_the_accounts_own(client: FlaskClient, alice: Player, here: Vendors) -> None:
    assert put(client, alice, choose(here, "anthropic", node="B")).status_code == 200
    here.script.append(opinion(text="Audited by the account's own."))
    answer = analyse(client, alice, mode="deep")
    assert answer.status_code == 200, answer.text
    assert "Audited by the account's own." in answer.get_json()["audit"]["text"]
    assert here.paths == ["/v1/messages", "/v1/messages"]
    with rls.as_system(), db.reading() as session:
        content = session.scalar(
            sa.text("SELECT content FROM audit_records WHERE account_id = :a"), {"a": alice.account_id}
        )
    assert content["ownEngines"] == ["B"]
    # At mode standard it has nothing to do, and the document goes nowhere.
    assert analyse(client, alice).status_code == 200
    assert here.asked == 2


def test_removing_it_returns_to_the_operators(client: FlaskClient, alice: Player, here: Vendors) -> None:
    for node in ("A", "B"):
        assert put(client, alice, choose(here, node=node)).status_code == 200
    gone = client.delete(f"{PATH}?node=B", headers=alice.auth)
    assert (gone.status_code, gone.get_json()["removed"]) == (200, ["B"])
    assert [one["node"] for one in listed(client, alice)] == ["A"]
    assert client.delete(PATH, headers=alice.auth).get_json()["removed"] == ["A"]
    assert client.delete(PATH, headers=alice.auth).get_json()["removed"] == []
    answer = analyse(client, alice)
    assert answer.get_json()["contentOrigin"]["engine"].startswith("rules")
    assert here.asked == 2
    assert client.delete(f"{PATH}?node=C", headers=alice.auth).status_code == 400


def test_it_works_for_every_key_of_the_account_and_for_no_other_account(
    client: FlaskClient, cast: Cast, alice: Player, mallory: Player, here: Vendors
) -> None:
    assert put(client, alice, choose(here)).status_code == 200
    child = cast.child(alice)
    here.script.extend([draft(), draft()])
    for player in (alice, child):
        assert analyse(client, player).get_json()["contentOrigin"]["engine"] != "rules"
    assert here.asked == 3
    assert analyse(client, mallory).get_json()["contentOrigin"]["engine"].startswith("rules")
    assert here.asked == 3
    assert listed(client, mallory) == []
    assert client.delete(PATH, headers=mallory.auth).get_json()["removed"] == []
    assert [one["model"] for one in listed(client, alice)] == ["openai-own-1"]


def test_a_child_sees_and_changes_nothing_of_it(
    client: FlaskClient, cast: Cast, alice: Player, here: Vendors
) -> None:
    assert put(client, alice, choose(here)).status_code == 200
    child = cast.child(alice)
    for answer in (
        client.get(PATH, headers=child.auth),
        put(client, child, choose(here, model="childs")),
        client.delete(PATH, headers=child.auth),
    ):
        assert (answer.status_code, answer.get_json()["code"]) == (403, "FORBIDDEN_CHILD_KEY")
    assert here.asked == 1
    assert [one["model"] for one in listed(client, alice)] == ["openai-own-1"]


def test_a_narrowed_key_may_look_and_change_nothing(
    client: FlaskClient, cast: Cast, alice: Player, here: Vendors
) -> None:
    assert put(client, alice, choose(here)).status_code == 200
    _, narrowed = cast.key(alice.account_id, scopes=("analyze", "query"))
    auth = {"Authorization": f"Bearer {narrowed}"}
    assert client.get(PATH, headers=auth).status_code == 200
    for answer in (client.put(PATH, json=choose(here), headers=auth), client.delete(PATH, headers=auth)):
        assert (answer.status_code, answer.get_json()["code"]) == (401, "SCOPE_REQUIRED")
    assert here.asked == 1
    assert client.get(PATH).status_code == client.put(PATH, json=choose(here)).status_code == 401


def test_two_accounts_in_parallel_use_their_own(
    client: FlaskClient, alice: Player, mallory: Player, here: Vendors, app: Any
) -> None:
    keys = {alice.name: "sk-alice-000000000000", mallory.name: "sk-mallory-00000000"}
    for player in (alice, mallory):
        body = choose(here, model=f"{player.name}-model", apiKey=keys[player.name])
        assert put(client, player, body).status_code == 200
    here.headers.clear()
    here.bodies.clear()

    def one(player: Player) -> str:
        return str(analyse(app.test_client(), player).status_code)

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(one, [alice, mallory] * 4)) == {"200"}
    pairs = {(key, json.loads(body)["model"]) for key, body in zip(here.keys, here.bodies, strict=True)}
    assert pairs == {(keys[name], f"{name}-model") for name in keys}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"node": "C"}, "node"),
        ({"node": None}, "node"),
        ({"engine": "rules"}, "engine"),
        ({"model": ""}, "model"),
        ({"model": "rules"}, "model"),
        ({"model": "Audit-1"}, "model"),
        ({"model": "gpt 5\r\nX-Evil: 1"}, "model"),
        ({"model": "x" * 121}, "model"),
        ({"apiKey": None}, "apiKey"),
        ({"apiKey": ""}, "apiKey"),
        ({"apiKey": "sk-x\r\nHost: evil"}, "apiKey"),
        ({"apiKey": "ñ"}, "apiKey"),
        ({"apiKey": "x" * 513}, "apiKey"),
        ({"apiKey": 7}, "apiKey"),
        ({"baseUrl": "models.example.com"}, "baseUrl"),
        ({"baseUrl": "https://models.example.com/v1?key=1"}, "baseUrl"),
        ({"baseUrl": "https://models.example.com/#x"}, "baseUrl"),
        ({"baseUrl": "https://e.example/" + "x" * 3000}, "baseUrl"),
        ({"protocol": "grpc"}, "protocol"),
        ({"engine": "anthropic", "protocol": "chat"}, "protocol"),
    ],
)
def test_a_wrong_field_is_named_and_asks_nobody(
    client: FlaskClient, alice: Player, here: Vendors, changes: dict[str, Any], field: str
) -> None:
    answer = put(client, alice, choose(here) | changes)
    assert (answer.status_code, answer.get_json()["code"]) == (400, "VALIDATION_ERROR")
    assert answer.get_json()["details"]["errors"][0]["field"] == field
    assert here.asked == 0
    assert listed(client, alice) == []


def test_a_wrong_key_is_not_repeated_in_the_error(client: FlaskClient, alice: Player, here: Vendors) -> None:
    answer = put(client, alice, choose(here, apiKey=f"{KEY} with a blank"))
    assert answer.status_code == 400
    assert KEY not in answer.text


@pytest.mark.parametrize(
    ("deed", "reason", "field"),
    [
        ("401", "key_refused", "apiKey"),
        ("429", "limited", "apiKey"),
        ("400", "wrong_protocol", "engine"),
        ("500", "not_reachable", "baseUrl"),
        ("drop", "not_reachable", "baseUrl"),
        ("garbage", "wrong_protocol", "engine"),
        ("cut", "wrong_protocol", "engine"),
        ("refuse", "wrong_protocol", "engine"),
        ('{"ready": "yes"}', "wrong_protocol", "engine"),
    ],
)
@pytest.mark.parametrize("engine", ["anthropic", "openai"])
def test_what_does_not_answer_is_not_kept_and_the_old_one_stays(
    client: FlaskClient, alice: Player, here: Vendors, engine: str, deed: str, reason: str, field: str
) -> None:
    assert put(client, alice, choose(here, model="the-old-one")).status_code == 200
    here.script.append(deed)
    answer = put(client, alice, choose(here, engine, model="the-new-one", apiKey="sk-new-00000000000"))
    body = answer.get_json()
    assert (answer.status_code, body["code"]) == (422, "ENGINE_TEST_FAILED"), answer.text
    assert body["details"]["reason"] == reason
    assert [one["field"] for one in body["details"]["errors"]] == [field]
    assert body["error"].startswith(f"{field}: ")
    assert "sk-new" not in answer.text
    assert here.asked == 2, "a test is one attempt"
    assert [one["model"] for one in listed(client, alice)] == ["the-old-one"]


def test_an_unknown_model_or_path_is_told_apart(client: FlaskClient, alice: Player, here: Vendors) -> None:
    answer = put(client, alice, choose(here, baseUrl=f"{here.url}/elsewhere"))
    details = answer.get_json()["details"]
    assert (details["field"], details["reason"]) == ("model", "model_unknown")


def test_an_account_tests_six_engines_a_minute(
    client: FlaskClient, alice: Player, mallory: Player, here: Vendors
) -> None:
    for _ in range(6):
        assert put(client, alice, choose(here)).status_code == 200
    answer = put(client, alice, choose(here))
    assert (answer.status_code, answer.get_json()["code"]) == (429, "RATE_LIMITED")
    assert int(answer.headers["Retry-After"]) >= 1
    assert here.asked == 6
    assert put(client, mallory, choose(here)).status_code == 200


def test_without_an_address_the_vendor_is_asked_and_nothing_of_the_operators_is_sent(
    client: FlaskClient, alice: Player, here: Vendors, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.OFFICIAL, "openai", f"{here.url}/v1")
    monkeypatch.setitem(connection.OFFICIAL, "anthropic", here.url)
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "operators-canary")
    monkeypatch.setenv(
        "ANTHROPIC_CUSTOM_HEADERS", "Authorization: operators-canary\nX-Api-Key: operators-canary"
    )
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    use(ANTHROPIC_BASE_URL="http://127.0.0.1:9", OPENAI_BASE_URL="http://127.0.0.1:9", ENGINE_ALLOW_HOSTS="")
    for engine in ("anthropic", "openai"):
        answer = put(client, alice, choose(here, engine, baseUrl=None))
        assert answer.status_code == 200, answer.text
        assert answer.get_json()["engine"]["baseUrl"] is None
        assert analyse(client, alice).status_code == 200
    assert set(here.keys) == {KEY}
    assert "operators-canary" not in json.dumps(here.headers)


@pytest.mark.parametrize("engine", ["anthropic", "openai"])
def test_an_address_of_theirs_is_told_nothing_of_the_operators_either(
    client: FlaskClient, alice: Player, here: Vendors, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "operators-canary")
    monkeypatch.setenv(
        "ANTHROPIC_CUSTOM_HEADERS", "Authorization: operators-canary\nX-Api-Key: operators-canary"
    )
    assert put(client, alice, choose(here, engine)).status_code == 200
    assert here.keys == [KEY]
    assert "operators-canary" not in json.dumps(here.headers)
    assert not [name for name in here.headers[0] if name.startswith("x-stainless")]


def test_a_failing_one_is_not_charged_and_nothing_of_the_operators_stands_in(
    client: FlaskClient, alice: Player, here: Vendors, use: Use
) -> None:
    assert put(client, alice, choose(here)).status_code == 200
    use(
        NODE_A_ENGINE="anthropic", NODE_A_FALLBACK="rules", ANALYSIS_DEADLINE_S="1",
        ENGINE_ALLOW_HOSTS=here.url.removeprefix("http://"),
    )  # fmt: skip
    before = balance(alice)
    for deed, status, code in (
        ("drop", 503, "MODEL_UNAVAILABLE"),
        ("refuse", 502, "MODEL_ERROR"),
        ("401", 502, "MODEL_ERROR"),
    ):
        here.always = deed
        answer = analyse(client, alice)
        assert (answer.status_code, answer.get_json()["code"]) == (status, code), answer.text
        assert answer.get_json()["error"].startswith("Your account's own model (openai)")
        assert KEY not in answer.text
    assert balance(alice) == before
    assert set(here.paths) == {"/v1/responses"}, "the operator's vendor was not asked"


def test_a_broken_one_opens_no_circuit_but_its_own(
    client: FlaskClient, alice: Player, mallory: Player, here: Vendors, use: Use
) -> None:
    use(
        NODE_A_ENGINE="openai", ANALYSIS_DEADLINE_S="1", MODEL_ATTEMPT_S="0.5",
        ENGINE_ALLOW_HOSTS=here.url.removeprefix("http://"),
    )  # fmt: skip
    assert put(client, alice, choose(here)).status_code == 200
    here.always = "429"
    for _ in range(6):
        assert analyse(client, alice).status_code == 503
    asked = here.asked
    here.always = None
    assert "temporarily unavailable" in analyse(client, alice).get_json()["error"]
    assert here.asked == asked, "its circuit is open"
    # The operator's vendor is another matter, and so is an engine that was set anew.
    assert analyse(client, mallory).status_code == 200
    assert put(client, alice, choose(here)).status_code == 200
    assert analyse(client, alice).status_code == 200
    # And the other way round.
    here.always = "429"
    for _ in range(6):
        assert analyse(client, mallory).status_code == 503
    here.always = None
    assert analyse(client, mallory).status_code == 503
    assert analyse(client, alice).status_code == 200


def test_the_operators_vendor_is_not_asked_for_an_account_with_its_own(
    client: FlaskClient, alice: Player, mallory: Player, here: Vendors, use: Use
) -> None:
    use(
        NODE_A_ENGINE="anthropic", NODE_B_ENGINE="anthropic", ANTHROPIC_API_KEY="operators-key",
        ENGINE_ALLOW_HOSTS=here.url.removeprefix("http://"),
    )  # fmt: skip
    assert put(client, alice, choose(here)).status_code == 200
    here.headers.clear()
    assert analyse(client, alice).status_code == 200
    assert set(here.keys) == {KEY}
    # Node B is still the operator's: each node is chosen by itself.
    assert analyse(client, alice, mode="deep").status_code == 200
    assert set(here.keys) == {KEY, "operators-key"}
    assert put(client, alice, choose(here, "anthropic", node="B")).status_code == 200
    here.headers.clear()
    assert analyse(client, alice, mode="deep").status_code == 200
    assert set(here.keys) == {KEY}
    here.headers.clear()
    assert analyse(client, mallory, mode="deep").status_code == 200
    assert set(here.keys) == {"operators-key"}


OTHER_PROCESS = """
import sys, uuid
from app.factory import create_app
app = create_app()
client = app.test_client()
text, auth = sys.stdin.readline().strip(), {"Authorization": "Bearer " + sys.argv[1]}
for _ in sys.stdin:
    answer = client.post("/api/v1/analyze", json={"text": text}, headers=auth)
    print("ANSWER", answer.status_code, answer.get_json().get("model"), flush=True)
"""


def test_a_change_holds_on_the_next_request_of_another_process(
    client: FlaskClient, alice: Player, here: Vendors
) -> None:
    assert put(client, alice, choose(here, model="first")).status_code == 200
    other = subprocess.Popen(
        [sys.executable, "-c", OTHER_PROCESS, alice.key],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=settings.PROJECT, env=dict(os.environ),
    )  # fmt: skip
    assert other.stdin is not None
    assert other.stdout is not None
    ask, said = other.stdin, other.stdout

    def asked() -> str:
        print("again", file=ask, flush=True)
        return next(line for line in said if line.startswith("ANSWER")).strip()

    try:
        print(LEASE, file=ask, flush=True)
        asked()
        assert json.loads(here.bodies[-1])["model"] == "first"
        new = "sk-second-000000000000"
        assert put(client, alice, choose(here, model="second", apiKey=new)).status_code == 200
        asked()
        assert (json.loads(here.bodies[-1])["model"], here.keys[-1]) == ("second", new)
        number = here.asked
        assert client.delete(PATH, headers=alice.auth).status_code == 200
        assert asked().split()[2].startswith("rules")
        assert here.asked == number
    finally:
        ask.close()
        other.wait(20)


def test_the_key_rests_nowhere_in_clear(
    client: FlaskClient, alice: Player, here: Vendors, capfd: pytest.CaptureFixture[str]
) -> None:
    headers = {**alice.auth, "Idempotency-Key": uuid.uuid4().hex}
    for _ in range(2):
        assert client.put(PATH, json=choose(here), headers=headers).status_code == 200
    assert analyse(client, alice).status_code == 200
    here.always = "401"
    assert analyse(client, alice).status_code == 502
    # As it is, and in the forms that a store of bytes is written in.
    forms = [KEY, KEY.encode().hex(), base64.b64encode(KEY.encode()).decode().rstrip("=")[:-1], KEY[3:-4]]
    with rls.as_system(), db.reading() as session:
        tables = session.scalars(
            sa.text("SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()")
        ).all()
        assert "own_engines" in tables
        dumped = "\n".join(
            str(row) for name in tables for row in session.scalars(sa.text(f'SELECT t::text FROM "{name}" t'))
        )
    redis = redis_client.client()
    stored = b"\n".join(redis.dump(name) or b"" for name in redis.scan_iter())
    out, err = capfd.readouterr()
    assert str(alice.account_id) in dumped
    assert [one for one in forms if one in dumped] == []
    assert [one for one in forms if one.encode() in stored] == []
    assert [one for one in forms if one in out + err] == []
    with db.reading() as session:
        [row] = own_engines.engines_of(session, alice.account_id)
    assert KEY not in repr(row) + repr(vars(row))
    chosen = own_engines.Chosen("A", "openai", "m", None, "chat", KEY)
    assert KEY not in f"{chosen} {chosen!r}"


def test_a_row_that_somebody_points_elsewhere_sends_its_key_nowhere(
    client: FlaskClient, alice: Player, mallory: Player, here: Vendors
) -> None:
    assert put(client, alice, choose(here)).status_code == 200
    moved = [
        "UPDATE own_engines SET base_url = base_url || '/' WHERE account_id = :a",
        "UPDATE own_engines SET account_id = :m WHERE account_id = :a",
    ]
    for statement, player in zip(moved, (alice, mallory), strict=True):
        with rls.as_system(), db.transaction() as session:
            values = {"a": alice.account_id, "m": mallory.account_id}
            session.execute(sa.text(statement), {k: v for k, v in values.items() if f":{k}" in statement})
        connection._MODELS.clear()
        answer = analyse(client, player)
        assert (answer.status_code, answer.get_json()["code"]) == (502, "MODEL_ERROR")
        assert "can no longer be read" in answer.get_json()["error"]
    assert here.asked == 1


def test_the_export_of_the_account_has_all_but_the_key(
    client: FlaskClient, alice: Player, here: Vendors
) -> None:
    assert put(client, alice, choose(here)).status_code == 200
    answer = client.get("/api/v1/account/dsr/export", headers=alice.auth)
    [engine] = answer.get_json()["own_engines"]
    assert (engine["node"], engine["model"], engine["key_hint"]) == ("A", "openai-own-1", KEY[-4:])
    assert "api_key" not in engine
    assert KEY not in answer.text


def test_a_job_is_done_by_it(client: FlaskClient, alice: Player, here: Vendors) -> None:
    assert put(client, alice, choose(here)).status_code == 200
    sent = client.post(
        "/api/v1/jobs", json={"kind": "analyze", "payload": {"text": LEASE}}, headers=alice.auth
    ).get_json()
    here.script.append(draft(summary="By the account's own model."))
    assert runner.run(uuid.UUID(sent["jobId"]), worker="test")
    done = client.get(f"/api/v1/jobs/{sent['jobId']}", headers=alice.auth).get_json()
    assert done["status"] == "completed", done
    assert "By the account's own model." in json.dumps(done, ensure_ascii=False)
    assert set(here.keys) == {KEY}


def test_its_tokens_are_bounded_as_the_operators_are(
    client: FlaskClient, alice: Player, here: Vendors, use: Use
) -> None:
    use(ANALYSIS_TOKENS="10", ENGINE_ALLOW_HOSTS=here.url.removeprefix("http://"))
    assert put(client, alice, choose(here)).status_code == 200
    answer = analyse(client, alice)
    assert answer.status_code == 200
    assert answer.get_json()["contentOrigin"]["engine"].startswith("rules")
    assert here.asked == 1


def test_a_batch_and_the_tools_use_it(client: FlaskClient, alice: Player, here: Vendors) -> None:
    assert put(client, alice, choose(here)).status_code == 200
    answer = client.post(
        "/api/v1/analyze/batch", json={"documents": [{"text": LEASE}, {"text": LEASE}]}, headers=alice.auth
    )
    assert {one["contentOrigin"]["engine"] for one in answer.get_json()["results"]} != {"rules"}
    assert here.asked == 3
    told = rpc(client, alice, "tools/call", {"name": "list_jurisdictions", "arguments": {}}).get_json()
    levels = {one["code"]: one["assessment"] for one in told["result"]["structuredContent"]["jurisdictions"]}
    public = client.get("/api/v1/jurisdictions").get_json()["jurisdictions"]
    rules = {one["code"]: one["assessment"] for one in public}
    assert "none" in rules.values()
    assert "none" not in levels.values()
