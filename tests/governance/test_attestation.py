"""Attestations: what is signed, byte for byte, and that nothing else verifies."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

import pytest
import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from app.governance import attestation
from app.governance.signing_keys import Signer

KEY = Signer("kid-1", Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
PUBLIC = {"kid-1": KEY.key.public_key().public_bytes_raw()}
ANALYSIS = "# Análisis\n\nUna frase. [L4]\n"
CONTENT: dict[str, Any] = {
    "finishedAt": "2026-11-23T10:15:30.125Z",
    "requestId": "req_1",
    "jurisdiction": "ES",
    "analysisHash": attestation.content_hash(ANALYSIS),
    "documentHash": "ab" * 32,
    "models": ["rules"],
    "versions": {"engine": "rules"},
    "citations": {"verified": 3, "not_found": 0},
}


def made() -> dict[str, Any]:
    return attestation.attest(CONTENT, "ef" * 32, KEY)


def test_the_object_has_exactly_the_fields_that_clients_verify() -> None:
    found = made()
    assert tuple(found) == attestation.FIELDS
    unsigned = {name: value for name, value in found.items() if name != "signature"}
    # A client in another language: keys sorted, no spaces, UTF-8.
    told = json.dumps(unsigned, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    signature = base64.urlsafe_b64decode(found["signature"] + "==")
    KEY.key.public_key().verify(signature, told)
    assert not any(isinstance(value, float) for value in found.values())


def test_the_same_analysis_gets_the_same_bytes() -> None:
    assert made() == made()


def test_it_verifies_with_its_content_and_not_with_another() -> None:
    assert attestation.verify(made(), ANALYSIS, PUBLIC) == attestation.Verdict(True, True, "kid-1")
    assert attestation.verify(made(), ANALYSIS + "x", PUBLIC).content_match is False
    assert attestation.verify(made(), None, PUBLIC).content_match is None


def test_each_byte_of_100_attestations_flipped_is_refused() -> None:
    draw = random.Random(2026)
    for number in range(100):
        content = {**CONTENT, "requestId": f"req_{number}", "citations": {"verified": number}}
        text = rfc8785.dumps(attestation.attest(content, "ef" * 32, KEY))
        for at in range(len(text)):
            changed = bytearray(text)
            changed[at] ^= 1 << draw.randrange(8)
            try:
                found = json.loads(bytes(changed))
            except ValueError:
                continue
            if isinstance(found, dict):
                assert not attestation.verify(found, None, PUBLIC).signature_valid, bytes(changed)


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=8) | st.floats() | st.none(), max_size=4))
def test_strange_objects_are_refused_without_an_error(strange: dict[str, Any]) -> None:
    assert not attestation.verify({**made(), **strange, "x": 1}, None, PUBLIC).signature_valid


def test_an_added_field_breaks_the_signature() -> None:
    assert not attestation.verify({**made(), "note": "x"}, None, PUBLIC).signature_valid


@pytest.mark.parametrize("around", ["\n", " \t", "\u00a0", "\u2028", "\r\n"])
def test_white_space_around_a_text_does_not_count(around: str) -> None:
    assert attestation.content_hash(around + ANALYSIS + around) == attestation.content_hash(ANALYSIS)


@pytest.mark.parametrize("character", ["\x1c", "\x1f", "\x85", "\ufeff"])
def test_characters_on_which_languages_differ_count(character: str) -> None:
    assert attestation.content_hash(ANALYSIS + character) != attestation.content_hash(ANALYSIS)


def test_composed_and_decomposed_accents_are_one_text() -> None:
    assert attestation.content_hash("Ana\u0301lisis") == attestation.content_hash("An\u00e1lisis")


def test_the_envelope_for_supply_chains() -> None:
    # The example of the DSSE protocol.
    assert (
        attestation.pre_authentication(b"hello world", "http://example.com/HelloWorld")
        == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )
    envelope = attestation.dsse(CONTENT, "ef" * 32, KEY)
    payload = base64.b64decode(envelope["payload"])
    signature = base64.b64decode(envelope["signatures"][0]["sig"])
    KEY.key.public_key().verify(signature, attestation.pre_authentication(payload))
    statement = json.loads(payload)
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert [one["digest"]["sha256"] for one in statement["subject"]] == [
        "ab" * 32,
        CONTENT["analysisHash"],
    ]


@pytest.mark.parametrize("text", ["", "=", "AA==", "A", "AB", "+/", 3, None])
def test_signatures_have_one_spelling(text: object) -> None:
    if text == "":
        assert attestation.decoded(text) == b""
    else:
        with pytest.raises(ValueError, match="expected"):
            attestation.decoded(text)
