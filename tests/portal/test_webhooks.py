"""Webhooks in the portal, and the check of a signature."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from app import tenancy, webhooks
from app.platform import clock, settings
from app.platform.postgres import db
from app.portal.webhooks.endpoints import SHOWN
from app.webhooks import signing
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient, colleague
from tests.portal.webhooks import ended, registered, told

Make = Callable[[Player], PortalClient]

NEW = "/portal/webhooks/new"
SECRET = re.compile(r'id="new-secret">(whsec_[^<]+)<')
_ONCE = re.compile(r'name="once" value="([^"]+)"')


@pytest.fixture(autouse=True)
def listed_hosts(app: object, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("WEBHOOK_ALLOW_HOSTS", "hooks.test")
    settings.current.cache_clear()
    yield
    monkeypatch.undo()
    settings.current.cache_clear()


def endpoints(player: Player) -> list[Any]:
    with db.reading() as session:
        return list(webhooks.of_account(session, player.account_id))


def create(visitor: PortalClient, **changes: object) -> Any:
    found = _ONCE.search(visitor.get(NEW).text)
    assert found
    form: dict[str, object] = {
        "url": "https://hooks.test/in",
        "key": str(visitor.player.key_id),
        "events": ["analysis.completed"],
        "description": "",
        "once": found[1],
    }
    return visitor.send("/portal/webhooks", {**form, **changes}, on=NEW)


def test_many_webhooks_are_leafed_through(member: Make, alice: Player, mallory: Player, cast: Cast) -> None:
    # A key has at most twenty.
    keys = [cast.key(alice.account_id)[0] for _ in range(3)]
    made = {str(registered(alice, keys[n % 3])) for n in range(SHOWN + 2)}
    theirs = registered(mallory)
    visitor = member(alice)
    first = visitor.get("/portal/webhooks").text
    older = re.search(r'href="(/portal/webhooks\?after=[^"]+)" rel="next"', first)
    assert older
    second = visitor.get(older[1]).text
    link = re.compile(r'href="/portal/webhooks/([0-9a-f-]{36})"')
    shown = [set(link.findall(page)) for page in (first, second)]
    assert [len(part) for part in shown] == [SHOWN, 2]
    assert shown[0] | shown[1] == made
    assert str(theirs) not in link.findall(visitor.get(f"/portal/webhooks?after={theirs}").text)


def test_a_secret_is_shown_once(member: Make, alice: Player) -> None:
    visitor = member(alice)
    page = create(visitor, description="the office").text
    shown = SECRET.search(page)
    assert shown
    (row,) = endpoints(alice)
    assert (row.url, row.events, row.description) == (
        "https://hooks.test/in",
        ["analysis.completed"],
        "the office",
    )
    for path in ("/portal/webhooks", f"/portal/webhooks/{row.id}"):
        assert shown[1] not in visitor.get(path).text


def test_sending_the_form_twice_makes_one_webhook(member: Make, alice: Player) -> None:
    visitor, once = member(alice), uuid.uuid4().hex
    assert create(visitor, once=once).status_code == 200
    assert create(visitor, once=once).status_code == 303
    assert len(endpoints(alice)) == 1
    assert "has already created its webhook" in visitor.get("/portal/webhooks").text


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"url": ""}, "Enter the URL of your endpoint"),
        ({"url": "http://hooks.test/in\x00"}, "on one line"),
        ({"url": "https://127.0.0.1/in"}, "This URL is not allowed."),
        ({"url": "ftp://hooks.test"}, "This URL is not allowed."),
        ({"url": "https://hooks.test/" + "x" * 3000}, "This URL is too long."),
        ({"key": ""}, "Choose the API key of the webhook."),
        ({"events": []}, "Choose at least one event."),
        ({"events": ["apikey.created"]}, "Choose from the list."),
        ({"description": "x" * 201}, "at most 200 characters"),
    ],
)
def test_a_wrong_field_is_named_and_makes_no_webhook(
    member: Make, alice: Player, changes: dict[str, object], complaint: str
) -> None:
    answer = create(member(alice), **changes)
    assert answer.status_code == 422
    assert complaint in answer.text
    assert endpoints(alice) == []


def test_the_twenty_first_of_a_key_is_refused_at_its_field(member: Make, alice: Player) -> None:
    for _ in range(webhooks.MAX_PER_KEY):
        registered(alice)
    answer = create(member(alice))
    assert answer.status_code == 422
    assert "This key has 20 webhooks" in answer.text


def test_the_list_holds_the_webhooks_of_every_key(member: Make, alice: Player, cast: Cast) -> None:
    child = cast.child(alice)
    registered(alice)
    registered(alice, child.key_id)
    page = member(alice).get("/portal/webhooks").text
    assert page.count("https://hooks.test/in") == 2
    assert "Junior" in page


def test_pausing_and_activating(member: Make, alice: Player) -> None:
    path = f"/portal/webhooks/{registered(alice)}"
    visitor = member(alice)
    assert visitor.send(f"{path}/switch", {"to": "off"}, on=path).location == path
    assert not endpoints(alice)[0].active
    page = visitor.get(path).text
    assert "Paused" in page
    assert f"{path}/test" not in page
    visitor.send(f"{path}/test", {}, on=path)
    assert "Activate it first" in visitor.get(path).text
    visitor.send(f"{path}/switch", {"to": "on"}, on=path)
    assert endpoints(alice)[0].active


def test_a_test_is_sent_and_watched_until_it_arrives(member: Make, alice: Player) -> None:
    endpoint_id = registered(alice)
    path = f"/portal/webhooks/{endpoint_id}"
    visitor = member(alice)
    visitor.send(f"{path}/test", {}, on=path)
    page = visitor.get(path).text
    assert "A test event has been sent" in page
    assert 'hx-trigger="every 4s"' in page
    ended(endpoint_id, "success")
    part = visitor.get(path, headers={"HX-Request": "true"}).text
    assert part.lstrip().startswith("<section")
    assert "every 4s" not in part
    assert "Delivered" in part


def test_failed_deliveries_are_sent_again_one_or_all(member: Make, alice: Player) -> None:
    endpoint_id = registered(alice)
    told(alice, 3)
    ended(endpoint_id)
    path = f"/portal/webhooks/{endpoint_id}"
    visitor = member(alice)
    page = visitor.get(path).text
    assert "Redeliver all 3 failed" in page
    assert "6 of 6" in page
    assert "answered 503; any 2xx is expected" in page
    one = re.findall(r'name="delivery" value="([^"]+)"', page)[0]
    visitor.send(f"{path}/redrive", {"delivery": one}, on=path)
    assert "1 delivery will be retried." in visitor.get(path).text
    visitor.send(f"{path}/redrive", {"delivery": one}, on=path)
    assert "pending or has already been delivered" in visitor.get(path).text
    visitor.send(f"{path}/redrive", {}, on=path)
    assert "2 deliveries will be retried." in visitor.get(path).text
    for unknown in ("1", str(uuid.uuid4())):
        assert visitor.send(f"{path}/redrive", {"delivery": unknown}, on=path).status_code == 404


def test_the_log_is_limited_to_a_status(member: Make, alice: Player) -> None:
    endpoint_id = registered(alice)
    told(alice, 2)
    ended(endpoint_id)
    visitor = member(alice)
    path = f"/portal/webhooks/{endpoint_id}"
    assert visitor.get(f"{path}?status=exhausted").text.count("Exhausted</span></span>") == 2
    assert "None with this status" in visitor.get(f"{path}?status=success").text
    assert visitor.get(f"{path}?status=lost").status_code == 200


def test_changing_what_is_told(member: Make, alice: Player) -> None:
    path = f"/portal/webhooks/{registered(alice)}/edit"
    visitor = member(alice)
    refused = visitor.send(path, {"description": "x"})
    assert refused.status_code == 422
    assert "Choose at least one event" in refused.text
    visitor.send(path, {"events": ["credits.low"], "description": "<b>ours</b>"})
    (row,) = endpoints(alice)
    assert (row.events, row.description) == (["credits.low"], "<b>ours</b>")
    assert "<b>ours" not in visitor.get("/portal/webhooks").text


def test_rotating_shows_the_new_secret_once_and_keeps_the_old_a_day(member: Make, alice: Player) -> None:
    visitor = member(alice)
    old = SECRET.search(create(visitor).text)
    path = f"/portal/webhooks/{endpoints(alice)[0].id}"
    asked = visitor.get(f"{path}/rotate").text
    assert "For 24 hours, deliveries carry two signatures" in asked
    once = _ONCE.search(asked)
    assert once
    page = visitor.send(f"{path}/rotate", {"once": once[1]}).text
    new = SECRET.search(page)
    assert old
    assert new
    assert old[1] != new[1]
    assert visitor.send(f"{path}/rotate", {"once": once[1]}).status_code == 303
    assert "also signs until" in visitor.get(path).text


def test_deleting_asks_first_and_says_what_goes(member: Make, alice: Player) -> None:
    path = f"/portal/webhooks/{registered(alice)}/delete"
    told(alice, 2)
    visitor = member(alice)
    assert "2 pending deliveries will not be sent" in visitor.get(path).text
    assert len(endpoints(alice)) == 1
    assert visitor.send(path, {}).location == "/portal/webhooks"
    assert endpoints(alice) == []


def test_mallory_cannot_reach_alices_webhook(member: Make, alice: Player, mallory: Player) -> None:
    endpoint_id = registered(alice)
    told(alice)
    ended(endpoint_id)
    visitor = member(mallory)
    assert "hooks.test" not in visitor.get("/portal/webhooks").text
    for wanted in (endpoint_id, uuid.uuid4()):
        path = f"/portal/webhooks/{wanted}"
        for page in ("", "/edit", "/rotate", "/delete"):
            assert visitor.get(path + page).status_code == 404
        for act in ("/switch", "/test", "/redrive", "/edit", "/rotate", "/delete"):
            form = {"to": "off", "events": ["credits.low"]}
            assert visitor.send(path + act, form, on=NEW).status_code == 404, act
    assert create(visitor, key=str(alice.key_id)).status_code == 404
    (row,) = endpoints(alice)
    assert row.active
    assert endpoints(mallory) == []


@pytest.mark.parametrize(("role", "allowed"), [("developer", True), ("compliance", False)])
def test_webhooks_are_for_those_who_manage_keys(
    member: Make, alice: Player, role: tenancy.Role, allowed: bool
) -> None:
    path = f"/portal/webhooks/{registered(alice)}"
    visitor = member(colleague(alice, role))
    pages = ("/portal/webhooks", NEW, "/portal/webhooks/signature", path)
    for page in (*pages, f"{path}/edit", f"{path}/rotate", f"{path}/delete"):
        assert visitor.get(page).status_code == (200 if allowed else 403), page
    if not allowed:
        token = {"csrf_token": visitor.token("/portal/")}
        for act in ("switch", "test", "redrive", "edit", "rotate", "delete"):
            assert visitor.client.post(f"{path}/{act}", data=token).status_code == 403, act
        assert visitor.client.post("/portal/webhooks", data=token).status_code == 403


def signed(secret: str, body: str, at: int) -> str:
    found = signing.headers(
        "Candado", [secret], event_id="e", event="x", delivery_id="d", at=at, body=body.encode()
    )
    return f"X-Candado-Signature: {found['X-Candado-Signature']}"


@pytest.mark.parametrize(
    ("age_s", "body", "verdict"),
    [
        (0, '{"id":1}', "The signature is valid"),
        (0, '{"id":1}\r\n', "The signature is valid"),
        (900, '{"id":1}', "but too old to accept"),
        (0, '{ "id": 1 }', "The body was reformatted"),
        (0, '{"id":2}', "The signature does not match"),
    ],
)
def test_the_check_says_whether_a_signature_is_genuine_or_why_not(
    member: Make, alice: Player, age_s: int, body: str, verdict: str
) -> None:
    secret = signing.new_secret()
    header = signed(secret, '{"id":1}', int(clock.epoch()) - age_s)
    answer = member(alice).send(
        "/portal/webhooks/signature", {"header": header, "body": body, "secret": secret}
    )
    assert answer.status_code == 200
    assert verdict in answer.text
    assert secret not in answer.text


def test_the_check_logs_nothing_of_what_is_pasted(
    member: Make, alice: Player, capfd: pytest.CaptureFixture[str]
) -> None:
    visitor, secret = member(alice), signing.new_secret()
    for form in ({"secret": secret, "body": "private words", "header": "t=1,v1=abc"}, {"secret": secret}):
        assert secret not in visitor.send("/portal/webhooks/signature", dict(form)).text
    said = "".join(capfd.readouterr())
    assert secret not in said
    assert "private words" not in said


def test_what_is_missing_for_a_check_is_said_at_its_field(member: Make, alice: Player) -> None:
    answer = member(alice).send("/portal/webhooks/signature", {"secret": "abc", "header": "", "body": ""})
    assert answer.status_code == 422
    for complaint in (
        "Paste the signature header.",
        "Paste the body.",
        "A signing secret begins with whsec_",
    ):
        assert complaint in answer.text


def test_webhooks_speak_spanish(member: Make, alice: Player) -> None:
    path = f"/portal/webhooks/{registered(alice)}"
    visitor = member(alice)
    visitor.client.set_cookie("language", "es")
    assert "Enviar una prueba" in visitor.get(path).text
    assert "Crear webhook" in visitor.get("/portal/webhooks").text
