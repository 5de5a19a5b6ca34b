"""Many rows in one statement: sent as one JSON array, which PostgreSQL turns into rows by itself."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, LiteralString

from app.platform.db import Statements


def _plain(value: Any) -> Any:
    if isinstance(value, (uuid.UUID, date, datetime)):
        return str(value)
    if isinstance(value, bytes):
        return "\\x" + value.hex()
    raise TypeError(type(value).__name__)


def rows(session: Statements, sql: LiteralString, found: Iterable[Mapping[str, Any]]) -> int:
    """Run `sql`, which reads `json_to_recordset(%(rows)s)`, over `found`; how many rows it touched."""
    sent = json.dumps(list(found), default=_plain, ensure_ascii=False)
    return 0 if sent == "[]" else session.run(sql, {"rows": sent})
