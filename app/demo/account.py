"""Sign-in, API key and credits of the demonstration account, the same at every start."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from app import credits, tenancy
from app.demo import story
from app.platform import clock, settings
from app.platform.postgres import db

EMAIL = "demo@candado.example"
_NAME = "Despacho de demostración"
_KEY_NAME = "Demo"
_CREDITS = 1000
_FILE = "demo.json"
_LOCK = 7_203_115_902_440_119


def seed() -> dict[str, Any]:
    """Create the account if it does not exist; return its sign-in and key.

    Password and key are random; their plaintext is stored in `DATA_DIR/demo.json` (mode 0600), since the
    database holds only hashes. Where that file is lost, a new password is set and a new key replaces the old
    one. A new account gets its sample activity (`story`).

    Returns:
        `email`, `password`, `key`, `key_prefix` and `account_id`.
    """
    path = settings.current().data_dir / _FILE
    remembered = _read(path)
    now = clock.now()
    with db.transaction() as session:
        # Two starts at once must not both find nothing.
        session.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        member = tenancy.find_member(session, EMAIL)
        password = remembered.get("password") or tenancy.passwords.generate()
        fresh = member is None
        if member is None:
            account, member = tenancy.create_account(session, name=_NAME, email=EMAIL, password=password)
            account.created_at = story.beginning(now)
            tenancy.describe(session, account.id, name=_NAME, time_zone="Europe/Madrid")
            credits.open_balance(session, account.id, low_threshold=settings.current().low_balance_default)
            credits.grant(
                session,
                account.id,
                _CREDITS,
                now=account.created_at,
                kind="admin_gift",
                description="demonstration credits",
            )
        elif "password" not in remembered:
            tenancy.set_password(session, EMAIL, password)
        token = remembered.get("key")
        rows = {row.key_hash: row for row in tenancy.keys_of(session, member.account_id) if row.active}
        row = rows.get(tenancy.digest(token)) if token else None
        if row is None or token is None:
            for stale in rows.values():
                if stale.name == _KEY_NAME:
                    tenancy.revoke_key(session, stale.id, now=now)
            made = tenancy.create_key(
                session,
                member.account_id,
                name=_KEY_NAME,
                tier="premium",
                scopes=tenancy.SCOPES,
                prefix=settings.current().key_prefix,
                now=now,
            )
            row, token = made.row, made.plaintext
        found = {
            "email": EMAIL,
            "password": password,
            "key": token,
            "key_prefix": row.key_prefix,
            "account_id": str(member.account_id),
        }
    _write(path, found)
    if fresh:
        story.tell(member.account_id, now=now)
    return found


def _read(path: Path) -> dict[str, str]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(path: Path, found: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    # Created with its mode, so that the key is never readable by others, not even for a moment.
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(found, file)
    partial.replace(path)
