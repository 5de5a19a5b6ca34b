#!/usr/bin/env python3
"""Verify attestations, signed exports, audit chains, inclusion proofs and log heads offline.

One file that needs Python 3.9 and the package `cryptography`, and nothing of the service: it does not import
the rest of this repository, and opens no connection. The service publishes it at `/transparency/verify.py`.

    verify.py attestation ATTESTATION.json --keys KEYS.json [--content ANALYSIS.md]
    verify.py export EXPORT.ndjson --signature "t=…,v1=…" --key-id KID --keys KEYS.json
    verify.py chain EXPORT.ndjson [MORE.ndjson …]          (types analysis and review, from the first)
    verify.py proof OUTPUT.tlog-proof --export EXPORT.ndjson --log-key LOGKEY [--witness KEY …]
    verify.py head CHECKPOINT --log-key LOGKEY [--witness KEY …]
    verify.py consistency OLD NEW --tiles FOLDER --log-key LOGKEY

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


class DoesNotFit(Exception):
    """Something is not what it should be; the message says what."""


def canonical(value: Any) -> str:
    """Return RFC 8785 JSON of values without fractions, which the service does not sign."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        if abs(value) >= 2**53:
            raise DoesNotFit("a number is beyond what RFC 8785 can write")
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(one) for one in value) + "]"
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    raise DoesNotFit("a number with a fraction is in no object that the service signs")


def content_hash(analysis: str) -> str:
    """Return the SHA-256, in hex, of an analysis after NFC and trimming."""
    return hashlib.sha256(unicodedata.normalize("NFC", analysis).strip(_TRIMMED).encode()).hexdigest()


def verify_attestation(attestation: Any, keys: dict[str, bytes], content: str | None) -> list[str]:
    """Verify an attestation and, where given, its text; return what was verified."""
    if not isinstance(attestation, dict) or not isinstance(attestation.get("signature"), str):
        raise DoesNotFit("this is no attestation: it has no signature")
    unsigned = {name: value for name, value in attestation.items() if name != "signature"}
    kid = attestation.get("signer_key_id")
    _check_signature(keys, kid, attestation["signature"], canonical(unsigned).encode())
    told = [f"the attestation is signed by the key {kid}"]
    if content is not None:
        if content_hash(content) != attestation.get("content_hash"):
            raise DoesNotFit("the text is not the one that was attested")
        told.append("the text is the one that was attested")
    return told


def verify_export(body: bytes, signature: str, kid: str, keys: dict[str, bytes]) -> list[str]:
    """Verify the signature over a page of an export; return what was verified."""
    match = re.fullmatch(r"t=(\d+),v1=([\w-]+)", signature.strip())
    if match is None:
        raise DoesNotFit('a signature is "t=<seconds>,v1=<base64url>"')
    message = hashlib.sha256(match[1].encode() + b"." + body).digest()
    _check_signature(keys, kid, match[2], message)
    lines = body.count(b"\n")
    return [f"the export of {lines} rows is signed by the key {kid} at POSIX second {match[1]}"]


def verify_chain(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Verify that audit records (types analysis and review) follow each other; return what was verified."""
    records = sorted(_analyses(rows), key=lambda row: row["seq"])
    if not records:
        raise DoesNotFit("there are no records: nothing was verified")
    previous, account = GENESIS, records[0]["content"].get("accountId")
    for number, row in enumerate(records, 1):
        if row["seq"] != number:
            raise DoesNotFit(
                f"the record at position {number} is missing (export the types analysis and review together)"
            )
        if row["previousHash"] != previous:
            raise DoesNotFit(f"the record at position {number} does not follow the one before it")
        if record_hash(row) != row["hash"]:
            raise DoesNotFit(
                f"the record at position {number} was changed: its hash is not that of its content"
            )
        if row["content"].get("accountId") != account or row["content"].get("finishedAt") != row["at"]:
            raise DoesNotFit(f"the record at position {number} is listed under what its content does not say")
        previous = row["hash"]
    return [f"{len(records)} records follow each other without a gap", f"the last hash is {previous}"]


def record_hash(row: dict[str, Any]) -> str:
    """Return the hash that a record of the chain should have."""
    text = f"{row['previousHash']}:{row['seq']}:{canonical(row['content'])}"
    return hashlib.sha256(text.encode()).hexdigest()


def verify_proof(
    text: str, rows: Sequence[dict[str, Any]], log_keys: Sequence[str], witnesses: Sequence[str]
) -> list[str]:
    """Verify that a record of the export is in the log whose signed head the proof carries."""
    head, found, note = text.partition("\n\n")
    lines = head.split("\n")
    if not found or lines.pop(0) != "c2sp.org/tlog-proof@v1":
        raise DoesNotFit("this is no proof: it does not begin with c2sp.org/tlog-proof@v1")
    if not lines or not lines[0].startswith("extra "):
        raise DoesNotFit("the proof has no nonce")
    nonce = _base64(lines.pop(0)[6:])
    if not lines or not lines[0].startswith("index "):
        raise DoesNotFit("the proof names no index")
    index = _number(lines.pop(0)[6:])
    hashes = [_base64(line) for line in lines]
    size, root, told = verify_head(note, log_keys, witnesses)
    for row in _analyses(rows):
        if record_hash(row) != row["hash"]:
            raise DoesNotFit(
                f"the record at position {row['seq']} was changed: its hash is not that of its content"
            )
        entry = hashlib.sha256(nonce + bytes.fromhex(row["hash"])).digest()
        leaf = hashlib.sha256(b"\x00" + entry).digest()
        if _root_of(leaf, index, size, hashes) == root:
            about = row["content"].get("requestId")
            return [f"the record of request {about} is entry {index} of the log", *told]
    raise DoesNotFit("no record of the export is the one that the proof is of")


def verify_head(note: str, log_keys: Sequence[str], witnesses: Sequence[str]) -> tuple[int, bytes, list[str]]:
    """Verify a signed head of the log; return its size, its root hash and what was verified."""
    text, found, signatures = note.rpartition("\n\n")
    text += "\n"
    lines = text.split("\n")
    if not found or len(lines) != 4 or lines[-1]:
        raise DoesNotFit("this is no head of a log")
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
            raise DoesNotFit(f"the head is not signed by {which} that was given")
    return size, root, told


def verify_consistency(old: str, new: str, log_keys: Sequence[str], tiles: Path) -> list[str]:
    """Verify that the log of the old head is the beginning of that of the new one, from the log's tiles."""
    old_size, old_root, _ = verify_head(old, log_keys, ())
    new_size, new_root, _ = verify_head(new, log_keys, ())
    if old_size > new_size:
        raise DoesNotFit("the old head is larger than the new one")
    leaves = list(_leaves(tiles, new_size))
    if _tree(leaves) != new_root:
        raise DoesNotFit("the tiles are not those of the new head")
    if _tree(leaves[:old_size]) != old_root:
        raise DoesNotFit("the log was rewritten: the old head is not the beginning of the new one")
    return [f"the log of {old_size} entries is the beginning of the one of {new_size}"]


def _check_signature(keys: dict[str, bytes], kid: Any, signature: str, message: bytes) -> None:
    if not isinstance(kid, str) or kid not in keys:
        raise DoesNotFit(f"the key {kid} is not among the published ones")
    try:
        Ed25519PublicKey.from_public_bytes(keys[kid]).verify(_base64url(signature), message)
    except InvalidSignature as error:
        raise DoesNotFit("the signature does not verify: something was changed") from error


def _signed(text: str, signatures: str, key: str, kind: int) -> int | None:
    """Return the time of a key's cosignature, 0 for a plain signature, `None` where the key did not sign."""
    parts = key.strip().split("+", 2)
    material = _base64(parts[2]) if len(parts) == 3 else b""
    if len(material) != 33 or material[0] != kind:
        raise DoesNotFit(f"this is no key of that kind: {key}")
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
            raise DoesNotFit(f"the signature of {name} does not verify") from error
        return at
    return None


def _root_of(leaf: bytes, index: int, size: int, hashes: Sequence[bytes]) -> bytes:
    """Return the root that an inclusion proof leads to (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        raise DoesNotFit(f"the log of {size} entries has no entry {index}")
    number, last, found = index, size - 1, leaf
    for one in hashes:
        if last == 0:
            raise DoesNotFit("the proof is too long")
        if number & 1 or number == last:
            found = _node(one, found)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            found = _node(found, one)
        number, last = number >> 1, last >> 1
    if last:
        raise DoesNotFit("the proof is too short")
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
            raise DoesNotFit(f"the tile {choices[-1]} is not there")
        data = file.read_bytes()[: width * 32]
        if len(data) != width * 32:
            raise DoesNotFit(f"the tile {file} is too short")
        yield from (data[at : at + 32] for at in range(0, len(data), 32))


def _analyses(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    wanted = ("seq", "at", "previousHash", "hash", "content")
    found = [row for row in rows if isinstance(row, dict) and all(name in row for name in wanted)]
    for row in found:
        if not isinstance(row["seq"], int) or not isinstance(row["content"], dict):
            raise DoesNotFit("a row of the export is no record")
    return found


def _base64(text: str) -> bytes:
    try:
        return base64.b64decode(text.strip(), validate=True)
    except ValueError as error:
        raise DoesNotFit("base64 was expected") from error


def _base64url(text: str) -> bytes:
    try:
        found = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError as error:
        raise DoesNotFit("base64url was expected") from error
    if base64.urlsafe_b64encode(found).rstrip(b"=").decode() != text:
        raise DoesNotFit("base64url was expected")
    return found


def _number(text: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]*", text):
        raise DoesNotFit("a whole number was expected")
    return int(text)


def _json(path: str) -> Any:
    try:
        return json.loads(Path(path).read_text("utf-8"))
    except ValueError as error:
        raise DoesNotFit(f"{path} is not JSON") from error


def _rows(paths: Sequence[str]) -> list[dict[str, Any]]:
    try:
        return [
            json.loads(line) for path in paths for line in Path(path).read_text("utf-8").split("\n") if line
        ]
    except ValueError as error:
        raise DoesNotFit("a line of the export is not JSON") from error


def _keys(path: str) -> dict[str, bytes]:
    found = _json(path)
    try:
        return {key["kid"]: _base64url(key["x"]) for key in found["keys"] if key["crv"] == "Ed25519"}
    except (KeyError, TypeError) as error:
        raise DoesNotFit(f"{path} is no set of keys") from error


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
    command("attestation", FILE=text, keys=needed, content={"default": None})
    command("export", FILE=text, signature=needed, key_id=needed, keys=needed)
    command("chain", FILES={"nargs": "+"})
    command("proof", FILE=text, export={**several, **needed}, log_key={**several, **needed}, witness=several)
    command("head", FILE=text, log_key={**several, **needed}, witness=several)
    command("consistency", OLD=text, NEW=text, tiles=needed, log_key={**several, **needed})
    chosen = parser.parse_args(arguments)
    try:
        told = _COMMANDS[chosen.command](chosen)
    except (DoesNotFit, OSError) as error:
        print(f"NOT VERIFIED: {error}", file=sys.stderr)  # noqa: T201 (a command line)
        return 1
    for line in told:
        print(f"verified: {line}")  # noqa: T201
    return 0


def _head(chosen: argparse.Namespace) -> list[str]:
    note = Path(chosen.FILE).read_text("utf-8")
    return verify_head(note, _key_lines(chosen.log_key), _key_lines(chosen.witness))[2]


_COMMANDS: dict[str, Callable[[argparse.Namespace], list[str]]] = {
    "attestation": lambda chosen: verify_attestation(
        _json(chosen.FILE),
        _keys(chosen.keys),
        None if chosen.content is None else Path(chosen.content).read_bytes().decode("utf-8"),
    ),
    "export": lambda chosen: verify_export(
        Path(chosen.FILE).read_bytes(), chosen.signature, chosen.key_id, _keys(chosen.keys)
    ),
    "chain": lambda chosen: verify_chain(_rows(chosen.FILES)),
    "proof": lambda chosen: verify_proof(
        Path(chosen.FILE).read_text("utf-8"),
        _rows(chosen.export),
        _key_lines(chosen.log_key),
        _key_lines(chosen.witness),
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
