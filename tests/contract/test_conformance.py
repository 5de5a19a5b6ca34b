"""Schemathesis over the whole OpenAPI document: no 5xx, no undocumented status, type or body."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.platform.postgres import db
from tests.cast import Cast
from tests.faults.server import serving

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


# Whoever puts a network on the list shuts this machine out of the rest: it is asked by itself.
ALLOW_LIST = "/api/v1/security/ip-allowlist"


@pytest.mark.parametrize("choice", ["--exclude-path", "--include-path"])
def test_every_answer_is_as_documented(
    app: object, cast: Cast, database_url: str, redis_url: str, tmp_path: Path, choice: str
) -> None:
    alice = cast.player(credit=1_000_000)
    limits = dict.fromkeys(("RATE_SANDBOX", "RATE_MANAGEMENT", "RATE_PUBLIC"), "1000000")
    with serving(database_url, redis_url, tmp_path / "web.log", **limits) as server:
        done = subprocess.run(
            [
                sys.executable, "-m", "schemathesis.cli", "run",
                f"http://127.0.0.1:{server.port}/api/v1/openapi.json",
                "-H", f"Authorization: Bearer {alice.key}",
                "--checks", CHECKS,
                "--phases", "examples,coverage,fuzzing",
                "--max-examples", "30",
                "--continue-on-failure",
                # A PDF takes its time on a machine that is busy with other tests.
                "--request-timeout", "60",
                # It would call the addresses that are generated, and vendors with keys that are made up.
                "--exclude-operation-id", "setEngine",
                choice, ALLOW_LIST,
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )  # fmt: skip
    assert "unexpected error" not in (tmp_path / "web.log").read_text()
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    # No worker runs here: what is held is held for jobs that wait.
    with db.reading() as session:
        waiting = session.scalar(
            sa.text(
                "SELECT coalesce(sum(h.amount), 0) FROM jobs j JOIN credit_holds h ON h.id = j.hold_id "
                "WHERE j.account_id = :a AND j.status = 'pending'"
            ),
            {"a": alice.account_id},
        )
    assert (cast.balance(alice).held, cast.balance(alice).balance > 0) == (waiting, True)
