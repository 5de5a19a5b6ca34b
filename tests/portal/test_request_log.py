"""The log of requests: every call with its end, none of its content, and nobody else's."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Callable
from datetime import timedelta

from flask import Flask
from flask.testing import FlaskClient

from app import usage
from app.platform import clock
from app.platform.postgres import db
from tests.cast import LEASE, Player
from tests.portal.calls import called
from tests.portal.conftest import PortalClient, analysed, colleague, tight

Make = Callable[[Player], PortalClient]

PAGE = "/portal/requests"


def logged(player: Player) -> list[usage.Call]:
    usage.drain("test")
    with db.reading() as session:
        return list(usage.log(session, player.account_id, usage.CallFilter(), limit=50))


def test_a_call_that_fails_is_found_with_its_code_and_without_what_was_sent(
    client: FlaskClient, member: Make, alice: Player
) -> None:
    sent = {"text": "too short", "jurisdiction": "Zurriaga"}
    answer = client.post("/api/v1/analyze", json=sent, headers=alice.auth)
    request_id = answer.get_json()["requestId"]
    (call,) = logged(alice)
    assert (call.request_id, call.code, call.status) == (
        request_id,
        answer.get_json()["code"],
        answer.status_code,
    )
    visitor = member(alice)
    page = visitor.get(f"{PAGE}?q={request_id}").text
    assert f'href="/portal/requests/{call.id}"' in page
    assert "Zurriaga" not in page
    one = visitor.get(f"/portal/requests/{call.id}").text
    assert "Correct the field named in details.field." in one
    assert f'href="/docs/errors#{call.code}"' in one
    assert "Zurriaga" not in one


def test_a_call_that_succeeds_leads_to_its_record(client: FlaskClient, member: Make, alice: Player) -> None:
    answer = client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth)
    (call,) = logged(alice)
    assert (call.code, call.status, call.credits) == (None, 200, 1)
    page = member(alice).get(f"/portal/requests/{call.id}").text
    assert answer.headers["X-Request-Id"] in page
    assert 'href="/portal/analyses/1"' in page


def test_a_request_id_of_digits_is_no_position_of_another_record(member: Make, alice: Player) -> None:
    analysed(alice)
    called(alice, request_id="1")
    (call,) = logged(alice)
    assert 'href="/portal/analyses/1"' not in member(alice).get(f"/portal/requests/{call.id}").text


def test_no_text_of_the_sheet_is_a_formula(member: Make, alice: Player) -> None:
    called(alice, request_id="=1+1", status=500, code="@X")
    (row,) = csv.DictReader(io.StringIO(member(alice).get("/portal/requests.csv").data.decode()))
    assert (row["request_id"], row["code"], row["status"]) == ("'=1+1", "'@X", "500")


def test_an_error_links_to_its_line_in_the_reference(client: FlaskClient, alice: Player) -> None:
    for answer, code in (
        (client.get("/api/v1/usage"), "UNAUTHENTICATED"),
        (client.get("/api/v1/nowhere", headers=alice.auth), "NOT_FOUND"),
        (client.delete("/api/v1/usage", headers=alice.auth), "METHOD_NOT_ALLOWED"),
        (client.post("/api/v1/analyze", json={}, headers=alice.auth), "VALIDATION_ERROR"),
    ):
        assert answer.get_json()["code"] == code
        assert answer.headers["Link"] == f'<http://localhost/docs/errors#{code}>; rel="help"'
        assert f'id="{code}"' in client.get("/docs/errors").text
    assert 'href="/portal/requests?outcome=error"' in client.get("/docs/errors").text
    assert "Link" not in client.get("/api/v1/usage", headers=alice.auth).headers


def test_calls_are_filtered_and_paged(member: Make, alice: Player) -> None:
    visitor = member(alice)
    called(alice, 60)
    called(alice, 2, status=429, code="RATE_LIMITED", credits=0)
    called(alice, 1, status=503, code="MODEL_UNAVAILABLE", credits=0, endpoint="/api/v1/compare")
    called(alice, 1, ago=timedelta(days=20), request_id="req_of-long-ago", status=500)

    def rows(query: str) -> int:
        return visitor.get(f"{PAGE}?{query}").text.count('<th scope="row"')

    assert rows("") == 50
    assert rows("outcome=error") == 3
    assert rows("outcome=limited") == 2
    assert rows("outcome=server") == 1
    assert rows("code=RATE_LIMITED") == 2
    assert rows("endpoint=/api/v1/compare") == 1
    assert rows(f"key={alice.key_id}&outcome=ok") == 50
    # Of another day: by its id or its beginning, or by the day.
    assert rows("q=req_of-long-ago") == rows("q=req_of-lo") == 1
    assert rows(f"from={clock.today() - timedelta(days=21)}&outcome=server") == 2
    page = visitor.get(PAGE).text
    older = page.split("after=")[1].split('"')[0]
    assert rows(f"after={older}") == 13
    assert "hx-get" not in visitor.get(f"{PAGE}?after={older}").text.split('id="requests"')[1].split(">")[0]
    fragment = visitor.get(PAGE, headers={"HX-Request": "true"}).text
    assert fragment.lstrip().startswith('<div id="requests"')
    sheet = visitor.get("/portal/requests.csv?outcome=error").data.decode()
    found = list(csv.DictReader(io.StringIO(sheet)))
    assert [row["status"] for row in found] == ["503", "429", "429"]
    assert {row["code"] for row in found} == {"RATE_LIMITED", "MODEL_UNAVAILABLE"}


def test_what_means_nothing_is_no_error(member: Make, alice: Player) -> None:
    visitor = member(alice)
    called(alice)
    for query in (
        "q=%00", "q=" + "x" * 300, "outcome=x", "code=x", "from=x", "to=0001-01-01",
        "from=9999-12-31&to=9999-12-31",
        "key=nobody", f"after={uuid.UUID(int=7)}", "q=%25",
    ):  # fmt: skip
        assert visitor.get(f"{PAGE}?{query}").status_code == 200, query
    assert visitor.get(f"{PAGE}?after=x").status_code == 404
    assert visitor.get(f"{PAGE}?key={uuid.uuid4()}").status_code == 404


def test_nobody_sees_anothers_calls(member: Make, alice: Player, mallory: Player) -> None:
    called(alice, request_id="req_of-alice-alone")
    (call,) = logged(alice)
    stranger = member(mallory)
    assert "No calls in the last 7 days" in stranger.get(PAGE).text
    assert "No matches" in stranger.get(f"{PAGE}?q=req_of-alice-alone").text
    assert stranger.get(f"/portal/requests/{call.id}").status_code == 404
    assert len(stranger.get("/portal/requests.csv").data.splitlines()) == 1
    assert member(colleague(alice, "compliance")).get(PAGE).status_code == 403


def test_the_overview_and_the_key_lead_to_it(member: Make, alice: Player) -> None:
    analysed(alice)
    called(alice, 2)
    visitor = member(alice)
    page = tight(visitor.get("/portal/").text)
    assert 'href="/portal/requests"' in page
    assert f'href="/portal/requests/{logged(alice)[0].id}"' in page
    assert f'href="/portal/requests?key={alice.key_id}"' in visitor.get(f"/portal/keys/{alice.key_id}").text


def test_an_entry_of_an_older_release_is_read(app: Flask, alice: Player) -> None:
    from app.usage import meter

    call = usage.Call(
        clock.now(), alice.account_id, alice.key_id, "/api/v1/analyze", 200, 5, request_id="req_x"
    )
    assert meter.decode(meter.encode(call)).request_id is None
    both = meter.decode(meter.encode(call), meter.encode_request(call))
    assert (both.request_id, both.code, both.id) == ("req_x", None, call.id)
