"""Overview: balance, figures of the last month, notices, latest analyses, first steps."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from flask import Response, redirect, render_template, url_for
from flask_babel import format_date, gettext, ngettext
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as AnyResponse

from app import credits, governance, tenancy, usage, webhooks
from app.platform import clock
from app.platform.postgres import db
from app.portal.audit.record import Row, rows_of
from app.portal.docs.quickstart import curl
from app.portal.home.checklist import Checklist, checklist
from app.portal.web.api_address import address
from app.portal.web.blueprints import site
from app.portal.web.display import charts, comparison, language, status_labels
from app.portal.web.display.jinja_env import figure, lapse, percent, stamp
from app.portal.web.display.status_labels import EXPIRY_NOTICE
from app.portal.web.session import access

LATEST = 6
SURVEYED = 50
NAMED = 3
# Credits that end sooner than this at the present pace are worth a word.
PACE_NOTICE_DAYS = 14
FLAGGED_FOR = timedelta(days=30)
# A key that has spent this share of its monthly cap is worth a word.
CAP_NOTICE_PERCENT = 80
_MONTH_DAYS = 30


@dataclass(frozen=True, slots=True)
class Month:
    """Figures of the last thirty days and of the thirty before, and the newest calls."""

    now: usage.Figures
    before: usage.Figures
    charts: Mapping[str, charts.Chart]
    pace: usage.BurnRate
    calls: Sequence[usage.Call]

    @property
    def calls_note(self) -> str:
        """The number of calls compared with the month before, in words."""
        return comparison.calls(self.now, self.before, _MONTH_DAYS) or self._nothing_before

    @property
    def error_rate(self) -> str:
        """The share of calls that were errors."""
        return percent(self.now.errors, self.now.calls, 1)

    @property
    def errors_note(self) -> str:
        """The number of errors, and their share compared with the month before."""
        return comparison.error_calls(self.now, self.before)

    @property
    def latency(self) -> str:
        """The 95th percentile of the latency, a dash without calls."""
        return lapse(self.now.latency_p95_ms) if self.now.calls else "–"

    @property
    def latency_note(self) -> str:
        """The 95th percentile compared with the month before, in words."""
        if not self.before.calls:
            return self._nothing_before
        return comparison.latency(self.now, self.before) or str(gettext("same as before"))

    @property
    def _nothing_before(self) -> str:
        return str(gettext("in the last 30 days"))


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that needs attention: icon, tone, URL, title and text."""

    icon: str
    tone: str
    address: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class OverviewData:
    """The data of the overview. `month` and `endpoints` are for roles that may see keys.

    Of the keys in use: their number, the newest, the newest that may analyse (`fit`), those that expire
    within a fortnight.
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
    steps: Checklist | None
    near_caps: Sequence[usage.CapUse]

    @property
    def low(self) -> bool:
        """Whether the balance is below its threshold."""
        return self.balance.available < self.balance.low_threshold

    @property
    def lasts(self) -> int | None:
        """Days that the credits last at the present rate; `None` where nothing is spent."""
        return self.month.pace.lasts_days(self.balance.available) if self.month else None

    @property
    def ends_soon(self) -> bool:
        """Whether the credits last less than `PACE_NOTICE_DAYS`."""
        return self.lasts is not None and self.lasts < PACE_NOTICE_DAYS

    @property
    def spending(self) -> str:
        """The balance compared with its threshold, or how long it lasts, in words."""
        if self.low:
            return str(gettext("below your threshold of %(n)s", n=figure(self.balance.low_threshold)))
        if self.lasts is not None:
            return _they_last(self.lasts)
        return str(gettext("1 per analysis, 2 in deep mode"))

    @property
    def held(self) -> str:
        """How many more credits are held, in words; empty where none are."""
        if not self.balance.held:
            return ""
        return str(
            ngettext(
                "%(num)s more is on hold for work in progress",
                "%(num)s more are on hold for work in progress",
                self.balance.held,
            )
        )

    @property
    def attention(self) -> list[Notice]:
        """The notices, the most urgent first."""
        found = []
        if self.month and self.low:
            found.append(_credits_low(self.balance.available))
        elif self.ends_soon and self.lasts is not None:
            found.append(
                Notice(
                    "coin",
                    "warn",
                    url_for("portal.credits"),
                    gettext("Credits will run out soon"),
                    _they_last(self.lasts),
                )
            )
        found += [_webhook_fails(row) for row in self.failing[:NAMED]]
        if self.broken:
            found.append(_citations_fail(self.broken))
        if self.month:
            found += [_cap_nears(one) for one in self.near_caps]
            found += [_key_stops(key) for key in self.expiring]
        return found

    @property
    def broken(self) -> list[Row]:
        """Analyses of the last month with citations that a lawyer should check."""
        return [row for row in self.rows if row.broken and row.at > self.now - FLAGGED_FOR]

    @property
    def failing(self) -> list[webhooks.Endpoint]:
        """Webhooks that were deactivated because of their receiver, or whose last attempt failed."""
        return [
            row
            for row in self.endpoints
            if row.deactivated_because or (row.active and status_labels.fails(row))
        ]


@site.get("/")
@access.member_only()
def overview() -> AnyResponse | str:
    """Show the overview; roles that only read the audit trail are redirected to it."""
    if not access.current_member().may_manage_keys:
        return redirect(url_for("portal.analyses"), 303)
    standing = _standing(access.current_member())
    # The beginning of the newest key that may send it; the rest is for its owner to add.
    fit = f"{standing.fit.key_prefix}…" if standing.fit else None
    return render_template(
        "portal/home/overview.html",
        standing=standing,
        latest=standing.rows[:LATEST],
        fit=fit,
        first_curl=fit and curl(address(), fit, language.current()),
        terms=status_labels,
    )


@site.get("/first-steps")
@access.member_only()
def first_steps() -> Response:
    """Tell a polling overview (htmx) to reload once there is an analysis."""
    with db.reading() as session:
        done = bool(governance.records(session, access.current_member().account_id, limit=1))
    return Response(status=204, headers={"HX-Refresh": "true"} if done else None)


def _standing(me: access.CurrentMember) -> OverviewData:
    now, account_id = clock.now(), me.account_id
    with db.reading() as session:
        records = governance.records(session, account_id, limit=SURVEYED)
        expiring = tenancy.expiring_keys(session, account_id, now=now, until=now + EXPIRY_NOTICE, limit=NAMED)

        def newest(scope: tenancy.Scope | None = None) -> tenancy.ApiKey | None:
            chosen = tenancy.KeyFilter(state="in_use", scope=scope)
            return next(iter(tenancy.keys_page(session, account_id, chosen, now=now, limit=1).rows), None)

        month = _month(session, account_id)
        seen = [record.api_key_id for record in records] + [call.api_key_id for call in month.calls]
        keys = tenancy.keys_by_id(session, account_id, seen)
        endpoints = webhooks.of_account(session, account_id)
        current = newest()
        return OverviewData(
            balance=credits.balance(session, account_id),
            in_use=tenancy.count_keys(session, account_id, now=now).in_use,
            newest=current,
            # Of ten thousand keys each search takes milliseconds, and the newest usually may analyse.
            fit=current if current is None or "analyze" in current.scopes else newest("analyze"),
            expiring=expiring,
            names={key.id: key.child_label or key.name for key in keys.values()},
            rows=rows_of(records, keys),
            now=now,
            month=month,
            endpoints=endpoints,
            near_caps=usage.near_caps(
                session, account_id, today=clock.today(), percent=CAP_NOTICE_PERCENT, limit=NAMED
            ),
            steps=checklist(session, newest=current, called=bool(records), endpoints=endpoints),
        )


def _month(session: Session, account_id: uuid.UUID) -> Month:
    today = clock.today()
    length = usage.BURN_WINDOW + timedelta(days=1)
    found, before = (
        usage.report(
            session,
            usage.ask_of_account(session, account_id, today=today, first=last - usage.BURN_WINDOW, last=last),
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
        pace=usage.burn_rate([(start, item.credits) for start, item in days], today),
        calls=usage.latest(session, account_id, limit=LATEST),
    )


def _they_last(days: int) -> str:
    return str(gettext("Will last %(days)s at the current rate", days=status_labels.days(days)))


def _credits_low(available: int) -> Notice:
    text = ngettext(
        "%(num)s left. Ask the operator of the service for more.",
        "%(num)s left. Ask the operator of the service for more.",
        available,
    )
    return Notice("coin", "warn", url_for("portal.credits"), gettext("Credits are low"), text)


def _webhook_fails(row: webhooks.Endpoint) -> Notice:
    title = (
        gettext("A webhook was deactivated") if row.deactivated_because else gettext("A webhook is failing")
    )
    reason = (
        gettext("last failure: %(when)s", when=stamp(row.last_failure_at))
        if row.last_failure_at
        else status_labels.REASONS.get(row.deactivated_because or "", "")
    )
    address = url_for("portal.webhook", webhook_id=row.id)
    return Notice("hook", "bad", address, title, f"{row.description or row.url}; {reason}")


def _citations_fail(rows: Sequence[Row]) -> Notice:
    title = ngettext(
        "%(num)s analysis has citations to check", "%(num)s analyses have citations to check", len(rows)
    )
    text = gettext(
        "not found, no longer in force, or not matching the source; the latest on %(when)s",
        when=stamp(rows[0].at),
    )
    return Notice("audit", "bad", url_for("portal.analyses", flagged=1), title, text)


def _cap_nears(one: usage.CapUse) -> Notice:
    spent = one.spent >= one.cap
    title = (
        gettext("“%(name)s” has reached its monthly cap", name=one.name)
        if spent
        else gettext(
            "“%(name)s” has spent %(p)s of its monthly cap", name=one.name, p=percent(one.percent, 100, 0)
        )
    )
    text = gettext("%(n)s of %(all)s credits", n=figure(one.spent), all=figure(one.cap))
    reached = one.reached_on(clock.today())
    if spent:
        text += "; " + gettext("what costs credits is refused until the month ends")
    elif reached:
        text += "; " + gettext("used up on %(when)s at this rate", when=format_date(reached, "medium"))
    # The page of a child key is that of its organization; this one leads there.
    return Notice(
        "key", "bad" if spent else "warn", url_for("portal.key", key_id=one.api_key_id), title, text
    )


def _key_stops(key: tenancy.ApiKey) -> Notice:
    title = gettext("“%(name)s” expires soon", name=key.name)
    return Notice("key", "warn", url_for("portal.keys"), title, _on(key.expires_at))


def _on(moment: datetime | None) -> str:
    return str(gettext("on %(when)s", when=stamp(moment))) if moment else ""
