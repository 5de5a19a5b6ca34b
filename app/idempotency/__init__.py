"""Idempotency: one execution and one charge for each `Idempotency-Key`, under any concurrency.

Owns `idempotency_records`. Keys are unique within account and route, those of a child key within that key
alone. A record is claimed before work (an insert that only one caller wins), completed in the transaction
that charges, and deleted after a failure. The answer itself is stored encrypted in Redis for 24 h; where it
is lost, the charge still stands, and a repeat runs again without charge (decision 025).
"""

from app.idempotency.answer_cache import StoredAnswer
from app.idempotency.claims import Claim, Taking, completing, completing_at_once, erase, sweep
from app.idempotency.execution import created_once, key_of, once

__all__ = [
    "Claim",
    "StoredAnswer",
    "Taking",
    "completing",
    "completing_at_once",
    "created_once",
    "erase",
    "key_of",
    "once",
    "sweep",
]
