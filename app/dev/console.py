"""Print to the terminal: prefixed lines, what of the children's logs matters, how to use what is running."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

PREFIX_WIDTH = 8
LINE_WIDTH = 100
LOUD = {"warning", "error", "critical"}
KNOWN_NOISE = "Python threads, which seems quite high"  # granian; ours mostly wait for a model's answer
SAMPLE_LEASE = Path(__file__).with_name("sample_lease.txt")
"""Fictitious people; their numbers have valid check digits, the address ends in example.com (RFC 2606)."""


class Halt(Exception):
    """The work cannot go on. The text is the one plain sentence that is shown; the exit code is 1."""


def say(source: str, text: str) -> None:
    """Print every line of ``text`` behind the name of who says it."""
    show("".join(f"{source:>{PREFIX_WIDTH}} | {line}".rstrip() + "\n" for line in text.splitlines() or [""]))


def show(text: str) -> None:
    """Print ``text`` as it is. A terminal that went away is no reason to stop: children must be ended."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(text)
        sys.stdout.flush()


def summary(line: str) -> str:
    """Shorten a JSON log record of level warning or above, or of a mail; return "" for anything else."""
    try:
        record = json.loads(line)
    except ValueError:
        return ""
    if not isinstance(record, dict):
        return ""
    level = str(record.get("level", "")).lower()
    if record.get("event") == "mail" and level == "info":  # written by the local inbox, app.mail.inbox
        return f"mail to {record.get('to')}: {record.get('subject')} (read it at /portal/mail)"
    if level not in LOUD or KNOWN_NOISE in line:
        return ""
    left_out = {"level", "event", "timestamp", "time", "logger"}
    details = " ".join(f"{name}={value}" for name, value in record.items() if name not in left_out)
    return f"{level}: {record.get('event', '')} {details}".rstrip()[:400]


def greeting(address: str, demo: Mapping[str, str], *, logs: str, seconds: float, mails: bool = True) -> str:
    """Return what `make run` prints when all is ready; with ``mails``, also where letters are read."""
    rows = {
        "Portal": address + "/",
        "Sign in": f"{demo['email']}   password: {demo['password']}",
        "API key": demo["key"],
        "API docs": address + "/docs",
        **({"Mails": address + "/portal/mail"} if mails else {}),
        "Logs": logs,
    }
    table = "\n".join(f"  {name:<9} {value}" for name, value in rows.items())
    return (
        f"\nCandado is ready ({seconds:.1f} s). Ctrl-C stops it.\n\n{table}\n\n"
        f"Analyse a housing lease; paste this into another terminal:\n\n{curl(address, demo['key'])}\n\n"
    )


def curl(address: str, key: str) -> str:
    """Return a request for any POSIX shell, in lines so short that no terminal breaks one that is copied.

    The body is one argument of single-quoted pieces, joined by a backslash at the end of each line; hence
    every line starts in the first column.
    """
    text = SAMPLE_LEASE.read_text("utf-8").strip()
    body = json.dumps(
        {"jurisdiction": "ES", "legalBranch": "civil", "language": "es", "text": text}, ensure_ascii=False
    )
    assert "'" not in body
    pieces = [""]
    for word in re.split(r"(?<= )|(?<=\\n)", body):
        if len(pieces[-1]) + len(word) > LINE_WIDTH or pieces[-1].endswith("\\n"):
            pieces.append("")
        pieces[-1] += word
    quoted = "\\\n".join(f"'{piece}'" for piece in pieces)
    return (
        f"curl -sS {address}/api/v1/analyze \\\n"
        f"  -H 'Authorization: Bearer {key}' \\\n"
        f"  -H 'Content-Type: application/json' \\\n"
        f"  -d \\\n{quoted}"
    )
