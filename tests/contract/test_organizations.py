"""Organizations, child keys and the allow-list, row by row (decisions 008 and 041)."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import tenancy, usage, webhooks
from app.platform import clock
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player

ORGANIZATIONS = "/api/v1/organizations"
KEY_FIELDS = {
    "id", "name", "key_prefix", "role", "child_label", "scopes", "tier", "rate_limit_rpm", "active",
    "created_at", "last_used_at", "expires_at", "organization_id", "parent_key_id", "monthly_credit_cap",
}  # fmt: skip


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


def _call(
    client: FlaskClient, who: Player, method: str, path: str, body: Any = None, **h: str
) -> TestResponse:
    return client.open(path, method=method, json=body, headers={**who.auth, **h})


def _organization(client: FlaskClient, who: Player, name: str = "Despacho Ribera") -> str:
    response = _call(client, who, "POST", ORGANIZATIONS, {"name": name})
    assert response.status_code == 201, response.text
    return str(response.json["organization"]["id"])  # type: ignore[index]


def _issue(client: FlaskClient, who: Player, organization: str, **body: Any) -> Any:
    response = _call(
        client, who, "POST", f"{ORGANIZATIONS}/{organization}/keys", {"childLabel": "Ana", **body}
    )
    assert response.status_code == 201, response.text
    return response.json


def _with(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _works(client: FlaskClient, key: str) -> tuple[int, str | None]:
    response = client.get("/api/v1/webhooks", headers=_with(key))
    return response.status_code, (response.json or {}).get("code")


def _refused(response: TestResponse, status: int, code: str, field: str | None = None) -> None:
    body = response.json
    assert body is not None
    assert (response.status_code, body["code"]) == (status, code), response.text
    assert body["requestId"] == response.headers["X-Request-Id"]
    if field is not None:
        assert body["details"]["field"] == field


def _events(who: Player) -> list[tuple[str, str]]:
    with db.reading() as session:
        page = webhooks.events(
            session, who.account_id, types=(), since=None, api_key_id=None, after=None, limit=200
        )
        return [(row.type, row.payload["apiKeyId"]) for row in page.rows]


def test_a_solo_key_becomes_the_master(client: FlaskClient, alice: Player) -> None:
    body = {"name": "  Despacho Ribera ", "description": "Red de gestorías"}
    made = _call(client, alice, "POST", ORGANIZATIONS, body)
    assert made.status_code == 201
    assert made.json is not None
    assert set(made.json) == {"organization", "masterKeyId"}
    assert made.json["masterKeyId"] == str(alice.key_id)
    organization = made.json["organization"]
    assert set(organization) == {"id", "name", "description", "created_at"}
    assert (organization["name"], organization["description"]) == ("Despacho Ribera", "Red de gestorías")
    _refused(_call(client, alice, "POST", ORGANIZATIONS, {"name": "Another"}), 409, "ALREADY_MASTER")

    listed = _call(client, alice, "GET", ORGANIZATIONS).json
    assert listed == {"organizations": [{**organization, "sub_keys": 0}]}
    detail = _call(client, alice, "GET", f"{ORGANIZATIONS}/{organization['id']}").json
    assert detail is not None
    assert set(detail["organization"]) == {*organization, "owner_user_id"}
    assert [(key["id"], key["role"]) for key in detail["keys"]] == [(str(alice.key_id), "master")]
    assert set(detail["keys"][0]) == KEY_FIELDS
    assert _events(alice) == [("apikey.updated", str(alice.key_id))]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": "x"}, "name"),
        ({"name": " x "}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"name": 7}, "name"),
        ({"name": "Firm", "description": "x" * 301}, "description"),
        ({"name": "Firm", "description": []}, "description"),
    ],
)
def test_a_wrong_field_of_an_organization_is_422(
    client: FlaskClient, alice: Player, body: Any, field: str
) -> None:
    _refused(_call(client, alice, "POST", ORGANIZATIONS, body), 422, "VALIDATION_ERROR", field)
    assert _call(client, alice, "GET", ORGANIZATIONS).json == {"organizations": []}


def test_names_at_their_edges_are_taken(client: FlaskClient, cast: Cast, alice: Player) -> None:
    edges = {"name": "ñ" * 80, "description": "d" * 300, "unknown": 1}
    assert _call(client, alice, "POST", ORGANIZATIONS, edges).status_code == 201
    assert _call(client, cast.player(), "POST", ORGANIZATIONS, {"name": "ab"}).status_code == 201


def test_malformed_json_stays_400(client: FlaskClient, alice: Player) -> None:
    response = client.post(ORGANIZATIONS, data="{", content_type="application/json", headers=alice.auth)
    _refused(response, 400, "MALFORMED_JSON")


def test_the_sixth_organization_is_refused(client: FlaskClient, cast: Cast, alice: Player) -> None:
    made = [_organization(client, alice)]
    for _ in range(4):
        key_id, key = cast.key(alice.account_id)
        made.append(_organization(client, Player("", alice.account_id, "", "", key_id, key)))
    sixth = Player("", alice.account_id, "", "", *cast.key(alice.account_id))
    _refused(_call(client, sixth, "POST", ORGANIZATIONS, {"name": "Six"}), 422, "ORGANIZATION_LIMIT")
    assert _call(client, alice, "DELETE", f"{ORGANIZATIONS}/{made[0]}").status_code == 200
    assert _call(client, sixth, "POST", ORGANIZATIONS, {"name": "Six"}).status_code == 201


def test_an_organization_is_renamed_and_described(client: FlaskClient, alice: Player) -> None:
    path = f"{ORGANIZATIONS}/{_organization(client, alice)}"
    changed = _call(client, alice, "PATCH", path, {"name": "Nueva", "description": "Algo"}).json
    assert changed is not None
    flat = {k: v for k, v in changed.items() if k != "organization"}
    assert changed["organization"] == flat
    assert (flat["name"], flat["description"]) == ("Nueva", "Algo")
    kept = _call(client, alice, "PATCH", path, {"name": None}).json
    assert kept == changed
    cleared = _call(client, alice, "PATCH", path, {"description": ""}).json
    assert cleared is not None
    assert cleared["description"] is None
    _refused(_call(client, alice, "PATCH", path, {"name": "x"}), 422, "VALIDATION_ERROR", "name")


def test_only_the_master_manages(client: FlaskClient, cast: Cast, alice: Player) -> None:
    organization = _organization(client, alice)
    colleague = Player("", alice.account_id, "", "", *cast.key(alice.account_id))
    rival = Player("", alice.account_id, "", "", *cast.key(alice.account_id))
    other = _organization(client, rival)
    carol = cast.child(alice, uuid.UUID(organization))
    path = f"{ORGANIZATIONS}/{organization}"
    routes = [
        ("GET", path, None),
        ("PATCH", path, {"name": "Mine"}),
        ("DELETE", path, None),
        ("POST", f"{path}/keys", {"childLabel": "Me too"}),
        ("GET", f"{path}/keys", None),
        ("PATCH", f"{path}/keys/{carol.key_id}", {"active": False}),
        ("DELETE", f"{path}/keys/{carol.key_id}", None),
        ("POST", f"{path}/keys/{carol.key_id}/rotate", {}),
    ]
    mallory = cast.player("mallory")
    for method, where, body in routes:
        for who, code in ((colleague, "NOT_MASTER"), (rival, "NOT_MASTER"), (carol, "FORBIDDEN_CHILD_KEY")):
            _refused(_call(client, who, method, where, body), 403, code)
        theirs = _call(client, mallory, method, where, body)
        unknown = _call(client, mallory, method, where.replace(organization, str(uuid.uuid4())), body)
        _refused(theirs, 404, "NOT_FOUND")
        assert {**theirs.json, "requestId": 0} == {**unknown.json, "requestId": 0}  # type: ignore[dict-item]
    _refused(_call(client, carol, "POST", ORGANIZATIONS, {"name": "Own"}), 403, "FORBIDDEN_CHILD_KEY")
    seen = _call(client, carol, "GET", ORGANIZATIONS).json
    assert seen is not None
    assert [found["id"] for found in seen["organizations"]] == [organization]
    listed = _call(client, colleague, "GET", ORGANIZATIONS).json
    assert listed is not None
    assert [found["id"] for found in listed["organizations"]] == [organization, other]


def test_a_sub_key_is_shown_once_and_listed_ever_after(client: FlaskClient, alice: Player) -> None:
    organization = _organization(client, alice)
    made = _issue(client, alice, organization, scopes=["query", "analyze"], expiresInDays=3650)
    assert set(made) == KEY_FIELDS | {"key", "api_key", "warning"}
    flat = {field: made[field] for field in KEY_FIELDS}
    assert made["api_key"] == flat
    assert made["key"].startswith(flat["key_prefix"])
    assert len(flat["key_prefix"]) == 12
    assert (flat["role"], flat["child_label"], flat["scopes"]) == ("child", "Ana", ["analyze", "query"])
    assert (flat["tier"], flat["rate_limit_rpm"], flat["active"]) == ("enterprise", 1000, True)
    assert flat["parent_key_id"] == str(alice.key_id)
    assert flat["expires_at"][:10] == str((clock.now() + timedelta(days=3650)).date())
    newer = _issue(client, alice, organization)
    assert newer["scopes"] == ["analyze", "query", "mcp"]
    response = _call(client, alice, "GET", f"{ORGANIZATIONS}/{organization}/keys")
    assert response.json is not None
    assert [key["id"] for key in response.json["keys"]] == [str(alice.key_id), newer["id"], made["id"]]
    assert made["key"] not in response.text
    assert _works(client, made["key"]) == (200, None)
    listed = _call(client, alice, "GET", ORGANIZATIONS).json
    assert listed is not None
    assert listed["organizations"][0]["sub_keys"] == 2
    assert ("apikey.created", made["id"]) in _events(alice)


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({}, "childLabel", "VALIDATION_ERROR"),
        ({"childLabel": "A"}, "childLabel", "VALIDATION_ERROR"),
        ({"childLabel": "A" * 81}, "childLabel", "VALIDATION_ERROR"),
        ({"childLabel": "Ana", "expiresInDays": 0}, "expiresInDays", "VALIDATION_ERROR"),
        ({"childLabel": "Ana", "expiresInDays": 3651}, "expiresInDays", "VALIDATION_ERROR"),
        ({"childLabel": "Ana", "expiresInDays": "1"}, "expiresInDays", "VALIDATION_ERROR"),
        ({"childLabel": "Ana", "monthlyCreditCap": -1}, "monthlyCreditCap", "VALIDATION_ERROR"),
        ({"childLabel": "Ana", "monthlyCreditCap": 2.5}, "monthlyCreditCap", "VALIDATION_ERROR"),
        ({"childLabel": "Ana", "scopes": "analyze"}, "scopes", "VALIDATION_ERROR"),
        ({"childLabel": "Ana", "scopes": []}, "scopes", "INVALID_SCOPES"),
        ({"childLabel": "Ana", "scopes": ["admin"]}, "scopes", "INVALID_SCOPES"),
        ({"childLabel": "Ana", "scopes": ["analyze", "root"]}, "scopes", "INVALID_SCOPES"),
    ],
)
def test_a_wrong_field_of_a_sub_key_is_422(
    client: FlaskClient, alice: Player, body: Any, field: str, code: str
) -> None:
    organization = _organization(client, alice)
    response = _call(client, alice, "POST", f"{ORGANIZATIONS}/{organization}/keys", body)
    _refused(response, 422, code, field)


def test_a_sub_key_is_cut_off_and_let_in_again(client: FlaskClient, alice: Player) -> None:
    organization = _organization(client, alice)
    made = _issue(client, alice, organization)
    path = f"{ORGANIZATIONS}/{organization}/keys/{made['id']}"
    cut = _call(client, alice, "PATCH", path, {"active": False}).json
    assert cut is not None
    assert cut["active"] is cut["api_key"]["active"] is False
    assert _works(client, made["key"]) == (401, "KEY_REVOKED")
    assert _call(client, alice, "PATCH", path, {"active": True}).status_code == 200
    assert _works(client, made["key"])[0] == 200
    for _ in range(2):
        removed = _call(client, alice, "DELETE", path)
        assert removed.json == {
            "revoked_key_id": made["id"],
            "ok": True,
            "revokedKeyPrefix": made["key_prefix"],
        }
    assert _works(client, made["key"]) == (401, "KEY_REVOKED")
    assert [kind for kind, key in _events(alice) if key == made["id"]] == [
        "apikey.created", "apikey.revoked", "apikey.updated", "apikey.revoked",
    ]  # fmt: skip


def test_a_sub_key_is_changed(client: FlaskClient, alice: Player) -> None:
    organization = _organization(client, alice)
    made = _issue(client, alice, organization, monthlyCreditCap=5)
    path = f"{ORGANIZATIONS}/{organization}/keys/{made['id']}"
    changed = _call(client, alice, "PATCH", path, {"scopes": ["query"], "childLabel": "L"}).json
    assert changed is not None
    assert (changed["scopes"], changed["child_label"], changed["monthly_credit_cap"]) == (["query"], "L", 5)
    analyze = client.post("/api/v1/analyze", json={"text": LEASE}, headers=_with(made["key"]))
    _refused(analyze, 401, "SCOPE_REQUIRED")
    assert _call(client, alice, "PATCH", path, {"monthlyCreditCap": 0}).json["monthly_credit_cap"] == 0  # type: ignore[index]
    assert _call(client, alice, "PATCH", path, {"active": None}).json["monthly_credit_cap"] == 0  # type: ignore[index]
    lifted = _call(client, alice, "PATCH", path, {"monthlyCreditCap": None}).json
    assert lifted is not None
    assert lifted["monthly_credit_cap"] is None
    for body, field, code in (
        ({"childLabel": "x" * 81}, "childLabel", "VALIDATION_ERROR"),
        ({"childLabel": ""}, "childLabel", "VALIDATION_ERROR"),
        ({"active": "no"}, "active", "VALIDATION_ERROR"),
        ({"scopes": ["root"]}, "scopes", "INVALID_SCOPES"),
    ):
        _refused(_call(client, alice, "PATCH", path, body), 422, code, field)


def test_the_master_is_not_changed_through_sub_key_routes(client: FlaskClient, alice: Player) -> None:
    path = f"{ORGANIZATIONS}/{_organization(client, alice)}/keys/{alice.key_id}"
    for method, where, body in (
        ("PATCH", path, {"active": False}),
        ("DELETE", path, None),
        ("POST", f"{path}/rotate", {}),
    ):
        _refused(_call(client, alice, method, where, body), 409, "MASTER_KEY_IMMUTABLE")
    assert _works(client, alice.key) == (200, None)
    unknown = path.replace(str(alice.key_id), str(uuid.uuid4()))
    _refused(_call(client, alice, "DELETE", unknown), 404, "NOT_FOUND")


def test_a_sub_key_never_has_more_than_its_master(client: FlaskClient, cast: Cast, alice: Player) -> None:
    carol = cast.child(alice)
    with db.transaction() as session:
        tenancy.own_key(session, alice.account_id, alice.key_id).scopes = ["query"]
    analyze = client.post("/api/v1/analyze", json={"text": LEASE}, headers=carol.auth)
    _refused(analyze, 401, "SCOPE_REQUIRED")
    with db.transaction() as session:
        tenancy.own_key(session, alice.account_id, alice.key_id).expires_at = clock.now()
    assert _works(client, carol.key) == (401, "KEY_EXPIRED")
    with db.transaction() as session:
        tenancy.own_key(session, alice.account_id, alice.key_id).expires_at = None
        tenancy.revoke_key(session, alice.key_id, now=clock.now())
    assert _works(client, carol.key) == (401, "KEY_REVOKED")


def test_deleting_an_organization_cuts_its_sub_keys_off(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    organization = _organization(client, alice)
    first, second = (_issue(client, alice, organization) for _ in range(2))
    _call(client, alice, "DELETE", f"{ORGANIZATIONS}/{organization}/keys/{second['id']}")
    deleted = _call(client, alice, "DELETE", f"{ORGANIZATIONS}/{organization}")
    assert deleted.json == {"deleted_organization_id": organization, "revoked_sub_keys": 1}
    assert _works(client, first["key"]) == (401, "KEY_REVOKED")
    assert cast.caller(alice).role == "solo"
    _refused(_call(client, alice, "GET", f"{ORGANIZATIONS}/{organization}"), 404, "NOT_FOUND")
    usage_of_it = _call(client, alice, "GET", f"/api/v1/usage?organization_id={organization}")
    assert usage_of_it.status_code == 200
    assert _organization(client, alice) != organization


def test_a_rotated_key_opens_with_both_secrets_until_the_overlap_ends(
    client: FlaskClient, alice: Player, request: pytest.FixtureRequest
) -> None:
    organization = _organization(client, alice)
    made = _issue(client, alice, organization)
    path = f"{ORGANIZATIONS}/{organization}/keys/{made['id']}/rotate"
    begun = clock.now()
    request.addfinalizer(lambda: clock.install(None))
    clock.install(lambda: begun)
    rotated = _call(client, alice, "POST", path, {"overlapHours": 1}).json
    assert rotated is not None
    assert rotated["id"] == made["id"]
    assert rotated["key"] != made["key"]
    assert rotated["previous_key_expires_at"] == clock.iso(clock.now() + timedelta(hours=1))
    assert _works(client, made["key"])[0] == _works(client, rotated["key"])[0] == 200
    later = clock.now() + timedelta(hours=1)
    clock.install(lambda: later)
    assert _works(client, made["key"]) == (401, "UNAUTHENTICATED")
    assert _works(client, rotated["key"])[0] == 200
    again = _call(client, alice, "POST", path, {"overlapHours": 0}).json
    assert again is not None
    assert again["previous_key_expires_at"] is None
    assert _works(client, rotated["key"])[0] == 401
    default = _call(client, alice, "POST", path).json
    assert default is not None
    assert default["previous_key_expires_at"] == clock.iso(clock.now() + timedelta(hours=24))
    for hours in (-1, 169, "1"):
        _refused(
            _call(client, alice, "POST", path, {"overlapHours": hours}),
            422,
            "VALIDATION_ERROR",
            "overlapHours",
        )


def test_creations_are_made_once_under_an_idempotency_key(client: FlaskClient, alice: Player) -> None:
    name = {"Idempotency-Key": uuid.uuid4().hex}
    first, second = (_call(client, alice, "POST", ORGANIZATIONS, {"name": "Firm"}, **name) for _ in range(2))
    assert first.data == second.data
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.headers["Idempotency-Replayed"] == "true"
    changed = _call(client, alice, "POST", ORGANIZATIONS, {"name": "Other"}, **name)
    _refused(changed, 409, "IDEMPOTENCY_CONFLICT")
    assert first.json is not None
    keys = f"{ORGANIZATIONS}/{first.json['organization']['id']}/keys"
    name = {"Idempotency-Key": uuid.uuid4().hex}
    first, second = (_call(client, alice, "POST", keys, {"childLabel": "Ana"}, **name) for _ in range(2))
    assert first.data == second.data
    listed = _call(client, alice, "GET", keys).json
    assert listed is not None
    assert len(listed["keys"]) == 2


def test_a_capped_sub_key_stops_and_says_so_once(client: FlaskClient, alice: Player) -> None:
    organization = _organization(client, alice)
    made = _issue(client, alice, organization, monthlyCreditCap=1)
    ask = {"text": LEASE}
    assert client.post("/api/v1/analyze", json=ask, headers=_with(made["key"])).status_code == 200
    for _ in range(2):
        _refused(
            client.post("/api/v1/analyze", json=ask, headers=_with(made["key"])), 402, "SPEND_CAP_REACHED"
        )
    with db.reading() as session:
        page = webhooks.events(
            session, alice.account_id, types=("spend_cap.reached",), since=None, api_key_id=None, after=None,
            limit=10,
        )  # fmt: skip
        found = [row.payload for row in page.rows]
    assert [(row["monthlyCreditCap"], row["spent"]) for row in found] == [(1, 1)]


def test_when_a_key_was_last_used_is_known_within_a_batch_of_metering(
    client: FlaskClient, alice: Player
) -> None:
    organization = _organization(client, alice)
    made = _issue(client, alice, organization)
    assert made["last_used_at"] is None
    _works(client, made["key"])
    usage.drain("test")
    listed = _call(client, alice, "GET", f"{ORGANIZATIONS}/{organization}/keys").json
    assert listed is not None
    assert [key["last_used_at"] is not None for key in listed["keys"]] == [True, True]


def test_the_allow_list_shuts_others_out(client: FlaskClient, cast: Cast, alice: Player) -> None:
    path = "/api/v1/security/ip-allowlist"
    empty = _call(client, alice, "GET", path).json
    assert empty is not None
    assert (empty["entries"], empty["count"], empty["enforced"]) == ([], 0, False)
    added = _call(client, alice, "POST", path, {"cidr": "127.0.0.0/8", "label": "here"})
    assert added.status_code == 201
    assert added.json is not None
    entry = added.json["entry"]
    assert set(entry) == {"id", "cidr", "label", "created_at"}
    assert added.json["warning"] is None
    _refused(_call(client, alice, "POST", path, {"cidr": "127.0.0.0/8"}), 409, "ALREADY_LISTED")
    for wrong in ("localhost", "10.0.0.1/8", "1.2.3.4/33", "", "x" * 50):
        _refused(_call(client, alice, "POST", path, {"cidr": wrong}), 400, "VALIDATION_ERROR", "cidr")
    listed = _call(client, alice, "GET", path).json
    assert listed is not None
    assert (listed["entries"], listed["count"], listed["enforced"]) == ([entry], 1, True)

    outside = {"REMOTE_ADDR": "203.0.113.9"}
    refused = client.get("/api/v1/usage", headers=alice.auth, environ_base=outside)
    _refused(refused, 403, "IP_NOT_ALLOWED")
    inside = client.get("/api/v1/usage", headers=alice.auth, environ_base={"REMOTE_ADDR": "::ffff:127.0.0.1"})
    assert inside.status_code == 200
    mallory = cast.player("mallory")
    assert client.get("/api/v1/usage", headers=mallory.auth, environ_base=outside).status_code == 200
    _refused(_call(client, mallory, "DELETE", f"{path}?id={entry['id']}"), 404, "NOT_FOUND")
    carol = cast.child(alice)
    for method, where, body in (
        ("GET", path, None),
        ("POST", path, {"cidr": "10.0.0.0/8"}),
        ("DELETE", f"{path}?id={entry['id']}", None),
    ):
        _refused(_call(client, carol, method, where, body), 403, "FORBIDDEN_CHILD_KEY")
    _refused(_call(client, alice, "DELETE", path), 400, "VALIDATION_ERROR", "id")
    removed = _call(client, alice, "DELETE", f"{path}?id={entry['id']}")
    assert (removed.status_code, removed.data) == (204, b"")
    assert client.get("/api/v1/usage", headers=alice.auth, environ_base=outside).status_code == 200


def test_who_shuts_itself_out_is_told(client: FlaskClient, alice: Player) -> None:
    path = "/api/v1/security/ip-allowlist"
    added = _call(client, alice, "POST", path, {"cidr": "2001:db8::/32"})
    assert added.status_code == 201
    assert "refused" in added.json["warning"]  # type: ignore[index]
    _refused(_call(client, alice, "GET", path), 403, "IP_NOT_ALLOWED")
