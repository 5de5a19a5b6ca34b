"""Overview: what is left, how the last month went, what needs attention, what happened last; first steps."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from flask import Response, redirect, render_template, request, url_for
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as AnyResponse

from app import credits, governance, tenancy, usage, webhooks
from app.platform import clock, settings
from app.platform.postgres import db
from app.portal import access, charts, language, terms
from app.portal.pace import WINDOW, Pace, pace
from app.portal.quickstart import curl
from app.portal.record import Row, rows_of
from app.portal.site import site

LATEST = 6
SURVEYED = 50
NAMED = 3
EXPIRY_NOTICE = timedelta(days=14)
# Credits that end sooner than this at the present pace are worth a word.
PACE_NOTICE_DAYS = 14
FLAGGED_FOR = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Month:
    """The last thirty days and the thirty before them, and the newest calls."""

    now: usage.Figures
    before: usage.Figures
    charts: Mapping[str, charts.Chart]
    pace: Pace
    calls: Sequence[usage.Call]


@dataclass(frozen=True, slots=True)
class Standing:
    """An account at a glance. `month` and `endpoints` are for roles that see keys.

    Of the keys in use: how many, the newest, the newest that may analyse, those that stop within a fortnight.
    """

    balance: credits.Balance
    in_use: int
    newest: tenancy.ApiKey | None
    fit: tenancy.ApiKey | None
    expiring: Sequence[tenancy.ApiKey]
    names: Mapping[uuid.UUID, str]
    rows: list[Row]
    now: datetime
    month: Month | None
    endpoints: Sequence[webhooks.Endpoint]

    @property
    def low(self) -> bool:
        return self.balance.available < self.balance.low_threshold

    @property
    def lasts(self) -> int | None:
        """For how many days the credits last at the present pace; `None` where nothing is spent."""
        return self.month.pace.lasts_days(self.balance.available) if self.month else None

    @property
    def ends_soon(self) -> bool:
        return self.lasts is not None and self.lasts < PACE_NOTICE_DAYS

    @property
    def broken(self) -> list[Row]:
        """Analyses of the last month whose citations need a lawyer's eye."""
        return [row for row in self.rows if row.broken and row.at > self.now - FLAGGED_FOR]

    @property
    def failing(self) -> list[webhooks.Endpoint]:
        """Webhooks that were switched off for their receiver's sake, or whose last attempt failed."""
        return [row for row in self.endpoints if row.deactivated_because or (row.active and _fails(row))]


@site.get("/")
@access.member_only()
def overview() -> AnyResponse | str:
    """The page people land on; who may read the audit trail only lands on that."""
    if not access.visitor().may_manage_keys:
        return redirect(url_for("portal.analyses"), 303)
    standing = _standing(access.visitor())
    # The beginning of the newest key that may send it; the rest is for its owner to add.
    fit = f"{standing.fit.key_prefix}…" if standing.fit else None
    return render_template(
        "portal/overview.html",
        standing=standing,
        latest=standing.rows[:LATEST],
        fit=fit,
        first_curl=fit and curl(address(), fit, language.current()),
        terms=terms,
    )


@site.get("/first-steps")
@access.member_only()
def first_steps() -> Response:
    """Asked by an open overview every few seconds: nothing, or once there is an analysis, reload."""
    with db.reading() as session:
        done = bool(governance.records(session, access.visitor().account_id, limit=1))
    return Response(status=204, headers={"HX-Refresh": "true"} if done else None)


def _standing(visitor: access.Visitor) -> Standing:
    now, account_id = clock.now(), visitor.account_id
    with db.reading() as session:
        records = governance.records(session, account_id, limit=SURVEYED)
        _, expiring = tenancy.expiring_keys(
            session, account_id, now=now, until=now + EXPIRY_NOTICE, limit=NAMED
        )

        def newest(scope: tenancy.Scope | None = None) -> tenancy.ApiKey | None:
            chosen = tenancy.KeyFilter(state="in_use", scope=scope)
            return next(iter(tenancy.keys_page(session, account_id, chosen, now=now, limit=1).rows), None)

        month = _month(session, account_id)
        seen = [record.api_key_id for record in records] + [call.api_key_id for call in month.calls]
        keys = tenancy.keys_by_id(session, account_id, seen)
        return Standing(
            balance=credits.balance(session, account_id),
            in_use=tenancy.count_keys(session, account_id, now=now).in_use,
            newest=newest(),
            fit=newest("analyze"),
            expiring=expiring,
            names={key.id: key.child_label or key.name for key in keys.values()},
            rows=rows_of(records, keys),
            now=now,
            month=month,
            endpoints=webhooks.of_account(session, account_id),
        )


def _month(session: Session, account_id: uuid.UUID) -> Month:
    today = clock.today()
    length = WINDOW + timedelta(days=1)
    found, before = (
        usage.report(
            session,
            usage.ask_of_account(session, account_id, today=today, first=last - WINDOW, last=last),
            busiest=0,
            endpoints=False,
        )
        for last in (today, today - length)
    )
    days = found.buckets
    return Month(
        now=found.totals,
        before=before.totals,
        charts={
            "calls": charts.chart([(start, item.calls) for start, item in days]),
            "errors": charts.chart([(start, item.errors) for start, item in days]),
            "latency": charts.chart(
                [(start, item.latency_p95_ms if item.calls else None) for start, item in days]
            ),
            "credits": charts.chart([(start, item.credits) for start, item in days]),
        },
        pace=pace([(start, item.credits) for start, item in days], today),
        calls=usage.latest(session, account_id, limit=LATEST),
    )


def _fails(row: webhooks.Endpoint) -> bool:
    failed, arrived = row.last_failure_at, row.last_delivery_at
    return failed is not None and (arrived is None or failed > arrived)


def address() -> str:
    """The base address of the API as its callers see it."""
    return settings.current().public_url or request.host_url.rstrip("/")
