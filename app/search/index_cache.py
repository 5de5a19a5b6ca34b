"""What a process keeps of a shelf while searching: which passages there are, and the postings it met.

Nothing here is the truth: every search reads the shelf's row first, and what has grown is read again.
"""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from app.platform.postgres import db
from app.search.postings import Postings, unpacked

# Of postings, in each process. A stem of a large corpus that is in every second passage takes a megabyte.
_MOST_BYTES = 128 * 1024 * 1024
_ALWAYS, _NEVER_ENDS = -1_000_000, 10_000_000

_SHELF = "SELECT epoch, size, model FROM search_shelves WHERE jurisdiction = :jurisdiction AND kind = :kind"
_ENTRIES = """
    SELECT ordinal, passage_id, replaces, in_force_from, in_force_to FROM search_entries
    WHERE jurisdiction = :jurisdiction AND kind = :kind AND ordinal >= :first AND ordinal < :size
    ORDER BY ordinal
    """
_POSTINGS = """
    SELECT stem, block, postings FROM search_postings
    WHERE jurisdiction = :jurisdiction AND kind = :kind AND stem = ANY(:stems) ORDER BY stem, block
    """


@dataclass(frozen=True, slots=True)
class State:
    """The row of a shelf."""

    jurisdiction: str
    kind: str
    epoch: int
    size: int
    model: str | None

    @property
    def values(self) -> dict[str, Any]:
        return {"jurisdiction": self.jurisdiction, "kind": self.kind}


class Roster:
    """The passages of a shelf by ordinal: which are live, since when and until when (days) in force."""

    def __init__(self, epoch: int) -> None:
        self.epoch, self.size = epoch, 0
        self.ids: list[bytes] = []
        self.live = np.zeros(0, bool)
        self.since = np.zeros(0, np.int32)
        self.until = np.zeros(0, np.int32)

    def grown(self, rows: list[Any], size: int) -> Roster:
        """A roster with `rows` added: a search that runs meanwhile keeps the one it has."""
        found = Roster(self.epoch)
        added = size - self.size
        found.size = size
        found.ids = self.ids + [b""] * added
        found.live = np.concatenate([self.live, np.zeros(added, bool)])
        found.since = np.concatenate([self.since, np.full(added, _ALWAYS, np.int32)])
        found.until = np.concatenate([self.until, np.full(added, _NEVER_ENDS, np.int32)])
        for row in rows:
            found.ids[row.ordinal] = row.passage_id.bytes
            found.live[row.ordinal] = True
            if row.replaces is not None and row.replaces < size:
                found.live[row.replaces] = False
            if row.in_force_from is not None:
                found.since[row.ordinal] = row.in_force_from.toordinal()
            if row.in_force_to is not None:
                found.until[row.ordinal] = row.in_force_to.toordinal()
        return found

    def standing_on(self, day: date | None) -> npt.NDArray[np.bool_]:
        """Which passages count: those in force `on` that day, or, without a day, all that are live."""
        if day is None:
            return self.live
        number = day.toordinal()
        standing: npt.NDArray[np.bool_] = self.live & (self.since <= number) & (self.until > number)
        return standing

    def passage(self, ordinal: int) -> uuid.UUID:
        return uuid.UUID(bytes=self.ids[ordinal])


class Shelves:
    """Rosters and postings of this process, shared by its threads, least used postings given up first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rosters: dict[tuple[str, str], Roster] = {}
        self._kept: OrderedDict[tuple[str, str, str], tuple[int, int, Postings]] = OrderedDict()
        self._bytes = 0

    def forget(self) -> None:
        """Give everything up: of a shelf that is made anew from nothing, the epochs begin again."""
        with self._lock:
            self._rosters.clear()
            self._kept.clear()
            self._bytes = 0

    @staticmethod
    def state(session: db.Session, jurisdiction: str, kind: str) -> State | None:
        """The shelf as it is now, `None` where nothing was indexed."""
        row = session.execute(sa.text(_SHELF), {"jurisdiction": jurisdiction, "kind": kind}).first()
        return State(jurisdiction, kind, row.epoch, row.size, row.model) if row and row.size else None

    def roster(self, session: db.Session, state: State) -> Roster:
        """The passages of the shelf."""
        key = (state.jurisdiction, state.kind)
        held = self._rosters.get(key)
        if held is None or held.epoch != state.epoch:
            held = Roster(state.epoch)
        if held.size < state.size:
            rows = session.execute(
                sa.text(_ENTRIES), {**state.values, "first": held.size, "size": state.size}
            ).all()
            held = held.grown(list(rows), state.size)
            self._rosters[key] = held
        return held

    def postings(self, session: db.Session, state: State, stems: Collection[str]) -> dict[str, Postings]:
        """Where each of `stems` occurs; every stem is a key."""
        found: dict[str, Postings] = {}
        with self._lock:
            for stem in stems:
                held = self._kept.get((state.jurisdiction, state.kind, stem))
                if held is not None and held[:2] == (state.epoch, state.size):
                    found[stem] = held[2]
                    self._kept.move_to_end((state.jurisdiction, state.kind, stem))
        missing = [stem for stem in stems if stem not in found]
        if missing:
            blocks: dict[str, list[tuple[int, bytes]]] = {stem: [] for stem in missing}
            for row in session.execute(sa.text(_POSTINGS), {**state.values, "stems": missing}):
                blocks[row.stem].append((row.block, row.postings))
            read = {stem: unpacked(of_stem) for stem, of_stem in blocks.items()}
            found |= read
            self._keep(state, read)
        return found

    def _keep(self, state: State, read: dict[str, Postings]) -> None:
        with self._lock:
            for stem, postings in read.items():
                key = (state.jurisdiction, state.kind, stem)
                before = self._kept.pop(key, None)
                self._bytes += postings.size - (before[2].size if before else 0)
                self._kept[key] = (state.epoch, state.size, postings)
            while self._bytes > _MOST_BYTES and self._kept:
                self._bytes -= self._kept.popitem(last=False)[1][2].size


SHELVES = Shelves()
