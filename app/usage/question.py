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
class Question:
    """A range of UTC days, both inclusive, of one account; of one key or endpoint where those are given."""

    account_id: uuid.UUID
    first: date
    last: date
    granularity: Granularity = "day"
    api_key_id: uuid.UUID | None = None
    endpoint: str | None = None
    # The keys of an organization, master and children.
    keys: tuple[uuid.UUID, ...] | None = None

    def where(self, *, by_key: bool = False, by_endpoint: bool = False) -> tuple[str, dict[str, object]]:
        """The condition, but for its days, that reads the coarsest rows of a roll-up with what is asked or
        wanted apart."""
        found: dict[str, object] = {"account_id": self.account_id}
        condition = "account_id = :account_id"
        grain = 0
        if self.api_key_id is not None:
            condition, found["api_key_id"] = condition + " AND api_key_id = :api_key_id", self.api_key_id
        elif self.keys is not None:
            condition, found["keys"] = condition + " AND api_key_id = ANY(:keys)", list(self.keys)
        elif not by_key:
            grain += 2
        if self.endpoint is not None:
            condition, found["endpoint"] = condition + " AND endpoint = :endpoint", self.endpoint
        elif not by_endpoint:
            grain += 1
        return f"{condition} AND grain = {grain}", found


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
    keys = None if organization_id is None else _members(session, account_id, organization_id)
    if api_key_id is not None:
        if keys is not None and api_key_id not in keys:
            raise _no_such_key()
        if not _owns(session, account_id, api_key_id):
            raise _no_such_key()
    return Question(account_id, first, last, granularity, api_key_id, endpoint or None, keys)


def _members(session: Session, account_id: uuid.UUID, organization_id: uuid.UUID) -> tuple[uuid.UUID, ...]:
    """The keys of an organization; of one that was deleted, its sub-keys: their usage stays."""
    known = sa.select(Organization.id).where(
        Organization.id == organization_id, Organization.account_id == account_id
    )
    if session.scalar(known) is None:
        raise _no_such_organization()
    members = sa.select(ApiKey.id).where(
        ApiKey.account_id == account_id, ApiKey.organization_id == organization_id
    )
    return tuple(session.scalars(members))


def _no_such_organization() -> NotFound:
    return NotFound("There is no organization with this id.", details={"field": "organization_id"})


def _owns(session: Session, account_id: uuid.UUID, api_key_id: uuid.UUID) -> bool:
    own = sa.select(ApiKey.id).where(ApiKey.id == api_key_id, ApiKey.account_id == account_id)
    return session.scalar(own) is not None


def _no_such_key() -> NotFound:
    return NotFound("There is no API key with this id.")
