"""Follow a child's log and show what a person should see of it: warnings, errors and mails, one line each."""

from __future__ import annotations

import json
import re
from pathlib import Path

from app.dev.console import say

LINES_AT_ONCE = 12
LOUD = {"warning", "error", "critical"}
PLAIN_LEVEL = re.compile(r"\b(?:WARNING|ERROR|CRITICAL|FATAL|PANIC)\b")
KNOWN_NOISE = (
    "overcommit",  # Redis on nearly every development machine
    "the database system is starting up",
    "Python threads, which seems quite high",  # granian; our threads mostly wait for a model's answer
)
TRACEBACK = "Traceback (most recent call last)"


class LogTail:
    """The part of ``path`` that was written since the last look."""

    def __init__(self, name: str, path: Path, *, everything: bool) -> None:
        self._name = name
        self._path = path
        self._everything = everything
        self._position = 0
        self._pending = b""
        self._in_traceback = False

    def show(self) -> None:
        """Print what is new and worth it."""
        worthy = [text for line in self._new_lines() if (text := self._worth_showing(line))]
        shown = worthy if self._everything else worthy[:LINES_AT_ONCE]
        for text in shown:
            say(self._name, text)
        if len(worthy) > len(shown):
            say(self._name, f"… and {len(worthy) - len(shown)} more lines in {self._path}")

    def _new_lines(self) -> list[str]:
        try:
            with self._path.open("rb") as log:
                log.seek(self._position)
                new = log.read()
        except OSError:
            return []
        self._position += len(new)
        *lines, self._pending = (self._pending + new).split(b"\n")
        return [line.decode("utf-8", "replace").rstrip() for line in lines]

    def _worth_showing(self, line: str) -> str:
        """What to print for a line of the log: "" for nothing."""
        if self._everything:
            return line
        if self._in_traceback:
            # Its frames are indented; the first line that is not names the error.
            self._in_traceback = line.startswith((" ", TRACEBACK)) or not line
            return "" if self._in_traceback else f"error: {line} (details in {self._path})"
        if line.startswith(TRACEBACK):
            self._in_traceback = True
            return ""
        return loud_part(line)


def loud_part(line: str) -> str:
    """A warning, an error or a mail in short, else "". Understands our JSON records and plain text."""
    if any(noise in line for noise in KNOWN_NOISE):
        return ""
    if line.startswith("{"):
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if isinstance(record, dict):
            return _record_in_short(record)
    return line if PLAIN_LEVEL.search(line) else ""


def _record_in_short(record: dict[str, object]) -> str:
    level = str(record.get("level", "")).lower()
    # What the local inbox got (app.mail.inbox): who waits for a letter looks here first.
    if record.get("event") == "mail" and level == "info":
        return f"mail to {record.get('to')}: {record.get('subject')} (read it at /portal/mail)"
    if level not in LOUD:
        return ""
    left_out = {"level", "event", "timestamp", "time", "logger"}
    details = " ".join(f"{name}={value}" for name, value in record.items() if name not in left_out)
    return f"{level}: {record.get('event', '')} {details}".rstrip()[:400]
