"""Overview: what is left, what needs attention, what happened last, and the first steps until it has."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from flask import Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app import credits, governance, tenancy
from app.platform import clock, db, settings
from app.portal import access, language
from app.portal.quickstart import curl
from app.portal.record import Row, rows_of
from app.portal.site import site

LATEST = 6
SURVEYED = 50
EXPIRY_NOTICE = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Standing:
    """An account at a glance."""

    balance: credits.Balance
    keys: list[tenancy.ApiKey]
    rows: list[Row]
    now: datetime

    @property
    def low(self) -> bool:
        return self.balance.available < self.balance.low_threshold

    @property
    def expiring(self) -> list[tenancy.ApiKey]:
        """Keys that stop within a fortnight, the next one first."""
        soon = [key for key in self.keys if key.expires_at and key.expires_at <= self.now + EXPIRY_NOTICE]
        return sorted(soon, key=lambda key: key.expires_at or self.now)

    @property
    def broken(self) -> list[Row]:
        """Analyses whose citations need a lawyer's eye."""
        return [row for row in self.rows if row.broken]


@site.get("/")
@access.member_only()
def overview() -> AnyResponse | str:
    """The page people land on; who may read the audit trail only lands on that."""
    if not access.visitor().may_manage_keys:
        return redirect(url_for("portal.analyses"), 303)
    standing = _standing(access.visitor())
    # The beginning of the newest key that may send it; the rest is for its owner to add.
    fit = next((f"{key.key_prefix}…" for key in standing.keys if "analyze" in key.scopes), None)
    return render_template(
        "portal/overview.html",
        standing=standing,
        latest=standing.rows[:LATEST],
        fit=fit,
        first_curl=fit and curl(address(), fit, language.current()),
    )


@site.get("/first-steps")
@access.member_only()
def first_steps() -> Response:
    """Asked by an open overview every few seconds: nothing, or once there is an analysis, reload."""
    with db.reading() as session:
        done = bool(governance.records(session, access.visitor().account_id, limit=1))
    return Response(status=204, headers={"HX-Refresh": "true"} if done else None)


def _standing(visitor: access.Visitor) -> Standing:
    now = clock.now()
    with db.reading() as session:
        every_key = tenancy.keys_of(session, visitor.account_id)
        records = governance.records(session, visitor.account_id, limit=SURVEYED)
        return Standing(
            balance=credits.balance(session, visitor.account_id),
            keys=[key for key in every_key if key.active and not (key.expires_at and key.expires_at <= now)],
            rows=rows_of(records, every_key),
            now=now,
        )


def address() -> str:
    """The base address of the API as its callers see it."""
    return settings.current().public_url or request.host_url.rstrip("/")
