"""An operation tried from its form: as a key of the account, free, and logged as any other call."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from datetime import timedelta

from flask import Flask
from flask.testing import FlaskClient

from app import organizations, tenancy, usage
from app.platform import clock
from app.platform.postgres import db
from app.portal.docs.reference import the_reference
from tests.cast import LEASE, Cast, Player
from tests.portal.activities import done
from tests.portal.conftest import PortalClient, colleague
from tests.sharing.finished import finished_job

Make = Callable[[Player], PortalClient]
SANDBOX = "/portal/try/sandbox-analyze"
BODY = '{"sample": "contract_es", "language": "en"}'


def answer(page: str) -> dict[str, object]:
    """The JSON that the page shows."""
    found = re.search(r'id="answer"[^>]*>(.*?)</pre>', page, re.S)
    assert found, page
    shown: dict[str, object] = json.loads(html.unescape(re.sub(r"<[^>]+>", "", found[1])))
    return shown


def test_the_sandbox_answers_and_costs_nothing(cast: Cast, alice: Player, member: Make) -> None:
    visitor, before = member(alice), cast.balance(alice).balance
    form = visitor.get(SANDBOX).text
    assert "contract_es" in form, "the form begins with the example of the document"
    page = visitor.send(SANDBOX, {"key": str(alice.key_id), "body": BODY})
    assert page.status_code == 200
    found = answer(page.text)
    assert (found["sandbox"], found["creditsCharged"]) == (True, 0)
    assert cast.balance(alice).balance == before
    while usage.drain("trying"):
        pass
    request_id = str(found["requestId"])
    assert request_id in visitor.get(f"/portal/requests?q={request_id}").text


def test_a_test_key_is_the_default_and_is_made_once(cast: Cast, alice: Player, member: Make) -> None:
    visitor, colleagues = member(alice), member(colleague(alice, "developer"))
    first = re.search(r'<option value="([^"]*)"[^>]*>\s*([^<]+?)\s*</option>', visitor.get(SANDBOX).text)
    assert first
    assert first.groups() == ("", "Test key (costs nothing)")
    for caller in (visitor, colleagues, visitor):
        page = caller.send(SANDBOX, {"body": BODY})
        assert (page.status_code, answer(page.text)["sandbox"]) == (200, True)
    found = [row for row in _keys(alice) if row.id != alice.key_id]
    assert [(row.name, row.role, row.monthly_credit_cap) for row in found] == [("Test key", "solo", 0)]
    created = [
        one for one in done(alice) if one.action == "key.created" and one.target_id == str(found[0].id)
    ]
    assert [(one.actor_name, one.details["monthlyCreditCap"]) for one in created] == [(alice.email, 0)]
    while usage.drain("trying"):
        pass
    page = visitor.get(f"/portal/keys/{found[0].id}").text
    assert "Can spend no credits" in page
    assert "Cap reached" not in page
    assert "reached its monthly cap" not in visitor.get("/portal/").text
    with db.transaction() as session:
        tenancy.revoke_key(session, found[0].id, now=clock.now())
    assert answer(visitor.send(SANDBOX, {"body": BODY}).text)["sandbox"] is True
    assert len(_keys(alice)) == 3, "a revoked test key is replaced"


def test_nothing_is_charged_to_a_test_key(
    cast: Cast, alice: Player, client: FlaskClient, member: Make
) -> None:
    member(alice).send(SANDBOX, {"body": BODY})
    test_key = next(row for row in _keys(alice) if row.monthly_credit_cap == 0)
    with db.transaction() as session:
        made = organizations.account_keys.rotate(
            session, alice.account_id, test_key.id, overlap=timedelta(0), prefix="svc", now=clock.now()
        )
    auth, before = {"Authorization": f"Bearer {made.plaintext}"}, cast.balance(alice)
    one = {"text": LEASE}
    # Without and with an Idempotency-Key the hold is taken in different ways; ten calls a minute are allowed.
    for path, body, key in (
        ("analyze", one, {}),
        ("analyze", {**one, "mode": "deep"}, {"Idempotency-Key": "test-key-1"}),
        ("analyze/batch", {"documents": [one, one]}, {}),
        ("analyze/batch", {"documents": [one]}, {"Idempotency-Key": "test-key-2"}),
        ("jobs", {"kind": "analyze", "payload": one}, {}),
        ("jobs", {"kind": "analyze", "payload": one}, {"Idempotency-Key": "test-key-3"}),
        ("compare", {"before": one, "after": {"text": LEASE.replace("900", "950")}}, {}),
    ):
        refused = client.post(f"/api/v1/{path}", json=body, headers={**auth, **key})
        assert (refused.status_code, refused.get_json()["code"]) == (402, "SPEND_CAP_REACHED"), path
    asked = {"name": "analyze_document", "arguments": one}
    called = client.post(
        "/api/mcp",
        json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked},
        headers={**auth, "Accept": "application/json, text/event-stream"},
    )
    assert "SPEND_CAP_REACHED" in called.text
    assert cast.balance(alice) == before


def _keys(player: Player) -> list[tenancy.ApiKey]:
    with db.reading() as session:
        return list(tenancy.keys_of(session, player.account_id))


def test_a_mistake_is_shown_as_the_api_says_it(alice: Player, member: Make) -> None:
    visitor = member(alice)
    for body, code in (("{", "INVALID_JSON"), ('{"sample": "nothing"}', "")):
        page = visitor.send(SANDBOX, {"key": str(alice.key_id), "body": body})
        assert page.status_code == 200
        shown = answer(page.text)
        assert {"error", "code", "requestId", "docUrl"} <= shown.keys()
        assert "400" in page.text
        assert shown["code"] or code


def test_only_what_is_free_and_changes_nothing_is_offered(
    app: Flask, alice: Player, member: Make, client: FlaskClient
) -> None:
    with app.test_request_context():
        offered = {page.id for page in the_reference().pages.values() if page.can_be_tried}
        methods = {page.method for page in the_reference().pages.values() if page.id in offered}
    assert {"sandboxAnalyze", "citedBy"} <= offered
    assert not offered & {"exportAccount", "listActivity", "listAllowedAddresses"}
    assert methods == {"GET", "POST"}
    assert [
        one for one in offered if one.startswith(("create", "delete", "analyze", "update", "revoke"))
    ] == []
    assert "/portal/try/sandbox-analyze" in client.get("/docs/sandbox-analyze").text
    assert "/portal/try/" not in client.get("/docs/analyze").text
    visitor = member(alice)
    for path in ("/portal/try/analyze", "/portal/try/nothing"):
        assert visitor.get(path).status_code == 404


def test_a_call_is_made_as_a_key_of_the_own_account_that_is_no_child(
    cast: Cast, alice: Player, mallory: Player, member: Make, stranger: Make
) -> None:
    visitor, child = member(alice), cast.child(alice)
    for key in (mallory.key_id, child.key_id):
        assert visitor.send(SANDBOX, {"key": str(key), "body": BODY}).status_code == 404
    assert member(colleague(alice, "compliance")).get(SANDBOX).status_code == 403
    assert stranger(alice).get(SANDBOX).status_code == 303


def test_parameters_are_sent_and_a_missing_one_is_named(alice: Player, member: Make) -> None:
    visitor = member(alice)
    path = "/portal/try/get-job"
    missing = visitor.send(path, {"key": str(alice.key_id)})
    assert missing.status_code == 422
    assert "Enter a value." in missing.text
    name = re.findall(r'name="(path-[^"]+)"', missing.text)[0]
    page = visitor.send(path, {"key": str(alice.key_id), name: "../../keys"})
    assert answer(page.text)["code"] in {"NOT_FOUND", "VALIDATION_ERROR"}


def test_no_value_leads_to_another_operation_or_tenant(
    cast: Cast, alice: Player, mallory: Player, member: Make
) -> None:
    visitor, theirs = member(alice), finished_job(cast, mallory)
    path = "/portal/try/get-job"
    name = re.findall(r'name="(path-[^"]+)"', visitor.get(path).text)[0]
    for value in (
        str(theirs), f"{theirs}/result", "../account/dsr/export", "..%2faccount%2fdsr%2fexport", "./../keys",
        "//evil.example", "x?__CALLER=1", "x#y", "\r\nX-Evil: 1", "{job_id}", "%00", "..;/keys",
    ):  # fmt: skip
        page = visitor.send(path, {"key": str(alice.key_id), name: value})
        assert page.status_code in (200, 422), value
        assert mallory.email not in page.text, value
        if page.status_code == 200:
            assert "error" in answer(page.text), value
    # Nor can who calls from outside say whose call it is.
    headers = {"app.caller": str(alice.key_id), "App-Caller": str(alice.key_id), "X-App.Caller": "1"}
    assert visitor.client.get("/api/v1/jobs", headers=headers).status_code == 401
