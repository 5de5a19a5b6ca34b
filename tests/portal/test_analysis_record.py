"""The page of one analysis: what is known of it, its proofs, its reviews, and how it is found."""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from app import governance, tenancy
from app.governance import attestation, verifier
from app.governance.transparency import log
from app.platform import clock, settings
from app.platform.confidential import DocumentText
from app.platform.postgres import db, rls
from tests.cast import LEASE, Cast, Player
from tests.portal.conftest import PortalClient, analysed, colleague, tight

Make = Callable[[Player], PortalClient]
RECORD = "/portal/analyses/1"


def attest(player: Player) -> None:
    with db.transaction() as session:
        tenancy.set_options(session, player.account_id, mask_names=None, attestation=True, citator=False)


def reviewed(visitor: PortalClient, form: dict[str, object], status: int = 303, path: str = RECORD) -> str:
    answer = visitor.send(f"{path}/review", form, on=path)
    assert answer.status_code == status, answer.text
    return answer.text


def test_the_page_has_everything_that_is_kept(member: Make, alice: Player) -> None:
    entry = analysed(alice, citations={"verified": 3, "not_found": 1})
    page = member(alice).get(RECORD).text
    for words in (
        "Analysis record 1",
        entry.request_id,
        str(entry.analysis_id),
        entry.document_hash,
        entry.analysis_hash,
        "Mexico",
        "Commercial law",
        "3 verified",
        "1 not found",
        "DNI (ES)",
        "E-mail address",
        "critical risk with its reason",
        "1,234 characters",
        "Not reviewed yet",
        "hash recomputed just now",
        "No policy has been set for its key.",
        "0" * 64,
    ):
        assert words in page, words


def test_a_changed_record_is_said_to_be_unreliable(member: Make, alice: Player) -> None:
    analysed(alice)
    attest(alice)
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute(
            "UPDATE audit_records SET content = jsonb_set(content, '{credits}', '9') WHERE account_id = %s",
            [alice.account_id],
        )
    visitor = member(alice)
    page = visitor.get(RECORD).text
    assert "This record cannot be relied on" in page
    assert "the content was changed" in page
    assert "attestation.json" not in page
    assert visitor.get(f"{RECORD}/attestation.json").status_code == 409


def test_a_record_whose_predecessor_is_gone_does_not_follow(member: Make, alice: Player) -> None:
    analysed(alice)
    analysed(alice)
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute("DELETE FROM audit_records WHERE account_id = %s AND seq = 1", [alice.account_id])
    assert "does not contain the hash of the previous record" in member(alice).get("/portal/analyses/2").text


def test_unknown_records_and_others_are_equally_missing(member: Make, alice: Player, mallory: Player) -> None:
    analysed(alice)
    visitor = member(mallory)
    token = visitor.token("/portal/keys/new")
    answers = []
    for seq in ("1", "2", "0", "9" * 30):
        for path in ("", "/attestation.json", "/attestation.dsse", "/proof", ".pdf"):
            answer = visitor.get(f"/portal/analyses/{seq}{path}")
            assert answer.status_code == 404, (seq, path)
            said = answer.text.replace(answer.headers["X-Request-Id"], "")
            answers.append(said.replace(f"/portal/analyses/{seq}{path}", "HERE"))
        sent = visitor.client.post(
            f"/portal/analyses/{seq}/review", data={"csrf_token": token, "decision": "accepted"}
        )
        assert sent.status_code == 404
    assert len(set(answers)) == 1
    with db.reading() as session:
        assert governance.length_of_chain(session, alice.account_id) == 1


def test_a_review_is_recorded_with_its_member(member: Make, alice: Player) -> None:
    entry = analysed(alice)
    visitor = member(alice)
    final = "El texto que se presentó.\n"
    reviewed(visitor, {"decision": "corrected", "final_text": final.replace("\n", "\r\n")})
    with db.reading() as session:
        (made,) = governance.reviews_of(session, alice.account_id, [entry.request_id])[entry.request_id]
        verdict = governance.verify_chain(session, alice.account_id)
    assert (made.decision, made.api_key_id) == ("corrected", None)
    assert made.final_hash == governance.content_hash(final)
    assert (verdict.valid, verdict.records) == (True, 2)
    page = visitor.get(RECORD).text
    assert alice.email in page
    assert made.final_hash in page
    assert "The final text differs from the analysis." in page
    assert final.strip() not in page
    listed = tight(visitor.get("/portal/analyses").text)
    assert "Corrected</span>" in listed


def test_the_text_that_was_kept_is_recognised(member: Make, alice: Player) -> None:
    analysed(alice)
    visitor = member(alice)
    reviewed(visitor, {"decision": "accepted", "final_hash": "CD" * 32})
    assert "The final text is the analysis, unchanged." in visitor.get(RECORD).text


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({}, "Choose what was decided."),
        ({"decision": "maybe"}, "Choose what was decided."),
        ({"decision": "accepted", "final_hash": "xyz"}, "A SHA-256 has 64 hexadecimal digits."),
        (
            {"decision": "accepted", "final_hash": "ab" * 32, "final_text": "x"},
            "Give either the text or its hash.",
        ),
    ],
)
def test_a_review_that_says_nothing_is_refused(
    member: Make, alice: Player, form: dict[str, object], words: str
) -> None:
    analysed(alice)
    assert words in reviewed(member(alice), form, 422)
    with db.reading() as session:
        assert governance.length_of_chain(session, alice.account_id) == 1


def test_a_form_sent_twice_is_one_review(member: Make, alice: Player) -> None:
    analysed(alice)
    visitor = member(alice)
    form: dict[str, object] = {"decision": "accepted", "once": uuid.uuid4().hex}
    reviewed(visitor, form)
    reviewed(visitor, form)
    with db.reading() as session:
        assert governance.length_of_chain(session, alice.account_id) == 2


def test_a_compliance_officer_reads_reviews_and_records_none(member: Make, alice: Player) -> None:
    analysed(alice)
    reviewed(member(alice), {"decision": "rejected"})
    visitor = member(colleague(alice, "compliance"))
    page = visitor.get(RECORD).text
    assert "Rejected" in page
    assert "Your role reads the audit trail." in page
    token = visitor.token("/portal/profile")
    refused = visitor.client.post(f"{RECORD}/review", data={"csrf_token": token, "decision": "accepted"})
    assert refused.status_code == 403


def test_attestations_are_those_of_the_api(member: Make, alice: Player) -> None:
    entry = analysed(alice)
    visitor = member(alice)
    assert "Attestation is off for this account" in visitor.get(RECORD).text
    assert visitor.get(f"{RECORD}/attestation.json").status_code == 403
    attest(alice)
    answer = visitor.get(f"{RECORD}/attestation.json")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="attestation_1.json"'
    made = json.loads(answer.data)
    assert made["content_hash"] == entry.analysis_hash
    with db.reading() as session:
        assert governance.outputs.verify(session, made, None).signature_valid
    envelope = json.loads(visitor.get(f"{RECORD}/attestation.dsse").data)
    assert envelope["payloadType"] == attestation.PAYLOAD_TYPE


def test_the_place_in_the_log_is_shown_and_proved(member: Make, alice: Player) -> None:
    analysed(alice)
    visitor = member(alice)
    assert "not in a signed head" in visitor.get(RECORD).text
    assert visitor.get(f"{RECORD}/proof").status_code == 303
    with rls.as_system(), db.transaction() as session:
        governance.append_round(session, now=clock.now())
    page = visitor.get(RECORD).text
    assert "anchored" in page
    proof = visitor.get(f"{RECORD}/proof").text
    assert proof.startswith("c2sp.org/tlog-proof@v1\n")
    with db.reading() as session:
        record = governance.analysis_at(session, alice.account_id, 1)
        keys = [str(key) for key in log.verifier_keys(session)]
    row = {
        "type": "analysis",
        "seq": record.seq,
        "at": clock.iso(record.at),
        "previousHash": record.previous_hash,
        "hash": record.hash,
        "content": record.content,
    }
    assert verifier.verify_proof(proof, [row], keys, [])


def test_a_record_is_found_by_whatever_names_it(member: Make, alice: Player, mallory: Player) -> None:
    entry = analysed(alice)
    visitor, stranger = member(alice), member(mallory)
    reviewed(visitor, {"decision": "accepted"})
    with db.reading() as session:
        record = governance.analysis_at(session, alice.account_id, 1)
    for typed in (
        "1", "2", entry.request_id, str(entry.analysis_id), entry.document_hash,
        entry.analysis_hash.upper(), record.hash, f"  {entry.request_id} ",
    ):  # fmt: skip
        answer = visitor.get("/portal/analyses", query_string={"q": typed})
        assert (answer.status_code, answer.location) == (303, RECORD), typed
        nothing = stranger.get("/portal/analyses", query_string={"q": typed})
        assert nothing.status_code == 200
        assert "No matches" in nothing.text
    for typed in ("3", "9" * 40, "ab" * 31, "%", "' OR 1=1", "٣"):
        answer = visitor.get("/portal/analyses", query_string={"q": typed})
        assert (answer.status_code, "No matches" in answer.text) == (200, True), typed
    assert visitor.get("/portal/analyses", query_string={"q": "\x00"}).status_code == 200


def test_many_analyses_of_one_document_are_listed(member: Make, alice: Player) -> None:
    for _ in range(3):
        entry = analysed(alice)
    page = member(alice).get("/portal/analyses", query_string={"q": entry.document_hash}).text
    assert page.count("analyses/3.pdf") == 1
    assert page.index("Record 3") < page.index("Record 1")


def analysis_of(player: Player, text: str, analysis: str) -> None:
    entry = analysed(player, ago=timedelta(hours=1))
    with db.transaction() as session:
        session.take(
            governance.appending(
                replace(
                    entry,
                    analysis_id=uuid.uuid4(),
                    document_hash=DocumentText(text).fingerprint(),
                    analysis_hash=governance.content_hash(analysis),
                )
            )
        )


def test_a_text_finds_its_analysis_and_is_kept_nowhere(member: Make, alice: Player, cast: Cast) -> None:
    analysis_of(alice, LEASE + "\nFin.", "# Análisis\n\nTexto")
    visitor = member(alice)
    for text in (LEASE + "\r\nFin.", LEASE + "\r\nFin.\r\n\r\n", "# Análisis\r\n\r\nTexto  "):
        answer = visitor.send("/portal/analyses/find", {"text": text}, on="/portal/analyses")
        assert answer.status_code == 303
        assert LEASE[:20] not in answer.location
        assert visitor.get(answer.location).location == "/portal/analyses/2"
    upload = {"file": (io.BytesIO((LEASE + "\nFin.").encode()), "lease.txt")}
    answer = visitor.send("/portal/analyses/find", upload, on="/portal/analyses")
    assert visitor.get(answer.location).location == "/portal/analyses/2"
    answer = visitor.send("/portal/analyses/find", {"text": "Otra cosa"}, on="/portal/analyses")
    assert "No matches" in visitor.get(answer.location).text


def test_an_empty_search_by_text_says_what_is_missing(member: Make, alice: Player) -> None:
    analysed(alice)
    visitor = member(alice)
    forms: dict[str, dict[str, object]] = {
        "Paste a text or choose a file.": {"text": "  "},
        "not plain text": {"file": (io.BytesIO(b"%PDF-1.7"), "a.pdf")},
    }
    for words, form in forms.items():
        answer = visitor.send("/portal/analyses/find", form, on="/portal/analyses")
        assert answer.location == "/portal/analyses"
        assert words in visitor.get("/portal/analyses").text


def test_a_policy_is_named_with_its_moment(member: Make, alice: Player) -> None:
    with db.transaction() as session:
        tenancy.enforcement.set_account_policy(
            session, alice.account_id, enabled=True, scope="user", target=None, now=clock.now()
        )
    analysed(alice)
    analysed(alice, ago=timedelta(days=2))
    visitor = member(alice)
    assert "already when this analysis was made" in visitor.get(RECORD).text
    assert "but was changed after this analysis" in visitor.get("/portal/analyses/2").text
