"""Every page and form of the portal that names something, named with what is another account's."""

from __future__ import annotations

import re
import uuid
from contextlib import nullcontext
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app import tenancy, usage, webhooks
from app.platform import clock
from app.platform.postgres import db
from app.usage.rollup import insert_calls
from tests.cast import Cast
from tests.isolation.first_wall import torn_down
from tests.isolation.world import House, Ids, house

# What the forms ask for, so that it is not a missing field that stops them.
FORM = {
    "name": "Mine now", "label": "Mine now", "description": "", "active": "1", "role": "admin",
    "url": "https://192.0.2.9/in", "events": "credits.low", "scopes": "analyze",
}  # fmt: skip


@pytest.fixture
def alice(cast: Cast) -> tuple[House, Ids]:
    """Her house, and an id for each parameter that the portal's addresses have."""
    made = house(cast, "alice")
    with db.transaction() as session:
        link, _ = tenancy.one_time_links.invite(
            session,
            made.master.account_id,
            email=f"ana-{uuid.uuid4().hex}@example.com",
            role="developer",
            now=clock.now(),
        )
        member = session.scalar(
            sa.text("SELECT id FROM members WHERE account_id = :a"), {"a": made.master.account_id}
        )
        ids = {**made.own, "entry_id": made.own["id"], "link_id": str(link.id), "member_id": str(member)}
        ids["matter_id"] = str(uuid.uuid4())
        call = usage.Call(
            clock.now(), made.master.account_id, made.master.key_id, "/api/v1/analyze", 200, 5, 0
        )
        insert_calls(session, [call])
        hook = uuid.UUID(made.own["webhook_id"])
        _, delivery = webhooks.send_test(
            session, made.master.account_id, made.master.key_id, hook, now=clock.now()
        )
        ids |= {"call_id": str(call.id), "delivery_id": str(delivery)}
        session.execute(
            sa.text("UPDATE jobs SET matter_id = :matter WHERE id = :job"),
            {"matter": ids["matter_id"], "job": made.own["job_id"]},
        )
    made.marks += [ids["link_id"], ids["member_id"]]
    return made, ids


@pytest.fixture
def browser(app: Flask, cast: Cast) -> tuple[FlaskClient, str]:
    """Mallory's, signed in as an owner, and the token of her forms."""
    mallory, client = cast.player("mallory"), app.test_client()
    client.set_cookie("language", "en")
    answer = client.post(
        "/portal/sign-in",
        data={
            "email": mallory.email,
            "password": mallory.password,
            "csrf_token": _token(client, "/portal/sign-in"),
        },
    )
    assert answer.status_code == 303
    return client, _token(client, "/portal/keys/new")


def _token(client: FlaskClient, path: str) -> str:
    found = re.search(r'name="csrf_token" value="([^"]+)"', client.get(path).text)
    assert found, path
    return found[1]


def _addresses(app: Flask) -> list[tuple[str, str]]:
    """Method and rule of everything in the portal that is named by an id.

    A single sign-on is not: strangers begin there, in tests/portal/test_single_sign_on.py.
    """
    return sorted(
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/portal/")
        and "<uuid:" in rule.rule
        and not rule.rule.startswith("/portal/sso/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    )


def _tables() -> list[str]:
    return [table.name for table in db.Base.metadata.sorted_tables if "account_id" in table.columns]


def _state(account_id: uuid.UUID) -> dict[str, Any]:
    """All that the account has, as a fingerprint of each table."""
    with db.reading() as session:
        return {
            table: session.scalar(
                sa.text(
                    f"SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM {table} t "
                    f"WHERE {'id' if table == 'accounts' else 'account_id'} = :a"
                ),
                {"a": account_id},
            )
            for table in ("accounts", *_tables())
        }


@pytest.mark.parametrize("walls", ["both walls", "the second alone"])
def test_what_is_anothers_is_not_there_in_any_page_or_form(
    app: Flask, alice: tuple[House, Ids], browser: tuple[FlaskClient, str], walls: str
) -> None:
    her, ids = alice
    client, token = browser
    before, asked = _state(her.master.account_id), 0
    with torn_down() if walls == "the second alone" else nullcontext():
        for method, rule in _addresses(app):
            answers = []
            for given in (ids, {name: str(uuid.uuid4()) for name in ids}):
                path = re.sub(
                    r"<(?:uuid:|int:)?(\w+)>",
                    lambda found, given=given: {"form": "md", "page": "1", **given}[found[1]],
                    re.sub(r"<any\((\w+).*?\):form>", r"\1", rule),
                )
                data = {**FORM, "csrf_token": token} if method == "POST" else None
                answer = client.open(path, method=method, data=data)
                assert not [mark for mark in her.marks if mark in answer.text.replace(path, "")], (
                    method,
                    path,
                )
                answers.append(answer.status_code)
                asked += 1
            assert answers == [404, 404], (method, rule)
    assert asked > 60
    assert _state(her.master.account_id) == before
