"""An operation tried from its form: as a key of the account, free, and logged as any other call."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable

from flask import Flask
from flask.testing import FlaskClient

from app import usage
from app.portal.docs.reference import the_reference
from tests.cast import Cast, Player
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


def test_a_mistake_is_shown_as_the_api_says_it(alice: Player, member: Make) -> None:
    visitor = member(alice)
    for body, code in (("{", "INVALID_JSON"), ('{"sample": "nothing"}', "")):
        page = visitor.send(SANDBOX, {"key": str(alice.key_id), "body": body})
        assert page.status_code == 200
        shown = answer(page.text)
        assert {"error", "code", "requestId"} <= shown.keys()
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
    assert visitor.send(SANDBOX, {"body": BODY}).status_code == 422
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
