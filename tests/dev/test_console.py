"""What reaches the terminal: warnings of the logs, and a request that works as pasted."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from stdnum import iban
from stdnum.es import dni

from app.dev.console import LINE_WIDTH, SAMPLE_LEASE, curl, greeting, summary

LEASE = SAMPLE_LEASE.read_text("utf-8").strip()
ADDRESS = "http://127.0.0.1:8123"


@pytest.fixture
def fake_curl(tmp_path: Path) -> Path:
    """A `curl` that writes its arguments, each ended by NUL, to standard output."""
    program = tmp_path / "curl"
    program.write_text("#!/bin/sh\nprintf '%s\\0' \"$@\"\n")
    program.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("shell", ["bash", "sh"])
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_a_shell_reads_the_request_as_meant(fake_curl: Path, shell: str, locale: str) -> None:
    done = subprocess.run(
        [shell],
        input=(curl(ADDRESS, "svc_key") + "\n").encode(),
        env={"PATH": f"{fake_curl}:{os.defpath}", "LC_ALL": locale},
        capture_output=True,
        check=True,
    )
    *words, body = done.stdout.decode().removesuffix("\0").split("\0")
    assert words == [
        "-sS",
        f"{ADDRESS}/api/v1/analyze",
        "-H",
        "Authorization: Bearer svc_key",
        "-H",
        "Content-Type: application/json",
        "-d",
    ]
    assert json.loads(body) == {
        "jurisdiction": "ES",
        "legalBranch": "civil",
        "language": "es",
        "text": LEASE,
    }
    assert done.stderr == b""


def test_no_line_is_so_long_that_a_terminal_breaks_it() -> None:
    assert max(map(len, curl(ADDRESS, "svc_" + "x" * 40).splitlines())) <= LINE_WIDTH + 3


def test_the_identifiers_of_the_fictitious_people_are_well_formed() -> None:
    assert dni.is_valid("12345678Z")
    assert dni.is_valid("87654321X")
    assert iban.is_valid("ES91 2100 0418 4502 0005 1332")
    for identifier in ("12345678Z", "87654321X", "ES91 2100 0418 4502 0005 1332"):
        assert identifier in LEASE


def test_the_specimen_is_a_text_the_interface_accepts() -> None:
    assert 50 <= len(LEASE) <= 50_000


def test_the_greeting_says_where_everything_is() -> None:
    demo = {"email": "demo@example.com", "password": "correct horse", "key": "svc_key"}
    text = greeting(ADDRESS, demo, logs="data/logs", seconds=4.2)
    for wanted in (
        ADDRESS + "/",
        ADDRESS + "/docs",
        ADDRESS + "/portal/mail",
        *demo.values(),
        "data/logs",
        "4.2 s",
        curl(ADDRESS, "svc_key"),
    ):
        assert wanted in text
    assert "/portal/mail" not in greeting(ADDRESS, demo, logs="data/logs", seconds=4.2, mails=False)


@pytest.mark.parametrize(
    "line",
    [
        json.dumps({"level": "info", "event": "request", "path": "/ERROR"}),
        json.dumps({"level": "warning", "event": "64 Python threads, which seems quite high compared"}),
        "[INFO] Started worker-1",
        "# WARNING Memory overcommit must be enabled!",
        "FATAL:  the database system is starting up",
        "Traceback (most recent call last):",
        '{"broken": "ERROR',
        '["ERROR"]',
        "",
    ],
)
def test_only_records_of_some_weight_are_shown(line: str) -> None:
    assert summary(line) == ""


def test_a_record_is_shown_in_short() -> None:
    record = {"timestamp": "2026-11-21T00:00:00Z", "level": "error", "event": "job lost", "attempt": 2}
    assert summary(json.dumps(record)) == "error: job lost attempt=2"


def test_a_mail_says_where_it_is_read_and_not_its_link() -> None:
    record = {
        "level": "info",
        "event": "mail",
        "to": "ana@example.com",
        "subject": "A new password",
        "text": "x",
    }
    assert summary(json.dumps(record)) == "mail to ana@example.com: A new password (read it at /portal/mail)"
