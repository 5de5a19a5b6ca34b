"""What leaves as CSV is data to a spreadsheet, never a formula."""

from __future__ import annotations

import csv
import io
import uuid
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import usage
from app.platform.postgres import db
from app.usage.csv_export import escape_formula
from app.usage.rollup import insert_calls
from tests.cast import Cast


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", '=HYPERLINK("//x")', "＝1", "＠x"]
)
def test_what_begins_a_formula_is_text(cell: str) -> None:
    assert escape_formula(cell) == f"'{cell}"


@given(st.text())
def test_no_cell_begins_a_formula_and_none_is_lost(cell: str) -> None:
    found = escape_formula(cell)
    assert not found.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert found.endswith(cell)
    assert escape_formula("/api/v1/analyze") == "/api/v1/analyze"


def test_a_hostile_route_is_neutralised_in_the_file(cast: Cast) -> None:
    account = uuid.uuid4()
    hostile = '=cmd|"/c calc"!A1, "x"\r\ny'
    with db.transaction() as session:
        insert_calls(
            session, [usage.Call(datetime(2026, 3, 1, tzinfo=UTC), account, uuid.uuid4(), hostile, 200, 5)]
        )
    question = usage.ReportQuery(account, date(2026, 3, 1), date(2026, 3, 1))
    text = b"".join(usage.export_csv(question)).decode()
    _, line = csv.reader(io.StringIO(text, newline=""))
    assert line[3] == f"'{hostile}"
    assert line[4:] == ["1", "0"]


def test_the_file_is_read_page_by_page_and_holds_no_connection_between(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, moment = uuid.uuid4(), datetime(2026, 3, 1, tzinfo=UTC)
    monkeypatch.setattr("app.usage.csv_export._PAGE", 10)
    calls = [usage.Call(moment, account, uuid.uuid4(), "/api/v1/analyze", 200, 5) for _ in range(35)]
    with db.transaction() as session:
        insert_calls(session, calls)
    used = db.engine().pool.checkedout()  # type: ignore[attr-defined]
    chunks = usage.export_csv(usage.ReportQuery(account, date(2026, 3, 1), date(2026, 3, 1)))
    sizes = []
    for chunk in chunks:
        sizes.append(chunk.count(b"\r\n"))
        assert db.engine().pool.checkedout() == used  # type: ignore[attr-defined]
    assert sizes == [11, 10, 10, 5]
