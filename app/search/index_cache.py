"""Cache the inverted index in memory: the passages of each collection and the postings read so far.

The database stays authoritative: every search reads the collection's row first, and entries that were added
since are read again. What is read after a collection was compacted does not fit the row read before: the
search then begins again.
"""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, LiteralString

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from app.platform import settings
from app.platform.postgres import db
from app.search.postings import BLOCK, NONE, Postings, unpack

_MOST_TRIES = 5
_ALWAYS, _NEVER_ENDS = -1_000_000, 10_000_000
# Ids are kept as two numbers: sixteen bytes a passage, whatever their number.
_ID = np.dtype([("high", np.uint64), ("low", np.uint64)])
_NUMBER = np.dtype(">i4")

_COLLECTION: LiteralString = """
    SELECT epoch, size, model FROM search_shelves
    WHERE jurisdiction = %(jurisdiction)s AND kind = %(kind)s
    """
# A block at a time, each column as one string of bytes: of three million rows each on its own takes minutes.
_ENTRIES = f"""
    SELECT string_agg(int4send(ordinal), '') AS ordinals, string_agg(uuid_send(passage_id), '') AS ids,
        string_agg(int4send(coalesce(replaces, -1)), '') AS replaces,
        string_agg(int4send(coalesce(in_force_from - date '0001-01-01' + 1, {_ALWAYS})), '') AS since,
        string_agg(int4send(coalesce(in_force_to - date '0001-01-01' + 1, {_NEVER_ENDS})), '') AS until
    FROM search_entries
    WHERE jurisdiction = :jurisdiction AND kind = :kind AND ordinal >= :first AND ordinal < :end
    """  # noqa: S608 (our own numbers)
# Blocks before the last are never written again in an epoch: of stems read before, only later ones are read.
_POSTINGS = """
    SELECT stem, block, postings FROM search_postings
    WHERE jurisdiction = :jurisdiction AND kind = :kind AND stem = ANY(:stems) AND block >= :first
    ORDER BY stem, block
    """


@dataclass(frozen=True, slots=True)
class IndexState:
    """The current row of a collection in `search_shelves`."""

    jurisdiction: str
    kind: str
    epoch: int
    size: int
    model: str | None

    @property
    def values(self) -> dict[str, Any]:
        """Return jurisdiction and kind, as parameters of a statement."""
        return {"jurisdiction": self.jurisdiction, "kind": self.kind}


class PassageTable:
    """The passages of a collection by ordinal: id, whether current, and the days they are in force."""

    def __init__(self, epoch: int) -> None:
        """Create an empty table of one epoch of the index."""
        self.epoch, self.size = epoch, 0
        self.ids = np.zeros(0, _ID)
        self.live = np.zeros(0, bool)
        self.since = np.zeros(0, np.int32)
        self.until = np.zeros(0, np.int32)
        self._standing: tuple[int, npt.NDArray[np.bool_]] | None = None

    def grown(self, parts: Iterable[Any], size: int) -> PassageTable:
        """Return a copy with the rows of `parts` added, so that searches under way keep the one they have.

        Args:
            parts: Columns of new rows of `search_entries`, in parts.
            size: Number of ordinals after the addition.
        """
        found = PassageTable(self.epoch)
        added = size - self.size
        found.size = size
        found.ids = np.concatenate([self.ids, np.zeros(added, _ID)])
        found.live = np.concatenate([self.live, np.zeros(added, bool)])
        found.since = np.concatenate([self.since, np.full(added, _ALWAYS, np.int32)])
        found.until = np.concatenate([self.until, np.full(added, _NEVER_ENDS, np.int32)])
        for columns in parts:
            if columns.ordinals is None:
                continue
            ordinals = np.frombuffer(columns.ordinals, _NUMBER)
            found.ids[ordinals] = np.frombuffer(columns.ids, _ID)
            found.live[ordinals] = True
            found.since[ordinals] = np.frombuffer(columns.since, _NUMBER)
            found.until[ordinals] = np.frombuffer(columns.until, _NUMBER)
            replaced = np.frombuffer(columns.replaces, _NUMBER)
            found.live[replaced[(replaced >= 0) & (replaced < size)]] = False
        return found

    def in_force_on(self, day: date | None) -> npt.NDArray[np.bool_]:
        """Return a mask of the passages in force on `day`, or of all current ones without a day."""
        if day is None:
            return self.live
        number, held = day.toordinal(), self._standing
        if held is None or held[0] != number:
            held = number, self.live & (self.since <= number) & (self.until > number)
            self._standing = held  # nearly all searches ask of the same day
        return held[1]

    def passage_id(self, ordinal: int) -> uuid.UUID:
        """Return the id of the passage with this ordinal."""
        return uuid.UUID(bytes=self.ids[ordinal].tobytes())

    def ordinals(self, passages: Sequence[uuid.UUID]) -> dict[int, uuid.UUID]:
        """Return which ordinals stand for these passages, those out of use included."""
        wanted = {one.bytes: one for one in passages}
        high = np.frombuffer(b"".join(wanted), _ID)["high"]
        likely = np.flatnonzero(np.isin(self.ids["high"], high))
        return {int(at): wanted[raw] for at in likely if (raw := self.ids[at].tobytes()) in wanted}


class _Compacted(Exception):
    """The collection was compacted while it was read, or is smaller in this database."""


class IndexCache:
    """Passage tables and postings of this process, shared by threads; least used postings are evicted."""

    def __init__(self) -> None:
        """Create an empty cache."""
        self._lock = threading.Lock()
        self._tables: dict[tuple[str, str], PassageTable] = {}
        self._kept: OrderedDict[tuple[str, str, str], tuple[int, int, Postings]] = OrderedDict()
        self._bytes = 0

    def clear(self) -> None:
        """Drop everything: needed when the index was deleted and its epochs begin again."""
        with self._lock:
            self._tables.clear()
            self._kept.clear()
            self._bytes = 0

    @staticmethod
    def state(session: db.Session, jurisdiction: str, kind: str) -> IndexState | None:
        """Read the collection's current row; `None` where nothing is indexed."""
        for row in session.rows(_COLLECTION, {"jurisdiction": jurisdiction, "kind": kind}):
            if row.size:
                return IndexState(jurisdiction, kind, row.epoch, row.size, row.model)
        return None

    def read(
        self, session: db.Session, state: IndexState, stems: Collection[str]
    ) -> tuple[PassageTable, dict[str, Postings]]:
        """Return the passages of a collection and the postings of `stems`, all of one epoch.

        Args:
            session: An open transaction.
            state: The collection as it was when the search began; a newer one is read where it is outdated.
            stems: What is looked up.
        """
        for _ in range(_MOST_TRIES):
            try:
                return self._passages(session, state), self._postings(session, state, stems)
            except _Compacted:
                newer = self.state(session, state.jurisdiction, state.kind)
                if newer is None:
                    break
                state = newer
        return PassageTable(state.epoch), dict.fromkeys(stems, NONE)

    def _check(self, session: db.Session, state: IndexState) -> None:
        """Raise where the rows that were just read may be of another epoch than `state`, or not all of it.

        A replica may be behind the database that `state` was read from; what it lacks is not to be remembered
        as absent.
        """
        newer = self.state(session, state.jurisdiction, state.kind)
        if newer is None or newer.epoch != state.epoch or newer.size < state.size:
            raise _Compacted

    def _passages(self, session: db.Session, state: IndexState) -> PassageTable:
        """Return the passages of the collection, reading those added since the last call."""
        key = (state.jurisdiction, state.kind)
        held = self._tables.get(key)
        if held is None or held.epoch != state.epoch:
            held = PassageTable(state.epoch)
        if held.size < state.size:
            starts = range(held.size, state.size, BLOCK)
            columns = (
                session.execute(
                    sa.text(_ENTRIES),
                    {**state.values, "first": start, "end": min(start + BLOCK, state.size)},
                ).one()
                for start in starts
            )
            grown = held.grown(columns, state.size)
            self._check(session, state)
            held = grown
            self._tables[key] = held
        return held

    def _postings(
        self, session: db.Session, state: IndexState, stems: Collection[str]
    ) -> dict[str, Postings]:
        """Return the postings of each of `stems`, empty ones for stems that occur nowhere."""
        found: dict[str, Postings] = {}
        before: dict[str, Postings] = {}
        missing: dict[int, list[str]] = {}
        with self._lock:
            for stem in stems:
                held = self._kept.get((state.jurisdiction, state.kind, stem))
                if held is None or held[0] != state.epoch or held[1] > state.size:
                    missing.setdefault(0, []).append(stem)
                    continue
                self._kept.move_to_end((state.jurisdiction, state.kind, stem))
                if held[1] == state.size:
                    found[stem] = held[2]
                else:
                    before[stem] = held[2]
                    missing.setdefault(held[1] // BLOCK, []).append(stem)
        read: dict[str, Postings] = {}
        for first, asked in missing.items():
            blocks: dict[str, list[tuple[int, bytes]]] = {stem: [] for stem in asked}
            for row in session.execute(sa.text(_POSTINGS), {**state.values, "stems": asked, "first": first}):
                blocks[row.stem].append((row.block, row.postings))
            for stem, of_stem in blocks.items():
                read[stem] = unpack(of_stem)
                if stem in before:
                    read[stem] = before[stem].before(first * BLOCK).followed_by(read[stem])
        if read:
            self._check(session, state)
            read = {stem: postings.compact() for stem, postings in read.items()}
            found |= read
            self._keep(state, read)
        return found

    def _keep(self, state: IndexState, read: dict[str, Postings]) -> None:
        most = settings.current().search_cache_mb * 1024 * 1024
        with self._lock:
            for stem, postings in read.items():
                key = (state.jurisdiction, state.kind, stem)
                before = self._kept.pop(key, None)
                self._bytes += postings.size - (before[2].size if before else 0)
                self._kept[key] = (state.epoch, state.size, postings)
            while self._bytes > most and self._kept:
                self._bytes -= self._kept.popitem(last=False)[1][2].size


INDEX_CACHE = IndexCache()
