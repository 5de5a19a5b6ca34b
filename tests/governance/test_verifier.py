"""The verifier as a stranger runs it: one file, what the service published, and nothing else."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest
import rfc8785
from flask.testing import FlaskClient

from app import governance, tenancy
from app.governance import verifier
from app.platform import clock, settings
from app.platform.postgres import db, rls
from tests.cast import LEASE, Cast, Player


@pytest.fixture
def verify(tmp_path: Path, client: FlaskClient) -> Any:
    """Run the published file in an empty folder, apart from this repository."""
    file = tmp_path / "verify.py"
    file.write_bytes(client.get("/transparency/verify.py").data)

    def run(*arguments: str, fails: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-I", str(file), *arguments], cwd=tmp_path, capture_output=True, text=True
        )
        if fails:
            assert (done.returncode, done.stdout) == (1, ""), done
            assert fails in done.stderr, done.stderr
            return done.stderr
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def kept(cast: Cast, client: FlaskClient, tmp_path: Path) -> tuple[Player, dict[str, Any]]:
    """What a compliance officer keeps of an account: three analyses and what the service gives of them."""
    alice = cast.player()
    with db.transaction() as session:
        tenancy.set_options(session, alice.account_id, attestation=True)
    for _ in range(3):
        done = client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth).get_json()
    append()
    output = f"/api/v1/outputs/{done['requestId']}"
    (tmp_path / "analysis.md").write_text(done["analysis"])
    (tmp_path / "attestation.json").write_bytes(client.get(f"{output}/attestation", headers=alice.auth).data)
    (tmp_path / "out.tlog-proof").write_bytes(client.get(f"{output}/proof", headers=alice.auth).data)
    (tmp_path / "keys.json").write_bytes(client.get("/api/v1/attestations/keys").data)
    (tmp_path / "log-keys").write_bytes(client.get("/transparency/keys").data)
    (tmp_path / "head").write_bytes(client.get("/transparency/checkpoint").data)
    exported = client.get("/api/v1/audit/export", headers=alice.auth)
    (tmp_path / "export.ndjson").write_bytes(exported.data)
    return alice, {
        "signature": exported.headers["X-Service-Export-Signature"],
        "kid": exported.headers["X-Service-Export-Signer-Key-Id"],
        "requestId": done["requestId"],
    }


def append() -> None:
    with rls.as_system(), db.transaction() as session:
        governance.append_round(session, now=clock.now())


def test_everything_verifies_offline(verify: Any, kept: tuple[Player, dict[str, Any]]) -> None:
    _, told = kept
    found = verify("attestation", "attestation.json", "--keys", "keys.json", "--content", "analysis.md")
    assert "the text is the one that was attested" in found
    found = verify(
        "export",
        "export.ndjson",
        "--signature",
        told["signature"],
        "--key-id",
        told["kid"],
        "--keys",
        "keys.json",
    )
    assert "the export of 3 rows is signed" in found
    assert "3 records follow each other" in verify("chain", "export.ndjson")
    found = verify("proof", "out.tlog-proof", "--export", "export.ndjson", "--log-key", "log-keys")
    assert told["requestId"] in found
    assert "is signed by" in verify("head", "head", "--log-key", "log-keys")


def test_an_answer_is_tied_to_its_record(
    verify: Any, kept: tuple[Player, dict[str, Any]], cast: Cast, client: FlaskClient, tmp_path: Path
) -> None:
    alice, told = kept
    answer = client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth)
    (tmp_path / "answer.json").write_bytes(answer.data)
    exported = client.get("/api/v1/audit/export", headers=alice.auth)
    (tmp_path / "export.ndjson").write_bytes(exported.data)
    tied = ("attestation", "answer.json", "--keys", "keys.json", "--export", "export.ndjson")
    found = verify(*tied)
    assert f"it is of the record at position 4 of the account {alice.account_id}" in found
    assert "the text is the one that was attested" in found
    state = client.get("/api/v1/audit/verify", headers=alice.auth).get_json()
    found = verify("chain", "export.ndjson", "--head", state["head"])
    assert f"they are of the account {alice.account_id}" in found
    # Another account's export, and one that was cut off between two pages.
    mallory = cast.player("mallory")
    client.post("/api/v1/analyze", json={"text": LEASE}, headers=mallory.auth)
    other = client.get("/api/v1/audit/export", headers=mallory.auth)
    (tmp_path / "other.ndjson").write_bytes(other.data)
    verify(*tied[:-1], "other.ndjson", fails="no record of the export is the one")
    rows = exported.data.splitlines(keepends=True)
    (tmp_path / "export.ndjson").write_bytes(b"".join(rows[:3]))
    verify("chain", "export.ndjson", "--head", state["head"], fails="missing at the end")
    verify("chain", "export.ndjson", "other.ndjson", fails="position 2 is missing")
    proof = ("proof", "out.tlog-proof", "--export", "export.ndjson", "--log-key", "log-keys")
    assert told["requestId"] in verify(*proof, "--request-id", told["requestId"])
    verify(*proof, "--request-id", answer.get_json()["requestId"], fails="the proof is of request")


def test_what_was_changed_is_refused(
    verify: Any, kept: tuple[Player, dict[str, Any]], tmp_path: Path
) -> None:
    _, told = kept
    analysis = tmp_path / "analysis.md"
    analysis.write_text(analysis.read_text().replace("900", "901"))
    verify(
        "attestation", "attestation.json", "--keys", "keys.json", "--content", "analysis.md",
        fails="the text is not the one that was attested",
    )  # fmt: skip
    export = tmp_path / "export.ndjson"
    rows = export.read_text().splitlines(keepends=True)
    export.write_text("".join(rows[:2]))
    signed = ("--signature", told["signature"], "--key-id", told["kid"], "--keys", "keys.json")
    verify("export", "export.ndjson", *signed, fails="does not verify")
    export.write_text("".join(rows[1:]))
    verify("chain", "export.ndjson", fails="position 1 is missing")
    export.write_text("".join(rows).replace('"jurisdiction":"ES"', '"jurisdiction":"FR"', 1))
    verify("chain", "export.ndjson", fails="was changed")
    export.write_text("".join(rows[:2]))
    verify(
        "proof", "out.tlog-proof", "--export", "export.ndjson", "--log-key", "log-keys",
        fails="no record of the export",
    )  # fmt: skip
    export.write_text("")
    verify("chain", "export.ndjson", fails="nothing was verified")
    verify("chain", "nowhere.ndjson", fails="nowhere.ndjson")
    (tmp_path / "attestation.json").write_text("{")
    verify("attestation", "attestation.json", "--keys", "keys.json", fails="is not JSON")


def test_a_rewritten_log_is_refused(
    verify: Any, kept: tuple[Player, dict[str, Any]], client: FlaskClient, tmp_path: Path
) -> None:
    alice, _ = kept
    shutil.copy(tmp_path / "head", tmp_path / "old-head")
    client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth)
    append()
    (tmp_path / "head").write_bytes(client.get("/transparency/checkpoint").data)
    size = int((tmp_path / "head").read_text().split("\n")[1])
    for index in range(-(-size // 256)):
        width = min(256, size - 256 * index)
        path = f"tile/0/{index:03d}" + ("" if width == 256 else f".p/{width}")
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(client.get(f"/transparency/{path}").data)
    both = ("consistency", "old-head", "head", "--tiles", ".", "--log-key", "log-keys")
    assert "is the beginning of" in verify(*both)
    verify("consistency", "head", "old-head", "--tiles", ".", "--log-key", "log-keys", fails="larger")
    tile = tmp_path / "tile/0" / ("000" if size >= 256 else f"000.p/{size}")
    data = bytearray(tile.read_bytes())
    data[5] ^= 1
    tile.write_bytes(bytes(data))
    verify(*both, fails="not those of the new head")


def test_1000_changes_by_a_superuser_are_all_detected(
    cast: Cast, client: FlaskClient, kept: tuple[Player, dict[str, Any]]
) -> None:
    alice, _ = kept
    draw = random.Random(17)
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute("SET session_replication_role = replica")
        for number in range(1000):
            seq = draw.randint(1, 3)
            change = draw.choice(CHANGES)
            connection.execute("SAVEPOINT before")
            connection.execute(
                f"UPDATE audit_records SET {change} WHERE account_id = %(a)s AND seq = %(seq)s",
                {"a": alice.account_id, "seq": seq, "word": f"x{number}", "hash": f"{number:064x}"},
            )
            rows = connection.execute(
                "SELECT seq, at, previous_hash, hash, content, request_id, api_key_id, id FROM audit_records "
                "WHERE account_id = %s ORDER BY seq",
                [alice.account_id],
            ).fetchall()
            exported = [
                {
                    "seq": row[0],
                    "at": clock.iso(row[1]),
                    "previousHash": row[2],
                    "hash": row[3],
                    "content": row[4],
                }
                for row in rows
            ]
            listed = all(
                (row[4].get("requestId"), row[4].get("apiKeyId"), row[4].get("analysisId"))
                == (row[5], str(row[6]), str(row[7]))
                for row in rows
            )
            try:
                verifier.verify_chain(exported)
            except verifier.VerificationError:
                detected = True
            else:
                detected = not listed
            assert detected, (seq, change)
            connection.execute("ROLLBACK TO before")


CHANGES = (
    "content = jsonb_set(content, '{citations,verified}', '77')",
    "content = jsonb_set(content, '{documentHash}', to_jsonb(%(word)s::text))",
    "content = content - 'locks'",
    "content = content || jsonb_build_object(%(word)s::text, 1)",
    "at = at + interval '1 second'",
    "request_id = request_id || %(word)s::text",
    "api_key_id = gen_random_uuid()",
    "id = gen_random_uuid()",
    "hash = %(hash)s",
    "previous_hash = %(hash)s",
    "seq = seq + 10",
)


def test_canonical_json_is_that_of_the_library() -> None:
    for value in (
        {"b": 1, "a": [True, None, "ñ\n\u2028\x7f"]},
        {"é": {"z": -1}, "e": ""},
        [],
        {"\U0001f600": 1, "\uffff": 2},
    ):
        assert verifier.canonical(value) == rfc8785.dumps(value).decode()
    with pytest.raises(verifier.VerificationError):
        verifier.canonical({"a": 1.5})
    assert json.loads(verifier.canonical({"a": "x"})) == {"a": "x"}
