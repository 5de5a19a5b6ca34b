#!/usr/bin/env python3
"""Verify attestations, signed exports, audit chains, inclusion proofs and log heads offline.

One file that needs Python 3.9 and the package `cryptography`, and nothing of the service: it does not import
the rest of this repository, and opens no connection. The service publishes it at `/transparency/verify.py`.

    verify.py attestation FILE.json --keys KEYS.json [--content ANALYSIS.md] [--export EXPORT.ndjson …]
    verify.py export EXPORT.ndjson --signature "t=…,v1=…" --key-id KID --keys KEYS.json
    verify.py chain EXPORT.ndjson [MORE.ndjson …] [--head HASH]      (types analysis and review together)
    verify.py proof OUTPUT.tlog-proof --export EXPORT.ndjson --log-key LOGKEY [--request-id ID]
              [--witness KEY …]
    verify.py head CHECKPOINT --log-key LOGKEY [--witness KEY …]
    verify.py consistency OLD NEW --tiles FOLDER --log-key LOGKEY

`FILE.json` is an attestation, or an answer of the service that carries one (of analyze, a batch, a job).
`KEYS.json` is GET /api/v1/attestations/keys, `LOGKEY` a line of GET /transparency/keys (or a file of them),
an export GET /api/v1/audit/export. It prints what it verified and ends with 0, or says what does not fit and
ends with 1.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import struct
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

GENESIS = "0" * 64
_ED25519, _COSIGNATURE = 1, 4
_TRIMMED = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


class VerificationError(Exception):
    """Something is not what it should be; the message says what."""


class Keys:
    """Published keys by their ids, and from when on each signs (`None` where the file does not say)."""

    def __init__(self, keys: dict[str, bytes], signs_from: dict[str, datetime] | None = None) -> None:
        self._keys, self._signs_from = keys, signs_from or {}

    def check(self, kid: Any, signature: str, message: bytes, at: Sequence[datetime]) -> None:
        """Check a signature, and that its key was the one that signed at one of the moments `at`."""
        if not isinstance(kid, str) or kid not in self._keys:
            raise VerificationError(f"the key {kid} is not among the published ones")
        try:
            Ed25519PublicKey.from_public_bytes(self._keys[kid]).verify(_base64url(signature), message)
        except InvalidSignature as error:
            raise VerificationError("the signature does not verify: something was changed") from error
        if len(self._signs_from) == len(self._keys) and kid not in map(self._signing, at):
            raise VerificationError(f"the key {kid} was not the one that signed at that time")

    def _signing(self, at: datetime) -> str:
        """Return the newest key that signs at a moment; before all of them it is the oldest."""
        order = sorted(self._signs_from, key=lambda kid: self._signs_from[kid])
        return [order[0], *(kid for kid in order if self._signs_from[kid] <= at)][-1]


def canonical(value: Any) -> str:
    """Return RFC 8785 JSON of values without fractions, which the service does not sign."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        if abs(value) >= 2**53:
            raise VerificationError("a number is beyond what RFC 8785 can write")
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(one) for one in value) + "]"
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    raise VerificationError("a number with a fraction is in no object that the service signs")


def content_hash(analysis: str) -> str:
    """Return the SHA-256, in hex, of an analysis after NFC and trimming."""
    return hashlib.sha256(unicodedata.normalize("NFC", analysis).strip(_TRIMMED).encode()).hexdigest()


def verify_attestation(
    attestation: Any, keys: Keys, content: str | None, rows: Sequence[dict[str, Any]] | None = None
) -> list[str]:
    """Verify an attestation, and where given its text and its record; return what was verified."""
    if not isinstance(attestation, dict) or not isinstance(attestation.get("signature"), str):
        raise VerificationError("this is no attestation: it has no signature")
    unsigned = {name: value for name, value in attestation.items() if name != "signature"}
    kid = attestation.get("signer_key_id")
    if attestation.get("attestation_version") != "1":
        raise VerificationError("the attestation has a version that this verifier does not know")
    issued = _moment(attestation.get("issued_at"))
    keys.check(kid, attestation["signature"], canonical(unsigned).encode(), [issued])
    about = attestation.get("request_id")
    told = [f"the attestation of request {about} is signed by the key {kid}"]
    if content is not None:
        if content_hash(content) != attestation.get("content_hash"):
            raise VerificationError("the text is not the one that was attested")
        told.append("the text is the one that was attested")
    if rows is not None:
        told.append(_bound(attestation, rows))
    return told


def _bound(attestation: dict[str, Any], rows: Sequence[dict[str, Any]]) -> str:
    """Check that an attestation says what its audit record says; return whose record that is."""
    for row in _analyses(rows):
        if row["hash"] != attestation.get("integrity_hash"):
            continue
        content = row["content"]
        recorded = {
            "issued_at": content.get("finishedAt"),
            "request_id": content.get("requestId"),
            "jurisdiction": content.get("jurisdiction"),
            "content_hash": content.get("analysisHash"),
            "model_chain": content.get("models"),
            "citation_summary": content.get("citations"),
        }
        if record_hash(row) != row["hash"] or any(
            attestation.get(name) != recorded[name] for name in recorded
        ):
            raise VerificationError("the attestation does not say what its audit record says")
        return f"it is of the record at position {row['seq']} of the account {content.get('accountId')}"
    raise VerificationError("no record of the export is the one that the attestation names")


def verify_export(body: bytes, signature: str, kid: str, keys: Keys) -> list[str]:
    """Verify the signature over a page of an export; return what was verified."""
    match = re.fullmatch(r"t=([0-9]{1,12}),v1=([A-Za-z0-9_-]+)", signature.strip())
    if match is None:
        raise VerificationError('a signature is "t=<seconds>,v1=<base64url>"')
    message = hashlib.sha256(match[1].encode() + b"." + body).digest()
    at = datetime.fromtimestamp(int(match[1]), timezone.utc)  # noqa: UP017 (Python 3.9)
    # The time has whole seconds: a key that began to sign within that one counts.
    keys.check(kid, match[2], message, [at, at + timedelta(seconds=1)])
    lines = body.count(b"\n")
    return [f"the export of {lines} rows is signed by the key {kid} at POSIX second {match[1]}"]


def verify_chain(rows: Sequence[dict[str, Any]], head: str | None = None) -> list[str]:
    """Verify that audit records (types analysis and review) follow each other; return what was verified.

    `head` is the hash of a record that has to be among them: without it nothing tells whether records are
    missing at the end.
    """
    records = sorted(_analyses(rows), key=lambda row: row["seq"])
    if not records:
        raise VerificationError("there are no records: nothing was verified")
    previous, account = GENESIS, records[0]["content"].get("accountId")
    for number, row in enumerate(records, 1):
        if row["seq"] != number:
            raise VerificationError(
                f"the record at position {number} is missing (export the types analysis and review together)"
            )
        if row["previousHash"] != previous:
            raise VerificationError(f"the record at position {number} does not follow the one before it")
        if record_hash(row) != row["hash"]:
            raise VerificationError(
                f"the record at position {number} was changed: its hash is not that of its content"
            )
        if row["content"].get("accountId") != account or row["content"].get("finishedAt") != row["at"]:
            raise VerificationError(
                f"the record at position {number} is listed under what its content does not say"
            )
        previous = row["hash"]
    if head not in (None, *(row["hash"] for row in records)):
        raise VerificationError(
            "no record has that hash: records are missing at the end, or it is another trail"
        )
    return [
        f"{len(records)} records follow each other without a gap",
        f"they are of the account {account}",
        f"the last hash is {previous}",
    ]


def record_hash(row: dict[str, Any]) -> str:
    """Return the hash that a record of the chain should have."""
    text = f"{row['previousHash']}:{row['seq']}:{canonical(row['content'])}"
    return hashlib.sha256(text.encode()).hexdigest()


def verify_proof(
    text: str,
    rows: Sequence[dict[str, Any]],
    log_keys: Sequence[str],
    witnesses: Sequence[str],
    request_id: str | None = None,
) -> list[str]:
    """Verify that a record of the export is in the log whose signed head the proof carries."""
    head, found, note = text.partition("\n\n")
    lines = head.split("\n")
    if not found or lines.pop(0) != "c2sp.org/tlog-proof@v1":
        raise VerificationError("this is no proof: it does not begin with c2sp.org/tlog-proof@v1")
    if not lines or not lines[0].startswith("extra "):
        raise VerificationError("the proof has no nonce")
    nonce = _base64(lines.pop(0)[6:])
    if not lines or not lines[0].startswith("index "):
        raise VerificationError("the proof names no index")
    index = _number(lines.pop(0)[6:])
    hashes = [_base64(line) for line in lines]
    size, root, told = verify_head(note, log_keys, witnesses)
    for row in _analyses(rows):
        if record_hash(row) != row["hash"]:
            raise VerificationError(
                f"the record at position {row['seq']} was changed: its hash is not that of its content"
            )
        entry = hashlib.sha256(nonce + bytes.fromhex(row["hash"])).digest()
        leaf = hashlib.sha256(b"\x00" + entry).digest()
        if _root_of(leaf, index, size, hashes) == root:
            about = row["content"].get("requestId")
            if request_id not in (None, about):
                raise VerificationError(f"the proof is of request {about}")
            return [f"the record of request {about} is entry {index} of the log", *told]
    raise VerificationError("no record of the export is the one that the proof is of")


def verify_head(note: str, log_keys: Sequence[str], witnesses: Sequence[str]) -> tuple[int, bytes, list[str]]:
    """Verify a signed head of the log; return its size, its root hash and what was verified."""
    text, found, signatures = note.rpartition("\n\n")
    text += "\n"
    lines = text.split("\n")
    if not found or len(lines) != 4 or lines[-1]:
        raise VerificationError("this is no head of a log")
    if any(key.partition("+")[0] != lines[0] for key in log_keys):
        raise VerificationError(f"the head is of the log {lines[0]}, whose key was not given")
    size, root = _number(lines[1]), _base64(lines[2])
    told = []
    for kind, keys, least in ((_ED25519, log_keys, 1), (_COSIGNATURE, witnesses, len(witnesses))):
        signers = 0
        for key in keys:
            at = _signed(text, signatures, key, kind)
            if at is not None:
                signers += 1
                name = key.partition("+")[0]
                told.append(
                    f"the head of {size} entries is signed by {name}"
                    if kind == _ED25519
                    else f"the head is cosigned by the witness {name} at POSIX second {at}"
                )
        if signers < least:
            which = "the log's key" if kind == _ED25519 else "each witness"
            raise VerificationError(f"the head is not signed by {which} that was given")
    return size, root, told


def verify_consistency(old: str, new: str, log_keys: Sequence[str], tiles: Path) -> list[str]:
    """Verify that the log of the old head is the beginning of that of the new one, from the log's tiles."""
    old_size, old_root, _ = verify_head(old, log_keys, ())
    new_size, new_root, _ = verify_head(new, log_keys, ())
    if old_size > new_size:
        raise VerificationError("the old head is larger than the new one")
    leaves = list(_leaves(tiles, new_size))
    if _tree(leaves) != new_root:
        raise VerificationError("the tiles are not those of the new head")
    if _tree(leaves[:old_size]) != old_root:
        raise VerificationError("the log was rewritten: the old head is not the beginning of the new one")
    return [f"the log of {old_size} entries is the beginning of the one of {new_size}"]


def _signed(text: str, signatures: str, key: str, kind: int) -> int | None:
    """Return the time of a key's cosignature, 0 for a plain signature, `None` where the key did not sign."""
    parts = key.strip().split("+", 2)
    material = _base64(parts[2]) if len(parts) == 3 else b""
    if len(material) != 33 or material[0] != kind:
        raise VerificationError(f"this is no key of that kind: {key}")
    name, public = parts[0], material[1:]
    key_id = hashlib.sha256(name.encode() + b"\n" + material).digest()[:4]
    for line in signatures.splitlines():
        words = line.split(" ")
        if len(words) != 3 or words[0] != "\u2014" or words[1] != name:
            continue
        made = _base64(words[2])
        if made[:4] != key_id:
            continue
        at, signature, message = 0, made[4:], text.encode()
        if kind == _COSIGNATURE:
            (at,) = struct.unpack(">Q", signature[:8])
            signature, message = signature[8:], f"cosignature/v1\ntime {at}\n{text}".encode()
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        except InvalidSignature as error:
            raise VerificationError(f"the signature of {name} does not verify") from error
        return at
    return None


def _root_of(leaf: bytes, index: int, size: int, hashes: Sequence[bytes]) -> bytes:
    """Return the root that an inclusion proof leads to (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        raise VerificationError(f"the log of {size} entries has no entry {index}")
    number, last, found = index, size - 1, leaf
    for one in hashes:
        if last == 0:
            raise VerificationError("the proof is too long")
        if number & 1 or number == last:
            found = _node(one, found)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            found = _node(found, one)
        number, last = number >> 1, last >> 1
    if last:
        raise VerificationError("the proof is too short")
    return found


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def _tree(leaves: Sequence[bytes]) -> bytes:
    if not leaves:
        return hashlib.sha256(b"").digest()
    stack: list[tuple[int, bytes]] = []
    for leaf in leaves:
        stack.append((0, leaf))
        while len(stack) > 1 and stack[-1][0] == stack[-2][0]:
            (height, left), (_, right) = stack[-2:]
            stack[-2:] = [(height + 1, _node(left, right))]
    found = stack.pop()[1]
    while stack:
        found = _node(stack.pop()[1], found)
    return found


def _leaves(tiles: Path, size: int) -> Iterator[bytes]:
    for index in range(-(-size // 256)):
        width = min(256, size - index * 256)
        digits = f"{index:03d}"
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        place = tiles.joinpath("tile", "0", *(f"x{part}" for part in parts[:-1]))
        choices = [place / parts[-1], place / f"{parts[-1]}.p" / str(width)]
        file = next((one for one in choices if one.is_file()), None)
        if file is None:
            raise VerificationError(f"the tile {choices[-1]} is not there")
        data = file.read_bytes()[: width * 32]
        if len(data) != width * 32:
            raise VerificationError(f"the tile {file} is too short")
        yield from (data[at : at + 32] for at in range(0, len(data), 32))


def _analyses(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    wanted = ("seq", "at", "previousHash", "hash", "content")
    found = [row for row in rows if isinstance(row, dict) and all(name in row for name in wanted)]
    for row in found:
        if not isinstance(row["seq"], int) or not isinstance(row["content"], dict):
            raise VerificationError("a row of the export is no record")
    return found


def _base64(text: str) -> bytes:
    try:
        return base64.b64decode(text.strip(), validate=True)
    except ValueError as error:
        raise VerificationError("base64 was expected") from error


def _base64url(text: str) -> bytes:
    try:
        found = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError as error:
        raise VerificationError("base64url was expected") from error
    if base64.urlsafe_b64encode(found).rstrip(b"=").decode() != text:
        raise VerificationError("base64url was expected")
    return found


def _number(text: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,18}", text):
        raise VerificationError("a whole number was expected")
    return int(text)


def _moment(text: Any) -> datetime:
    if not isinstance(text, str) or not re.fullmatch(r"[0-9-]{10}T[0-9:]{8}(\.[0-9]{3,6})?Z", text):
        raise VerificationError("a time was expected, such as 2026-11-23T10:15:30.125Z")
    return datetime.fromisoformat(text[:-1] + "+00:00")


def _parsed(text: str) -> Any:
    """Parse JSON that every reader reads alike: no name twice, no NaN, no infinity."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise VerificationError("an object has the same name twice: readers would differ on what it says")
        return found

    def refuse(word: str) -> Any:
        raise VerificationError(f"{word} is not JSON")

    return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)


def _json(path: str) -> Any:
    try:
        return _parsed(Path(path).read_text("utf-8"))
    except ValueError as error:
        raise VerificationError(f"{path} is not JSON") from error


def _rows(paths: Sequence[str]) -> list[dict[str, Any]]:
    try:
        return [_parsed(line) for path in paths for line in Path(path).read_text("utf-8").split("\n") if line]
    except ValueError as error:
        raise VerificationError("a line of the export is not JSON") from error


def _keys(path: str) -> Keys:
    found = _json(path)
    keys: dict[str, bytes] = {}
    signs_from: dict[str, datetime] = {}
    try:
        for key in found["keys"]:
            if (key.get("kty"), key.get("crv")) != ("OKP", "Ed25519"):
                continue
            members = {"crv": "Ed25519", "kty": "OKP", "x": key["x"]}
            thumbprint = hashlib.sha256(canonical(members).encode()).digest()
            if key["kid"] != base64.urlsafe_b64encode(thumbprint).rstrip(b"=").decode():
                raise VerificationError(f"the id {key['kid']} in {path} is not that of its key (RFC 7638)")
            keys[key["kid"]] = _base64url(key["x"])
            if "signs_from" in key:
                signs_from[key["kid"]] = _moment(key["signs_from"])
    except (KeyError, TypeError, AttributeError) as error:
        raise VerificationError(f"{path} is no set of keys") from error
    return Keys(keys, signs_from)


def _key_lines(words: Sequence[str]) -> list[str]:
    """Return verifier keys given as themselves or as files that have one a line."""
    found: list[str] = []
    for word in words:
        file = Path(word)
        found += file.read_text("utf-8").split() if "+" not in word and file.is_file() else [word]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description="Verify, offline, what the service signed.")
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, **options: dict[str, Any]) -> None:
        made = commands.add_parser(name)
        for option, details in options.items():
            made.add_argument(option if option.isupper() else "--" + option.replace("_", "-"), **details)

    text, needed = {"type": str}, {"required": True}
    several = {"action": "append", "default": []}
    single: dict[str, Any] = {"default": None}
    command("attestation", FILE=text, keys=needed, content=single, export=several)
    command("export", FILE=text, signature=needed, key_id=needed, keys=needed)
    command("chain", FILES={"nargs": "+"}, head=single)
    command(
        "proof",
        FILE=text,
        export={**several, **needed},
        log_key={**several, **needed},
        request_id=single,
        witness=several,
    )
    command("head", FILE=text, log_key={**several, **needed}, witness=several)
    command("consistency", OLD=text, NEW=text, tiles=needed, log_key={**several, **needed})
    chosen = parser.parse_args(arguments)
    try:
        told = _COMMANDS[chosen.command](chosen)
    except (VerificationError, OSError) as error:
        print(f"NOT VERIFIED: {error}", file=sys.stderr)  # noqa: T201 (a command line)
        return 1
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, struct.error) as error:
        print(f"NOT VERIFIED: a file is malformed ({type(error).__name__})", file=sys.stderr)  # noqa: T201
        return 1
    for line in told:
        print(f"verified: {line}")  # noqa: T201
    return 0


def _attestations(chosen: argparse.Namespace) -> list[str]:
    """Verify an attestation alone, or each of an answer of analyze, of a batch or of a job."""
    found, keys = _json(chosen.FILE), _keys(chosen.keys)
    rows = _rows(chosen.export) if chosen.export else None
    content = None
    if chosen.content is not None:
        content = Path(chosen.content).read_bytes().decode("utf-8")
    if not isinstance(found, dict) or "signature" in found:
        return verify_attestation(found, keys, content, rows)
    answer = found["result"] if isinstance(found.get("result"), dict) else found
    items = [item for item in answer.get("results", [answer]) if "attestation" in item]
    if not items:
        raise VerificationError("there is no attestation in this file: nothing was verified")
    if content is not None and len(items) > 1:
        raise VerificationError(
            "the file has several attestations, each beside its text: leave --content out"
        )
    return [
        line
        for item in items
        for line in verify_attestation(
            item["attestation"], keys, item["analysis"] if content is None else content, rows
        )
    ]


def _head(chosen: argparse.Namespace) -> list[str]:
    note = Path(chosen.FILE).read_text("utf-8")
    return verify_head(note, _key_lines(chosen.log_key), _key_lines(chosen.witness))[2]


_COMMANDS: dict[str, Callable[[argparse.Namespace], list[str]]] = {
    "attestation": _attestations,
    "export": lambda chosen: verify_export(
        Path(chosen.FILE).read_bytes(), chosen.signature, chosen.key_id, _keys(chosen.keys)
    ),
    "chain": lambda chosen: verify_chain(_rows(chosen.FILES), chosen.head),
    "proof": lambda chosen: verify_proof(
        Path(chosen.FILE).read_text("utf-8"),
        _rows(chosen.export),
        _key_lines(chosen.log_key),
        _key_lines(chosen.witness),
        chosen.request_id,
    ),
    "head": _head,
    "consistency": lambda chosen: verify_consistency(
        Path(chosen.OLD).read_text("utf-8"),
        Path(chosen.NEW).read_text("utf-8"),
        _key_lines(chosen.log_key),
        Path(chosen.tiles),
    ),
}

if __name__ == "__main__":
    sys.exit(main())
