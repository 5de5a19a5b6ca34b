"""The transparency log: all accounts' audit records as blinded leaves of one Merkle tree (decision 056).

A worker appends what was recorded since the last round and signs the new head. A leaf is the hash of a nonce
and a record's hash, in random order within a round, so that what is published tells nothing about accounts.
The nonce and the place of a record belong to its account.
"""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from app.governance import signing_keys
from app.governance.models import AuditHead, AuditRecord, LogCheckpoint, LogEntry, LogPosition, LogTile
from app.governance.transparency import merkle, notes, tiles
from app.platform import settings

NONCE_SIZE = 32
# Records that one round appends at most; what is left is the next round's.
BATCH = 20_000
# Any bigint does, as long as every process takes the same one.
_LOCK = 5_128_830_117_264_001


@dataclass(frozen=True, slots=True)
class AppendResult:
    """Result of a round: number of leaves appended, and size of the tree after it."""

    entries: int
    size: int


@dataclass(frozen=True, slots=True)
class AnchorVerdict:
    """Verdict of the log on an account's trail.

    `logged` counts the account's leaves. `missing` are positions in the log whose record is gone, `changed`
    those whose record is another than the one that was logged, `unlogged` records that wait for the next
    round. `first_problem` is the lowest position of the trail that does not fit.
    """

    logged: int
    missing: int
    changed: int
    unlogged: int
    first_problem: int | None

    @property
    def intact(self) -> bool:
        """Whether every leaf of the account still has its record."""
        return not self.missing and not self.changed


def entry_of(nonce: bytes, record_hash: str) -> bytes:
    """Return the log's entry for an audit record: SHA-256 over the nonce and the 32 bytes of its hash."""
    return hashlib.sha256(nonce + bytes.fromhex(record_hash)).digest()


def append_round(session: Session, *, now: datetime, batch: int = BATCH) -> AppendResult | None:
    """Append the records that are not in the log yet and sign the new head.

    Runs as the system. Of several processes one does it; for the others there is nothing to do.

    Returns:
        `None` where another process is at it or nothing is new.
    """
    if not session.scalar(sa.select(sa.func.pg_try_advisory_xact_lock(_LOCK))):
        return None
    waiting = _waiting(session, batch)
    if not waiting:
        return None
    secrets.SystemRandom().shuffle(waiting)
    size = size_of(session)
    nonces = [secrets.token_bytes(NONCE_SIZE) for _ in waiting]
    entries = [entry_of(nonce, row.hash) for nonce, row in zip(nonces, waiting, strict=True)]
    session.execute(
        insert(LogEntry), [{"index": size + at, "entry": entry} for at, entry in enumerate(entries)]
    )
    session.execute(
        insert(LogPosition),
        [
            {"account_id": row.account_id, "seq": row.seq, "log_index": size + at, "nonce": nonces[at]}
            for at, row in enumerate(waiting)
        ],
    )
    grown = tiles.extend(size, entries, lambda level, index: _tile(session, level, index))
    upsert = insert(LogTile)
    session.execute(
        upsert.on_conflict_do_update(
            index_elements=[LogTile.level, LogTile.index], set_={"hashes": upsert.excluded.hashes}
        ),
        [{"level": level, "index": index, "hashes": data} for (level, index), data in grown.items()],
    )
    new_size = size + len(entries)
    _sign_head(session, new_size, now=now)
    return AppendResult(len(entries), new_size)


def _waiting(session: Session, batch: int) -> list[Any]:
    """List records behind the last logged one of their account, in the order of positions."""
    last = (
        sa.select(sa.func.coalesce(sa.func.max(LogPosition.seq), 0).label("seq"))
        .where(LogPosition.account_id == AuditHead.account_id)
        .lateral("last")
    )
    query = (
        sa.select(AuditRecord.account_id, AuditRecord.seq, AuditRecord.hash)
        .select_from(AuditHead)
        .join(last, sa.and_(sa.true(), AuditHead.seq > last.c.seq))
        .join(
            AuditRecord,
            sa.and_(AuditRecord.account_id == AuditHead.account_id, AuditRecord.seq > last.c.seq),
        )
        .order_by(AuditRecord.account_id, AuditRecord.seq)
        .limit(batch)
    )
    return list(session.execute(query))


def _sign_head(session: Session, size: int, *, now: datetime) -> None:
    root = merkle.root(tiles.TileReader(lambda level, index: _tile(session, level, index)), size)
    name = origin()
    signer = signing_keys.signer(session, "log", at=now)
    head = notes.Checkpoint(name, size, root)
    note = notes.Note(head.text, (notes.sign(head.text, name, signer.key),))
    session.add(LogCheckpoint(size=size, root=root, note=str(note), at=now))
    session.flush()


def origin() -> str:
    """Return the log's name: `PUBLIC_URL` without its scheme, and the path under which the log is served."""
    base = settings.current().public_url or "http://localhost"
    return base.partition("://")[2].rstrip("/") + "/transparency"


def size_of(session: Session) -> int:
    """Return the number of leaves of the newest head, 0 before the first."""
    return session.scalar(sa.select(sa.func.max(LogCheckpoint.size))) or 0


def newest_checkpoint(session: Session) -> LogCheckpoint | None:
    """Return the newest signed head."""
    return session.scalar(sa.select(LogCheckpoint).order_by(LogCheckpoint.size.desc()).limit(1))


def time_stamp(session: Session, size: int) -> bytes | None:
    """Return the RFC 3161 token over the head of that size, `None` where there is none."""
    return session.scalar(sa.select(LogCheckpoint.time_stamp).where(LogCheckpoint.size == size))


def verifier_keys(session: Session) -> list[notes.VerifierKey]:
    """Return the keys with which heads of the log were signed, the oldest first."""
    name = origin()
    return [
        notes.VerifierKey(name, notes.ED25519, key.public_key)
        for key in signing_keys.published(session, "log")
    ]


def tile_bytes(session: Session, tile: tiles.Tile) -> bytes | None:
    """Return a published tile; `None` where the newest head has none of that address.

    A partial tile that has grown since is still given, at the width that was asked for.
    """
    if tile.width > tiles.width_at(tile.level, tile.index, size_of(session)):
        return None
    return _tile(session, tile.level, tile.index)[: tile.width * merkle.HASH_SIZE]


def entry_bundle(session: Session, tile: tiles.Tile) -> bytes | None:
    """Return the entries under a tile of level 0, each behind two bytes of length (C2SP tlog-tiles)."""
    if tile.level or tile.width > tiles.width_at(0, tile.index, size_of(session)):
        return None
    first = tile.index * tiles.WIDTH
    query = sa.select(LogEntry.entry).where(LogEntry.index >= first, LogEntry.index < first + tile.width)
    found = session.scalars(query.order_by(LogEntry.index)).all()
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in found)


def proof_for(session: Session, account_id: uuid.UUID, seq: int) -> notes.InclusionProof | None:
    """Return the proof that the record at position `seq` of a trail is in the log.

    `None` where it is not in a signed head yet. Its `extra` is the nonce, with which the holder of the record
    makes the entry.
    """
    place = session.get(LogPosition, (account_id, seq))
    head = newest_checkpoint(session)
    if place is None or head is None or place.log_index >= head.size:
        return None
    read = tiles.TileReader(lambda level, index: _tile(session, level, index))
    hashes = merkle.inclusion_proof(read, place.log_index, head.size)
    return notes.InclusionProof(place.log_index, tuple(hashes), notes.Note.parse(head.note), place.nonce)


def consistency(session: Session, old: int, new: int) -> list[bytes]:
    """Return the proof that the tree of `old` leaves is the beginning of the one of `new`."""
    return merkle.consistency_proof(
        tiles.TileReader(lambda level, index: _tile(session, level, index)), old, new
    )


def check_account(session: Session, account_id: uuid.UUID) -> AnchorVerdict:
    """Hold an account's trail against its leaves in the log.

    Sees what the chain alone cannot: records cut off at the end together with the head, and a chain that was
    rewritten with right hashes throughout.
    """
    query = (
        sa.select(LogPosition.seq, LogPosition.nonce, LogEntry.entry, AuditRecord.hash)
        .select_from(LogPosition)
        .outerjoin(LogEntry, LogEntry.index == LogPosition.log_index)
        .outerjoin(
            AuditRecord,
            sa.and_(AuditRecord.account_id == LogPosition.account_id, AuditRecord.seq == LogPosition.seq),
        )
        .where(LogPosition.account_id == account_id)
        .order_by(LogPosition.seq)
        .execution_options(yield_per=5_000)
    )
    logged = missing = changed = 0
    first: int | None = None
    last = 0
    for row in session.execute(query):
        logged, last = logged + 1, row.seq
        if row.hash is None:
            missing += 1
        elif not _fits(row):
            changed += 1
        else:
            continue
        first = row.seq if first is None else first
    behind = sa.select(sa.func.count()).where(AuditRecord.account_id == account_id, AuditRecord.seq > last)
    return AnchorVerdict(logged, missing, changed, session.scalar(behind) or 0, first)


@dataclass(frozen=True, slots=True)
class LogVerdict:
    """Whether the log as a whole fits its heads: every entry, tile and head, and every leaf's place.

    `problem` says the first thing that does not fit, `None` where all does.
    """

    size: int
    checkpoints: int
    problem: str | None


def check_log(
    session: Session, *, tell: Callable[[int, int], None] = lambda _done, _total: None
) -> LogVerdict:
    """Recompute the tree from its entries and hold every signed head against it.

    Runs as the system. `tell` hears how many entries of how many are through.
    """
    heads = {
        row.size: row for row in session.execute(sa.select(LogCheckpoint.size, LogCheckpoint.note)).all()
    }
    size = max(heads, default=0)
    keys = verifier_keys(session)
    stack: list[tuple[int, bytes]] = []
    seen = 0
    query = sa.select(LogEntry.index.label("place"), LogEntry.entry).order_by(LogEntry.index)
    for row in session.execute(query.execution_options(yield_per=10_000)):
        if row.place != seen:
            return LogVerdict(size, len(heads), f"entry {seen} is missing")
        seen += 1
        stack.append((0, merkle.leaf_hash(row.entry)))
        while len(stack) > 1 and stack[-1][0] == stack[-2][0]:
            (height, left), (_, right) = stack[-2:]
            stack[-2:] = [(height + 1, merkle.node_hash(left, right))]
        if seen in heads:
            problem = _head_problem(heads[seen].note, seen, _root_of(stack), keys)
            if problem:
                return LogVerdict(size, len(heads), problem)
        if seen % 100_000 == 0:
            tell(seen, size)
    if seen != size:
        return LogVerdict(size, len(heads), f"the newest head has {size} entries, the log {seen}")
    places = session.scalar(sa.select(sa.func.count()).select_from(LogPosition)) or 0
    if places != size:
        return LogVerdict(size, len(heads), f"{size - places} entries belong to no account's record")
    read = tiles.TileReader(lambda level, index: _tile(session, level, index))
    if size and merkle.root(read, size) != _root_of(stack):
        return LogVerdict(size, len(heads), "the tiles are not those of the entries")
    return LogVerdict(size, len(heads), None)


def _root_of(stack: list[tuple[int, bytes]]) -> bytes:
    found = stack[-1][1]
    for _, left in reversed(stack[:-1]):
        found = merkle.node_hash(left, found)
    return found


def _head_problem(text: str, size: int, root: bytes, keys: list[notes.VerifierKey]) -> str | None:
    try:
        note = notes.Note.parse(text)
        head = notes.Checkpoint.parse(note.text)
        signed = any(
            note.signed_by(notes.VerifierKey(head.origin, key.kind, key.public)) is not None for key in keys
        )
    except notes.MalformedNote as error:
        return f"the head of {size} entries: {error}"
    if not signed:
        return f"the head of {size} entries is signed by no key of the log"
    if (head.size, head.root) != (size, root):
        return f"the head of {size} entries is not that of the log"
    return None


def _fits(row: Any) -> bool:
    try:
        return row.entry is not None and entry_of(row.nonce, row.hash) == row.entry
    except ValueError:
        return False


def _tile(session: Session, level: int, index: int) -> bytes:
    return (
        session.scalar(sa.select(LogTile.hashes).where(LogTile.level == level, LogTile.index == index)) or b""
    )
