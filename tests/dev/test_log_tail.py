"""What of a child's log reaches the terminal."""

import json
from pathlib import Path

import pytest

from app.dev.log_tail import LINES_AT_ONCE, LogTail, loud_part


@pytest.mark.parametrize(
    "line",
    [
        json.dumps({"level": "info", "event": "request", "path": "/ERROR"}),
        "[INFO] Started worker-1",
        "2026-11-21 LOG:  database system is ready to accept connections",
        "# WARNING Memory overcommit must be enabled!",
        "FATAL:  the database system is starting up",
        "no error at all",
        "",
    ],
)
def test_the_ordinary_is_not_shown(line: str) -> None:
    assert loud_part(line) == ""


def test_a_record_is_shown_in_short() -> None:
    record = {"timestamp": "2026-11-21T00:00:00Z", "level": "error", "event": "job lost", "attempt": 2}
    assert loud_part(json.dumps(record)) == "error: job lost attempt=2"


def test_a_mail_says_where_it_is_read_and_not_its_link() -> None:
    record = {
        "level": "info",
        "event": "mail",
        "to": "ana@example.com",
        "subject": "A new password",
        "text": "x",
    }
    assert loud_part(json.dumps(record)) == (
        "mail to ana@example.com: A new password (read it at /portal/mail)"
    )


@pytest.mark.parametrize(
    "line", ["[ERROR] Unexpected exit", "x FATAL:  role does not exist", '{"broken ERROR']
)
def test_plain_warnings_and_errors_are_shown_as_they_are(line: str) -> None:
    assert loud_part(line) == line


def test_of_a_traceback_only_the_error_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "web.log"
    log.write_text("fine\nTraceback (most recent call last):\n  File x\n    call()\nValueError: no\nfine\n")
    LogTail("web", log, everything=False).show()
    assert capsys.readouterr().out == f"     web | error: ValueError: no (details in {log})\n"


def test_lines_are_shown_once_and_only_when_complete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "web.log"
    tail = LogTail("web", log, everything=True)
    tail.show()
    log.write_text("one\ntw")
    tail.show()
    tail.show()
    with log.open("a") as more:
        more.write("o\n")
    tail.show()
    assert capsys.readouterr().out == "     web | one\n     web | two\n"


def test_a_flood_is_cut_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "web.log"
    log.write_text("ERROR again\n" * (LINES_AT_ONCE + 30))
    LogTail("web", log, everything=False).show()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == LINES_AT_ONCE + 1
    assert lines[-1] == f"     web | … and 30 more lines in {log}"
