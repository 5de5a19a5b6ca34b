"""A job that is done, with a result that was written by hand: sharing needs no engine."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from app import analysis, jobs
from app.jobs import storage
from app.platform import clock
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player

ANALYSIS = """# Analysis: lease

The deposit of Ana Fingida is too high.

## Risks

- **High.** The deposit is two months. The law fixes one. «two months of rent» (Basis: art. 36.1 LAU) [L5-C]
- *What to do:* Reduce it to one month. [L4]
"""
# Words of the analysis, which may be read by nobody who was not let in.
SECRET = "Ana Fingida"


def result() -> dict[str, Any]:
    check = {"citation": "art. 36.1 LAU", "status": "verified", "url": None, "note": "", "depth": "article"}
    return {
        "analysis": ANALYSIS,
        "citationChecks": {"checks": [check]},
        "jurisdiction": "ES",
        "legalBranch": "civil",
        "mode": "standard",
        "model": "rules-1",
        "creditsCharged": 1,
        "processingMs": 5,
    }


def finished_job(cast: Cast, player: Player, *, lasts: timedelta = timedelta(hours=24)) -> uuid.UUID:
    """Complete a job of the player's key; return its id."""
    now = clock.now()
    with db.transaction() as session:
        job = jobs.accept(
            session,
            cast.caller(player),
            jobs.Payload.single(analysis.AnalysisRequest(DocumentText(LEASE))),
            request_id=f"req_{uuid.uuid4()}",
            base_url="https://api.example",
            now=now,
        )
        key = storage.new_key(job.id, "result")
        done = {"status": "completed", "payload_key": None, "attempt": 1, "done": 1, "completed_at": now}
        session.execute(
            sa.update(jobs.Job)
            .where(jobs.Job.id == job.id)
            .values(result_key=key.wrapped, result_expires_at=now + lasts, **done)
        )
        storage.keep_result(job.id, 1, key.clear, json.dumps(result()).encode(), ttl_s=86_400)
        return job.id
