"""Parameters of a usage report, and how much of the account the asking key may see."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import NotFound
from app.tenancy import ApiKey, Caller, Organization
from app.usage.periods import Granularity, span, whole_months


@dataclass(frozen=True, slots=True)
class OrganizationKeys:
    """The keys of an organization. A deleted one has no master any more; it keeps its child keys."""

    organization_id: uuid.UUID
    children: tuple[uuid.UUID, ...]
    master: uuid.UUID | None = None

    @property
    def keys(self) -> list[uuid.UUID]:
        """The ids of the child keys and of the master, if there is one."""
        return [*self.children, *([self.master] if self.master else ())]


@dataclass(frozen=True, slots=True)
class ReportQuery:
    """Parameters of a report: a range of UTC days of an account, with optional key, organization or endpoint.

    Both days are inclusive.
    """

    account_id: uuid.UUID
    first: date
    last: date
    granularity: Granularity = "day"
    api_key_id: uuid.UUID | None = None
    endpoint: str | None = None
    family: OrganizationKeys | None = None

    def where(self, *, by_key: bool = False, by_endpoint: bool = False) -> tuple[str, dict[str, object]]:
        """Return the condition, without its days, that selects the coarsest rows of a roll-up (see UsageDay).

        Args:
            by_key: The rows must tell keys apart.
            by_endpoint: The rows must tell endpoints apart.

        Returns:
            SQL and its parameters.
        """
        found: dict[str, object] = {"account_id": self.account_id}
        condition = "account_id = :account_id"
        over_all = 1
        if self.endpoint is not None:
            condition, found["endpoint"] = condition + " AND endpoint = :endpoint", self.endpoint
            over_all = 0
        elif by_endpoint:
            over_all = 0
        if self.api_key_id is not None:
            found["api_key_id"] = self.api_key_id
            return f"{condition} AND grain = {over_all} AND api_key_id = :api_key_id", found
        if self.family is None:
            return f"{condition} AND grain = {over_all if by_key else 2 + over_all}", found
        if by_key:
            found["keys"] = self.family.keys
            return f"{condition} AND grain = {over_all} AND api_key_id = ANY(:keys)", found
        found["organization_id"], found["master"] = self.family.organization_id, self.family.master
        parts = (
            f"grain = {4 + over_all} AND api_key_id = :organization_id",
            f"grain = {over_all} AND api_key_id = :master",
        )
        return f"{condition} AND ({' OR '.join(parts)})", found


def ask(
    session: Session,
    caller: Caller,
    *,
    today: date,
    first: date | None = None,
    last: date | None = None,
    granularity: Granularity = "day",
    api_key_id: uuid.UUID | None = None,
    endpoint: str | None = None,
    organization_id: uuid.UUID | None = None,
) -> ReportQuery:
    """Check what a caller asks: a child key may ask about itself, any other about its whole account.

    Raises:
        Invalid: 400 for a range that runs backwards or is too long.
        NotFound: The key or the organization is not visible to the caller.
    """
    if caller.role == "child":
        if organization_id not in (None, caller.organization_id):
            raise _no_such_organization()
        if api_key_id not in (None, caller.key_id):
            raise _no_such_key()
        api_key_id = caller.key_id
    return ask_of_account(
        session,
        caller.account_id,
        today=today,
        first=first,
        last=last,
        granularity=granularity,
        api_key_id=api_key_id,
        endpoint=endpoint,
        organization_id=organization_id,
    )


def ask_of_account(
    session: Session,
    account_id: uuid.UUID,
    *,
    today: date,
    first: date | None = None,
    last: date | None = None,
    granularity: Granularity = "day",
    api_key_id: uuid.UUID | None = None,
    endpoint: str | None = None,
    organization_id: uuid.UUID | None = None,
) -> ReportQuery:
    """Check what a member asks, who may see the whole account. Raises as `ask` does."""
    first, last = span(first, last, today)
    family = None if organization_id is None else _family(session, account_id, organization_id)
    if api_key_id is not None:
        if family is not None and api_key_id not in family.keys:
            raise _no_such_key()
        if not _owns(session, account_id, api_key_id):
            raise _no_such_key()
    return ReportQuery(account_id, first, last, granularity, api_key_id, endpoint or None, family)


def _family(session: Session, account_id: uuid.UUID, organization_id: uuid.UUID) -> OrganizationKeys:
    """Return the keys of an organization, also of a deleted one, whose usage is kept."""
    known = sa.select(Organization.id).where(
        Organization.id == organization_id, Organization.account_id == account_id
    )
    if session.scalar(known) is None:
        raise _no_such_organization()
    members = sa.select(ApiKey.id, ApiKey.role).where(
        ApiKey.account_id == account_id, ApiKey.organization_id == organization_id
    )
    found = session.execute(members).all()
    return OrganizationKeys(
        organization_id,
        children=tuple(row.id for row in found if row.role == "child"),
        master=next((row.id for row in found if row.role == "master"), None),
    )


def _no_such_organization() -> NotFound:
    return NotFound("There is no organization with this id.", details={"field": "organization_id"})


def _owns(session: Session, account_id: uuid.UUID, api_key_id: uuid.UUID) -> bool:
    own = sa.select(ApiKey.id).where(ApiKey.id == api_key_id, ApiKey.account_id == account_id)
    return session.scalar(own) is not None


def _no_such_key() -> NotFound:
    return NotFound("There is no API key with this id.")


def rows(
    question: ReportQuery,
    columns: str,
    *,
    by_key: bool = False,
    by_endpoint: bool = False,
    by_day: bool = False,
) -> tuple[str, Mapping[str, object]]:
    """Return a sub-query with these columns of the coarsest rows that answer, and its parameters.

    Whole months come from the monthly roll-up, with their first day as `day`, unless `by_day` is set.
    """
    condition, parameters = question.where(by_key=by_key, by_endpoint=by_endpoint)
    found: dict[str, object] = {**parameters, "first": question.first, "last": question.last}
    months = None if by_day else whole_months(question.first, question.last)

    def part(table: str, period: str, days: str) -> str:
        return f"SELECT {period} AS day, {columns} FROM {table} WHERE {condition} AND {period} {days}"  # noqa: S608 (constants of this package)

    if months is None:
        return f"({part('usage_days', 'day', 'BETWEEN :first AND :last')}) AS r", found
    # The conditions of the days before and after hold for none where the range begins and ends with months.
    found["begin"], found["end"] = months
    parts = (
        part("usage_months", "month", "BETWEEN :begin AND :end"),
        part("usage_days", "day", ">= :first AND day < :begin"),
        part("usage_days", "day", "> :end AND day <= :last"),
    )
    return f"({' UNION ALL '.join(parts)}) AS r", found
