"""What the demonstration account shows holds as anybody's figures do."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from app import credits, demo, governance, tenancy, usage, webhooks
from app.platform import clock, settings
from app.platform.postgres import db
from tests.demo.waiting_jobs import end_waiting_jobs


@pytest.fixture
def account_id(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[uuid.UUID]:
    moved = settings.load(data_dir=tmp_path)
    monkeypatch.setattr("app.demo.account.settings.current", lambda: moved)
    found = uuid.UUID(demo.seed()["account_id"])
    monkeypatch.undo()
    yield found
    end_waiting_jobs(found)


def test_the_chain_of_the_demonstration_is_whole_and_says_what_it_is(account_id: uuid.UUID) -> None:
    with db.reading() as session:
        verdict = governance.verify_chain(session, account_id)
        newest = governance.records(session, account_id, limit=500)
    assert verdict.valid
    assert verdict.records > 50
    assert any(set(row.content["citations"]) & {"derogated", "not_found"} for row in newest)
    assert any(row.content["versions"].get("origin") == "demonstration" for row in newest)
    assert max(row.at for row in newest) <= clock.now()


def test_its_ledger_its_usage_and_its_records_tell_the_same(account_id: uuid.UUID) -> None:
    end_waiting_jobs(account_id)
    usage.drain("tests")
    with db.reading() as session:
        ledger = credits.entries(
            session, account_id, credits.Filter(kinds=("consumption",)), before_seq=None, limit=1000
        )
        spent = -sum(row.amount for row in ledger.rows)
        recorded = sum(row.content["credits"] for row in governance.records(session, account_id, limit=1000))
        today = clock.today()
        account = tenancy.get_account(session, account_id)
        question = usage.ask_of_account(
            session, account_id, today=today, first=account.created_at.date(), last=today
        )
        counted = usage.report(session, question).totals
    assert spent == recorded == counted.credits
    assert counted.errors > 0


def test_one_delivery_is_lost_and_the_others_arrived(account_id: uuid.UUID) -> None:
    with db.reading() as session:
        [row] = webhooks.of_account(session, account_id)
        log = webhooks.log(session, account_id, row.api_key_id, row.id, limit=50)
    assert log.summary["exhausted"] == 1
    assert log.summary["success"] >= 5
    assert "demostración" in (row.description or "")


def test_seeding_again_adds_nothing(
    account_id: uuid.UUID, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = ("api_keys", "audit_records", "credit_ledger", "jobs", "members", "usage_calls")

    def sizes() -> list[object]:
        counts = [f"(SELECT count(*) FROM {table} WHERE account_id = :a)" for table in tables]
        with db.reading() as session:
            return list(session.execute(sa.text(f"SELECT {', '.join(counts)}"), {"a": account_id}).one())

    before = sizes()
    moved = settings.load(data_dir=tmp_path)
    monkeypatch.setattr("app.demo.account.settings.current", lambda: moved)
    assert demo.seed()["account_id"] == str(account_id)
    assert sizes() == before
