"""Every column that the trail is listed by is verified, its end moves forward only, and its files prove
themselves.
"""

from __future__ import annotations

import copy
import io
import json
import re
import subprocess
import sys
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given
from hypothesis import settings as example_settings
from hypothesis import strategies as st
from psycopg import sql
from pypdf import PdfReader

from app import governance
from app.dev.system_packages import PDF
from app.platform import clock, settings
from app.platform.postgres import db, rls
from tests.cast import Cast, Player
from tests.portal.conftest import analysed

ROOT = Path(__file__).resolve().parents[2]
paper = pytest.mark.skipif(
    not PDF.is_met(),
    reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
)


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@contextmanager
def superuser() -> Iterator[psycopg.Connection[Any]]:
    """Somebody with all rights on the database, whom no trigger and no constraint stops."""
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        yield connection


def verdict_on(player: Player) -> tuple[governance.ChainVerdict, dict[int, str]]:
    """The verdict, and what does not fit by position."""
    found: dict[int, str] = {}

    def note(record: Any, problem: str | None) -> None:
        if problem:
            found[record.seq] = problem

    with rls.acting_for(player.account_id), db.reading() as session:
        return governance.verify_chain(session, player.account_id, each=note), found


# Every column by which a record is found, listed or filtered, and another value for it.
LISTED = {
    "at": "at + interval '40 days'",
    "api_key_id": "%(other)s",
    "request_id": "request_id || 'x'",
    "id": "gen_random_uuid()",
}


def test_240_changes_of_listed_columns_are_all_seen(cast: Cast, alice: Player) -> None:
    other, _ = cast.key(alice.account_id)
    for days in range(60, 0, -1):
        analysed(alice, ago=timedelta(days=days))
    assert verdict_on(alice)[0].valid
    seen = 0
    for column, value in LISTED.items():
        with superuser() as connection:
            connection.execute(
                "CREATE TEMP TABLE before ON COMMIT PRESERVE ROWS AS "
                "SELECT seq, at, api_key_id, request_id, id FROM audit_records WHERE account_id = %s",
                [alice.account_id],
            )
            change = f"UPDATE audit_records SET {column} = {value} WHERE account_id = %(account)s"
            connection.execute(change, {"account": alice.account_id, "other": other})
            connection.commit()
            verdict, found = verdict_on(alice)
            assert Counter(found.values()) == {"columns": 60}, column
            assert (verdict.valid, verdict.first_broken_seq, verdict.broken) == (False, 1, 60)
            seen += len(found)
            connection.execute("SET LOCAL session_replication_role = replica")
            connection.execute(
                f"UPDATE audit_records r SET {column} = b.{column} FROM before b "
                "WHERE r.account_id = %s AND r.seq = b.seq",
                [alice.account_id],
            )
            connection.execute("DROP TABLE before")
    assert seen == 240
    assert verdict_on(alice)[0].valid, "what was put back fits again"


@example_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seq=st.integers(1, 5),
    shift=st.integers(-(10**13), 10**13).filter(bool),
)
def test_a_shift_of_the_time_by_any_number_of_microseconds_is_seen(
    trail: Player, seq: int, shift: int
) -> None:
    with superuser() as connection:
        changed = connection.execute(
            "UPDATE audit_records SET at = at + %s * interval '1 microsecond' "
            "WHERE account_id = %s AND seq = %s",
            [shift, trail.account_id, seq],
        )
        assert changed.rowcount == 1
    verdict, found = verdict_on(trail)
    with superuser() as connection:
        connection.execute(
            "UPDATE audit_records SET at = at - %s * interval '1 microsecond' "
            "WHERE account_id = %s AND seq = %s",
            [shift, trail.account_id, seq],
        )
    assert found == {seq: "columns"}
    assert (verdict.valid, verdict.problem, verdict.first_broken_seq) == (False, "columns", seq)


@pytest.fixture
def trail(alice: Player) -> Player:
    for _ in range(5):
        analysed(alice)
    return alice


def test_a_record_of_before_versions_is_compared_to_the_millisecond(alice: Player) -> None:
    entry = analysed(alice)
    content = {k: v for k, v in entry.content().items() if k != "recordVersion"}
    with db.transaction() as session:
        content["analysisId"] = str(uuid.uuid4())
        body = json.dumps(content, sort_keys=True, separators=(",", ":"))
        session.take(db.Step("SELECT append_audit_record(%(c)s) AS hash", {"c": body}, lambda row: row.hash))
    with superuser() as connection:
        connection.execute(
            "UPDATE audit_records SET at = at + interval '7 microseconds' WHERE account_id = %s AND seq = 2",
            [alice.account_id],
        )
    assert verdict_on(alice)[0].valid, "its column always had microseconds that its content has not"
    with superuser() as connection:
        connection.execute(
            "UPDATE audit_records SET at = at + interval '1 millisecond' WHERE account_id = %s AND seq = 2",
            [alice.account_id],
        )
    assert verdict_on(alice)[1] == {2: "columns"}


@pytest.mark.parametrize(
    ("statement", "problem", "seq"),
    [
        ("DELETE FROM audit_records WHERE account_id = %(a)s AND seq = 3", "missing", 3),
        ("DELETE FROM audit_records WHERE account_id = %(a)s AND seq = 5", "missing", 5),
        ("DELETE FROM audit_records WHERE account_id = %(a)s AND seq IN (1, 2)", "missing", 1),
        ("DELETE FROM audit_records WHERE account_id = %(a)s", "missing", 1),
        ("DELETE FROM audit_heads WHERE account_id = %(a)s", "head", 1),
        ("UPDATE audit_heads SET seq = 4 WHERE account_id = %(a)s", "head", 4),
        ("UPDATE audit_heads SET seq = 6 WHERE account_id = %(a)s", "missing", 6),
        ("UPDATE audit_heads SET hash = repeat('0', 64) WHERE account_id = %(a)s", "head", 5),
        ("UPDATE audit_heads SET previous_hash = hash WHERE account_id = %(a)s", "head", 5),
        (
            "UPDATE audit_heads h SET seq = r.seq, hash = r.hash, previous_hash = r.previous_hash "
            "FROM audit_records r WHERE r.account_id = h.account_id AND h.account_id = %(a)s AND r.seq = 2",
            "head",
            3,
        ),
        (
            "UPDATE audit_records SET previous_hash = repeat('f', 64) WHERE account_id = %(a)s AND seq = 4",
            "link",
            4,
        ),
        (
            'UPDATE audit_records SET content = content || \'{"mode": "deep "}\' '
            "WHERE account_id = %(a)s AND seq = 2",
            "content",
            2,
        ),
        ("UPDATE audit_records SET content = '[]' WHERE account_id = %(a)s AND seq = 2", "content", 2),
        (
            "UPDATE audit_records SET content = content || '{\"credits\": 1e40}' "
            "WHERE account_id = %(a)s AND seq = 2",
            "content",
            2,
        ),
    ],
)
def test_what_is_missing_or_changed_is_named_with_its_position(
    trail: Player, statement: str, problem: str, seq: int
) -> None:
    with superuser() as connection:
        connection.execute(statement, {"a": trail.account_id})  # type: ignore[call-overload]
    verdict, _ = verdict_on(trail)
    assert (verdict.valid, verdict.problem, verdict.first_broken_seq) == (False, problem, seq)


@pytest.mark.parametrize("role", ["candado_app", "candado_system"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_heads SET seq = seq - 1 WHERE account_id = %(a)s",
        "UPDATE audit_heads SET seq = seq + 1, previous_hash = hash WHERE account_id = %(a)s",
        "UPDATE audit_heads SET hash = repeat('0', 64) WHERE account_id = %(a)s",
        "DELETE FROM audit_heads WHERE account_id = %(a)s",
        "TRUNCATE audit_heads",
        "INSERT INTO audit_heads VALUES (%(a)s, 9, 'x', 'y') ON CONFLICT (account_id) DO UPDATE SET seq = 9",
        "SELECT 1 FROM audit_heads WHERE account_id = %(a)s FOR UPDATE",
        "INSERT INTO audit_records SELECT * FROM audit_records WHERE account_id = %(a)s",
    ],
)
def test_no_role_of_the_application_changes_or_deletes_the_head(
    trail: Player, role: str, statement: str
) -> None:
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
        connection.execute("SELECT set_config('candado.account', %s, false)", [str(trail.account_id)])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement, {"a": trail.account_id})  # type: ignore[call-overload]
    assert verdict_on(trail)[0].valid


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_heads SET seq = seq - 1 WHERE account_id = %(a)s",
        "UPDATE audit_heads SET seq = seq + 1 WHERE account_id = %(a)s",
        "UPDATE audit_heads SET hash = repeat('0', 64) WHERE account_id = %(a)s",
        "DELETE FROM audit_heads WHERE account_id = %(a)s",
        "TRUNCATE audit_heads",
    ],
)
def test_the_owner_of_the_tables_is_held_to_the_same_by_triggers(trail: Player, statement: str) -> None:
    with (
        psycopg.connect(settings.current().database_url.get_secret_value()) as connection,
        pytest.raises(psycopg.errors.RestrictViolation),
    ):
        connection.execute(statement, {"a": trail.account_id})  # type: ignore[call-overload]
    assert verdict_on(trail)[0].valid


def test_a_record_cannot_be_appended_to_another_accounts_chain(cast: Cast, trail: Player) -> None:
    mallory = cast.player("mallory")
    with pytest.raises(psycopg.errors.InsufficientPrivilege), rls.acting_for(mallory.account_id):
        analysed(trail)
    assert verdict_on(trail)[0].records == 5


@paper
@pytest.mark.parametrize("column", ["at", "api_key_id", "request_id"])
def test_a_record_filed_elsewhere_is_still_in_its_periods_document_which_says_so(
    cast: Cast, alice: Player, column: str
) -> None:
    other, _ = cast.key(alice.account_id)
    entries = [analysed(alice, ago=timedelta(days=days)) for days in (3, 2, 1)]
    with superuser() as connection:
        connection.execute(
            f"UPDATE audit_records SET {column} = {LISTED[column]} "
            "WHERE account_id = %(account)s AND seq = 2",
            {"account": alice.account_id, "other": other},
        )
    today = clock.today()
    with rls.acting_for(alice.account_id):
        raw = governance.period_at_once(
            alice.account_id,
            today - timedelta(days=10),
            today,
            key_id=alice.key_id,
            flagged=False,
            language="es",
            now=clock.now(),
        )
    assert raw is not None
    reader = PdfReader(io.BytesIO(raw))
    records = json.loads(reader.attachments["audit_records.json"][0])["records"]
    assert [one["content"]["requestId"] for one in records] == [entry.request_id for entry in entries]
    text = re.sub(r"\s+", " ", " ".join(page.extract_text() for page in reader.pages))
    assert "Rota: el registro de la posición 2" in text
    assert "3 registros" in text


def recipe(path: Path, book: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """Run what docs/audit.md says, as it stands there, on a file."""
    code = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "audit.md").read_text(), re.S)
    assert code
    (path / "verify.py").write_text(code[1])
    (path / "audit_records.json").write_text(json.dumps(book))
    return subprocess.run(
        [sys.executable, "verify.py", "audit_records.json"],
        cwd=path, capture_output=True, text=True, check=False,
    )  # fmt: skip


def book_of(player: Player, *, key_id: uuid.UUID | None = None, flagged: bool = False) -> dict[str, Any]:
    today = clock.today()
    with rls.acting_for(player.account_id):
        raw = governance.period_at_once(
            player.account_id,
            today - timedelta(days=40),
            today,
            key_id=key_id,
            flagged=flagged,
            language="en",
            now=clock.now(),
        )
    assert raw is not None
    book: dict[str, Any] = json.loads(PdfReader(io.BytesIO(raw)).attachments["audit_records.json"][0])
    return book


def _without(index: int) -> Any:
    return lambda book: book["records"].pop(index)


def _swapped(book: dict[str, Any]) -> None:
    book["records"][1], book["records"][2] = book["records"][2], book["records"][1]


def _renumbered(book: dict[str, Any]) -> None:
    _swapped(book)
    first, second = book["records"][1], book["records"][2]
    first["seq"], second["seq"] = second["seq"], first["seq"]


def _altered(book: dict[str, Any]) -> None:
    book["records"][1]["content"]["credits"] = 0


def _filed(book: dict[str, Any]) -> None:
    book["records"][1]["at"] = "2020-01-01T00:00:00.000Z"


def _relinked(book: dict[str, Any]) -> None:
    book["records"][2]["previousHash"] = "0" * 64


@paper
def test_the_recipe_of_the_docs_passes_a_whole_file_and_fails_every_changed_one(
    cast: Cast, alice: Player, tmp_path: Path
) -> None:
    for days in (5, 4, 3, 2, 1):
        analysed(alice, ago=timedelta(days=days))
    book = book_of(alice)
    done = recipe(tmp_path, book)
    assert done.returncode == 0, done.stderr
    assert "5 records follow each other from 1 to 5; 0 positions" in done.stdout
    for change, said in (
        (_without(0), "position 1 is missing"),
        (_without(2), "position 3 is missing"),
        (_without(4), "5 records should be here, there are 4"),
        (_swapped, "position 2 is missing or out of order"),
        (_renumbered, "position 2 does not follow"),
        (_altered, "position 2 was changed"),
        (_filed, "position 2 is listed under something else"),
        (_relinked, "position 3 does not follow the one before it"),
    ):
        changed = copy.deepcopy(book)
        change(changed)
        done = recipe(tmp_path, changed)
        assert done.returncode == 1, said
        assert said in done.stderr


@paper
def test_a_file_under_a_filter_names_the_positions_that_are_not_in_it(
    cast: Cast, alice: Player, tmp_path: Path
) -> None:
    for days in (7, 6, 5, 4, 3, 2, 1):
        analysed(
            alice,
            ago=timedelta(days=days),
            citations={"not_found": 1} if days in (6, 5, 2) else {"verified": 1},
        )
    book = book_of(alice, flagged=True)
    assert book["chain"] | {"head": None} == {
        "first": 2, "last": 6, "records": 3, "omitted": [[4, 5]], "head": None,
    }  # fmt: skip
    done = recipe(tmp_path, book)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 positions between them are not in the file" in done.stdout
    book["records"].pop(1)
    assert "position 3 is missing" in recipe(tmp_path, book).stderr


def test_the_recipe_reads_the_export_of_the_account(
    client: FlaskClient, alice: Player, tmp_path: Path
) -> None:
    for days in (3, 2, 1):
        analysed(alice, ago=timedelta(days=days))
    book = client.get("/api/v1/account/dsr/export", headers=alice.auth).get_json()
    assert "3 records follow each other from 1 to 3" in recipe(tmp_path, book).stdout
    book["audit_records"].pop(1)
    assert "position 2 is missing" in recipe(tmp_path, book).stderr


def test_the_list_is_in_the_order_of_the_chain_whatever_the_clocks_said(alice: Player) -> None:
    for days in (1, 5, 3):
        analysed(alice, ago=timedelta(days=days))
    since = clock.now() - timedelta(days=9)
    with rls.acting_for(alice.account_id), db.reading() as session:
        for chosen in (
            governance.Filter(),
            governance.Filter(since=since),
            governance.Filter(api_key_id=alice.key_id),
            governance.Filter(since=since, api_key_id=alice.key_id),
        ):
            page = governance.page(session, alice.account_id, chosen, limit=2)
            assert [record.seq for record in page] == [3, 2]
            page = governance.page(session, alice.account_id, chosen, before=2, limit=2)
            assert [record.seq for record in page] == [1]
