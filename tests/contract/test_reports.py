"""GET /api/v1/jobs/{id}/report (decision 079)."""

from __future__ import annotations

import io
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

import docx
import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import documents, jobs, reports, usage
from app.dev.system_packages import PDF
from app.platform import redis_client
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from app.reports import report as making
from tests import pdfa
from tests.cast import LEASE, Cast, Player
from tests.jobs.conftest import alice, desk
from tests.jobs.desk import Desk
from tests.sharing.finished import finished_job

__all__ = ["alice", "desk"]

SHORT = "Corto."
needs_layout = pytest.mark.skipif(
    not PDF.is_met(),
    reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
)


def ask(client: FlaskClient, player: Player, job_id: Any, **query: Any) -> TestResponse:
    return client.get(f"/api/v1/jobs/{job_id}/report", query_string=query, headers=player.auth)


def markdown(client: FlaskClient, player: Player, job_id: Any, **query: Any) -> str:
    response = ask(client, player, job_id, format="md", **query)
    assert response.status_code == 200, response.text
    return response.text


def batch(client: FlaskClient, player: Player, desk: Desk, *documents: dict[str, Any]) -> str:
    body = {"kind": "analyze_batch", "payload": {"documents": list(documents)}}
    job_id = client.post("/api/v1/jobs", json=body, headers=player.auth).get_json()["jobId"]
    assert desk.run(job_id)
    return str(job_id)


@pytest.fixture
def job(alice: Player, desk: Desk) -> uuid.UUID:
    """A completed job of alice's."""
    job_id = desk.accept(alice, LEASE, mode="deep")
    assert desk.run(job_id)
    return job_id


@needs_layout
def test_the_report_is_a_pdf_unless_another_format_is_asked_for(
    client: FlaskClient, alice: Player, job: uuid.UUID
) -> None:
    response = ask(client, alice, job)
    assert response.status_code == 200, response.text
    assert response.headers["Content-Type"] == "application/pdf"
    assert response.headers["Content-Disposition"] == f'attachment; filename="analysis-{job.hex[:8]}.pdf"'
    assert response.headers["X-RateLimit-Limit"] == "600"
    pdfa.check(response.data)


def test_word_and_markdown_have_their_types_and_names(
    client: FlaskClient, alice: Player, job: uuid.UUID
) -> None:
    for form, kind in (("docx", reports.MEDIA_TYPES["docx"]), ("md", "text/markdown; charset=utf-8")):
        response = ask(client, alice, job, format=form)
        assert (response.status_code, response.headers["Content-Type"]) == (200, kind)
        assert f"analysis-{job.hex[:8]}.{form}" in response.headers["Content-Disposition"]
        assert response.headers["Cache-Control"] == "no-store"


def test_the_report_says_what_the_result_says(client: FlaskClient, alice: Player, job: uuid.UUID) -> None:
    result = client.get(f"/api/v1/jobs/{job}", headers=alice.auth).get_json()["result"]
    text = " ".join(markdown(client, alice, job).replace("\\", "").split())
    for one in result["statements"]:
        # The first sentence of a statement stands apart from the rest.
        assert " ".join(one["text"].split())[:40] in text, one["id"]
    for check in result["citationChecks"]["checks"]:
        assert check["note"] in text
    for words in (result["summary"], result["audit"]["text"], *result["scope"], *result["reviewFlags"]):
        assert " ".join(words.split()) in text
    assert result["requestId"] in text


def test_it_goes_out_under_the_name_of_the_key(client: FlaskClient, alice: Player, desk: Desk) -> None:
    branding = {
        "branding": "partner",
        "partner_brand_name": "Arregui Lex",
        "partner_legal_name": "Arregui y Soto Abogados, S.L.P.",
        "partner_support_email": "soporte@arregui.example",
    }
    assert client.put("/api/v1/branding", json=branding, headers=alice.auth).status_code == 200
    job_id = desk.accept(alice)
    desk.run(job_id)
    text = markdown(client, alice, job_id)
    assert text.startswith("**Arregui Lex** · Arregui y Soto Abogados, S.L.P. · soporte@arregui.example\n")
    assert "Candado" not in text
    author = docx.Document(io.BytesIO(ask(client, alice, job_id, format="docx").data)).core_properties.author
    assert author == "Arregui Lex"
    assert client.put("/api/v1/branding", json={"branding": "none"}, headers=alice.auth).status_code == 200
    nameless = desk.accept(alice)
    desk.run(nameless)
    text = markdown(client, alice, nameless)
    assert text.startswith("# Informe de análisis\n")
    assert "Candado" not in text
    assert "Arregui" not in text


def test_a_childs_report_has_its_masters_name(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    child = cast.child(alice)
    branding = {"branding": "partner", "partner_brand_name": "Arregui Lex"}
    assert client.put("/api/v1/branding", json=branding, headers=alice.auth).status_code == 200
    job_id = desk.accept(child)
    desk.run(job_id)
    assert markdown(client, child, job_id).startswith("**Arregui Lex**")
    assert ask(client, alice, job_id, format="md").status_code == 404


def test_its_language_is_that_of_the_analysis(client: FlaskClient, alice: Player, desk: Desk) -> None:
    job_id = batch(client, alice, desk, {"text": LEASE, "language": "en"})
    assert "# Analysis report" in markdown(client, alice, job_id, item=1)
    assert "Report on the analysis of 1 documents" in markdown(client, alice, job_id)


def test_a_batch_is_one_report_or_one_for_each_document(
    client: FlaskClient, alice: Player, desk: Desk
) -> None:
    job_id = batch(client, alice, desk, {"id": "uno", "text": LEASE}, {"id": "dos", "text": SHORT})
    whole = markdown(client, alice, job_id)
    assert "# Informe de análisis de 2 documentos" in whole
    assert "\n# 1\\. " in whole
    assert "\n# 2" not in whole
    assert "\n| 2 | dos | " in whole.partition("## Documentos sin análisis")[2]
    one = ask(client, alice, job_id, format="md", item=1)
    assert f"analysis-{uuid.UUID(job_id).hex[:8]}-1.md" in one.headers["Content-Disposition"]
    assert "sin análisis" not in one.text
    refused = ask(client, alice, job_id, format="md", item=2)
    assert (refused.status_code, refused.get_json()["code"]) == (409, "DOCUMENT_WITHOUT_ANALYSIS")
    assert refused.get_json()["details"] == {"field": "item", "code": "VALIDATION_ERROR"}
    beyond = ask(client, alice, job_id, format="md", item=3)
    assert (beyond.status_code, beyond.get_json()["code"]) == (400, "VALIDATION_ERROR")
    assert beyond.get_json()["details"] == {
        "field": "item", "min": 1, "max": 2, "got": 3,
        "errors": [{"field": "item", "message": "must be 1 to 2, the documents of this job; got 3."}],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"format": "odt"}, "format"),
        ({"format": ""}, "format"),
        ({"item": "0"}, "item"),
        ({"item": "x"}, "item"),
    ],
)
def test_a_wrong_parameter_is_named(
    client: FlaskClient, alice: Player, job: uuid.UUID, query: dict[str, str], field: str
) -> None:
    response = ask(client, alice, job, **query)
    assert (response.status_code, response.get_json()["code"]) == (400, "VALIDATION_ERROR")
    assert response.get_json()["details"]["field"] == field
    assert response.get_json()["error"].startswith(f"{field}: ")


def test_the_first_item_of_a_single_analysis_is_the_analysis(
    client: FlaskClient, alice: Player, job: uuid.UUID
) -> None:
    assert markdown(client, alice, job, item=1) == markdown(client, alice, job)
    assert ask(client, alice, job, item=2).status_code == 400


def test_a_job_that_has_not_completed_has_no_report(client: FlaskClient, alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    waiting = ask(client, alice, job_id)
    assert (waiting.status_code, waiting.get_json()["code"]) == (409, "JOB_NOT_COMPLETED")
    assert waiting.get_json()["details"] == {"status": "pending"}
    assert client.delete(f"/api/v1/jobs/{job_id}", headers=alice.auth).status_code == 200
    ended = ask(client, alice, job_id)
    assert (ended.status_code, ended.get_json()["details"]) == (409, {"status": "cancelled"})


def test_an_expired_or_lost_result_has_no_report(
    client: FlaskClient, alice: Player, desk: Desk, job: uuid.UUID
) -> None:
    redis_client.client().delete(*redis_client.client().keys(f"job:{job.hex}:result:*"))
    lost = ask(client, alice, job, format="md")
    assert (lost.status_code, lost.get_json()["code"]) == (410, "RESULT_EXPIRED")
    other = desk.accept(alice)
    desk.run(other)
    desk.forward(hours=25)
    expired = ask(client, alice, other, format="md")
    assert (expired.status_code, expired.get_json()["code"]) == (410, "RESULT_EXPIRED")


def test_a_result_of_an_earlier_release_has_no_report_and_that_is_said(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    older = finished_job(cast, alice)
    for form in ("pdf", "docx", "md", "docx-comments"):
        refused = ask(client, alice, older, format=form)
        assert (refused.status_code, refused.get_json()["code"]) == (409, "RESULT_OUTDATED"), form
    assert client.get(f"/api/v1/jobs/{older}", headers=alice.auth).get_json()["result"]["analysis"]


def test_a_stranger_learns_nothing(client: FlaskClient, cast: Cast, alice: Player, job: uuid.UUID) -> None:
    mallory = cast.player("mallory")
    foreign, unknown = ask(client, mallory, job), ask(client, mallory, uuid.uuid4())
    assert foreign.status_code == unknown.status_code == 404
    assert foreign.get_json()["error"] == unknown.get_json()["error"] == "There is no job with this id."
    assert ask(client, cast.child(alice), job).status_code == 404
    assert client.get(f"/api/v1/jobs/{job}/report").status_code == 401


def test_a_new_key_may_have_the_report_of_the_key_that_it_replaced(
    client: FlaskClient, cast: Cast, alice: Player, job: uuid.UUID
) -> None:
    key_id, key = cast.key(alice.account_id)
    other = Player(alice.name, alice.account_id, "", "", key_id, key)
    assert markdown(client, other, job) == markdown(client, alice, job)


def test_a_report_that_is_too_long_for_a_pdf_says_what_to_ask_for(
    client: FlaskClient, alice: Player, job: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "PDF_SIZE_MAX", 5)
    response = ask(client, alice, job)
    assert (response.status_code, response.get_json()["code"]) == (422, "REPORT_TOO_LONG")
    assert "Ask for format=docx or format=md." in response.get_json()["error"]
    assert ask(client, alice, job, format="docx").status_code == 200


def test_a_report_is_free_and_counted_as_a_read(
    client: FlaskClient, cast: Cast, alice: Player, job: uuid.UUID
) -> None:
    before = cast.balance(alice).balance
    assert ask(client, alice, job, format="md").status_code == 200
    assert cast.balance(alice).balance == before
    while usage.drain("reports-test"):
        pass
    with db.reading() as session:
        query = sa.text("SELECT endpoint FROM usage_calls WHERE account_id = :a")
        endpoints = session.scalars(query, {"a": alice.account_id}).all()
    # The job itself is metered by its worker.
    assert sorted(endpoints) == ["/api/v1/jobs", "/api/v1/jobs/{job_id}/report"]


def word_file(text: str) -> bytes:
    document = docx.Document()
    for paragraph in text.split("\n\n"):
        document.add_paragraph(paragraph)
    data = io.BytesIO()
    document.save(data)
    return data.getvalue()


@pytest.fixture
def upload(cast: Cast, alice: Player, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], uuid.UUID]:
    """Keep a file of a media type for alice, and have her answers name it."""

    def keep(media_type: str) -> uuid.UUID:
        reading = documents.Reading(DocumentText(LEASE), media_type, (), (), (), "es", False)
        with db.transaction() as session:
            ref = documents.keep(session, cast.caller(alice), reading, word_file(LEASE)).id
        real = jobs.result

        def result(job: jobs.Job, *, now: datetime) -> dict[str, Any] | None:
            found = real(job, now=now)
            return found and {**found, "documentRef": str(ref)}

        monkeypatch.setattr(jobs, "result", result)
        return ref

    return keep


def test_the_uploaded_word_file_comes_back_with_comments_at_the_words(
    client: FlaskClient, cast: Cast, alice: Player, job: uuid.UUID, upload: Callable[[str], uuid.UUID]
) -> None:
    branding = {"branding": "partner", "partner_brand_name": "Arregui Lex"}
    assert client.put("/api/v1/branding", json=branding, headers=alice.auth).status_code == 200
    upload(reports.MEDIA_TYPES["docx"])
    result = client.get(f"/api/v1/jobs/{job}", headers=alice.auth).get_json()["result"]
    places = {(quote["start"], quote["end"]) for one in result["statements"] for quote in one["quotes"]}
    response = ask(client, alice, job, format="docx-comments")
    assert response.status_code == 200, response.text
    assert f'filename="analysis-{job.hex[:8]}.comments.docx"' in response.headers["Content-Disposition"]
    written = docx.Document(io.BytesIO(response.data))
    notes = list(written.comments)
    assert len(notes) == len(places)
    assert {(one.author, one.initials) for one in notes} == {("Arregui Lex", "AL")}
    advised = [one.text for one in notes if "Qué hacer: " in one.text]
    assert advised
    assert all(" · [L" in one.partition("\n")[0] for one in advised)
    assert "".join(one.text for one in written.paragraphs) == LEASE
    key_id, key = cast.key(alice.account_id)
    other = Player(alice.name, alice.account_id, "", "", key_id, key)
    assert ask(client, other, job, format="docx-comments").status_code == 200


def test_without_a_word_file_comments_are_refused_with_a_word_on_what_to_do(
    client: FlaskClient, alice: Player, desk: Desk, job: uuid.UUID, upload: Callable[[str], uuid.UUID]
) -> None:
    text = ask(client, alice, job, format="docx-comments")
    assert (text.status_code, text.get_json()["code"]) == (409, "NO_ORIGINAL")
    upload("application/pdf")
    other = ask(client, alice, job, format="docx-comments")
    assert (other.status_code, other.get_json()["code"]) == (409, "ORIGINAL_NOT_DOCX")
    ref = upload(reports.MEDIA_TYPES["docx"])
    assert client.delete(f"/api/v1/documents/{ref}", headers=alice.auth).status_code == 200
    gone = ask(client, alice, job, format="docx-comments")
    assert (gone.status_code, gone.get_json()["code"]) == (409, "ORIGINAL_EXPIRED")
    whole = ask(client, alice, batch(client, alice, desk, {"text": LEASE}), format="docx-comments")
    assert (whole.status_code, whole.get_json()["details"]["field"]) == (400, "item")


def test_an_uploaded_word_file_is_analysed_and_comes_back_commented(
    client: FlaskClient, alice: Player, desk: Desk
) -> None:
    made = docx.Document()
    for line in LEASE.split(". "):
        made.add_paragraph(f"{line.strip().rstrip('.')}.")
    table = made.add_table(rows=1, cols=2)
    table.cell(0, 0).text = "Garantía"
    table.cell(0, 1).text = "La arrendataria entrega además seis mensualidades como garantía adicional."
    stream = io.BytesIO()
    made.save(stream)
    sent = client.post(
        "/api/v1/documents",
        data={"file": (io.BytesIO(stream.getvalue()), "lease.docx")},
        headers=alice.auth,
    )
    ref = sent.get_json()["documentRef"]
    body = {"kind": "analyze", "payload": {"documentRef": ref, "jurisdiction": "ES"}}
    job_id = client.post("/api/v1/jobs", json=body, headers=alice.auth).get_json()["jobId"]
    assert desk.run(job_id)
    result = client.get(f"/api/v1/jobs/{job_id}", headers=alice.auth).get_json()["result"]
    assert result["documentRef"] == ref
    response = ask(client, alice, job_id, format="docx-comments")
    assert response.status_code == 200, response.text
    commented = docx.Document(io.BytesIO(response.data))
    assert [one.text for one in commented.paragraphs] == [one.text for one in made.paragraphs]
    comments = list(commented.comments)
    assert comments
    assert {one.author for one in comments} == {"Candado"}
    quoted = [one for one in result["statements"] if one["quotes"] and one["section"] == "risks"]
    assert any(quoted[0]["text"][:40] in one.text for one in comments)
