"""Jobs at the package's door: accept them, work them off in this process, look at what is left of them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import sqlalchemy as sa

from app import analysis, jobs, tenancy
from app.jobs import fair_queue, storage
from app.jobs.execution import claims, runner
from app.jobs.progress import ProgressWriter
from app.platform import clock, redis_client, settings
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from tests.bare import bare
from tests.cast import LEASE, Player

WORKER = "test-worker"


class Desk:
    """What a test does with jobs, and a clock that it turns."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[Desk]:
        """Nothing that other tests left is open."""
        with db.transaction() as session:
            session.execute(sa.text("DELETE FROM jobs WHERE status IN ('pending', 'running')"))
        desk = cls()
        clock.install(lambda: datetime.now(UTC) + desk._ahead)
        try:
            yield desk
        finally:
            clock.install(None)

    def forward(self, **by: float) -> None:
        """Turn the clock: `forward(minutes=1)`."""
        self._ahead += timedelta(**by)

    def accept(self, player: Player, *texts: str, mode: analysis.Mode = "standard") -> uuid.UUID:
        """A job of one document, or a batch of several."""
        requests = [analysis.AnalysisRequest(DocumentText(text), mode=mode) for text in (texts or (LEASE,))]
        if len(requests) == 1:
            payload = jobs.Payload.single(requests[0])
        else:
            items = [analysis.BatchItem(str(n), one) for n, one in enumerate(requests)]
            payload = jobs.Payload.several(items, concurrency=2)
        made = db.atomically(
            lambda session: jobs.accept(
                session,
                self.caller(player),
                payload,
                request_id=f"req_{uuid.uuid4()}",
                base_url="https://api.example.com",
                now=clock.now(),
            )
        )
        jobs.enqueue([made])
        return made.id

    def caller(self, player: Player) -> tenancy.Caller:
        with db.statements() as session:
            return tenancy.identify(
                session, player.key, prefix=settings.current().key_prefix, now=clock.now()
            )

    def run(self, job_id: uuid.UUID | str, worker: str = WORKER) -> bool:
        return bare(runner.run, uuid.UUID(str(job_id)), worker)

    def take(self, job_id: uuid.UUID, worker: str = WORKER) -> claims.Claim | None:
        """What a worker does first; here, one that then does nothing more."""
        return db.atomically(lambda session: claims.take(session, job_id, worker=worker, now=clock.now()))

    def reporter(self, claim: claims.Claim) -> tuple[ProgressWriter, analysis.ProgressRecorder]:
        """What writes the progress of this attempt, and where an analysis would report it."""
        recorder = analysis.ProgressRecorder()
        key = storage.unwrap(claim.job_id, "payload", claim.payload_key)
        return ProgressWriter(claim.job_id, claim.attempt, key, recorder), recorder

    def taken(self, job_id: uuid.UUID) -> claims.Claim:
        """A job that a worker has claimed."""
        claim = self.take(job_id)
        assert claim is not None
        return claim

    def reap(self) -> None:
        bare(jobs.Reaper().round)

    def row(self, job_id: uuid.UUID | str) -> Any:
        with db.reading() as session:
            return session.execute(sa.text("SELECT * FROM jobs WHERE id = :id"), {"id": job_id}).one()

    def events(self, player: Player, *types: str) -> list[dict[str, Any]]:
        """Payloads on the bus, oldest first, with their type under `type`."""
        with db.reading() as session:
            rows = session.execute(
                sa.text("SELECT type, payload FROM events WHERE account_id = :a ORDER BY seq"),
                {"a": player.account_id},
            ).all()
        wanted = types or ("analysis.completed", "analysis.failed")
        return [{"type": row.type, **row.payload} for row in rows if row.type in wanted]

    def charged(self, player: Player) -> tuple[int, int]:
        """Sum and number of the account's consumption rows."""
        with db.reading() as session:
            row = session.execute(
                sa.text(
                    "SELECT coalesce(-sum(amount), 0), count(*) FROM credit_ledger "
                    "WHERE account_id = :a AND kind = 'consumption'"
                ),
                {"a": player.account_id},
            ).one()
        return int(row[0]), int(row[1])

    def names(self, job_id: uuid.UUID | str) -> list[str]:
        """What Redis holds for this job."""
        found = cast("list[bytes]", redis_client.client().keys(f"job:{uuid.UUID(str(job_id)).hex}:*"))
        return sorted(name.decode().split(":", 2)[2] for name in found)

    def queued(self) -> list[str]:
        """What waits, in the order of its turns."""
        ready = cast("list[bytes]", redis_client.client().lrange("rq:queue:jobs", 0, -1))
        backlog = cast("list[bytes]", redis_client.client().zrange(fair_queue.BACKLOG, 0, -1))
        return [entry.decode() for entry in (*ready, *backlog)]

    def lose(self, *job_ids: uuid.UUID) -> None:
        """The queue forgets these jobs; all of them where none is named."""
        for name in map(str, job_ids):
            redis_client.client().lrem("rq:queue:jobs", 0, name)
            redis_client.client().zrem(fair_queue.BACKLOG, name)
        if not job_ids:
            redis_client.client().delete("rq:queue:jobs", fair_queue.BACKLOG, fair_queue.SHARES)
