"""Fifty callers at once never pass a limit (decision 008)."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from flask import Flask

from app import tenancy
from app.platform import clock
from app.platform.postgres import db
from tests.cast import Cast, Player

CROWD = 50


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


def _post(app: Flask, key: str, path: str, body: dict[str, str]) -> tuple[int, str | None]:
    response = app.test_client().post(path, json=body, headers={"Authorization": f"Bearer {key}"})
    return response.status_code, (response.get_json() or {}).get("code")


def test_the_sixth_organization_is_never_made(app: Flask, cast: Cast, alice: Player) -> None:
    keys = [cast.key(alice.account_id)[1] for _ in range(CROWD)]
    with ThreadPoolExecutor(CROWD) as crowd:
        answers = list(
            crowd.map(lambda key: _post(app, key, "/api/v1/organizations", {"name": "Firm"}), keys)
        )
    assert sorted(answers) == sorted([(201, None)] * 5 + [(422, "ORGANIZATION_LIMIT")] * 45)
    with db.reading() as session:
        assert len(tenancy.organizations_of(session, alice.account_id)) == 5


def test_one_key_never_becomes_master_twice(app: Flask, alice: Player) -> None:
    with ThreadPoolExecutor(CROWD) as crowd:
        answers = list(
            crowd.map(
                lambda _: _post(app, alice.key, "/api/v1/organizations", {"name": "Firm"}), range(CROWD)
            )
        )
    assert sorted(answers) == sorted([(201, None)] + [(409, "ALREADY_MASTER")] * 49)


@pytest.mark.parametrize("way", ["created", "let in again"])
def test_the_201st_sub_key_is_never_active(app: Flask, cast: Cast, alice: Player, way: str) -> None:
    organization = cast.organization(alice)
    path = f"/api/v1/organizations/{organization}/keys"
    out = [cast.child(alice, organization) for _ in range(CROWD if way == "let in again" else 0)]
    with db.transaction() as session:
        for child in out:
            tenancy.revoke_key(session, child.key_id, now=clock.now())
        _fill(session, alice, organization, 190)

    def attempt(number: int) -> tuple[int, str | None]:
        if way == "created":
            return _post(app, alice.key, path, {"childLabel": f"Client {number}"})
        response = app.test_client().patch(
            f"{path}/{out[number].key_id}", json={"active": True}, headers=alice.auth
        )
        return response.status_code, (response.get_json() or {}).get("code")

    with ThreadPoolExecutor(CROWD) as crowd:
        answers = list(crowd.map(attempt, range(CROWD)))
    made = 201 if way == "created" else 200
    assert sorted(answers, key=str) == sorted([(made, None)] * 10 + [(422, "SUB_KEY_LIMIT")] * 40, key=str)
    with db.reading() as session:
        caller = cast.caller(alice)
        assert [count for _, count in tenancy.visible_organizations(session, caller)] == [200]


def _fill(session: db.Session, master: Player, organization: uuid.UUID, count: int) -> None:
    """Active child keys that nobody holds, as quickly as a database writes them."""
    session.execute(
        sa.text(
            """
            INSERT INTO api_keys (id, account_id, name, key_prefix, key_hash, role, tier, scopes, created_at,
                                  organization_id, parent_key_id, child_label)
            SELECT gen_random_uuid(), :account, 'full', 'svc_aaaaaaaa', uuid_send(gen_random_uuid()),
                   'child', 'enterprise', ARRAY['analyze'], now(), :organization, :master, 'full'
            FROM generate_series(1, :count)
            """
        ),
        {
            "account": master.account_id,
            "organization": organization,
            "master": master.key_id,
            "count": count,
        },
    )
