"""Commands of `flask usage`: the months of the log of requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from flask.cli import AppGroup

from app.cli.commands import as_json, prints_result

if TYPE_CHECKING:
    from datetime import datetime

    from app.usage import UsageMonth

calls = AppGroup("usage", help="Months of the log of requests: list, detach, attach.")

_MONTH = click.argument("month", type=click.DateTime(["%Y-%m"]), metavar="YYYY-MM")


@calls.command("months")
@as_json
@prints_result
def usage_months() -> dict[str, Any]:
    """List the months that are tables of their own, with their size."""
    from app import usage
    from app.platform.postgres import db

    with db.reading() as session:
        return {"months": [_told(one) for one in usage.months(session)]}


@calls.command("detach")
@_MONTH
@as_json
@prints_result
def usage_detach(month: datetime) -> dict[str, Any]:
    """Take a month out of the log of requests and exports; its table stays until USAGE_RAW_DAYS are over."""
    from app import usage
    from app.platform.postgres import db

    with db.transaction() as session:
        return _told(usage.detach_month(session, month.date()))


@calls.command("attach")
@_MONTH
@as_json
@prints_result
def usage_attach(month: datetime) -> dict[str, Any]:
    """Put a detached month back into the log of requests."""
    from app import usage
    from app.platform.postgres import db

    with db.transaction() as session:
        return _told(usage.attach_month(session, month.date()))


def _told(one: UsageMonth) -> dict[str, Any]:
    return {
        "month": f"{one.month:%Y-%m}",
        "attached": one.attached,
        "megabytes": round(one.bytes / 1e6, 1),
        "calls": one.calls,
    }
