"""Signed notes, checkpoints, cosignatures and inclusion proofs as text. Pure.

Sources: signed-note, tlog-checkpoint, tlog-cosignature, tlog-proof and tlog-witness of C2SP.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from app.governance.transparency.merkle import HASH_SIZE

ED25519 = 0x01
COSIGNATURE = 0x04
PROOF_HEADER = "c2sp.org/tlog-proof@v1"
_NAME = re.compile(r"[^\s+]+")
_NUMBER = re.compile(r"0|[1-9]\d{0,18}")
_MOST_SIGNATURES = 64


class MalformedNote(Exception):
    """A text is no signed note, checkpoint or proof; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key with its name and signature type."""

    name: str
    kind: int
    public: bytes

    def __post_init__(self) -> None:
        """Refuse names and keys that no note can carry."""
        if not _NAME.fullmatch(self.name):
            raise MalformedNote("a key's name has no white space and no plus sign")
        if self.kind not in (ED25519, COSIGNATURE) or len(self.public) != 32:
            raise MalformedNote("only Ed25519 keys (types 1 and 4, 32 bytes) are known")

    @property
    def key_id(self) -> bytes:
        """First four bytes of SHA-256 over name, line feed, type and key."""
        material = self.name.encode() + b"\n" + bytes([self.kind]) + self.public
        return hashlib.sha256(material).digest()[:4]

    def __str__(self) -> str:
        """Return `name+hash+key`, as keys are published and configured."""
        encoded = base64.b64encode(bytes([self.kind]) + self.public).decode()
        return f"{self.name}+{self.key_id.hex()}+{encoded}"

    @classmethod
    def parse(cls, text: str) -> VerifierKey:
        """Read `name+hash+key`.

        Raises:
            MalformedNote: It is not in that form, or the hash is not that of the key.
        """
        parts = text.strip().split("+", 2)
        if len(parts) != 3:
            raise MalformedNote("a verifier key is name+hash+key")
        material = _decoded(parts[2])
        if len(material) != 33:
            raise MalformedNote("a verifier key holds one type byte and 32 bytes of key")
        found = cls(parts[0], material[0], material[1:])
        if found.key_id.hex() != parts[1]:
            raise MalformedNote("the hash of the verifier key is not that of its key")
        return found


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature line: key name, key id (4 bytes) and what follows it."""

    name: str
    key_id: bytes
    signature: bytes

    def __str__(self) -> str:
        """Return the line without its line feed."""
        return f"\u2014 {self.name} {base64.b64encode(self.key_id + self.signature).decode()}"


@dataclass(frozen=True, slots=True)
class Note:
    """A text with its signatures; `text` ends with a line feed."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        """Return the note as it is published."""
        return self.text + "\n" + "".join(f"{one}\n" for one in self.signatures)

    @classmethod
    def parse(cls, note: str) -> Note:
        """Read a note.

        Raises:
            MalformedNote: The text is not a note.
        """
        text, found, below = note.rpartition("\n\n")
        if not found or not below.endswith("\n"):
            raise MalformedNote("a note is a text, an empty line and signature lines")
        if any(ord(character) < 32 and character != "\n" for character in note):
            raise MalformedNote("a note has no control characters")
        lines = below.split("\n")[:-1]
        if len(lines) > _MOST_SIGNATURES:
            raise MalformedNote(f"more than {_MOST_SIGNATURES} signatures")
        return cls(text + "\n", tuple(signature_line(line) for line in lines))

    def signed_by(self, key: VerifierKey) -> int | None:
        """Check the signature of `key`.

        Returns:
            `None` where the key did not sign; else the time of a cosignature in POSIX seconds, 0 for a plain
            signature.

        Raises:
            MalformedNote: A signature under the key's name and id is not the key's.
        """
        found: int | None = None
        for one in self.signatures:
            if one.name == key.name and one.key_id == key.key_id:
                found = _verified(key, self.text, one.signature)
        return found


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Head of a log: its origin, number of leaves and root hash."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The note's text."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        """Read the text of a checkpoint's note.

        Raises:
            MalformedNote: It is not one.
        """
        lines = text.split("\n")
        if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
            raise MalformedNote("a checkpoint has an origin, a size and a root hash, each on its line")
        root = _decoded(lines[2])
        if len(root) != HASH_SIZE:
            raise MalformedNote("a root hash has 32 bytes")
        return cls(lines[0], number(lines[1]), root)


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """Proof that a leaf is in a log (C2SP tlog-proof)."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: Note
    extra: bytes = b""

    def __str__(self) -> str:
        """Return the proof as a file's text."""
        lines = [PROOF_HEADER]
        if self.extra:
            lines.append(f"extra {base64.b64encode(self.extra).decode()}")
        lines.append(f"index {self.index}")
        lines += [base64.b64encode(one).decode() for one in self.hashes]
        return "\n".join(lines) + f"\n\n{self.checkpoint}"

    @classmethod
    def parse(cls, text: str) -> InclusionProof:
        """Read a proof.

        Raises:
            MalformedNote: It is not one.
        """
        head, found, note = text.partition("\n\n")
        lines = head.split("\n")
        if not found or lines.pop(0) != PROOF_HEADER:
            raise MalformedNote(f"a proof begins with {PROOF_HEADER}")
        extra = _decoded(lines.pop(0)[6:]) if lines and lines[0].startswith("extra ") else b""
        if not lines or not lines[0].startswith("index "):
            raise MalformedNote("a proof names the index of its leaf")
        index = number(lines.pop(0)[6:])
        hashes = tuple(_decoded(line) for line in lines)
        if len(hashes) > 63 or any(len(one) != HASH_SIZE for one in hashes):
            raise MalformedNote("a proof has at most 63 hashes of 32 bytes")
        return cls(index, hashes, Note.parse(note), extra)


def sign(text: str, name: str, key: Ed25519PrivateKey) -> Signature:
    """Sign a note's text with an Ed25519 key under `name`."""
    verifier = VerifierKey(name, ED25519, key.public_key().public_bytes_raw())
    return Signature(name, verifier.key_id, key.sign(text.encode()))


def cosign(text: str, name: str, key: Ed25519PrivateKey, at: int) -> Signature:
    """Cosign a checkpoint's text as a witness does, at POSIX second `at`."""
    verifier = VerifierKey(name, COSIGNATURE, key.public_key().public_bytes_raw())
    return Signature(name, verifier.key_id, struct.pack(">Q", at) + key.sign(_cosigned(text, at)))


def signature_line(line: str) -> Signature:
    """Read a signature line.

    Raises:
        MalformedNote: It is not one.
    """
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != "\u2014" or not _NAME.fullmatch(parts[1]):
        raise MalformedNote("a signature line is a dash, a name and a signature")
    material = _decoded(parts[2])
    if len(material) < 5:
        raise MalformedNote("a signature has four bytes of key id and at least one more")
    return Signature(parts[1], material[:4], material[4:])


def request_to_witness(old: int, proof: Iterable[bytes], checkpoint: Note) -> str:
    """Return the body of a witness's `add-checkpoint` call (C2SP tlog-witness).

    Args:
        old: Size of the tree that the witness has signed.
        proof: Consistency proof from that size to the checkpoint's, hashes of 32 bytes.
        checkpoint: The new checkpoint, signed by the log.
    """
    lines = [f"old {old}", *(base64.b64encode(one).decode() for one in proof)]
    return "\n".join(lines) + f"\n\n{checkpoint}"


def cosignatures(answer: str, checkpoint: Note, keys: Sequence[VerifierKey]) -> list[Signature]:
    """Return the lines of a witness's answer that known keys made over `checkpoint`; others are ignored."""
    found = []
    for line in answer.splitlines()[:_MOST_SIGNATURES]:
        try:
            one = signature_line(line)
            for key in keys:
                if Note(checkpoint.text, (one,)).signed_by(key) is not None:
                    found.append(one)
        except MalformedNote:
            continue
    return found


def number(text: str) -> int:
    """Read a decimal number without leading zeroes.

    Raises:
        MalformedNote: It is not one.
    """
    if not _NUMBER.fullmatch(text) or not text.isascii():
        raise MalformedNote("a size or index is a decimal number without leading zeroes")
    return int(text)


def _verified(key: VerifierKey, text: str, signature: bytes) -> int:
    at, message = 0, text.encode()
    if key.kind == COSIGNATURE:
        if len(signature) != 72:
            raise MalformedNote("a cosignature has 8 bytes of time and 64 of signature")
        (at,) = struct.unpack(">Q", signature[:8])
        message, signature = _cosigned(text, at), signature[8:]
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, message)
    except InvalidSignature as error:
        raise MalformedNote(f"the signature of {key.name} does not verify") from error
    return at


def _cosigned(text: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def _decoded(text: str) -> bytes:
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise MalformedNote("base64 was expected") from error
    if base64.b64encode(found).decode() != text:
        raise MalformedNote("base64 was expected")
    return found
