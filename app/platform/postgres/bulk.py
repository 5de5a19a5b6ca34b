"""Statements on many rows: sent as one JSON array, or deleted in batches."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, LiteralString

from app.platform.postgres.db import Statements


def _plain(value: Any) -> Any:
    if isinstance(value, (uuid.UUID, date, datetime)):
        return str(value)
    if isinstance(value, bytes):
        return "\\x" + value.hex()
    raise TypeError(type(value).__name__)


def rows(session: Statements, sql: LiteralString, found: Iterable[Mapping[str, Any]]) -> int:
    """Run `sql`, which reads `json_to_recordset(%(rows)s)`, with `found` as rows; return the row count."""
    sent = json.dumps(list(found), default=_plain, ensure_ascii=False)
    return 0 if sent == "[]" else session.run(sql, {"rows": sent})


def erase(
    session: Statements, tables: Iterable[LiteralString], account_id: uuid.UUID, *, limit: int = 5_000
) -> int:
    """Delete up to `limit` rows of an account from `tables`, in their order; return how many were deleted."""
    left = limit
    for table in tables:
        # A place is unique in a table, not among the partitions of one: without the account, rows of others
        # that are at the same place of another partition would go too.
        sql: LiteralString = f"""
            DELETE FROM {table} WHERE account_id = %(account)s AND ctid = ANY(ARRAY(
                SELECT ctid FROM {table} WHERE account_id = %(account)s LIMIT %(left)s::int
            ))
            """  # noqa: S608 (names of tables, written by us)
        left -= session.run(sql, {"account": account_id, "left": left})
        if left <= 0:
            break
    return limit - left
