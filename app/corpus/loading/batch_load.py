"""Run loads: batches, each one transaction with its position in the source, then events about laws."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from app import webhooks
from app.corpus import coverage, permanent_ids
from app.corpus.loading import judgment_rows, norm_rows
from app.corpus.loading.formats import reader, sources
from app.corpus.loading.readers import files
from app.corpus.loading.records import Item, Judgment, NormFacts, Record, Skip, Source, Statute
from app.corpus.lookup.norms import key_of
from app.corpus.models import CorpusLoad, CorpusNorm
from app.platform import clock
from app.platform.errors import Conflict
from app.platform.postgres import db

# A batch ends with whichever comes first: rows bound the time of a statement, characters the memory.
_BATCH_RECORDS = 1_000
_BATCH_CHARACTERS = 2_000_000
# A consolidation may be published before it is in force; a day further off is a slip of the pen.
_MOST_AHEAD = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a load: the source, records read of it, and whether it is finished."""

    source: str
    position: int
    done: bool
    unchanged: bool = False


@dataclass(slots=True)
class Report:
    """The result of loads over all sources: rows written by kind, what was left out or noted, and why."""

    sources: int = 0
    unchanged: int = 0
    records: int = 0
    written: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    norms_updated: int = 0


def load(
    kind: str,
    path: Path,
    form: str,
    *,
    now: datetime,
    jurisdiction: str | None = None,
    again: bool = False,
    tell: Callable[[Progress], None] = lambda _: None,
) -> Report:
    """Load a file, or every file of a folder.

    A source that was loaded to its end and has not changed since is passed over. One that was broken off goes
    on after its last batch.

    Args:
        kind: `statutes`, `judgments` or `norms`.
        path: The file or folder.
        form: A format that the kind has, such as `markdown` or `jsonl`.
        now: The time of the load.
        jurisdiction: For sources that do not name one.
        again: Load unchanged sources too.
        tell: Called with the progress.

    Raises:
        Invalid: The kind does not have the form.
        NotFound: There are no files at the path.
        Conflict: Another process is loading the same source.
    """
    read = reader(kind, form)
    report = Report()
    for source in sources(path, form, jurisdiction):
        _Load(source, f"{kind}/{form}", now, tell).run(partial(read, source), report, again)
    coverage.forget()
    # What is left when this process is killed here, the worker brings to the accounts.
    webhooks.spread(now)
    return report


class _Load:
    """The load of one source."""

    def __init__(self, source: Source, form: str, now: datetime, tell: Callable[[Progress], None]) -> None:
        self._source, self._form, self._now, self._tell = source, form, now, tell
        self._id = permanent_ids.load_id(source.name, form)
        self._partitions: set[str] = set()
        self._position = 0

    def run(self, read: Callable[[int], Iterator[Item]], report: Report, again: bool) -> None:
        """Load from the stored position to the end of the source."""
        report.sources += 1
        if not self._begin(again):
            report.unchanged += 1
            self._tell(Progress(self._source.name, self._position, done=True, unchanged=True))
            return
        batch: list[Item] = []
        size = 0
        for item in read(self._position):
            batch.append(item)
            size += _size(item.record)
            if len(batch) >= _BATCH_RECORDS or size >= _BATCH_CHARACTERS:
                self._write(batch)
                batch, size = [], 0
        if batch:
            self._write(batch)
        self._finish(report)

    def _begin(self, again: bool) -> bool:
        """Tell whether there is something to load; a source whose bytes changed starts over."""
        digest = files.digest(self._source.path)
        with db.transaction() as session:
            row = session.get(CorpusLoad, self._id, with_for_update=True)
            if row is None:
                row = CorpusLoad(id=self._id, source=self._source.name, form=self._form)
                session.add(row)
            elif row.digest == digest and row.finished_at is not None and not again:
                self._position = row.position
                return False
            if row.digest != digest or row.finished_at is not None:
                row.digest, row.position, row.started_at, row.finished_at = digest, 0, self._now, None
                row.counts, row.skipped = {}, {}
            row.moved_at = self._now
            self._position = row.position
        return True

    def _write(self, batch: Sequence[Item]) -> None:
        try:
            self._write_batch([self._plausible(item) for item in batch])
        except sa.exc.IntegrityError as error:
            # A process of a release that takes no turns wrote the same law meanwhile.
            raise norm_rows.explained(error) or error from None

    def _plausible(self, item: Item) -> Item:
        """Skip an edition with a future day, which would overrule every true one; keep other items."""
        record = item.record
        edition = record.facts.edition if isinstance(record, Statute) else None
        if edition is not None and edition > self._now.date() + _MOST_AHEAD:
            return replace(item, record=Skip("an edition dated in the future"))
        return item

    def _write_batch(self, batch: Sequence[Item]) -> None:
        records = [item.record for item in batch if not isinstance(item.record, Skip)]
        self._open_partitions(records)
        with db.transaction() as session:
            row = session.get(CorpusLoad, self._id, with_for_update=True)
            if row is None or row.position != self._position:
                raise Conflict(f"Another process is loading {self._source.name}.")
            counts, skipped = _State(row.counts), Counter(row.skipped)
            counts.add(self._rows(session, records))
            counts.read(batch)
            skipped.update(item.record.reason for item in batch if isinstance(item.record, Skip))
            row.counts, row.skipped = counts.as_json(), dict(skipped)
            row.position, row.moved_at = batch[-1].position, self._now
        self._position = batch[-1].position
        self._tell(Progress(self._source.name, self._position, done=False))

    def _rows(self, session: db.Session, records: Sequence[Record]) -> norm_rows.WriteResult:
        judgments = [one for one in records if isinstance(one, Judgment)]
        norms = [one for one in records if isinstance(one, (Statute, NormFacts))]
        written = norm_rows.write(session, norms, now=self._now) if norms else norm_rows.WriteResult()
        if judgments:
            written.counts.update(judgment_rows.write(session, judgments, now=self._now))
        return written

    def _open_partitions(self, records: Sequence[Record]) -> None:
        """Create the partitions of each jurisdiction, in transactions of their own: it locks the table."""
        wanted = {
            one.facts.jurisdiction if isinstance(one, Statute) else one.jurisdiction
            for one in records
            if isinstance(one, Statute) or (isinstance(one, Judgment) and one.text)
        }
        for code in sorted(wanted - self._partitions):
            with db.transaction() as session:
                there = session.scalar(sa.text("SELECT to_regclass(:name)"), {"name": _partition(code)})
                if there is None:
                    session.execute(sa.text("SELECT open_corpus_partition(:code)"), {"code": code})
            self._partitions.add(code)

    def _finish(self, report: Report) -> None:
        with db.transaction() as session:
            row = session.get(CorpusLoad, self._id, with_for_update=True)
            if row is None or row.finished_at is not None:
                raise Conflict(f"Another process is loading {self._source.name}.")
            state = _State(row.counts)
            row.moved_at = row.finished_at = self._now
            report.records += state.records
            report.written.update(state.written)
            report.notes.update(state.notes)
            report.skipped.update(row.skipped)
            report.norms_updated += len(state.changed)
            session.flush()
            _announce(session, state, self._now)
        self._tell(Progress(self._source.name, self._position, done=True))


def _partition(code: str) -> str:
    return f"corpus_passages_{code.lower()}"


def _size(record: Record | Skip) -> int:
    if isinstance(record, Judgment):
        return len(record.text)
    if isinstance(record, Statute):
        return sum(len(wording.text) for one in record.articles for wording in one.wordings)
    return 0


class _State:
    """The counts of a load, stored with its position: what is announced at the end must survive a kill."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.records = int(raw.get("records", 0))
        self.written: Counter[str] = Counter(raw.get("written", {}))
        self.notes: Counter[str] = Counter(raw.get("notes", {}))
        self.new: set[str] = set(raw.get("new", ()))
        # By norm: how many articles changed, since when, and which.
        self.changed: dict[str, tuple[int, str | None, list[str]]] = {
            key: (int(count), since, list(*numbers))
            for key, (count, since, *numbers) in raw.get("changed", {}).items()
        }

    def add(self, written: norm_rows.WriteResult) -> None:
        """Add the counts of a written batch."""
        self.written.update(written.counts)
        self.new |= {str(key) for key in written.new}
        for key, change in written.changed.items():
            if str(key) in self.new:
                continue  # a law that this load brought is no law that changed
            count, since, numbers = self.changed.get(str(key), (0, None, []))
            later = change.since.isoformat() if change.since else since
            named = list(dict.fromkeys((*numbers, *change.numbers)))
            self.changed[str(key)] = (count + change.articles, later, named)

    def read(self, batch: Sequence[Item]) -> None:
        """Count the items of a batch that was read."""
        self.records += len(batch)
        for item in batch:
            self.notes.update(item.notes)

    def as_json(self) -> dict[str, Any]:
        """Return the counts as JSON, for the row of the load."""
        return {
            "records": self.records,
            "written": dict(self.written),
            "notes": dict(self.notes),
            "new": sorted(self.new),
            "changed": {key: list(value) for key, value in self.changed.items()},
        }


# Articles of a law that the event names.
_NAMED = 100


def _announce(session: db.Session, state: _State, now: datetime) -> None:
    """Publish `normativa.updated` once for each law that changed, to every account that may read the law."""
    if not state.changed:
        return
    ids = [uuid.UUID(key) for key in state.changed]
    norms = session.scalars(sa.select(CorpusNorm).where(CorpusNorm.id.in_(ids)).order_by(CorpusNorm.id))
    payloads, subjects = [], []
    for norm in norms:
        articles, since, numbers = state.changed[str(norm.id)]
        form = key_of(norm.jurisdiction, norm.official_id)
        subjects.append((form, *(f"{form}:art{number}" for number in numbers)))
        payloads.append(
            {
                "jurisdiction": norm.jurisdiction,
                "normId": norm.official_id,
                "title": norm.title,
                "inForceFrom": since if since else clock.iso_day(norm.in_force),
                "articles": articles,
                "changedArticles": numbers[:_NAMED],
            }
        )
    webhooks.announce(session, "normativa.updated", payloads, scope="query", now=now, subjects=subjects)
