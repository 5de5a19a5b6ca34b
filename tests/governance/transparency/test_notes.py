"""Signed notes, checkpoints, cosignatures and proofs against the examples of their specifications."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from app.governance.transparency import merkle, notes

# The example of C2SP signed-note.
KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
NOTE = (
    "This is an example message.\n\n"
    "\u2014 example.com/foo "
    "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)


def test_the_example_of_the_specification_verifies() -> None:
    key = notes.VerifierKey.parse(KEY)
    note = notes.Note.parse(NOTE)
    assert str(key) == KEY
    assert str(note) == NOTE
    assert note.signed_by(key) == 0


def test_a_changed_text_is_refused_and_an_unknown_key_ignored() -> None:
    key = notes.VerifierKey.parse(KEY)
    with pytest.raises(notes.MalformedNote, match="does not verify"):
        notes.Note.parse(NOTE.replace("example message", "exemple message")).signed_by(key)
    other = notes.VerifierKey("example.com/foo", notes.ED25519, b"\x01" * 32)
    assert notes.Note.parse(NOTE).signed_by(other) is None


@given(st.integers(0, len(NOTE.encode()) - 1), st.integers(1, 255))
def test_no_changed_byte_verifies(at: int, mask: int) -> None:
    data = bytearray(NOTE.encode())
    data[at] ^= mask
    try:
        changed = bytes(data).decode()
        assert notes.Note.parse(changed).signed_by(notes.VerifierKey.parse(KEY)) is None
    except (UnicodeDecodeError, notes.MalformedNote):
        pass


def test_a_checkpoint_with_a_witness() -> None:
    log, witness = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    head = notes.Checkpoint("log.example/audit", 3, b"\x07" * 32)
    assert notes.Checkpoint.parse(head.text) == head
    signed = notes.Note(
        head.text,
        (
            notes.sign(head.text, head.origin, log),
            notes.cosign(head.text, "witness.example/w1", witness, 1_800_000_000),
        ),
    )
    again = notes.Note.parse(str(signed))
    assert again == signed
    of_log = notes.VerifierKey(head.origin, notes.ED25519, log.public_key().public_bytes_raw())
    of_witness = notes.VerifierKey(
        "witness.example/w1", notes.COSIGNATURE, witness.public_key().public_bytes_raw()
    )
    assert again.signed_by(of_log) == 0
    assert again.signed_by(of_witness) == 1_800_000_000
    answer = f"{signed.signatures[1]}\n\u2014 unknown.example AAAAAAAA\nnonsense\n"
    unsigned = notes.Note(head.text, signed.signatures[:1])
    assert notes.cosignatures(answer, unsigned, [of_witness]) == [signed.signatures[1]]


def test_a_proof_as_text() -> None:
    key = Ed25519PrivateKey.generate()
    leaf = merkle.leaf_hash(b"one")
    other = merkle.leaf_hash(b"two")
    head = notes.Checkpoint("log.example", 2, merkle.node_hash(leaf, other))
    note = notes.Note(head.text, (notes.sign(head.text, head.origin, key),))
    proof = notes.InclusionProof(0, (other,), note, extra=b"nonce")
    again = notes.InclusionProof.parse(str(proof))
    assert again == proof
    assert str(proof).splitlines()[:3] == ["c2sp.org/tlog-proof@v1", "extra bm9uY2U=", "index 0"]
    found = notes.Checkpoint.parse(again.checkpoint.text)
    assert merkle.root_of_inclusion(leaf, again.index, found.size, again.hashes) == found.root


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "c2sp.org/tlog-proof@v1\nindex 01\n\n",
        "c2sp.org/tlog-proof@v1\n\nx",
        "c2sp.org/tlog-proof@v1\nindex 1\nAA\n\n" + NOTE,
    ],
)
def test_what_is_no_proof_is_refused(text: str) -> None:
    with pytest.raises(notes.MalformedNote):
        notes.InclusionProof.parse(text)


@pytest.mark.parametrize(
    "text", ["a\n1\n", "a\n01\nAAAA\n", "a\n1\nAAAA\n", "\n1\n" + "A" * 43 + "=\n", "a\n-1\nAAAA\n"]
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(notes.MalformedNote):
        notes.Checkpoint.parse(text)
