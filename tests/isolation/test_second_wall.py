"""Row-level security holds alone, where the application's own filter by account is taken out."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import credits, webhooks
from app.platform import clock, settings
from app.platform.postgres import connections, db, rls
from tests.cast import LEASE, Cast, Player
from tests.isolation.first_wall import torn_down
from tests.portal.calls import called


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.fixture
def mallory(cast: Cast) -> Player:
    return cast.player("mallory")


def test_every_tenants_table_is_behind_the_wall(app: object) -> None:
    tables = """
        SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity AS forced,
               array(SELECT polname::text FROM pg_policy WHERE polrelid = c.oid ORDER BY 1) AS policies
        FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
          AND (c.relname = 'accounts' OR EXISTS (
              SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'account_id'))
        """
    with db.reading() as session:
        found = {row.relname: (row.forced, row.policies) for row in session.execute(sa.text(tables))}
    described = {t.name for t in db.Base.metadata.sorted_tables if "account_id" in t.columns} | {"accounts"}
    assert described <= set(found)
    # What the database's own function needs to append (migration 0021), which no role of the application is.
    own = dict.fromkeys(("audit_heads", "audit_records"), (True, ["appending", "system", "tenant"]))
    usual = (True, ["system", "tenant"])
    assert {name: state for name, state in found.items() if state != own.get(name, usual)} == {}


def test_no_function_with_its_owners_rights_looks_among_temporary_tables_first(app: object) -> None:
    """Any role may make a temporary table by the name of one that such a function writes to."""
    paths = """
        SELECT p.proname, array_to_string(p.proconfig, ' ') AS settings FROM pg_proc p
        WHERE p.pronamespace = current_schema()::regnamespace AND p.prosecdef
        """
    with db.reading() as session:
        found = {row.proname: row.settings or "" for row in session.execute(sa.text(paths))}
    assert "append_audit_record" in found
    assert {
        name for name, path in found.items() if not re.search(r"search_path=[^=]*, pg_temp\b", path)
    } == set()


def test_a_request_is_served_by_a_role_that_owns_nothing(app: object, alice: Player) -> None:
    with rls.acting_for(alice.account_id), db.reading() as session:
        role = session.scalar(sa.text("SELECT current_user"))
        owned = session.scalar(
            sa.text("SELECT count(*) FROM pg_class WHERE pg_get_userbyid(relowner) = current_user")
        )
        power = session.execute(
            sa.text("SELECT rolsuper, rolbypassrls, rolcanlogin FROM pg_roles WHERE rolname = current_user")
        ).one()
    assert (role, owned, tuple(power)) == ("candado_app", 0, (False, False, False))


def test_a_connection_without_the_role_is_refused(app: object, monkeypatch: pytest.MonkeyPatch) -> None:
    real = connections.TimeoutConnection.connect

    def drops_options(*arguments: Any, **named: Any) -> Any:
        return real(*arguments, **{**named, "options": ""})

    monkeypatch.setattr(connections.TimeoutConnection, "connect", drops_options)
    made = connections.make_engine(settings.current().database_url.get_secret_value())
    with pytest.raises(sa.exc.OperationalError, match="not as candado_app, so row security would not hold"):
        made.connect()


def test_nobody_sees_nothing(app: object, alice: Player) -> None:
    before = rls.begin_request()
    try:
        with db.reading() as session:
            seen = session.scalar(sa.text("SELECT count(*) FROM accounts"))
        with db.statements() as session:
            one = session.one("SELECT count(*) AS keys FROM api_keys", {})
    finally:
        rls.end_request(before)
    assert (seen, one.keys) == (0, 0)


@pytest.mark.parametrize("way", ["reading", "transaction", "statements", "together"])
def test_the_scope_reaches_every_way_to_the_database(
    app: object, alice: Player, mallory: Player, way: str
) -> None:
    with rls.acting_for(mallory.account_id), getattr(db, way)() as session:
        first = session.one("SELECT array_agg(id) AS ids FROM accounts", {})
        again = session.one("SELECT array_agg(account_id) AS ids FROM api_keys", {})
    assert (first.ids, again.ids) == ([mallory.account_id], [mallory.account_id])


def test_a_scope_does_not_outlive_its_transaction(app: object, alice: Player, mallory: Player) -> None:
    for player in (alice, mallory) * 5:
        with rls.acting_for(player.account_id), db.statements() as session:
            assert session.one("SELECT array_agg(id) AS ids FROM accounts", {}).ids == [player.account_id]
    with db.statements() as session:
        assert session.one("SELECT count(*) AS n FROM accounts", {}).n >= 2


def test_a_row_cannot_be_written_for_another_tenant(app: object, alice: Player, mallory: Player) -> None:
    with (
        pytest.raises(psycopg.errors.InsufficientPrivilege),
        rls.acting_for(mallory.account_id),
        db.statements() as session,
    ):
        webhooks.publish(
            session, alice.account_id, "credits.low", {"balance": 1, "threshold": 2}, now=clock.now()
        )
    with rls.acting_for(mallory.account_id), db.statements() as session:
        moved = session.run(
            "UPDATE credit_balances SET balance = 0 WHERE account_id = %(a)s", {"a": alice.account_id}
        )
    assert moved == 0
    assert Cast.balance(alice).balance == 100


def test_the_test_build_has_no_first_wall(app: object, alice: Player, mallory: Player) -> None:
    with torn_down() as changed, db.reading() as session:
        page = credits.entries(
            session, mallory.account_id, credits.Filter(), before_seq=None, limit=50
        )  # as the system
    assert changed
    assert len(page.rows) > 1, "without filter and without row security one sees other tenants' rows"


@pytest.mark.parametrize("way", ["reading", "transaction", "statements", "together"])
def test_no_way_to_the_database_keeps_its_first_wall(
    app: object, alice: Player, mallory: Player, way: str
) -> None:
    count = "SELECT count(*) AS n FROM api_keys WHERE account_id = %(account)s"
    values = {"account": mallory.account_id}
    with getattr(db, way)() as session:
        assert session.one(count, values).n == 1
    with torn_down() as changed:
        with getattr(db, way)() as session:  # as the system
            assert session.one(count, values).n > 1
        with rls.acting_for(mallory.account_id), getattr(db, way)() as session:
            assert session.one(count, values).n == 1, "the second wall"
    assert len(changed) == 2


def test_without_the_first_wall_the_second_holds(
    client: FlaskClient, alice: Player, mallory: Player, cast: Cast
) -> None:
    request_id = f"req_{uuid.uuid4()}"
    done = client.post(
        "/api/v1/analyze", json={"text": LEASE}, headers={**alice.auth, "X-Request-Id": request_id}
    )
    assert done.status_code == 200
    secrets = [str(alice.account_id), str(alice.key_id), alice.key[:12], alice.email, request_id]
    with torn_down() as changed:
        for path in (
            "/api/v1/credits/ledger",
            "/api/v1/usage",
            "/api/v1/usage?format=csv",
            f"/api/v1/usage?api_key_id={alice.key_id}",
            f"/api/v1/credits/ledger?api_key_id={alice.key_id}",
        ):
            answer = client.get(path, headers=mallory.auth)
            assert answer.status_code in (200, 404), path
            assert not [secret for secret in secrets if secret in answer.text.replace(path, "")], path
        own = client.get("/api/v1/credits/ledger", headers=mallory.auth).get_json()["data"]
    assert changed
    assert [row["amount"] for row in own] == [100]


@pytest.mark.parametrize(
    "page",
    [
        "/portal/",
        "/portal/keys",
        "/portal/organizations",
        "/portal/usage",
        "/portal/usage/keys",
        "/portal/usage/periods",
        "/portal/credits",
        "/portal/webhooks",
        "/portal/analyses",
        "/portal/analyses/chain",
    ],
)
def test_without_the_first_wall_the_portal_shows_nothing_of_anothers(
    client: FlaskClient, alice: Player, mallory: Player, page: str, signed_in: Callable[[Player], None]
) -> None:
    assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth).status_code == 200
    called(alice, 7331)
    called(mallory, 2)
    signed_in(mallory)
    with torn_down():
        answer = client.get(page, follow_redirects=True)
    assert answer.status_code == 200
    for theirs in (alice.key[:12], alice.email, "7,331", "7.331", "7,333", "7.333", "7,332", "7.332"):
        assert theirs not in answer.text
    assert "sign-in" not in answer.request.path


@pytest.mark.parametrize("page", ["/portal/usage", "/portal/usage/keys", "/portal/usage/periods"])
def test_the_sums_that_must_not_be_seen_are_seen_by_their_owner(
    client: FlaskClient, alice: Player, page: str, signed_in: Callable[[Player], None]
) -> None:
    called(alice, 7331)
    signed_in(alice)
    assert re.search("7[.,]331", client.get(page).text)


@pytest.fixture
def signed_in(client: FlaskClient) -> Callable[[Player], None]:
    """Sign a player in to the portal with this client."""

    def enter(player: Player) -> None:
        page = client.get("/portal/sign-in").text
        token = page.partition('name="csrf_token"')[2].partition('value="')[2].partition('"')[0]
        form = {"email": player.email, "password": player.password, "csrf_token": token}
        done = client.post("/portal/sign-in", data=form, headers={"Origin": "http://localhost"})
        assert done.status_code == 303, done.text[:500]

    return enter
