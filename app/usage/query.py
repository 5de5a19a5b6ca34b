"""What a report is asked for, and how much of the account the asking key may see."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import NotFound
from app.tenancy import ApiKey, Caller, Organization
from app.usage.periods import Granularity, span


@dataclass(frozen=True, slots=True)
class Family:
    """The keys of an organization. One that was deleted has no master any more; its sub-keys it keeps."""

    organization_id: uuid.UUID
    children: tuple[uuid.UUID, ...]
    master: uuid.UUID | None = None

    @property
    def keys(self) -> list[uuid.UUID]:
        return [*self.children, *([self.master] if self.master else ())]


@dataclass(frozen=True, slots=True)
class Question:
    """A range of UTC days, both inclusive, of one account; of one key, organization or endpoint where those
    are given."""

    account_id: uuid.UUID
    first: date
    last: date
    granularity: Granularity = "day"
    api_key_id: uuid.UUID | None = None
    endpoint: str | None = None
    family: Family | None = None

    def where(self, *, by_key: bool = False, by_endpoint: bool = False) -> tuple[str, dict[str, object]]:
        """The condition, but for its days, that reads the coarsest rows of a roll-up (see UsageDay) with what
        is asked or wanted apart."""
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
) -> Question:
    """The question a caller may ask: a child key about itself, any other about its whole account.

    Raises `Invalid` (400) for a range that runs backwards or is too long, `NotFound` for a key or an
    organization that is not the caller's to see.
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
) -> Question:
    """The same for a member, who sees the whole account. Raises as `ask` does."""
    first, last = span(first, last, today)
    family = None if organization_id is None else _family(session, account_id, organization_id)
    if api_key_id is not None:
        if family is not None and api_key_id not in family.keys:
            raise _no_such_key()
        if not _owns(session, account_id, api_key_id):
            raise _no_such_key()
    return Question(account_id, first, last, granularity, api_key_id, endpoint or None, family)


def _family(session: Session, account_id: uuid.UUID, organization_id: uuid.UUID) -> Family:
    """The keys of an organization; of one that was deleted, its sub-keys: their usage stays."""
    known = sa.select(Organization.id).where(
        Organization.id == organization_id, Organization.account_id == account_id
    )
    if session.scalar(known) is None:
        raise _no_such_organization()
    members = sa.select(ApiKey.id, ApiKey.role).where(
        ApiKey.account_id == account_id, ApiKey.organization_id == organization_id
    )
    found = session.execute(members).all()
    return Family(
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
