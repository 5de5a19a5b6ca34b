"""The operator's command line, as typed."""

from __future__ import annotations

import json
import uuid
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import Result
from flask import Flask
from flask.testing import FlaskClient

from app.platform import settings
from app.platform.postgres import db
from app.tenancy.members import add_member
from app.webhooks.models import Event
from tests.bare import bare
from tests.cast import LEASE, Cast
from tests.demo.waiting_jobs import end_waiting_jobs


def _run(app: Flask, *words: str) -> Result:
    return bare(app.test_cli_runner().invoke, args=list(words))


def _json(app: Flask, *words: str) -> dict[str, Any]:
    result = _run(app, *words, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.output.strip().splitlines()[-1])
    return found


def _account(app: Flask, amount: int = 1000) -> str:
    made = _json(
        app, "account", "create", "--name", "Bufete", "--email", f"{uuid.uuid4().hex}@example.com",
        "--password", "a long password", "--credits", str(amount),
    )  # fmt: skip
    assert set(made) == {"account_id", "member_id"}
    return str(made["account_id"])


def test_an_account_a_key_and_a_first_call(app: Flask, client: FlaskClient, cast: Cast) -> None:
    account = _account(app)
    assert _json(app, "credits", "balance", "--account", account) == {"balance": 1000, "held": 0}
    key = _json(
        app, "key", "create", "--account", account, "--name", "first", "--tier", "standard",
        "--scopes", "analyze,query",
    )  # fmt: skip
    assert set(key) == {"id", "key", "key_prefix"}
    assert key["key"].startswith(key["key_prefix"])
    auth = {"Authorization": f"Bearer {key['key']}"}
    assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=auth).status_code == 200
    assert _json(app, "credits", "balance", "--account", account) == {"balance": 999, "held": 0}
    granted = _json(app, "credits", "grant", "--account", account, "--amount", "500")
    assert granted == {"balance": 1499, "held": 0}
    revoked = _json(app, "key", "revoke", key["id"])
    assert revoked["id"] == key["id"]
    assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=auth).status_code == 401
    assert _json(app, "key", "revoke", key["id"]) == revoked


def test_the_operators_acts_on_a_key_are_on_the_bus(app: Flask, cast: Cast) -> None:
    account = _account(app)
    key = _json(app, "key", "create", "--account", account, "--name", "first")
    for _ in range(2):
        _json(app, "key", "cap", key["id"], "--credits", "10")
    for _ in range(2):
        _json(app, "key", "revoke", key["id"])
    with db.reading() as session:
        told = session.scalars(
            sa.select(Event).where(Event.account_id == uuid.UUID(account)).order_by(Event.seq)
        ).all()
    assert [fact.type for fact in told] == ["apikey.created", "apikey.updated", "apikey.revoked"]
    assert {fact.payload["apiKeyId"] for fact in told} == {key["id"]}


def test_an_account_is_named_by_its_id_or_its_owners_address(app: Flask, cast: Cast) -> None:
    alice = cast.player(credit=7)
    for written in (str(alice.account_id), alice.email, f" {alice.email.upper()} "):
        assert _json(app, "credits", "balance", "--account", written) == {"balance": 7, "held": 0}
    assert _json(app, "credits", "grant", "--account", alice.email, "--amount", "3")["balance"] == 10
    assert _json(app, "key", "create", "--account", alice.email, "--name", "second")["key"]
    options = _json(app, "account", "set", "--account", alice.email, "--citator")
    assert (options["account_id"], options["citator"]) == (str(alice.account_id), True)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("nobody@example.com", "nobody signs in with nobody@example.com"),
        ("Bufete", "must be an account's id or the e-mail address of its owner"),
        ("", "must be an account's id or the e-mail address of its owner"),
    ],
)
def test_an_account_that_is_not_known_is_said_plainly(
    app: Flask, cast: Cast, written: str, said: str
) -> None:
    for words in (
        ("credits", "balance"),
        ("credits", "grant", "--amount", "1"),
        ("key", "create", "--name", "k"),
        ("account", "set", "--citator"),
    ):
        result = _run(app, *words, "--account", written)
        assert result.exit_code == 1
        assert said in result.output
        assert "Traceback" not in result.output


def test_the_address_of_a_member_who_is_no_owner_is_refused_with_the_id(app: Flask, cast: Cast) -> None:
    alice = cast.player()
    email = f"dev-{uuid.uuid4().hex[:8]}@example.com"
    with db.transaction() as session:
        add_member(session, alice.account_id, email=email, password="correct horse battery", role="developer")
    result = _run(app, "credits", "balance", "--account", email)
    assert result.exit_code == 1
    assert f"is not an owner (role developer) of account {alice.account_id}" in result.output


def test_options_of_an_account(app: Flask) -> None:
    account = _account(app)
    first = _json(
        app, "account", "set", "--account", account, "--mask-names", "--citator", "--low-balance", "7"
    )
    assert first == {
        "account_id": account,
        "attestation": False,
        "citator": True,
        "mask_names": True,
        "plan": "enterprise",
        "low_balance": 7,
    }
    fresh = _json(app, "account", "set", "--account", _account(app), "--no-citator")
    assert fresh["mask_names"] is None, "nobody chose: the engine decides"
    assert _json(app, "account", "set", "--account", account, "--no-mask-names")["mask_names"] is False
    _json(app, "account", "set", "--account", account, "--mask-names")
    second = _json(app, "account", "set", "--account", account, "--no-citator")
    assert (second["citator"], second["mask_names"], second["low_balance"]) == (False, True, 7)


@pytest.mark.parametrize(
    "words",
    [("--expires-in-days", "30"), ("--expires-at", "2099-01-31"), ("--expires-at", "2099-01-31T10:00:00Z")],
)
def test_a_key_can_be_born_with_an_expiry(app: Flask, words: tuple[str, str]) -> None:
    assert _json(app, "key", "create", "--account", _account(app), "--name", "k", *words)["key"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("key", "create", "--account", str(uuid.uuid4()), "--name", "k"), "no account"),
        (("key", "create", "--account", "{account}", "--name", " "), "name"),
        (("key", "create", "--account", "{account}", "--name", "k", "--scopes", "all"), "scopes"),
        (("key", "create", "--account", "{account}", "--name", "k", "--scopes", ""), "scopes"),
        (("key", "create", "--account", "{account}", "--name", "k", "--expires-at", "soon"), "ISO 8601"),
        (("key", "create", "--account", "{account}", "--name", "k", "--expires-at", "2001-01-01"), "future"),
        (("key", "revoke", str(uuid.uuid4())), "no API key"),
        (("credits", "grant", "--account", "{account}", "--amount", "0"), "amount"),
        (("credits", "grant", "--account", str(uuid.uuid4()), "--amount", "5"), "no account"),
        (("credits", "balance", "--account", str(uuid.uuid4())), "no account"),
        (("account", "create", "--name", "x", "--email", "nobody", "--password", "long enough"), "email"),
        (("account", "create", "--name", "x", "--email", "a@example.com", "--password", "short"), "password"),
        (
            ("account", "create", "--name", "", "--email", "a@example.com", "--password", "long enough"),
            "name",
        ),
    ],
)
def test_a_refused_command_says_why_in_one_line(app: Flask, words: tuple[str, ...], said: str) -> None:
    account = _account(app)
    result = _run(app, *(word.replace("{account}", account) for word in words), "--json")
    assert result.exit_code == 1
    assert said in result.output
    assert "Traceback" not in result.output


def test_an_address_is_taken_once(app: Flask) -> None:
    words = ("account", "create", "--name", "x", "--password", "long enough", "--email")
    address = f"Ana.{uuid.uuid4().hex}@Example.com"
    _json(app, *words, address)
    result = _run(app, *words, address.lower())
    assert result.exit_code == 1
    assert "already exists" in result.output


def test_the_demonstration_account_is_the_same_at_every_start(
    app: Flask, client: FlaskClient, cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = settings.load(data_dir=tmp_path)
    monkeypatch.setattr("app.demo.account.settings.current", lambda: moved)
    first = _json(app, "demo", "seed")
    assert _json(app, "demo", "seed") == first
    assert (tmp_path / "demo.json").stat().st_mode & 0o777 == 0o600
    auth = {"Authorization": f"Bearer {first['key']}"}
    assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=auth).status_code == 200
    # The file lost: a new key and password, the old key cut off, the account the same.
    (tmp_path / "demo.json").unlink()
    second = _json(app, "demo", "seed")
    assert second["account_id"] == first["account_id"]
    assert second["key"] != first["key"]
    assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=auth).status_code == 401
    end_waiting_jobs(uuid.UUID(first["account_id"]))


def test_settings_find_the_services_of_their_data_dir(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    with pytest.raises(settings.SettingsError, match="make run"):
        settings.load().require("database_url")
    found = {"database_url": "postgresql://a@/b", "redis_url": "unix:///c", "secret_key": "d" * 32}
    (tmp_path / "services.json").write_text(json.dumps(found))
    assert settings.load().database_url.get_secret_value() == "postgresql://a@/b"
    monkeypatch.setenv("DATABASE_URL", "postgresql://elsewhere/x")
    assert settings.load().database_url.get_secret_value() == "postgresql://elsewhere/x"


def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "eighty")
    monkeypatch.setenv("SECRET_KEY", "short")
    with pytest.raises(settings.SettingsError, match=r"(?s)SECRET_KEY.*PORT"):
        settings.load()


def test_timestamps_are_utc_with_a_z() -> None:
    from app.platform import clock

    assert clock.iso(datetime.fromisoformat("2026-11-21T10:00:00+01:00")) == "2026-11-21T09:00:00.000Z"
