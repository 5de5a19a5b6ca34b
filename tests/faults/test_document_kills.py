"""The process that makes audit documents, killed with signal 9 in the middle of one."""

from __future__ import annotations

import io
import json
import signal
import uuid
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask
from pypdf import PdfReader

from app import governance
from app.dev.system_packages import PDF
from app.governance.models import AuditDocument
from app.platform import clock
from app.platform.postgres import db, rls
from benchmarks.job_kills import children
from tests.cast import Cast, Player
from tests.faults.waiting import eventually
from tests.faults.worker import with_pid, worker
from tests.portal.conftest import analysed

pytestmark = [
    pytest.mark.faults,
    pytest.mark.xdist_group("faults"),
    pytest.mark.skipif(
        not PDF.is_met(),
        reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
    ),
]


def state(alice: Player, document_id: uuid.UUID) -> AuditDocument:
    with rls.acting_for(alice.account_id), db.reading() as session:
        found = governance.find(session, alice.account_id, document_id)
        session.expunge(found)
        return found


def test_a_document_whose_maker_was_killed_is_made_by_the_next(
    app: Flask, cast: Cast, tmp_path: Path
) -> None:
    with db.transaction() as session:
        session.execute(sa.delete(AuditDocument))
    alice, today = cast.player("alice"), clock.today()
    for _ in range(200):
        analysed(alice)
    with worker(tmp_path / "worker.log") as process:
        assert eventually(lambda: "documents" in children(process.pid).values())
        with rls.acting_for(alice.account_id), db.transaction() as session:
            document = governance.order(
                session,
                alice.account_id,
                today - timedelta(days=1),
                today,
                key_id=None,
                flagged=False,
                language="es",
                now=clock.now(),
            )
        assert eventually(lambda: state(alice, document.id).status == "running")
        maker = next(pid for pid, title in children(process.pid).items() if title == "documents")
        with_pid(maker, signal.SIGKILL)
        assert eventually(lambda: state(alice, document.id).status == "ready", 120)
    made = state(alice, document.id)
    assert made.attempt == 2
    parts = governance.file_of(made, now=clock.now())
    assert parts is not None
    reader = PdfReader(io.BytesIO(b"".join(parts)))
    assert len(json.loads(reader.attachments["audit_records.json"][0])["records"]) == 200
    log = (tmp_path / "worker.log").read_text("utf-8")
    assert "audit document over" in log
    assert alice.email not in log
