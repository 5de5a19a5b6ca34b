"""The branding of a key: read, merged, saved. Children have their master's (decision 039)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from typing import Any, Literal, cast

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from app import tenancy
from app.branding import logo
from app.branding.attribution import MODES, Attribution, Mode
from app.branding.models import BrandingConfig
from app.platform import safe_http
from app.platform.errors import Denied, Invalid
from app.platform.postgres import bulk, db

UrlField = Literal["partner_logo_url", "partner_website"]


@dataclass(frozen=True, slots=True)
class Branding:
    """BrandingConfig (decision 039), its fields named as on the wire."""

    branding: Mode = "nexus"
    partner_brand_name: str | None = None
    partner_legal_name: str | None = None
    partner_logo_url: str | None = None
    partner_primary_color: str | None = None
    partner_support_email: str | None = None
    partner_website: str | None = None

    @property
    def attribution(self) -> Attribution:
        return Attribution(self.branding, self.partner_brand_name)

    def changed(self, changes: Mapping[str, str | None]) -> Branding:
        """With `changes` applied: what is absent stays, `None` clears (`branding`: back to `nexus`).

        Raises `Invalid` (422) where `partner` would have no name to show.
        """
        known = {field.name for field in fields(self)} & changes.keys()
        values: dict[str, Any] = {name: changes[name] for name in known}
        if "branding" in values:
            values["branding"] = values["branding"] or MODES[0]
        found = replace(self, **values)
        if found.branding == "partner" and not found.partner_brand_name:
            raise Invalid(
                "partner_brand_name: is required when branding is partner; send it, or another branding.",
                status=422,
                details={"field": "partner_brand_name", "expected": "string of 1 to 80 characters"},
            )
        return found


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save made of the configuration, and for how many keys: the master, and its live children."""

    branding: Branding
    applied_to_keys: int


_COLUMNS = tuple(field.name for field in fields(Branding))


def holder(caller: tenancy.Caller) -> uuid.UUID:
    """The key whose branding the caller's answers carry: its master's, or its own."""
    return caller.parent_key_id or caller.key_id


def owned(caller: tenancy.Caller) -> uuid.UUID:
    """The key whose branding the caller may change. Raises `Denied` (403) for a child."""
    if caller.role == "child":
        raise Denied(
            "A child key has its master's branding and may not change it; use the master key.",
            code="FORBIDDEN_CHILD_KEY",
            status=403,
        )
    return caller.key_id


def get(session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID) -> Branding:
    """The branding of a solo or master key; the default where none was saved."""
    row = session.scalar(_of(account_id, key_id))
    return Branding() if row is None else read(row)


def attribution_of(caller: tenancy.Caller) -> Attribution:
    """Who speaks in the caller's analyses, as it was saved when the caller was identified."""
    return Attribution(cast(Mode, caller.branding or MODES[0]), caller.brand_name)


def check_url(url: str, *, field: UrlField) -> None:
    """Raise `Invalid` (422 `URL_NOT_ALLOWED`) where `url` is not https at a public address.

    May ask a name server: call it outside a transaction. A name that does not resolve passes (decision 031).
    """
    safe_http.check_url(url, field=field)


def save(
    session: db.Session, caller: tenancy.Caller, changes: Mapping[str, str | None], *, now: datetime
) -> Saved:
    """Merge `changes` into the branding of the caller's key, and have a new logo fetched.

    URLs among them have been checked with `check_url`.

    Raises `Denied` (403) for a child, `Invalid` (422) where `partner` has no name.
    """
    key_id = owned(caller)
    # Two first saves at once: one makes the row, both then wait for each other at it.
    first = {"api_key_id": key_id, "account_id": caller.account_id, "branding": MODES[0], "updated_at": now}
    session.execute(insert(BrandingConfig).values(**first).on_conflict_do_nothing())
    row = session.scalars(_of(caller.account_id, key_id).with_for_update()).one()
    found = read(row).changed(changes)
    for name, value in asdict(found).items():
        setattr(row, name, value)
    row.updated_at = now
    session.flush()
    # Saved again, a logo that could not be had is tried again; one that is not mentioned is left alone.
    if "partner_logo_url" in changes:
        logo.want(session, caller.account_id, key_id, found.partner_logo_url, now=now)
    return Saved(found, _reach(session, caller))


def _of(account_id: uuid.UUID, key_id: uuid.UUID) -> sa.Select[BrandingConfig]:
    return sa.select(BrandingConfig).where(
        BrandingConfig.api_key_id == key_id, BrandingConfig.account_id == account_id
    )


def read(row: BrandingConfig) -> Branding:
    """A row as plain values."""
    return Branding(**{name: getattr(row, name) for name in _COLUMNS})


def _reach(session: db.Session, caller: tenancy.Caller) -> int:
    """Decision 039: every key changed, the master included. Children that are cut off are not counted."""
    if caller.role != "master":
        return 1
    trees = tenancy.visible_organizations(session, caller)
    return 1 + sum(children for found, children in trees if found.id == caller.organization_id)


def erase(session: db.Statements, account_id: uuid.UUID) -> int:
    """Delete a batch of what is kept of a closed account; return how many rows."""
    return bulk.erase(session, ("branding_logos", "branding_configs"), account_id)
