"""Creations under an Idempotency-Key: made once, shown again with their secret for 24 h (decision 025)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.idempotency.answer_cache import Stored
from app.idempotency.claims import Claim, completing
from app.idempotency.errors import AnswerGone
from app.idempotency.execution import once
from app.platform import clock
from app.platform.postgres import db
from app.tenancy import Caller


def created_once(
    caller: Caller,
    route: str,
    key: str | None,
    body: dict[str, Any],
    work: Callable[[db.Session], Stored],
) -> tuple[Stored, bool]:
    """Run a creation at most once; return the answer and whether it is a replay.

    `work` creates in the transaction it is given. A replay shows a secret again, so it is only for the key
    that created it.

    Raises:
        AnswerGone: 409 `IDEMPOTENCY_CONFLICT`: the object exists and its answer was lost; unlike an analysis,
            it must not be created twice.
    """

    def run(claim: Claim | None) -> Stored:
        if claim is not None and claim.free:
            raise AnswerGone(
                "A resource was already created with this Idempotency-Key and the answer is no longer "
                "stored. List your resources to find it, or send a new key to create another.",
                details={"field": "Idempotency-Key"},
            )
        with db.transaction() as session:
            stored = work(session)
            if claim is not None:
                session.take(completing(claim, now=clock.now()))
        return stored

    return once(caller, route, key, body, run, own=True)
