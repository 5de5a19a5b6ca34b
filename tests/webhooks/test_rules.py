"""The pure parts: the schedule, signatures, the catalogue and what is made of it."""

from __future__ import annotations

import base64
import hmac
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from app import webhooks
from app.webhooks import claims, signing
from app.webhooks.event_bus import catalogue
from tests.cast import Cast
from tests.webhooks.office import Office

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 11, 21, 10, tzinfo=UTC)


def test_the_schedule_is_the_one_promised() -> None:
    waits = [found - NOW for n in range(1, 9) if (found := claims.QUEUE.retry_at(n, NOW))]
    assert waits == [timedelta(minutes=m) for m in (1, 5, 30, 120, 720)]
    assert claims.QUEUE.attempts == 6


@given(st.text(max_size=300), st.integers(0, 2**33), st.text(min_size=1, max_size=20))
def test_both_secrets_sign_both_families_as_they_are_specified(text: str, at: int, event_id: str) -> None:
    """Computed here with nothing but HMAC: the library makes one family, and the bytes are a promise."""
    keys, body = [signing.new_secret(), signing.new_secret()], text.encode()
    headers = signing.headers(
        "Service", keys, event_id=event_id, event="e", delivery_id="d", at=at, body=body
    )
    raw = [base64.b64decode(key.removeprefix("whsec_")) for key in keys]
    standard = [hmac.digest(key, f"{event_id}.{at}.".encode() + body, "sha256") for key in raw]
    assert headers["webhook-signature"] == " ".join(
        f"v1,{base64.b64encode(one).decode()}" for one in standard
    )
    ours = [hmac.new(key.encode(), f"{at}.".encode() + body, "sha256").hexdigest() for key in keys]
    assert headers["X-Service-Signature"] == f"t={at},v1={ours[0]},v1={ours[1]}"
    assert (headers["webhook-id"], headers["webhook-timestamp"]) == (event_id, str(at))


def test_a_delivery_is_signed_as_it_was_before_the_library() -> None:
    """Vectors that the hand-written signing of release 1.8.0 made."""
    old, new = (f"whsec_{base64.b64encode(bytes([n]) * 32).decode()}" for n in (1, 2))
    body = '{"id":"e1","data":{"año":2026,"nota":"señal €"}}'.encode()
    headers = signing.headers(
        "Service", [old, new], event_id="7d9f", event="e", delivery_id="d", at=1_795_000_000, body=body
    )
    assert headers == {
        "Content-Type": "application/json",
        "User-Agent": "Service-Webhooks/1",
        "X-Service-Signature": "t=1795000000"
        ",v1=c839cc29d75a9a08db70b154692a109feb5a77b9c5b00ac2b620937a0f36159c"
        ",v1=1421900f07c9a241ab00f7e8ea37a932d42ad88b2b4fd09e19dd5b4841a1c618",
        "X-Service-Signature-256": "t=1795000000"
        ",v1=c839cc29d75a9a08db70b154692a109feb5a77b9c5b00ac2b620937a0f36159c"
        ",v1=1421900f07c9a241ab00f7e8ea37a932d42ad88b2b4fd09e19dd5b4841a1c618",
        "X-Service-Event": "e",
        "X-Service-Event-Id": "7d9f",
        "X-Service-Delivery-Id": "d",
        "webhook-id": "7d9f",
        "webhook-timestamp": "1795000000",
        "webhook-signature": "v1,pGE3ODVxaZIYK7CHVdQpErSIBCcDzZjJkXXPMy3BrLc="
        " v1,OkKS0eACXE7Fm/VLe5ZO5zwa3STrzIc6XqT1Doof0zo=",
    }


def test_a_wire_name_changes_every_header() -> None:
    headers = signing.headers(
        "Acme", [signing.new_secret()], event_id="i", event="e", delivery_id="d", at=1, body=b""
    )
    assert {name for name in headers if name.startswith("X-")} == {
        "X-Acme-Signature",
        "X-Acme-Signature-256",
        "X-Acme-Event",
        "X-Acme-Event-Id",
        "X-Acme-Delivery-Id",
    }


@pytest.mark.parametrize("event", webhooks.CATALOGUE.values(), ids=lambda event: event.name)
def test_every_event_has_a_schema_that_its_example_fits(event: webhooks.EventType) -> None:
    jsonschema.Draft202012Validator.check_schema(event.schema)
    checker = jsonschema.Draft202012Validator(
        {**event.schema, "additionalProperties": False}, format_checker=jsonschema.FormatChecker()
    )
    checker.validate(event.example)
    assert event.meaning.endswith(".")
    assert all(field.get("description") for field in event.fields.values())


def test_the_types_are_those_promised() -> None:
    assert catalogue.DEFAULT_EVENTS == ("analysis.completed", "analysis.failed", "credits.low")
    assert (
        *catalogue.DEFAULT_EVENTS,
        "credits.alert",
        "spend_cap.alert",
        "normativa.updated",
        "judgment.cited",
    ) == catalogue.SUBSCRIBABLE
    assert set(webhooks.CATALOGUE) >= {
        *catalogue.SUBSCRIBABLE, "citation.broken", "analysis.flagged", "apikey.created",
        "apikey.revoked", "apikey.updated", "spend_cap.reached", "output.withheld", "rate_limit.sustained",
        "webhook.test",
    }  # fmt: skip


def test_every_type_is_published_by_something_or_says_that_it_is_not() -> None:
    code = "".join(
        path.read_text("utf-8")
        for path in (ROOT / "app").rglob("*.py")
        if path.name not in {"catalogue.py", "wording.py"} and path.parent.name != "portal"
    )
    named = set(re.findall(r'"((?:[a-z_]+\.)[a-z]+)"', code)) | {
        f"apikey.{act}" for act in re.findall(r'announce\(session, "(\w+)"', code)
    }
    for event in webhooks.CATALOGUE.values():
        published = event.name in named or event.name == catalogue.TEST
        assert published is not event.reserved, event.name
        assert event.meaning.startswith("Reserved: ") is event.reserved


def test_the_page_of_events_is_up_to_date() -> None:
    page = (ROOT / "docs" / "events.md").read_text("utf-8")
    assert page == webhooks.as_markdown(), "run: python -m tools.events"


def test_the_openapi_document_describes_what_a_receiver_gets(client: FlaskClient) -> None:
    section: dict[str, Any] = client.get("/api/v1/openapi.json").get_json()["webhooks"]
    assert set(section) == {*catalogue.SUBSCRIBABLE, "webhook.test"}
    operation = section["credits.low"]["post"]
    names = [parameter["name"] for parameter in operation["parameters"]]
    assert names[:2] == ["X-Service-Signature", "X-Service-Signature-256"]
    body = operation["requestBody"]["content"]["application/json"]
    jsonschema.validate(body["example"], body["schema"])


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("no.such", {}),
        ("credits.low", {"balance": 1}),
        ("credits.low", {"balance": 1, "threshold": 2, "x": 3}),
        ("output.withheld", {}),
    ],
)
def test_what_is_not_in_the_catalogue_does_not_leave(
    office: Office, cast: Cast, event: str, payload: dict[str, Any]
) -> None:
    from app.platform import clock
    from app.platform.postgres import db

    alice = cast.player()
    with pytest.raises(ValueError, match="catalogue"), db.transaction() as session:
        webhooks.publish(session, alice.account_id, event, payload, now=clock.now())


def test_a_body_has_its_fields_in_the_order_of_the_catalogue() -> None:
    data = {"threshold": 2, "balance": 1}
    found = json.dumps(catalogue.message("i", "credits.low", "t", data))
    assert found.index("balance") < found.index("threshold")
