"""Usage totals of keys over a range of days, for lists that show a figure beside each key."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.tenancy import ApiKey
from app.usage.models import UsageDay

# `grain` of rows that sum over all endpoints of a key, or of the child keys of an organization (UsageDay).
_BY_KEY, _BY_ORGANIZATION = 1, 5


@dataclass(frozen=True, slots=True)
class UsageTotals:
    """Sums over calls; `errors` counts statuses of 400 and above."""

    calls: int = 0
    errors: int = 0
    credits: int = 0


def of_keys(
    session: Session, account_id: uuid.UUID, key_ids: Collection[uuid.UUID], *, first: date, last: date
) -> dict[uuid.UUID, UsageTotals]:
    """Return the sums of each of these keys with a call; both days are inclusive (UTC)."""
    if not key_ids:
        return {}
    query = _summed(UsageDay.api_key_id, account_id, first, last).where(UsageDay.api_key_id.in_(key_ids))
    return {row[0]: UsageTotals(*row[1:]) for row in session.execute(query)}


def of_organizations(
    session: Session, account_id: uuid.UUID, *, first: date, last: date
) -> dict[uuid.UUID, UsageTotals]:
    """Return the sums of each of the account's organizations, its master and child keys together."""
    children = _summed(UsageDay.api_key_id, account_id, first, last, grain=_BY_ORGANIZATION)
    masters = (
        _summed(ApiKey.organization_id, account_id, first, last)
        .join(ApiKey, ApiKey.id == UsageDay.api_key_id)
        .where(ApiKey.account_id == account_id, ApiKey.role == "master")
    )
    found: dict[uuid.UUID, UsageTotals] = {}
    for query in (children, masters):
        for row in session.execute(query):
            found[row[0]] = add_up([found.get(row[0], UsageTotals()), UsageTotals(*row[1:])])
    return found


def of_organization(
    session: Session, account_id: uuid.UUID, organization_id: uuid.UUID, *, first: date, last: date
) -> dict[uuid.UUID, UsageTotals]:
    """Return the sums of each key of an organization with a call."""
    query = (
        _summed(UsageDay.api_key_id, account_id, first, last)
        .join(ApiKey, ApiKey.id == UsageDay.api_key_id)
        .where(ApiKey.account_id == account_id, ApiKey.organization_id == organization_id)
    )
    return {row[0]: UsageTotals(*row[1:]) for row in session.execute(query)}


def add_up(sums: Iterable[UsageTotals]) -> UsageTotals:
    """Add sums up."""
    counted = list(sums)
    return UsageTotals(
        *(sum(getattr(one, part) for one in counted) for part in ("calls", "errors", "credits"))
    )


def _summed(
    group: Any, account_id: uuid.UUID, first: date, last: date, *, grain: int = _BY_KEY
) -> sa.Select[Any]:
    def total(column: Any) -> Any:
        return sa.cast(sa.func.sum(column), sa.BigInteger)

    return (
        sa.select(group, total(UsageDay.calls), total(UsageDay.errors), total(UsageDay.credits))
        .where(
            UsageDay.account_id == account_id,
            UsageDay.grain == grain,
            UsageDay.day.between(first, last),
        )
        .group_by(group)
    )
