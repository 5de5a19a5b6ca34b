"""`flask audit`: keys that sign, and the transparency log."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import click
from flask.cli import AppGroup

from app import governance
from app.cli.commands import as_json, prints_result
from app.platform import clock
from app.platform.postgres import db

trail = AppGroup("audit", help="Signing keys and the transparency log.")


@trail.command("rotate-key")
@click.option("--purpose", type=click.Choice(("attestation", "log")), required=True, help="What it signs.")
@click.option("--overlap-hours", type=click.IntRange(0, 720), default=24, help="Hours until it signs.")
@as_json
@prints_result
def rotate_key(purpose: Any, overlap_hours: int) -> dict[str, Any]:
    """Make a new signing key; the one before signs until the overlap is over, and stays published."""
    with db.transaction() as session:
        kid, since = governance.rotate_key(
            session, purpose, now=clock.now(), overlap=timedelta(hours=overlap_hours)
        )
    return {"purpose": purpose, "kid": kid, "signsFrom": clock.iso(since)}


@trail.command("check-log")
@as_json
@prints_result
def check_log() -> dict[str, Any]:
    """Recompute the transparency log from its entries and hold every signed head against it."""
    with db.reading() as session:
        db.take_longer(session, 3600)
        found = governance.check_log(session)
    if found.problem:
        raise click.ClickException(f"the log of {found.size} entries is not whole: {found.problem}")
    return {"size": found.size, "checkpoints": found.checkpoints, "whole": True}


@trail.command("append-log")
@as_json
@prints_result
def append_log() -> dict[str, Any]:
    """Append new audit records to the transparency log now, as a worker does every minute."""
    with db.transaction() as session:
        found = governance.append_round(session, now=clock.now())
    return {"entries": found.entries if found else 0, "size": found.size if found else None}
