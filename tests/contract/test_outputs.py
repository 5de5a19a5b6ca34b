"""Attestations and inclusion proofs over the API, and the transparency log for everybody."""

from __future__ import annotations

import base64
import json
from datetime import timedelta
from typing import Any

import psycopg
import pytest
import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from flask.testing import FlaskClient

from app import governance, tenancy
from app.governance.transparency import log, merkle, notes
from app.platform import clock, settings
from app.platform.postgres import db, rls
from tests.cast import LEASE, Cast, Player


def opted_in(cast: Cast) -> Player:
    player = cast.player()
    with db.transaction() as session:
        tenancy.set_options(session, player.account_id, attestation=True)
    return player


def analysed(client: FlaskClient, player: Player) -> dict[str, Any]:
    answer = client.post("/api/v1/analyze", json={"text": LEASE}, headers=player.auth)
    assert answer.status_code == 200, answer.text
    return dict(answer.get_json())


def append() -> None:
    with rls.as_system(), db.transaction() as session:
        governance.append_round(session, now=clock.now())


def test_an_attestation_verifies_with_the_published_key_alone(client: FlaskClient, cast: Cast) -> None:
    alice = opted_in(cast)
    done = analysed(client, alice)
    path = f"/api/v1/outputs/{done['requestId']}/attestation"
    answer = client.get(path, headers=alice.auth)
    assert answer.status_code == 200, answer.text
    made = answer.get_json()
    assert client.post(path, headers=alice.auth).get_json() == made
    assert tuple(sorted(made)) == tuple(sorted(governance.attestation.FIELDS))
    assert made["content_hash"] == governance.attestation.content_hash(done["analysis"])
    assert made["request_id"] == done["requestId"]
    keys = client.get("/api/v1/attestations/keys").get_json()["keys"]
    [jwk] = [key for key in keys if key["kid"] == made["signer_key_id"]]
    assert (jwk["kty"], jwk["crv"], jwk["alg"], jwk["use"]) == ("OKP", "Ed25519", "EdDSA", "sig")
    assert "d" not in jwk
    public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(jwk["x"] + "="))
    unsigned = {name: value for name, value in made.items() if name != "signature"}
    public.verify(base64.urlsafe_b64decode(made["signature"] + "=="), rfc8785.dumps(unsigned))


def test_the_service_verifies_what_it_is_sent(client: FlaskClient, cast: Cast) -> None:
    alice = opted_in(cast)
    done = analysed(client, alice)
    made = client.get(f"/api/v1/outputs/{done['requestId']}/attestation", headers=alice.auth).get_json()

    def verified(body: dict[str, Any]) -> dict[str, Any]:
        answer = client.post("/api/v1/attestations/verify", json=body, headers=alice.auth)
        assert answer.status_code == 200, answer.text
        return dict(answer.get_json())

    found = verified({"attestation": made, "content": done["analysis"]})
    assert (found["signature_valid"], found["content_match"]) == (True, True)
    assert found["signer_key_id"] == made["signer_key_id"]
    assert found["citation_recheck"]["total"] >= 1
    assert found["citation_recheck"]["counts"]["verified"] >= 1
    changed = verified({"attestation": made, "content": done["analysis"].replace("900", "901")})
    assert (changed["signature_valid"], changed["content_match"]) == (True, False)
    forged = verified({"attestation": {**made, "jurisdiction": "FR"}})
    assert (forged["signature_valid"], forged["content_match"]) == (False, None)
    assert forged["signer_key_id"] is None
    for strange in ({}, {"signature": 3}, {"signer_key_id": ["x"], "signature": {}}):
        assert verified({"attestation": strange})["signature_valid"] is False


def test_a_name_that_stands_twice_is_refused(client: FlaskClient, cast: Cast) -> None:
    alice = opted_in(cast)
    made = json.dumps({"attestation": analysed(client, alice)["attestation"]})
    twice = made.replace('"jurisdiction": "ES"', '"jurisdiction": "FR", "jurisdiction": "ES"')
    answer = client.post(
        "/api/v1/attestations/verify", data=twice, content_type="application/json", headers=alice.auth
    )
    assert (answer.status_code, answer.get_json()["code"]) == (400, "MALFORMED_JSON")


def test_a_key_that_was_replaced_signs_nothing_later(client: FlaskClient, cast: Cast) -> None:
    alice = opted_in(cast)
    made = analysed(client, alice)["attestation"]
    with rls.as_system(), db.transaction() as session:
        old = governance.signing_keys.signer(session, "attestation", at=clock.now())
        governance.rotate_key(session, "attestation", now=clock.now(), overlap=timedelta())
    later = {**made, "issued_at": clock.iso(clock.now() + timedelta(seconds=5))}
    unsigned = {name: value for name, value in later.items() if name != "signature"}
    forged = {**later, "signature": governance.signing_keys.base64url(old.key.sign(rfc8785.dumps(unsigned)))}
    for attestation, valid in ((made, True), (forged, False)):
        answer = client.post(
            "/api/v1/attestations/verify", json={"attestation": attestation}, headers=alice.auth
        ).get_json()
        assert answer["signature_valid"] is valid


@pytest.mark.parametrize(
    "body", [{}, {"attestation": "x"}, {"attestation": []}, {"attestation": {}, "content": 3}]
)
def test_what_is_no_request_is_named(client: FlaskClient, cast: Cast, body: dict[str, Any]) -> None:
    answer = client.post("/api/v1/attestations/verify", json=body, headers=cast.player().auth)
    assert answer.status_code == 400
    assert answer.get_json()["details"]["field"] in ("attestation", "content")


def test_attestation_is_opt_in(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    done = analysed(client, alice)
    answer = client.get(f"/api/v1/outputs/{done['requestId']}/attestation", headers=alice.auth)
    assert (answer.status_code, answer.get_json()["code"]) == (403, "ATTESTATION_DISABLED")


@pytest.mark.parametrize("what", ["attestation", "proof"])
def test_outputs_of_others_are_not_there(client: FlaskClient, cast: Cast, what: str) -> None:
    alice, mallory = opted_in(cast), opted_in(cast)
    firm = cast.organization(alice)
    child, sibling = cast.child(alice, firm), cast.child(alice, firm)
    done = analysed(client, child)
    path = f"/api/v1/outputs/{done['requestId']}/{what}"
    append()
    assert client.get(path, headers=alice.auth).status_code == 200
    assert client.get(path, headers=child.auth).status_code == 200
    unknown = client.get(f"/api/v1/outputs/req_unknown/{what}", headers=mallory.auth)
    for stranger in (mallory, sibling):
        refused = client.get(path, headers=stranger.auth)
        assert refused.status_code == 404
        assert refused.get_json()["error"] == unknown.get_json()["error"]
    assert client.get(path).status_code == 401


def test_a_record_that_was_changed_is_not_attested(client: FlaskClient, cast: Cast) -> None:
    alice = opted_in(cast)
    done = analysed(client, alice)
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute(
            """UPDATE audit_records SET content = jsonb_set(content, '{citations,verified}', '99')
               WHERE account_id = %s""",
            [alice.account_id],
        )
    answer = client.get(f"/api/v1/outputs/{done['requestId']}/attestation", headers=alice.auth)
    assert (answer.status_code, answer.get_json()["code"]) == (409, "AUDIT_RECORD_BROKEN")


def test_the_envelope_for_supply_chains_verifies(client: FlaskClient, cast: Cast) -> None:
    alice = opted_in(cast)
    done = analysed(client, alice)
    path = f"/api/v1/outputs/{done['requestId']}/attestation"
    envelope = client.get(path + "?format=dsse", headers=alice.auth).get_json()
    payload = base64.b64decode(envelope["payload"])
    [signature] = envelope["signatures"]
    with db.reading() as session:
        public = governance.signing_keys.public_key(session, "attestation", signature["keyid"])
    assert public is not None
    Ed25519PublicKey.from_public_bytes(public).verify(
        base64.b64decode(signature["sig"]), governance.attestation.pre_authentication(payload)
    )
    assert json.loads(payload)["predicate"]["request_id"] == done["requestId"]
    wrong = client.get(path + "?format=jws", headers=alice.auth)
    assert (wrong.status_code, wrong.get_json()["details"]["field"]) == (400, "format")


def test_after_a_rotation_old_attestations_keep_their_key(client: FlaskClient, cast: Cast) -> None:
    alice = opted_in(cast)
    done = analysed(client, alice)
    path = f"/api/v1/outputs/{done['requestId']}/attestation"
    before = client.get(path, headers=alice.auth).get_json()
    with rls.as_system(), db.transaction() as session:
        kid, _ = governance.rotate_key(session, "attestation", now=clock.now(), overlap=timedelta())
    assert client.get(path, headers=alice.auth).get_json() == before
    later = analysed(client, alice)
    after = client.get(f"/api/v1/outputs/{later['requestId']}/attestation", headers=alice.auth).get_json()
    assert after["signer_key_id"] == kid
    body = {"attestation": before}
    assert client.post("/api/v1/attestations/verify", json=body, headers=alice.auth).get_json()[
        "signature_valid"
    ]


def test_a_proof_verifies_with_what_the_log_publishes(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    done = analysed(client, alice)
    path = f"/api/v1/outputs/{done['requestId']}/proof"
    pending = client.get(path, headers=alice.auth)
    assert (pending.status_code, pending.headers["Retry-After"]) == (202, "60")
    append()
    answer = client.get(path, headers=alice.auth)
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    proof = notes.InclusionProof.parse(answer.text)
    keys = [notes.VerifierKey.parse(line) for line in client.get("/transparency/keys").text.splitlines()]
    assert any(proof.checkpoint.signed_by(key) is not None for key in keys)
    head = notes.Checkpoint.parse(proof.checkpoint.text)
    with rls.acting_for(alice.account_id), db.reading() as session:
        record = governance.record_of(session, alice.account_id, done["requestId"])
        assert record is not None
    leaf = merkle.leaf_hash(log.entry_of(proof.extra, record.hash))
    assert merkle.root_of_inclusion(leaf, proof.index, head.size, proof.hashes) == head.root


def test_everybody_may_read_the_log(client: FlaskClient, cast: Cast) -> None:
    analysed(client, cast.player())
    append()
    answer = client.get("/transparency/checkpoint")
    assert answer.status_code == 200
    head = notes.Checkpoint.parse(notes.Note.parse(answer.text).text)
    width = min(256, head.size)
    suffix = "" if width == 256 else f".p/{width}"
    tile = client.get(f"/transparency/tile/0/000{suffix}")
    assert (tile.status_code, len(tile.data)) == (200, width * 32)
    assert "immutable" in tile.headers["Cache-Control"]
    entries = client.get(f"/transparency/tile/entries/000{suffix}")
    assert len(entries.data) == width * 34
    for path in (
        "tile/0/999",
        "tile/x",
        "tile/0/0",
        "tile/entries/1/000",
        "tile/entries/999",
        "checkpoint/0/time-stamp",
    ):
        assert client.get(f"/transparency/{path}").status_code == 404, path


def test_an_answer_carries_its_attestation_and_its_origin(client: FlaskClient, cast: Cast) -> None:
    alice = opted_in(cast)
    answer = client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth)
    done = answer.get_json()
    fetched = client.get(f"/api/v1/outputs/{done['requestId']}/attestation", headers=alice.auth)
    assert done["attestation"] == fetched.get_json()
    assert done["contentOrigin"] == {
        "generated": True,
        "by": "Candado",
        "engine": done["model"],
        "reviewed": False,
    }
    assert answer.headers["X-Service-Content-Origin"] == f'generated;engine="{done["model"]}";reviewed=?0'
    body = {"documents": [{"text": LEASE}, {"text": LEASE + " Otra copia."}]}
    batch = client.post("/api/v1/analyze/batch", json=body, headers=alice.auth).get_json()
    hashes = [item["attestation"]["content_hash"] for item in batch["results"]]
    assert hashes == [governance.attestation.content_hash(item["analysis"]) for item in batch["results"]]
    assert "attestation" not in analysed(client, cast.player())
