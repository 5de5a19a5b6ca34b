"""`documentRef` wherever `text` is taken: one of the two, the same answer, places in it (decision 078)."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import documents
from app.documents import Page, Paragraph, Reading, ReadingWarning
from app.platform import clock, redis_client
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player
from tests.documents.files import PATH, send, uploaded
from tests.jobs.conftest import alice, desk
from tests.jobs.desk import Desk

__all__ = ["alice", "desk"]

JOBS = "/api/v1/jobs"
ADDED = {"documentRef", "documentWarnings"}
UNLIKE = {"processingMs", "requestId"}


def _analyse(client: FlaskClient, player: Player, body: dict[str, Any], **headers: str) -> Any:
    return client.post("/api/v1/analyze", json=body, headers={**player.auth, **headers})


def _kept(cast: Cast, player: Player, reading: Reading, original: bytes = b"the file") -> str:
    with db.transaction() as session:
        return str(documents.keep(session, cast.caller(player), reading, original).id)


def _paged(*warnings: ReadingWarning) -> Reading:
    """The lease on two pages: the second clause begins the second page."""
    cut = LEASE.index("SEGUNDA")
    return Reading(
        DocumentText(LEASE),
        "application/pdf",
        (Page(1, 0, cut, "text"), Page(2, cut, len(LEASE), "ocr", 0.61)),
        (Paragraph(1, 0, cut, 1, "paragraph"), Paragraph(2, cut, len(LEASE), 2, "paragraph")),
        warnings,
        "es",
        True,
    )


def _until(client: FlaskClient, player: Player, ref: str) -> datetime:
    found = client.get(f"{PATH}/{ref}", headers=player.auth)
    assert found.status_code == 200, found.text
    return datetime.fromisoformat(found.get_json()["expiresAt"])


@pytest.mark.parametrize("mode", ["standard", "deep"])
def test_a_document_is_analysed_as_its_text_is(
    client: FlaskClient, cast: Cast, alice: Player, mode: str
) -> None:
    made = uploaded(client, alice)
    sent = _analyse(client, alice, {"text": LEASE, "mode": mode}).get_json()
    response = _analyse(client, alice, {"documentRef": made["documentRef"], "mode": mode})
    assert response.status_code == 200, response.text
    found = response.get_json()
    assert found.keys() - sent.keys() == ADDED
    assert (found["documentRef"], found["documentWarnings"]) == (made["documentRef"], [])
    for one in found["statements"]:
        for quote in one["quotes"]:
            assert "page" not in quote, "a text file has no pages"
            assert quote.pop("paragraph") == 1
    same = sent.keys() - UNLIKE - {"audit"}
    assert {name: found[name] for name in same} == {name: sent[name] for name in same}
    assert cast.balance(alice).balance == 100 - 2 * found["creditsCharged"]


def test_quotations_name_page_and_paragraph(client: FlaskClient, cast: Cast, alice: Player) -> None:
    ref = _kept(cast, alice, _paged())
    found = _analyse(client, alice, {"documentRef": ref}).get_json()
    cut = LEASE.index("SEGUNDA")
    quotes = [quote for one in found["statements"] for quote in one["quotes"]]
    assert {quote["page"] for quote in quotes} == {1, 2}
    for quote in quotes:
        assert LEASE[quote["start"] : quote["end"]].split() == quote["text"].split()
        place = 1 if quote["start"] < cut else 2
        assert (quote["page"], quote["paragraph"]) == (place, place)


def test_a_text_has_no_places_and_names_no_document(client: FlaskClient, alice: Player) -> None:
    found = _analyse(client, alice, {"text": LEASE}).get_json()
    assert not ADDED & found.keys()
    assert {name for one in found["statements"] for quote in one["quotes"] for name in quote} == {
        "text", "start", "end",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es", "El texto de las páginas 1 y 2 se ha reconocido de una imagen con poca certeza"),
        ("en", "The text of pages 1 and 2 was recognised from an image with little certainty"),
    ],
)
def test_a_doubtful_reading_is_said_in_the_analysis_and_flagged(
    client: FlaskClient, cast: Cast, alice: Player, language: str, said: str
) -> None:
    warnings = (
        ReadingWarning("LOW_OCR_CONFIDENCE", "The text of this page …", 2),
        ReadingWarning("LOW_OCR_CONFIDENCE", "The text of this page …", 1),
        ReadingWarning("MACROS_IGNORED", "The document contains macros, which were not run.", None),
        ReadingWarning("NEW_CODE", "Something that is told in one language.", None),
    )
    found = _analyse(
        client, alice, {"documentRef": _kept(cast, alice, _paged(*warnings)), "language": language}
    ).get_json()
    head, _, rest = found["analysis"].partition("\n# ")
    body, _, block = rest.partition("SERVICE-AUDIT-TRAIL-BEGIN")
    assert said in head, "before the title"
    assert said in block.partition("review_flags:")[2].partition("executive_summary")[0]
    assert "acros" in body
    assert "acros" not in block
    assert "Something that is told in one language." in body
    assert [one["code"] for one in found["documentWarnings"]] == [one.code for one in warnings]
    assert found["documentWarnings"][0]["page"] == 2


@pytest.mark.parametrize("path", ["/api/v1/analyze", JOBS])
@pytest.mark.parametrize("given", ["both", "neither", "nulls"])
def test_exactly_one_of_the_two_is_taken(
    client: FlaskClient, alice: Player, desk: Desk, path: str, given: str
) -> None:
    ref = uploaded(client, alice)["documentRef"]
    bodies: dict[str, dict[str, Any]] = {
        "both": {"text": LEASE, "documentRef": ref},
        "neither": {},
        "nulls": {"text": None, "documentRef": None},
    }
    body = bodies[given]
    prefix = "" if path.endswith("analyze") else "payload."
    sent = body if not prefix else {"kind": "analyze", "payload": body}
    response = client.post(path, json=sent, headers=alice.auth)
    assert response.status_code == 400, response.text
    error = response.get_json()
    assert error["code"] == "VALIDATION_ERROR"
    assert error["error"].startswith(f"{prefix}text: ")
    assert "documentRef" in error["error"]
    named = [one["field"] for one in error["details"]["errors"]]
    assert named == [f"{prefix}text", f"{prefix}documentRef"]


def test_all_wrong_fields_are_named_beside_it(client: FlaskClient, alice: Player) -> None:
    response = _analyse(client, alice, {"text": 5, "documentRef": "x", "mode": "slow"})
    assert response.status_code == 400
    named = {one["field"] for one in response.get_json()["details"]["errors"]}
    assert named == {"text", "documentRef", "mode"}
    malformed = _analyse(client, alice, {"documentRef": "no-uuid"})
    assert (malformed.status_code, malformed.get_json()["error"]) == (
        400, "documentRef: must be a UUID; got 'no-uuid'.",
    )  # fmt: skip


def test_a_document_that_the_key_has_not_is_404(client: FlaskClient, cast: Cast, alice: Player) -> None:
    refs = [
        str(uuid.uuid4()),
        uploaded(client, cast.child(alice))["documentRef"],
        uploaded(client, cast.player("mallory"))["documentRef"],
    ]
    told = []
    for ref in refs:
        response = _analyse(client, alice, {"documentRef": ref})
        assert (response.status_code, response.get_json()["code"]) == (404, "NOT_FOUND")
        assert response.get_json()["details"]["field"] == "documentRef"
        told.append({**response.get_json(), "requestId": ""})
    assert told[0] == told[1] == told[2]
    assert "POST /api/v1/documents" in told[0]["error"]
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)


def test_an_expired_or_lost_document_is_404(client: FlaskClient, alice: Player, desk: Desk) -> None:
    expired = uploaded(client, alice)["documentRef"]
    desk.forward(minutes=61)
    lost = uploaded(client, alice)["documentRef"]
    redis_client.client().delete(f"document:{uuid.UUID(lost).hex}:reading:0")
    for ref in (expired, lost):
        assert _analyse(client, alice, {"documentRef": ref}).status_code == 404


def test_lengths_are_judged_as_of_a_text(client: FlaskClient, cast: Cast, alice: Player, desk: Desk) -> None:
    short = uploaded(client, alice, "Too short.")["documentRef"]
    wordless = _kept(cast, alice, replace(_paged(), text=DocumentText("..., " * 20)))
    edge = uploaded(client, alice, (LEASE * 91)[:50_000])["documentRef"]
    long = uploaded(client, alice, (LEASE * 91)[:50_001])["documentRef"]
    response = _analyse(client, alice, {"documentRef": short})
    assert response.status_code == 422
    assert {**response.get_json()["details"], "errors": []} == {
        "field": "documentRef", "min": 50, "max": 50_000, "got": 10, "errors": [],
    }  # fmt: skip
    assert _analyse(client, alice, {"documentRef": wordless}).status_code == 422
    assert _analyse(client, alice, {"documentRef": edge}).status_code == 200
    response = _analyse(client, alice, {"documentRef": long})
    assert response.status_code == 422
    assert response.get_json()["error"] == (
        "documentRef: the document must have 50 to 50000 characters, has 50001. Send it as a job (POST "
        "/api/v1/jobs), which takes up to 500000."
    )
    job = client.post(JOBS, json={"kind": "analyze", "payload": {"documentRef": short}}, headers=alice.auth)
    assert (job.status_code, job.get_json()["details"]["field"]) == (422, "payload.documentRef")


def test_a_batch_takes_texts_and_documents_and_each_fails_alone(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    ref = uploaded(client, alice)["documentRef"]
    long = uploaded(client, alice, "words " * 10_000)["documentRef"]
    items = [
        {"id": "text", "text": LEASE},
        {"id": "document", "documentRef": ref},
        {"id": "unknown", "documentRef": str(uuid.uuid4())},
        {"id": "long", "documentRef": long},
        {"id": "both", "text": LEASE, "documentRef": ref},
        {"id": "neither"},
    ]
    response = client.post("/api/v1/analyze/batch", json={"documents": items}, headers=alice.auth)
    assert response.status_code == 200, response.text
    body = response.get_json()
    assert [
        (one["id"], one["status"], one.get("code"), one.get("httpStatus")) for one in body["results"]
    ] == [
        ("text", "success", None, None),
        ("document", "success", None, None),
        ("unknown", "error", "VALIDATION_ERROR", 404),
        ("long", "error", "VALIDATION_ERROR", 422),
        ("both", "error", "VALIDATION_ERROR", 400),
        ("neither", "error", "VALIDATION_ERROR", 400),
    ]
    text, document = body["results"][:2]
    assert "documentRef" not in text
    assert document["documentRef"] == ref
    assert document["analysis"] == text["analysis"]
    assert body["totals"]["creditsCharged"] == 2
    assert cast.balance(alice).balance == 98


def test_the_same_reference_is_the_same_body(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    ref = uploaded(client, alice)["documentRef"]
    other = uploaded(client, alice)["documentRef"]
    keyed = {"Idempotency-Key": "document-ref-1"}
    first = _analyse(client, alice, {"documentRef": ref, "mode": "standard"}, **keyed)
    assert first.status_code == 200
    assert _analyse(client, alice, {"documentRef": other, "mode": "standard"}, **keyed).status_code == 409
    client.delete(f"{PATH}/{ref}", headers=alice.auth)
    again = _analyse(client, alice, {"mode": "standard", "documentRef": ref}, **keyed)
    assert (again.status_code, again.get_data()) == (200, first.get_data()), "although it is deleted"
    assert again.headers["Idempotency-Replayed"] == "true"
    assert cast.balance(alice).balance == 99
    job = {"kind": "analyze", "payload": {"documentRef": other}}
    made = client.post(JOBS, json=job, headers={**alice.auth, **keyed})
    assert made.status_code == 202
    client.delete(f"{PATH}/{other}", headers=alice.auth)
    repeat = client.post(JOBS, json=job, headers={**alice.auth, **keyed})
    assert repeat.get_json() == made.get_json()


def _job(client: FlaskClient, player: Player, payload: dict[str, Any], kind: str = "analyze") -> str:
    response = client.post(JOBS, json={"kind": kind, "payload": payload}, headers=player.auth)
    assert response.status_code == 202, response.text
    return str(response.get_json()["jobId"])


def _done(client: FlaskClient, player: Player, job_id: str) -> Any:
    job = client.get(f"{JOBS}/{job_id}", headers=player.auth).get_json()
    assert job["status"] == "completed", job
    return job


def test_a_job_keeps_its_document_until_its_result_expires(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    ref = _kept(cast, alice, _paged())
    job_id = _job(client, alice, {"documentRef": ref})
    waiting = _until(client, alice, ref) - clock.now()
    assert timedelta(hours=24) < waiting < timedelta(hours=25), "as long as the job may wait"
    desk.forward(hours=3)
    assert desk.run(job_id)
    job = _done(client, alice, job_id)
    assert _until(client, alice, ref) == datetime.fromisoformat(job["resultExpiresAt"])
    lives = [redis_client.client().ttl(name) for name in redis_client.client().scan_iter("document:*")]
    assert len(lives) == 2
    assert all(seconds >= 27 * 3600 for seconds in lives), "three hours on, and the result's day"
    assert job["result"]["documentRef"] == ref
    assert {quote["page"] for one in job["result"]["statements"] for quote in one["quotes"]} == {1, 2}
    assert job["result"]["analysis"] == _analyse(client, alice, {"documentRef": ref}).get_json()["analysis"]
    desk.forward(hours=24, minutes=1)
    assert client.get(f"{PATH}/{ref}", headers=alice.auth).status_code == 404


@pytest.mark.parametrize("ending", ["cancelled", "failed"])
def test_a_job_without_a_result_lets_go_of_its_document(
    client: FlaskClient, alice: Player, desk: Desk, ending: str
) -> None:
    made = uploaded(client, alice)
    job_id = _job(client, alice, {"documentRef": made["documentRef"]})
    own = datetime.fromisoformat(made["expiresAt"])
    assert _until(client, alice, made["documentRef"]) > own
    if ending == "cancelled":
        assert client.delete(f"{JOBS}/{job_id}", headers=alice.auth).status_code == 200
    else:
        redis_client.client().delete(f"job:{uuid.UUID(job_id).hex}:payload")
        desk.run(job_id)
    assert desk.row(job_id).status == ending
    assert _until(client, alice, made["documentRef"]) == own


def test_a_job_whose_document_is_deleted_runs(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    ref = _kept(
        cast, alice, _paged(ReadingWarning("PAGE_WITHOUT_TEXT", "No text was found on this page.", 2))
    )
    job_id = _job(client, alice, {"documentRef": ref})
    assert client.delete(f"{PATH}/{ref}", headers=alice.auth).status_code == 200
    assert desk.run(job_id)
    result = _done(client, alice, job_id)["result"]
    assert (result["documentRef"], len(result["documentWarnings"])) == (ref, 1)
    assert {quote["page"] for one in result["statements"] for quote in one["quotes"]} == {1, 2}


def test_a_batch_job_keeps_every_document_and_reports_the_unknown_one(
    client: FlaskClient, alice: Player, desk: Desk
) -> None:
    refs = [uploaded(client, alice)["documentRef"] for _ in range(2)]
    items = [{"documentRef": refs[0]}, {"documentRef": refs[1]}, {"documentRef": str(uuid.uuid4())}]
    job_id = _job(client, alice, {"documents": items, "concurrency": 2}, "analyze_batch")
    assert desk.run(job_id)
    job = _done(client, alice, job_id)
    assert [one.get("documentRef") for one in job["result"]["results"]] == [*refs, None]
    assert job["result"]["results"][2]["httpStatus"] == 404
    ends = datetime.fromisoformat(job["resultExpiresAt"])
    assert [_until(client, alice, ref) for ref in refs] == [ends, ends]


def test_a_long_document_is_a_job_at_a_price_for_its_length(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    long = uploaded(client, alice, (LEASE + "\n\n") * 200)
    assert 100_000 < long["characters"] < 150_000
    for mode, price in (("standard", 3), ("deep", 6)):
        job_id = _job(client, alice, {"documentRef": long["documentRef"], "mode": mode})
        assert cast.balance(alice).held == price
        client.delete(f"{JOBS}/{job_id}", headers=alice.auth)
    too_long = uploaded(client, alice, "words " * 83_334)
    assert too_long["characters"] > 500_000
    response = client.post(
        JOBS,
        json={"kind": "analyze", "payload": {"documentRef": too_long["documentRef"]}},
        headers=alice.auth,
    )
    assert response.status_code == 422
    assert response.get_json()["details"]["max"] == 500_000
    assert "Send a part" in response.get_json()["error"]


def test_what_waits_holds_neither_text_nor_name(client: FlaskClient, alice: Player, desk: Desk) -> None:
    word = f"word{uuid.uuid4().hex}"
    made = send(client, alice, f"{LEASE} {word}", f"{word}.txt").get_json()
    _job(client, alice, {"documentRef": made["documentRef"]})
    redis = redis_client.client()
    rest = b"".join(bytes(redis.dump(name) or b"") for name in redis.scan_iter())
    with db.reading() as session:
        rows = [
            str(session.execute(sa.text(f"SELECT t.* FROM {table} t")).all())
            for table in ("jobs", "documents", "idempotency_records")
        ]
    assert word not in json.dumps(rows)
    assert word.encode() not in rest
