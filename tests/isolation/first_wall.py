"""A test build of the product without its own account filters: what is left is row-level security."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg

from app.platform.postgres import pg_pipeline

# `account_id = %(name)s`, with or without the table's name before it and a cast behind it.
_FILTER = re.compile(r"(?:\b\w+\.)?\baccount_id = %\(\w+\)s(?:::\w+)?")
# A filter of another form would stay where it is, and the second wall would not be seen to hold alone.
_OTHER_FORM = re.compile(r"\baccount_id\s*(?:=|<>|IN\b|IS\b)[^,)]{0,20}%")
# An assignment looks the same and is none of a filter's business.
_ASSIGNMENT = re.compile(r"\bSET\s+account_id = ")


def without_filter(sql: str) -> str:
    """The statement with every filter by account made true."""
    assert not _ASSIGNMENT.search(sql), "rows do not change tenants"
    bare = _FILTER.sub("true", sql)
    assert not _OTHER_FORM.search(bare), f"a filter that the test build does not take out: {bare}"
    return bare


@contextmanager
def torn_down() -> Iterator[list[str]]:
    """Every statement of this process runs without its filter; yields those that had one."""
    whole, exchanged = psycopg.Cursor.execute, pg_pipeline.exchange
    changed: list[str] = []

    def bared(query: str) -> str:
        bare = without_filter(query)
        if bare != query:
            changed.append(query)
        return bare

    def execute(self: psycopg.Cursor[Any], query: Any, *arguments: Any, **options: Any) -> Any:
        return whole(self, bared(query) if isinstance(query, str) else query, *arguments, **options)

    def trip(
        connection: Any, statements: Sequence[tuple[str, Mapping[str, Any]]], **limits: Any
    ) -> list[pg_pipeline.Answer]:
        return exchanged(connection, [(bared(sql), values) for sql, values in statements], **limits)

    # The two ways to the database: SQLAlchemy's cursors, and trips of statements.
    psycopg.Cursor.execute = execute  # type: ignore[method-assign]
    pg_pipeline.exchange = trip
    try:
        yield changed
    finally:
        psycopg.Cursor.execute = whole  # type: ignore[method-assign]
        pg_pipeline.exchange = exchanged
