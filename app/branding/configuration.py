"""Branding configuration of a key: read, merge, save. Children have their master's (decision 039)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from typing import Any, Literal, cast

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from app import tenancy
from app.branding import logo, picture
from app.branding.attribution import MODES, Attribution, Mode
from app.branding.models import BrandingConfig
from app.platform import safe_http
from app.platform.errors import Denied, Invalid, NotFound
from app.platform.postgres import bulk, db

UrlField = Literal["partner_logo_url", "partner_website"]


@dataclass(frozen=True, slots=True)
class Branding:
    """The branding of a key (decision 039); fields are named as in the API."""

    branding: Mode = "nexus"
    partner_brand_name: str | None = None
    partner_legal_name: str | None = None
    partner_logo_url: str | None = None
    partner_primary_color: str | None = None
    partner_support_email: str | None = None
    partner_website: str | None = None

    @property
    def attribution(self) -> Attribution:
        """The name to use in analyses."""
        return Attribution(self.branding, self.partner_brand_name)

    def changed(self, changes: Mapping[str, str | None]) -> Branding:
        """Return a copy with `changes` applied: absent fields stay, `None` clears.

        A cleared `branding` becomes `nexus`.

        Raises:
            Invalid: 422 for `partner` without a brand name.
        """
        known = {field.name for field in fields(self)} & changes.keys()
        values: dict[str, Any] = {name: changes[name] for name in known}
        if "branding" in values:
            values["branding"] = values["branding"] or MODES[0]
        found = replace(self, **values)
        if found.branding == "partner" and not found.partner_brand_name:
            raise Invalid(
                "partner_brand_name: is required when branding is partner. Send it, or another value of "
                "branding.",
                status=422,
                details={"field": "partner_brand_name", "expected": "string of 1 to 80 characters"},
            )
        return found


@dataclass(frozen=True, slots=True)
class SaveResult:
    """The configuration after a save.

    `applied_to_keys` counts the keys that have it: the key itself and, for a master, its active children.
    """

    branding: Branding
    applied_to_keys: int


_COLUMNS = tuple(field.name for field in fields(Branding))


def holder(caller: tenancy.Caller) -> uuid.UUID:
    """Return the key whose branding applies to the caller: its master's, or its own."""
    return caller.parent_key_id or caller.key_id


def owned(caller: tenancy.Caller) -> uuid.UUID:
    """Return the key whose branding the caller may change.

    Raises:
        Denied: 403 `FORBIDDEN_CHILD_KEY`.
    """
    if caller.role == "child":
        raise Denied(
            "A child key has the branding of its master key and cannot change it. Use the master key.",
            code="FORBIDDEN_CHILD_KEY",
            status=403,
        )
    return caller.key_id


def get(session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID) -> Branding:
    """Return the branding of a solo or master key, the default where none was saved."""
    row = session.scalar(_of(account_id, key_id))
    return Branding() if row is None else read(row)


def attribution_of(caller: tenancy.Caller) -> Attribution:
    """Return the name to use in the caller's analyses, as saved when the caller was identified."""
    return Attribution(cast(Mode, caller.branding or MODES[0]), caller.brand_name)


def check_url(url: str, *, field: UrlField) -> None:
    """Check that `url` is https at a public address; a name that does not resolve passes (decision 031).

    It may query a name server: call it outside a transaction.

    Raises:
        Invalid: 422 `URL_NOT_ALLOWED`.
    """
    safe_http.check_url(url, field=field)


def save(
    session: db.Session, caller: tenancy.Caller, changes: Mapping[str, str | None], *, now: datetime
) -> SaveResult:
    """Merge `changes` into the branding of the caller's key, and request the download of a new logo.

    The caller has checked its URLs with `check_url`.

    Raises:
        Denied: 403 for a child.
        Invalid: 422 for `partner` without a brand name.
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
    tenancy.activity.record(
        session,
        caller.account_id,
        "branding.changed",
        tenancy.activity.Target("api_key", str(key_id)),
        details={"fields": sorted(changes)},
    )
    # Saved again, a logo that could not be had is tried again; one that is not mentioned is left alone.
    if "partner_logo_url" in changes:
        logo.want(session, caller.account_id, key_id, found.partner_logo_url, now=now)
    return SaveResult(found, _reach(session, caller))


def upload_logo(
    session: db.Session, caller: tenancy.Caller, image: picture.Picture, *, now: datetime
) -> None:
    """Store an uploaded logo for the caller's key; the URL of the logo is cleared. Raises `Denied` (403)."""
    save(session, caller, {"partner_logo_url": None}, now=now)
    logo.put(session, caller.account_id, owned(caller), image, now=now)


def remove_logo(session: db.Session, caller: tenancy.Caller) -> None:
    """Delete an uploaded logo. Raises `Denied` (403) or `NotFound`."""
    key_id = owned(caller)
    if not logo.drop_uploaded(session, caller.account_id, key_id):
        raise NotFound("There is no uploaded logo.")
    tenancy.activity.record(
        session,
        caller.account_id,
        "branding.changed",
        tenancy.activity.Target("api_key", str(key_id)),
        details={"fields": ["logo"]},
    )


def _of(account_id: uuid.UUID, key_id: uuid.UUID) -> sa.Select[BrandingConfig]:
    return sa.select(BrandingConfig).where(
        BrandingConfig.api_key_id == key_id, BrandingConfig.account_id == account_id
    )


def read(row: BrandingConfig) -> Branding:
    """Convert a row to plain values."""
    return Branding(**{name: getattr(row, name) for name in _COLUMNS})


def _reach(session: db.Session, caller: tenancy.Caller) -> int:
    """Count the keys that the branding applies to: the caller and its active children (decision 039)."""
    if caller.role != "master":
        return 1
    trees = tenancy.visible_organizations(session, caller)
    return 1 + sum(children for found, children in trees if found.id == caller.organization_id)


def erase(session: db.Statements, account_id: uuid.UUID) -> int:
    """Delete a batch of a closed account's branding; return how many rows."""
    return bulk.erase(session, ("branding_logos", "branding_configs"), account_id)
