"""Export of a usage report as CSV (RFC 4180), streamed page by page in constant memory."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import sqlalchemy as sa

from app.platform.postgres import replica
from app.usage.models import ALL_KEYS
from app.usage.periods import Period, periods
from app.usage.query import ReportQuery, rows

COLUMNS = ("period_start", "api_key_id", "key_prefix", "endpoint", "calls", "errors")
# What the portal's file has besides: the interface fixes the columns of its own.
WIDE_COLUMNS = (*COLUMNS, "rate_limited", "credits_consumed", "key_name")

_PAGE = 2_000
# A cell that begins so is run as a formula by a spreadsheet (OWASP, CSV injection); the last four are the
# full-width forms, which some programs fold.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def export_csv(question: ReportQuery, *, wide: bool = False) -> Iterator[bytes]:
    """Yield CSV in UTF-8: a header, then one line per period, key and endpoint with calls, in that order.

    `wide` adds what was rate-limited, the credits, and the name of the key.

    No connection is held between pages, so a slow reader does not block others. Pages come from the replica
    where one is set (decision 113). A database error is raised at once on the first page; on later pages it
    ends the stream.
    """
    lines = _written(question, len(WIDE_COLUMNS if wide else COLUMNS))
    return chain([next(lines)], lines)


def escape_formula(cell: str) -> str:
    """Prefix an apostrophe to a cell that a spreadsheet would run as a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _written(question: ReportQuery, width: int) -> Iterator[bytes]:
    first = next(pages := _pages(question, width), [])
    yield _csv(chain([WIDE_COLUMNS[:width]], first))
    yield from map(_csv, pages)


def _csv(rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows(
        [escape_formula(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return text.getvalue().encode()


def _pages(question: ReportQuery, width: int) -> Iterator[list[Sequence[object]]]:
    for period in _busy(question):
        within = replace(question, first=period.first, last=period.last)
        after: tuple[uuid.UUID, str] = (ALL_KEYS, "")
        while page := _page(within, after):
            yield [(period.start, *row[: width - 1]) for row in page]
            if len(page) < _PAGE:
                break
            after = page[-1][0], page[-1][2]


def _busy(question: ReportQuery) -> list[Period]:
    """Return the periods with calls, read from the coarsest rows, since most years have quiet days."""
    source, parameters = rows(question, "calls", by_day=question.granularity != "month")
    statement = sa.text(f"SELECT DISTINCT day FROM {source} ORDER BY day")  # noqa: S608 (constants)
    days = replica.read(lambda session: session.scalars(statement, parameters).all())
    wanted = periods(question.first, question.last, question.granularity)
    return [period for period in wanted if any(period.first <= day <= period.last for day in days)]


def _page(within: ReportQuery, after: tuple[uuid.UUID, str]) -> Sequence[Sequence[Any]]:
    source, parameters = rows(
        within, "api_key_id, endpoint, calls, errors, rate_limited, credits", by_key=True, by_endpoint=True
    )
    statement = sa.text(
        f"""
        SELECT d.api_key_id, coalesce(k.key_prefix, ''), d.endpoint, d.calls, d.errors, d.rate_limited,
               d.credits, coalesce(k.child_label, k.name, '')
        FROM (
            SELECT api_key_id, endpoint, sum(calls) AS calls, sum(errors) AS errors,
                   sum(rate_limited) AS rate_limited, sum(credits) AS credits
            FROM {source}
            WHERE (api_key_id, endpoint) > (:after_key, :after_endpoint)
            GROUP BY api_key_id, endpoint ORDER BY api_key_id, endpoint LIMIT :page
        ) d
        LEFT JOIN api_keys k ON k.id = d.api_key_id AND k.account_id = :account_id
        ORDER BY d.api_key_id, d.endpoint
        """  # noqa: S608 (put together from constants of this package)
    )
    bound = {**parameters, "after_key": after[0], "after_endpoint": after[1], "page": _PAGE}
    return replica.read(lambda session: session.execute(statement, bound).all())
