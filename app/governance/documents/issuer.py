"""Issuer of an audit document: the account, its keys and the letterhead."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app import branding, tenancy
from app.branding import Letterhead
from app.platform import settings
from app.platform.postgres.db import Session


@dataclass(frozen=True, slots=True)
class Subject:
    """The account that the audit trail belongs to.

    `keys` maps the id of a key to its name and prefix, `members` that of a member to their address.
    """

    account: str
    legal_name: str | None
    keys: Mapping[str, tuple[str, str]]
    members: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Issuer:
    """The account as the document shows it, and the letterhead."""

    subject: Subject
    letterhead: Letterhead


def issuer(session: Session, account_id: uuid.UUID, key_id: uuid.UUID | None) -> Issuer:
    """Return the account and the letterhead under which analyses of `key_id` are sent. Raises `NotFound`."""
    account = tenancy.get_account(session, account_id)
    keys = tenancy.keys_of(session, account_id)
    brand, logo = _brand(session, account_id, key_id, keys)
    if brand.branding == "partner":
        head = branding.letterhead(brand, logo)
    else:
        # Without a brand nobody but the account issues its documents (decision 039).
        own = brand.partner_legal_name or account.name
        head = Letterhead(brand.attribution.author(settings.current().service_name) or own)
    subject = Subject(
        account=account.name,
        legal_name=brand.partner_legal_name,
        keys={str(key.id): (key.name, key.key_prefix) for key in keys},
        members={str(one.id): one.email for one in tenancy.members_of(session, account_id)},
    )
    return Issuer(subject, head)


def _brand(
    session: Session, account_id: uuid.UUID, key_id: uuid.UUID | None, keys: Sequence[tenancy.ApiKey]
) -> tuple[branding.Branding, branding.Logo | None]:
    if key_id not in {key.id for key in keys} or key_id is None:
        return branding.Branding(), None
    return branding.of_key(session, account_id, key_id)
