"""What others say of the log's head: witnesses that cosign it, and an authority that stamps its time.

Both by setting, none by default. Whatever they do or leave undone, the head stands and is served; what they
gave is added to it when it comes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from urllib.parse import urlsplit

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.models import LogCheckpoint
from app.governance.operator_http import post
from app.governance.transparency import log, notes
from app.platform import log as logs
from app.platform import safe_http, settings
from app.platform.postgres import db

_logger = logs.logger("transparency")
# A stamp is asked for at most so often: an authority limits its callers, and a later stamp covers what lies
# before.
_STAMP_EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness of the setting: its key and where heads are submitted to it."""

    key: notes.VerifierKey
    url: str


def witnesses(written: str) -> list[Witness]:
    """Read the setting `LOG_WITNESSES`: `key url` pairs, separated by commas.

    Raises:
        ValueError: An entry is not in that form.
    """
    found = []
    for entry in filter(None, (part.strip() for part in written.split(","))):
        key, _, url = entry.partition(" ")
        try:
            verifier = notes.VerifierKey.parse(key)
        except notes.MalformedNote as error:
            raise ValueError(f"{entry[:40]}: {error}") from error
        if verifier.kind != notes.COSIGNATURE or not urlsplit(url).hostname:
            raise ValueError(f"{entry[:40]}: must be a cosigner's key (type 4), a space and its URL")
        found.append(Witness(verifier, url.rstrip("/")))
    return found


def anchor_head(*, now: datetime) -> None:
    """Have the newest head cosigned and stamped, as far as settings say; call it outside a transaction."""
    config = settings.current()
    with db.reading() as session:
        head = log.newest_checkpoint(session)
        stamped = session.scalar(
            sa.select(sa.func.max(LogCheckpoint.at)).where(LogCheckpoint.time_stamp.is_not(None))
        )
    if head is None:
        return
    for witness in witnesses(config.log_witnesses):
        _attempt("witness", partial(_cosign, witness, head.size))
    if config.time_stamp_url and head.time_stamp is None and (not stamped or now - stamped >= _STAMP_EVERY):
        _attempt("time stamp", partial(_stamp, config.time_stamp_url, head))


def _attempt(what: str, work: Callable[[], None]) -> None:
    try:
        work()
    except (safe_http.RequestError, notes.MalformedNote, ValueError) as error:
        _logger.warning("the head of the log was not anchored", by=what, exc_info=error)


def _cosign(witness: Witness, size: int) -> None:
    with db.reading() as session:
        head = notes.Note.parse(session.get_one(LogCheckpoint, size).note)
        if head.signed_by(witness.key) is not None:
            return
        old = _last_cosigned(session, witness)
    answer = _submit(witness, old, size, head)
    if answer.status == 409:
        # It knows another size than we do, and says which.
        old = notes.number(answer.body.decode("ascii", "replace").strip())
        if old > size:
            raise ValueError("the witness has seen a larger log than this one")
        answer = _submit(witness, old, size, head)
    if answer.status != 200:
        raise ValueError(f"the witness answered {answer.status}")
    lines = notes.cosignatures(answer.body.decode("utf-8", "replace"), head, [witness.key])
    if not lines:
        raise ValueError("the witness gave no signature of its key")
    with db.transaction() as session:
        row = session.get_one(LogCheckpoint, size, with_for_update=True)
        row.note += "".join(f"{line}\n" for line in lines)


def _submit(witness: Witness, old: int, size: int, head: notes.Note) -> safe_http.Response:
    with db.reading() as session:
        proof = log.consistency(session, old, size) if 0 < old < size else []
    body = notes.request_to_witness(old, proof, head).encode()
    return post(f"{witness.url}/add-checkpoint", body, "text/plain; charset=utf-8")


def _last_cosigned(session: Session, witness: Witness) -> int:
    """Return the size of the last head, of the newest hundred, that the witness cosigned; 0 for none."""
    query = sa.select(LogCheckpoint.size, LogCheckpoint.note).order_by(LogCheckpoint.size.desc()).limit(100)
    for row in session.execute(query):
        if notes.Note.parse(row.note).signed_by(witness.key) is not None:
            return int(row.size)
    return 0


def _stamp(url: str, head: LogCheckpoint) -> None:
    # Loaded here: only where a stamp is asked for.
    from rfc3161_client import HashAlgorithm, PKIStatus, TimestampRequestBuilder, decode_timestamp_response

    text = notes.Note.parse(head.note).text.encode()
    wanted = TimestampRequestBuilder().data(text).hash_algorithm(HashAlgorithm.SHA256).build()
    answer = post(url, wanted.as_bytes(), "application/timestamp-query")
    if answer.status != 200:
        raise ValueError(f"the time-stamping authority answered {answer.status}")
    response = decode_timestamp_response(answer.body)
    if response.status not in (PKIStatus.GRANTED, PKIStatus.GRANTED_WITH_MODS):
        raise ValueError("the time-stamping authority refused")
    info = response.tst_info
    if info.message_imprint.message != hashlib.sha256(text).digest() or info.nonce != wanted.nonce:
        raise ValueError("the time stamp is of something else")
    with db.transaction() as session:
        session.get_one(LogCheckpoint, head.size, with_for_update=True).time_stamp = answer.body
