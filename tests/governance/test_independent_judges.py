"""Published vectors, and judges that share no code with the service: plain Python, and OpenSSL."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
import subprocess
from pathlib import Path

import pytest
import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from flask.testing import FlaskClient

from app import governance, tenancy
from app.governance import verifier
from app.governance.transparency import merkle, notes, tiles
from app.platform import clock
from app.platform.postgres import db, rls
from tests.cast import LEASE, Cast
from tests.governance import ed25519
from tests.governance.ed25519_cases import CASES
from tests.governance.transparency.vectors import ENTRIES, ROOTS, reader

# RFC 8032, section 7.1: private key, public key, message, signature. The tests 1, 2, 3 and SHA(abc).
RFC8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        hashlib.sha512(b"abc").hexdigest(),
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
]
# RFC 8785, appendix B: a double in IEEE 754 and how ECMAScript writes it.
NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555555", "333333333.3333333"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
]


def library_verifies(public: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


@pytest.mark.parametrize(("seed", "public", "message", "signature"), RFC8032)
def test_rfc_8032(seed: str, public: str, message: str, signature: str) -> None:
    private, text = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed)), bytes.fromhex(message)
    assert private.public_key().public_bytes_raw().hex() == public
    assert private.sign(text).hex() == signature
    assert ed25519.public_of(bytes.fromhex(seed)).hex() == public
    assert ed25519.sign(bytes.fromhex(seed), text).hex() == signature


@pytest.mark.parametrize("public", CASES)
def test_wycheproof(public: str) -> None:
    """The library that we verify with, the published verifier and the independent code agree."""
    key = bytes.fromhex(public)
    for number, message, signature, valid in CASES[public]:
        text, made = bytes.fromhex(message), bytes.fromhex(signature)
        assert library_verifies(key, text, made) == valid, number
        assert ed25519.verifies(key, text, made) == valid, number
        spelled = base64.urlsafe_b64encode(made).rstrip(b"=").decode()
        try:
            verifier.Keys({"k": key}).check("k", spelled, text, [])
        except verifier.VerificationError:
            assert not valid, number
        else:
            assert valid, number


@pytest.mark.parametrize(("double", "written"), NUMBERS)
def test_rfc_8785_numbers(double: str, written: str) -> None:
    (value,) = struct.unpack(">d", bytes.fromhex(double))
    assert rfc8785.dumps(value).decode() == written


def test_rfc_8785_order_and_strings() -> None:
    # Section 3.2.3: names by their UTF-16 code units.
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    found = rfc8785.dumps(dict.fromkeys(names, 0)).decode()
    assert list(json.loads(found)) == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    assert verifier.canonical(dict.fromkeys(names, 0)) == found
    # Section 3.2.2, and its result in 3.2.4.
    read = json.loads(
        r"""{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}"""
    )
    assert rfc8785.dumps(read).decode() == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )
    del read["numbers"]
    assert verifier.canonical(read) == rfc8785.dumps(read).decode()


_A = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
_B = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
_C = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"
_D = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
_E = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"


# The proofs that the reference tests of Certificate Transparency (RFC 6962) give for these eight entries.
@pytest.mark.parametrize(
    ("index", "size", "proof"),
    [
        (0, 1, []),
        (0, 8, [_A, _B, _C]),
        (5, 8, [_D, _E, ROOTS[4]]),
        (2, 3, [ROOTS[2]]),
        (1, 5, [ROOTS[1], _B, _D]),
    ],
)
def test_known_inclusion_proofs(index: int, size: int, proof: list[str]) -> None:
    read = reader(ENTRIES)
    assert [one.hex() for one in merkle.inclusion_proof(read, index, size)] == proof
    leaf = merkle.leaf_hash(ENTRIES[index])
    hashes = [bytes.fromhex(one) for one in proof]
    assert verifier._root_of(leaf, index, size, hashes).hex() == ROOTS[size]


@pytest.mark.parametrize(
    ("old", "new", "proof"),
    [
        (1, 8, [_A, _B, _C]),
        (6, 8, ["0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a", _E, ROOTS[4]]),
        (2, 5, [_B, _D]),
    ],
)
def test_known_consistency_proofs(old: int, new: int, proof: list[str]) -> None:
    assert [one.hex() for one in merkle.consistency_proof(reader(ENTRIES), old, new)] == proof
    merkle.check_consistency(
        old,
        bytes.fromhex(ROOTS[old]),
        new,
        bytes.fromhex(ROOTS[new]),
        [bytes.fromhex(one) for one in proof],
    )


def test_the_examples_of_c2sp() -> None:
    # tlog-cosignature: a checkpoint with a witness. The page gives no keys: only the form is read.
    text = (
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        "\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv"
        "2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
        "\u2014 witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2"
        "oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
    )
    note = notes.Note.parse(text)
    assert str(note) == text
    head = notes.Checkpoint.parse(note.text)
    assert (head.origin, head.size) == ("example.com/behind-the-sofa", 20852163)
    assert len(note.signatures) == 2
    # tlog-tiles: the address of the tile with index 1234067, and a tree of 256.
    assert tiles.Tile(0, 1234067).path.endswith("x001/x234/067")
    assert {(one.level, one.width) for one in tiles.tiles_of(0, 256)} == {(0, 256), (1, 1)}


def test_independent_code_verifies_all_that_the_service_signs(
    client: FlaskClient, cast: Cast, tmp_path: Path
) -> None:
    alice = cast.player()
    with db.transaction() as session:
        tenancy.set_options(session, alice.account_id, attestation=True)
    done = client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth).get_json()
    with rls.as_system(), db.transaction() as session:
        governance.append_round(session, now=clock.now())
    jwks = client.get("/api/v1/attestations/keys").get_json()["keys"]
    keys = {key["kid"]: _from_base64url(key["x"]) for key in jwks}

    made = done["attestation"]
    signed = json.dumps(
        {name: value for name, value in made.items() if name != "signature"},
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    ).encode()
    public, signature = keys[made["signer_key_id"]], _from_base64url(made["signature"])
    assert ed25519.verifies(public, signed, signature)
    assert not ed25519.verifies(public, signed + b" ", signature)
    assert "Signature Verified Successfully" in _openssl_verifies(tmp_path, public, signed, signature)
    with pytest.raises(subprocess.CalledProcessError):
        _openssl_verifies(tmp_path, public, signed.replace(b'"ES"', b'"FR"'), signature)

    envelope = client.get(
        f"/api/v1/outputs/{done['requestId']}/attestation?format=dsse", headers=alice.auth
    ).get_json()
    payload = base64.b64decode(envelope["payload"])
    kind = envelope["payloadType"]
    encoded = b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)
    [one] = envelope["signatures"]
    assert ed25519.verifies(keys[one["keyid"]], encoded, base64.b64decode(one["sig"]))

    exported = client.get("/api/v1/audit/export", headers=alice.auth)
    word = re.fullmatch(r"t=(\d+),v1=(.+)", exported.headers["X-Service-Export-Signature"])
    assert word is not None
    message = hashlib.sha256(word[1].encode() + b"." + exported.data).digest()
    signer = keys[exported.headers["X-Service-Export-Signer-Key-Id"]]
    assert ed25519.verifies(signer, message, _from_base64url(word[2]))

    text, _, lines = client.get("/transparency/checkpoint").get_data(as_text=True).rpartition("\n\n")
    _, _, material = client.get("/transparency/keys").get_data(as_text=True).split()[-1].split("+", 2)
    sealed = base64.b64decode(lines.split()[2])
    assert ed25519.verifies(base64.b64decode(material)[1:], f"{text}\n".encode(), sealed[4:])


def _openssl_verifies(folder: Path, public: bytes, message: bytes, signature: bytes) -> str:
    pem = Ed25519PublicKey.from_public_bytes(public).public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    for name, data in (("key.pem", pem), ("message", message), ("signature", signature)):
        (folder / name).write_bytes(data)
    command = "openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in message -sigfile signature"
    done = subprocess.run(command.split(), cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def _from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
