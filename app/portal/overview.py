"""Overview: what is left, what needs attention, what happened last, and the first steps until it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from flask import Response, render_template, request

from app import credits, governance, tenancy
from app.platform import clock, db, settings
from app.portal import access, language
from app.portal.quickstart import curl
from app.portal.record import Row, rows_of
from app.portal.site import site

LATEST = 6
SURVEYED = 50
NAMED = 3
EXPIRY_NOTICE = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Standing:
    """An account at a glance.

    Of the keys in use, how many there are, how many stop within a fortnight, those that stop first, and the
    newest that may analyse.
    """

    balance: credits.Balance
    in_use: int
    stopping: int
    expiring: Sequence[tenancy.ApiKey]
    fit: tenancy.ApiKey | None
    rows: list[Row]

    @property
    def low(self) -> bool:
        return self.balance.available < self.balance.low_threshold

    @property
    def broken(self) -> list[Row]:
        """Analyses whose citations need a lawyer's eye."""
        return [row for row in self.rows if row.broken]


@site.get("/")
@access.member_only()
def overview() -> str:
    """The page people land on."""
    standing = _standing(access.visitor())
    # The beginning of the newest key that may send it; the rest is for its owner to add.
    fit = f"{standing.fit.key_prefix}…" if standing.fit else None
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
        account_id = visitor.account_id
        records = governance.records(session, account_id, limit=SURVEYED)
        stopping, expiring = tenancy.expiring_keys(
            session, account_id, now=now, until=now + EXPIRY_NOTICE, limit=NAMED
        )
        fit = tenancy.KeyFilter(state="in_use", scope="analyze")
        return Standing(
            balance=credits.balance(session, account_id),
            in_use=tenancy.count_keys(session, account_id, now=now).in_use,
            stopping=stopping,
            expiring=expiring,
            fit=next(iter(tenancy.keys_page(session, account_id, fit, now=now, limit=1).rows), None),
            rows=rows_of(
                records,
                tenancy.keys_by_id(session, account_id, [record.api_key_id for record in records]),
            ),
        )


def address() -> str:
    """The base address of the API as its callers see it."""
    return settings.current().public_url or request.host_url.rstrip("/")
