"""Write the audit log of redactions (decision 024): a time and a field type each."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime

from app.platform.postgres.db import Step

_INSERT = """
    INSERT INTO redaction_events (account_id, analysis_id, at, field_type)
    SELECT %(account)s, %(analysis)s, %(at)s, kind
    FROM unnest(%(kinds)s::text[], %(counts)s::int[]) AS masked(kind, number), generate_series(1, number)
    """


def logging_redactions(
    account_id: uuid.UUID, analysis_id: uuid.UUID, counts: Mapping[str, int], *, at: datetime
) -> Step[None]:
    """Return the step that writes one row per redaction; `counts` is how many of each type."""
    kinds = sorted(counts)
    values = {
        "account": account_id,
        "analysis": analysis_id,
        "at": at,
        "kinds": kinds,
        "counts": [counts[kind] for kind in kinds],
    }
    return Step(_INSERT, values, lambda _: None)
