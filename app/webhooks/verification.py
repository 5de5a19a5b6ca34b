"""Verification of a webhook signature, with the reason why it fails, for authors of receivers. Pure.

Headers are accepted as they are copied: lines of `name: value`, or the value of our own header alone. Both
signature schemes are known (see `signing.py`). Nothing is stored or logged.
"""

from __future__ import annotations

import binascii
import hmac
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum

import re2

from app.webhooks import signing

TOLERANCE = timedelta(minutes=5)
# Unix time in seconds until the year 9999: what `datetime` can hold.
_MOST_DIGITS = 11
_LATEST = 253_402_300_799
_OURS, _STANDARD = "signature", "webhook-signature"
_TIME, _ID = "webhook-timestamp", "webhook-id"
_SIGNING = (_OURS, _STANDARD, _TIME, _ID)
_HEX, _BASE64 = re2.compile("[0-9a-f]{64}"), re2.compile("[A-Za-z0-9+/]{43}=")


class Outcome(Enum):
    """The result of the check; only `VALID` and `STALE` mean that the signature is genuine."""

    VALID = "valid"
    # Genuine, but made too long ago or ahead of the clock: a receiver refuses it, it may be a replay.
    STALE = "stale"
    # Genuine for the same JSON in another form: the body was parsed before it was verified.
    REWRITTEN = "rewritten"
    MISMATCH = "mismatch"
    # Something stands twice, or is none of what we send: it could be read in two ways.
    MALFORMED = "malformed"
    NO_SIGNATURE = "no_signature"
    NO_TIME = "no_time"
    NO_ID = "no_id"
    NO_KEY = "no_key"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check. `at` is the time in the header and `signatures` their number, where readable."""

    outcome: Outcome
    at: datetime | None = None
    signatures: int = 0


@dataclass(frozen=True, slots=True)
class _Claim:
    """Time and signatures of one scheme, as a header states them; `event_id` for Standard Webhooks."""

    stamp: str
    signatures: tuple[str, ...]
    event_id: str | None
    ours: bool
    # Every element is one that we send, and none is there twice.
    clean: bool

    def holds(self, secret: str, at: int, body: bytes) -> bool:
        if self.ours:
            wanted = signing.v1(secret, at, body)
        else:
            wanted = signing.standard(secret, self.event_id or "", at, body).removeprefix("v1,")
        return any(hmac.compare_digest(wanted.encode(), found.encode()) for found in self.signatures)


def verify(secret: str, headers: str, body: str, *, now: datetime) -> Verdict:
    """Check `headers` over `body` with `secret`, as a receiver would at `now`.

    Line breaks that a text field turned into CR LF, and one added at the end by copying, are ignored.
    """
    claim = _read(headers)
    if not claim.signatures:
        return Verdict(Outcome.NO_SIGNATURE)
    count = len(claim.signatures)
    if not (claim.stamp.isascii() and claim.stamp.isdigit() and len(claim.stamp) <= _MOST_DIGITS):
        return Verdict(Outcome.NO_TIME, signatures=count)
    stamp = min(int(claim.stamp), _LATEST)
    at = datetime.fromtimestamp(stamp, UTC)
    if not claim.ours and not claim.event_id:
        return Verdict(Outcome.NO_ID, at, count)
    if not claim.clean:
        return Verdict(Outcome.MALFORMED, at, count)
    try:
        if any(claim.holds(secret, stamp, sent) for sent in _as_copied(body)):
            return Verdict(Outcome.VALID if abs(now - at) <= TOLERANCE else Outcome.STALE, at, count)
        if any(claim.holds(secret, stamp, sent) for sent in _rewritten(body)):
            return Verdict(Outcome.REWRITTEN, at, count)
    except (binascii.Error, ValueError):
        return Verdict(Outcome.NO_KEY, at, count)
    return Verdict(Outcome.MISMATCH, at, count)


def _read(headers: str) -> _Claim:
    named: dict[str, str] = {}
    agree = True
    for line in filter(None, map(str.strip, headers.splitlines())):
        name, found, value = line.partition(":")
        # A header's name holds no equals sign; a value of ours begins with one.
        alone = not found or "=" in name
        known, said = (_OURS, line) if alone else (_known(name), value.strip())
        # Ours comes under two names with one value; a header that comes twice with two is not to be trusted.
        agree = agree and (known not in _SIGNING or named.setdefault(known, said) == said)
    if _OURS not in named and _STANDARD in named:
        return _standard(named, agree=agree)
    parts = [part.strip().partition("=") for part in named.get(_OURS, "").split(",")]
    stamps = [value for name, _, value in parts if name == "t"]
    signatures = tuple(value for name, _, value in parts if name == "v1" and value)
    clean = (
        agree
        and [name for name, _, _ in parts] == ["t", *("v1" for _ in parts[1:])]
        and len(set(signatures)) == len(parts) - 1
        and all(_HEX.fullmatch(one) for one in signatures)
    )
    return _Claim(stamps[0] if stamps else "", signatures, None, ours=True, clean=clean)


def _known(name: str) -> str:
    """Return the normalised name of a header; ours contain the operator's own name."""
    name = name.strip().lower()
    return _OURS if name != _STANDARD and name.removesuffix("-256").endswith("-signature") else name


def _standard(named: Mapping[str, str], *, agree: bool) -> _Claim:
    found = [word.partition(",") for word in named[_STANDARD].split()]
    signatures = tuple(value for version, _, value in found if version == "v1" and value)
    return _Claim(
        named.get(_TIME, ""),
        signatures,
        named.get(_ID),
        ours=False,
        clean=agree
        and len(set(signatures)) == len(found)
        and all(_BASE64.fullmatch(one) for one in signatures),
    )


def _as_copied(body: str) -> Iterator[bytes]:
    plain = body.replace("\r\n", "\n")
    yield from dict.fromkeys(text.encode() for text in (plain, plain.strip("\n"), plain.strip(), body))


def _rewritten(body: str) -> Iterator[bytes]:
    """Return the body as our sender writes JSON, for receivers that parsed and rewrote it."""
    try:
        found = json.loads(body)
        yield json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError):
        return
