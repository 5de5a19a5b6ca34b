"""Files that somebody made to deceive: none is verified, and each is refused in one sentence."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from app.governance import attestation, verifier
from app.governance.signing_keys import Signer, base64url, thumbprint
from app.governance.transparency import merkle, notes

ROTATED = datetime(2026, 11, 20, tzinfo=UTC)
TEXT = "# Análisis\n\nUna frase. [L4]\n"
CONTENT: dict[str, Any] = {
    "finishedAt": "2026-11-23T10:15:30.125Z",
    "requestId": "req_1",
    "accountId": "a",
    "jurisdiction": "ES",
    "analysisHash": attestation.content_hash(TEXT),
    "models": ["rules"],
    "versions": {},
    "citations": {"verified": 3},
}


def _signer(seed: int) -> Signer:
    key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    return Signer(thumbprint(key.public_key().public_bytes_raw()), key)


OLD, NEW, UNPUBLISHED = _signer(1), _signer(2), _signer(3)


def _jwk(signer: Signer, signs_from: datetime) -> dict[str, str]:
    return {
        "kty": "OKP",
        "crv": "Ed25519",
        "x": base64url(signer.key.public_key().public_bytes_raw()),
        "kid": signer.kid,
        "alg": "EdDSA",
        "use": "sig",
        "signs_from": signs_from.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
    }


JWKS = {"keys": [_jwk(OLD, ROTATED - timedelta(days=90)), _jwk(NEW, ROTATED)]}
MADE = attestation.attest(CONTENT, "ef" * 32, NEW)
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the verifier on files given by name and content; return its exit code and what it printed."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, **files: Any) -> tuple[int, str]:
        for name, content in {"keys": JWKS, **files}.items():
            data = content if isinstance(content, str) else json.dumps(content)
            Path(name).write_text(data, "utf-8", newline="")
        code = verifier.main(words)
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


def _attested(run: Run, made: Any, *more: str, **files: Any) -> tuple[int, str]:
    return run("attestation", "made", "--keys", "keys", *more, made=made, **files)


def test_the_sound_one_is_verified(run: Run) -> None:
    code, told = _attested(run, MADE, "--content", "text", text=TEXT)
    assert (code, told.count("verified:")) == (0, 2)


def _signed(made: dict[str, Any], signer: Signer = NEW) -> dict[str, Any]:
    unsigned = {
        **{name: value for name, value in made.items() if name != "signature"},
        "signer_key_id": signer.kid,
    }
    return {**unsigned, "signature": base64url(signer.key.sign(attestation.canonical(unsigned)))}


_WRITTEN = json.dumps(MADE)
_TWIN = MADE["signer_key_id"].translate(str.maketrans("aeopcxAEOPCX", "аеорсхАЕОРСХ"))


@pytest.mark.parametrize(
    ("made", "complaint"),
    [
        # Readers differ on which of two equal names counts.
        ('{"jurisdiction":"FR",' + _WRITTEN[1:], "the same name twice"),
        (_WRITTEN[:-1] + ',"jurisdiction":"ES"}', "the same name twice"),
        (_WRITTEN.replace('{"verified": 3}', '{"verified": 9, "verified": 3}'), "the same name twice"),
        # Numbers.
        (_WRITTEN.replace('"verified": 3', f'"verified": {2**53}'), "beyond what RFC 8785"),
        (_WRITTEN.replace('"verified": 3', '"verified": ' + "9" * 5000), "is not JSON"),
        (_WRITTEN.replace('"verified": 3', '"verified": 3.0'), "fraction"),
        (_WRITTEN.replace('"verified": 3', '"verified": 3e0'), "fraction"),
        (_WRITTEN.replace('"verified": 3', '"verified": NaN'), "NaN is not JSON"),
        (_WRITTEN.replace('"verified": 3', '"verified": -Infinity'), "Infinity is not JSON"),
        (_WRITTEN.replace('"verified": 3', '"verified": true'), "does not verify"),
        # Twins and broken characters.
        ({**MADE, "signer_key_id": _TWIN}, "not among the published"),
        ({**MADE, "jurisdiction": "\u0415\u0405"}, "does not verify"),
        ({**MADE, "signature": MADE["signature"][:-1] + "\uff21"}, "base64url"),
        ({**MADE, "signature": MADE["signature"] + "=="}, "base64url"),
        (_WRITTEN.replace('"ES"', '"\\ud800"'), "malformed"),
        # Shapes.
        ("[" * 100_000, "malformed"),
        ("[]", "no attestation"),
        ("{}", "nothing was verified"),
        ("null", "no attestation"),
        ({"results": [{"status": "error"}]}, "nothing was verified"),
        ({"result": {"attestation": MADE, "analysis": TEXT + "x"}}, "is not the one that was attested"),
        ({"attestation": [], "analysis": TEXT}, "no attestation"),
        ({"attestation": MADE}, "malformed"),
        ({**MADE, "signature": ""}, "does not verify"),
        ({**MADE, "signature": base64url(bytes(64))}, "does not verify"),
        ({**MADE, "signature": base64url(bytes(63))}, "does not verify"),
        ({**MADE, "signer_key_id": ["x"]}, "not among the published"),
        # Signed by us, but not what this verifier knows, or not by the key of that time.
        (_signed({**MADE, "attestation_version": "2"}), "version"),
        (_signed(MADE, UNPUBLISHED), "not among the published"),
        (_signed(MADE, OLD), "was not the one that signed at that time"),
        (_signed({**MADE, "issued_at": "2026-11-19T23:59:59.999Z"}), "not the one that signed"),
        (_signed({**MADE, "issued_at": "yesterday"}), "a time was expected"),
        (_signed({**MADE, "issued_at": "2026-13-45T99:99:99Z"}), "malformed"),
    ],
)  # fmt: skip
def test_no_attestation_that_was_tampered_with_is_verified(run: Run, made: Any, complaint: str) -> None:
    code, told = _attested(run, made)
    assert (code, told.count("NOT VERIFIED")) == (1, 1), told
    assert complaint in told
    assert "Traceback" not in told


def test_a_key_that_was_replaced_still_vouches_for_its_own_time(run: Run) -> None:
    assert _attested(run, _signed({**MADE, "issued_at": "2026-11-19T23:59:59.999Z"}, OLD))[0] == 0
    # Before the first key of all, the first key signs.
    assert _attested(run, _signed({**MADE, "issued_at": "2020-01-01T00:00:00.000Z"}, OLD))[0] == 0


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"keys": []}, "not among the published"),
        ({"keys": [{**JWKS["keys"][1], "crv": "X25519"}]}, "not among the published"),
        ({"keys": [{**JWKS["keys"][1], "kty": "RSA"}]}, "not among the published"),
        ({"keys": [{**JWKS["keys"][0], "kid": NEW.kid}]}, "is not that of its key"),
        ({"keys": [{**JWKS["keys"][1], "x": base64url(bytes(32))}]}, "is not that of its key"),
        ({"keys": "x"}, "no set of keys"),
        ([], "no set of keys"),
        ('{"keys": [], "keys": []}', "the same name twice"),
    ],
)
def test_a_set_of_keys_is_read_strictly(run: Run, keys: Any, complaint: str) -> None:
    code, told = run("attestation", "made", "--keys", "keys", made=MADE, keys=keys)
    assert code == 1
    assert complaint in told


@pytest.mark.parametrize(
    "text", [TEXT.replace("frase", "fraſe"), "\ufeff" + TEXT, TEXT.replace("\n", "\r\n")]
)
def test_look_alikes_of_the_text_are_another_text(run: Run, text: str) -> None:
    code, told = _attested(run, MADE, "--content", "text", text=text)
    assert (code, "is not the one that was attested" in told) == (1, True)


@pytest.mark.parametrize(
    "signature",
    [
        "t=١٧٦٣,v1={v1}",
        "t=1800000001,v1={v1}",
        "t=" + "9" * 12 + ",v1={v1}",
        "t=" + "9" * 5000 + ",v1={v1}",
        "t=1800000000,v1={v1}, v1={v1}",
        "v1={v1}",
        "t=1800000000,v1=",
    ],
)
def test_the_header_of_an_export_has_one_spelling(run: Run, signature: str) -> None:
    message = hashlib.sha256(b"1800000000.{}\n").digest()
    v1 = base64url(NEW.key.sign(message))
    words = ("export", "body", "--keys", "keys", "--key-id", NEW.kid, "--signature")
    assert run(*words, f"t=1800000000,v1={v1}", body="{}\n")[0] == 0
    code, told = run(*words, signature.format(v1=v1), body="{}\n")
    assert (code, told.count("NOT VERIFIED")) == (1, 1)


def test_an_export_signed_with_a_key_of_another_time_is_refused(run: Run) -> None:
    v1 = base64url(OLD.key.sign(hashlib.sha256(b"1800000000.{}\n").digest()))
    words = ("export", "body", "--keys", "keys", "--key-id", OLD.kid, "--signature")
    code, told = run(*words, f"t=1800000000,v1={v1}", body="{}\n")
    assert (code, "at that time" in told) == (1, True)


LOG = Ed25519PrivateKey.from_private_bytes(bytes([9]) * 32)


def _head(size: int, root: bytes, origin: str = "log.example/transparency", name: str = "") -> str:
    head = notes.Checkpoint(origin, size, root)
    return str(notes.Note(head.text, (notes.sign(head.text, name or origin, LOG),)))


def _key(kind: int = notes.ED25519, name: str = "log.example/transparency") -> str:
    return str(notes.VerifierKey(name, kind, LOG.public_key().public_bytes_raw()))


@pytest.mark.parametrize(
    ("head", "key", "complaint"),
    [
        (_head(3, b"r" * 32).replace("\n3\n", "\n4\n"), _key(), "does not verify"),
        (_head(3, b"r" * 32).replace("\n3\n", "\n" + "9" * 5000 + "\n"), _key(), "a whole number"),
        (_head(3, b"r" * 32).replace("\n3\n", "\n٣\n"), _key(), "a whole number"),
        (_head(3, b"r" * 32), _key().replace("log.", "lоg."), "whose key was not given"),
        (_head(3, b"r" * 32, name="other.example"), _key(name="other.example"), "whose key was not given"),
        (_head(3, b"r" * 32), "log.example/transparency+00000000+AAAA", "no key of that kind"),
        (_head(3, b"r" * 32), _key(notes.COSIGNATURE), "no key of that kind"),
        ("", _key(), "no head"),
        ("x\n\n", _key(), "no head"),
    ],
)
def test_heads_of_other_logs_and_forged_ones_are_refused(
    run: Run, head: str, key: str, complaint: str
) -> None:
    code, told = run("head", "head", "--log-key", key, head=head)
    assert (code, told.count("NOT VERIFIED")) == (1, 1), told
    assert complaint in told


def test_an_old_head_cannot_stand_for_a_new_one(run: Run) -> None:
    leaves = [merkle.leaf_hash(bytes([at])) for at in range(3)]
    root = merkle.node_hash(merkle.node_hash(*leaves[:2]), leaves[2])
    Path("tile/0/000.p").mkdir(parents=True)
    Path("tile/0/000.p/3").write_bytes(b"".join(leaves))
    both = ("consistency", "old", "new", "--tiles", ".", "--log-key", _key())
    two = merkle.node_hash(*leaves[:2])
    assert run(*both, old=_head(2, two), new=_head(3, root))[0] == 0
    assert "larger" in run(*both, old=_head(3, root), new=_head(2, two))[1]
    # Of the same size, but another tree; and an old one that was never the beginning of it.
    assert "not those of the new head" in run(*both, old=_head(3, root), new=_head(3, b"x" * 32))[1]
    code, told = run(*both, old=_head(2, b"x" * 32), new=_head(3, root))
    assert (code, "was rewritten" in told) == (1, True)


def test_a_proof_with_an_index_or_hashes_that_cannot_be_is_refused(run: Run) -> None:
    row = {"seq": 1, "at": "x", "previousHash": "0" * 64, "content": {"requestId": "req_1"}}
    row["hash"] = verifier.record_hash(row)
    nonce = bytes(32)
    entry = hashlib.sha256(nonce + bytes.fromhex(row["hash"])).digest()
    head = _head(1, merkle.leaf_hash(entry))

    def text(index: str = "0", hashes: str = "", extra: str = base64.b64encode(nonce).decode()) -> str:
        return f"c2sp.org/tlog-proof@v1\nextra {extra}\nindex {index}\n{hashes}\n{head}"

    words = ("proof", "proof", "--export", "rows", "--log-key", _key())
    line = json.dumps(row) + "\n"
    assert run(*words, proof=text(), rows=line)[0] == 0
    for wrong in (
        text("1"), text("-1"), text("9" * 5000), text("\u0660"), text(hashes="AA==\n"), text(extra="!"),
        text().replace("@v1", "@v2"), text(extra=base64.b64encode(b"x").decode()), "",
    ):  # fmt: skip
        code, told = run(*words, proof=wrong, rows=line)
        assert (code, told.count("NOT VERIFIED")) == (1, 1), wrong[:60]
    twice = line.replace('"seq": 1', '"seq": 2, "seq": 1')
    assert "the same name twice" in run(*words, proof=text(), rows=twice)[1]
