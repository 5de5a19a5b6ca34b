"""Witnesses and time stamps: a local witness that checks consistency, and OpenSSL as the authority."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from app import governance
from app.governance.models import LogCheckpoint
from app.governance.transparency import anchors, log, merkle, notes
from app.platform import clock, settings
from app.platform.postgres import db, rls
from tests.cast import Cast, Player
from tests.governance.authority import authority, openssl, served
from tests.portal.conftest import analysed

__all__ = ["served"]


class Judge:
    """A witness by the book: it remembers the last head and wants a proof that the next continues it."""

    def __init__(self) -> None:
        self.key = Ed25519PrivateKey.generate()
        self.name = "witness.example/w1"
        self.size, self.root = 0, merkle.EMPTY_ROOT
        self.refusals = 0

    @property
    def verifier(self) -> notes.VerifierKey:
        return notes.VerifierKey(self.name, notes.COSIGNATURE, self.key.public_key().public_bytes_raw())

    def answer(self, body: str) -> tuple[int, str]:
        head, _, note = body.partition("\n\n")
        first, *lines = head.split("\n")
        old = int(first.removeprefix("old "))
        checkpoint = notes.Checkpoint.parse(notes.Note.parse(note).text)
        if old != self.size:
            self.refusals += 1
            return 409, f"{self.size}\n"
        if old:
            import base64

            proof = [base64.b64decode(line) for line in lines]
            merkle.check_consistency(old, self.root, checkpoint.size, checkpoint.root, proof)
        self.size, self.root = checkpoint.size, checkpoint.root
        text = notes.Note.parse(note).text
        return 200, f"{notes.cosign(text, self.name, self.key, 1_800_000_000)}\n"


def grow(player: Player) -> LogCheckpoint:
    analysed(player)
    with rls.as_system(), db.transaction() as session:
        governance.append_round(session, now=clock.now())
    return newest()


def newest() -> LogCheckpoint:
    with db.reading() as session:
        found = log.newest_checkpoint(session)
        assert found is not None
        return found


def test_a_witness_cosigns_each_head_that_goes_on_from_the_last(
    cast: Cast, served: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Judge()

    def add(body: bytes) -> tuple[int, bytes]:
        status, answer = judge.answer(body.decode())
        return status, answer.encode()

    url = served("/add-checkpoint", add).removesuffix("/add-checkpoint")
    config = settings.current().model_copy(update={"log_witnesses": f"{judge.verifier} {url}"})
    monkeypatch.setattr(settings, "current", lambda: config)
    alice = cast.player()
    for _ in range(3):
        grow(alice)
        with rls.as_system():
            governance.anchor_head(now=clock.now())
        note = notes.Note.parse(newest().note)
        assert note.signed_by(judge.verifier) == 1_800_000_000
    before = newest().note
    with rls.as_system():
        governance.anchor_head(now=clock.now())
    assert newest().note == before
    # One that lost its memory says what it knows, and is answered from there.
    judge.size, judge.root = 0, merkle.EMPTY_ROOT
    grow(alice)
    with rls.as_system():
        governance.anchor_head(now=clock.now())
    assert judge.refusals == 1
    assert notes.Note.parse(newest().note).signed_by(judge.verifier) is not None
    with rls.as_system(), db.reading() as session:
        assert governance.check_log(session).problem is None


def test_a_forged_cosignature_is_not_kept(cast: Cast, served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    judge, impostor = Judge(), Judge()

    def add(body: bytes) -> tuple[int, bytes]:
        text = notes.Note.parse(body.decode().partition("\n\n")[2]).text
        forged = notes.cosign(text, impostor.name, impostor.key, 1)
        return 200, f"{notes.Signature(judge.name, judge.verifier.key_id, forged.signature)}\n".encode()

    url = served("/add-checkpoint", add).removesuffix("/add-checkpoint")
    config = settings.current().model_copy(update={"log_witnesses": f"{judge.verifier} {url}"})
    monkeypatch.setattr(settings, "current", lambda: config)
    head = grow(cast.player())
    with rls.as_system():
        governance.anchor_head(now=clock.now())
    assert newest().note == head.note


def test_openssl_stamps_the_head_and_verifies_the_stamp(
    cast: Cast, served: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    authority(tmp_path)

    def stamp(query: bytes) -> tuple[int, bytes]:
        (tmp_path / "query.tsq").write_bytes(query)
        openssl(
            tmp_path, "ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query.tsq", "-out", "reply.tsr"
        )
        return 200, (tmp_path / "reply.tsr").read_bytes()

    config = settings.current().model_copy(update={"time_stamp_url": served("/tsa", stamp)})
    monkeypatch.setattr(settings, "current", lambda: config)
    grow(cast.player())
    with rls.as_system():
        governance.anchor_head(now=clock.now() + anchors._STAMP_EVERY * 2)
    head = newest()
    assert head.time_stamp is not None
    (tmp_path / "kept.tsr").write_bytes(head.time_stamp)
    (tmp_path / "head.txt").write_text("".join(head.note.splitlines(keepends=True)[:3]))
    verified = ("ts", "-verify", "-data", "head.txt", "-in", "kept.tsr", "-CAfile", "ca.pem")
    assert "Verification: OK" in openssl(tmp_path, *verified)
    (tmp_path / "head.txt").write_text("another\n1\nhead\n")
    with pytest.raises(subprocess.CalledProcessError):
        openssl(tmp_path, *verified)


@pytest.mark.parametrize("answer", [(500, b""), (200, b""), (200, b"nonsense")])
def test_an_authority_that_fails_leaves_the_head_as_it_is(
    cast: Cast, served: Any, monkeypatch: pytest.MonkeyPatch, answer: tuple[int, bytes]
) -> None:
    config = settings.current().model_copy(update={"time_stamp_url": served("/tsa", lambda _: answer)})
    monkeypatch.setattr(settings, "current", lambda: config)
    grow(cast.player())
    with rls.as_system():
        governance.anchor_head(now=clock.now() + anchors._STAMP_EVERY * 4)
    assert newest().time_stamp is None


@pytest.mark.parametrize(
    "written", ["x", "x y", "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k https://w"]
)
def test_a_setting_that_names_no_witness_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=written[:1]):
        anchors.witnesses(written)
