"""What is left of an account that was closed: docs/stored-data.md's table of what is kept, row by row."""

from __future__ import annotations

import io
import re
import secrets
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import analysis, governance, mail, oauth, portal, sso, tenancy, usage, webhooks
from app.alerts.models import Alert
from app.analysis import own_engines
from app.analysis.own_engines import storage
from app.mail.models import OutgoingMail
from app.oauth import clients, grants
from app.platform import clock, redis_client, settings
from app.platform.postgres import db, rls
from app.purchases.models import Purchase
from app.sharing import ResultLink
from app.webhooks.models import EventHorizon
from tests.cast import LEASE, Cast, Player
from tests.jobs.conftest import desk
from tests.jobs.desk import Desk
from tests.portal.conftest import PortalClient

__all__ = ["desk"]

Make = Callable[..., PortalClient]

_ROW = re.compile(r"^\| PostgreSQL ((?:`[a-z_*]+`(?:, )?)+) \|.*\|([^|]*)\|$", re.M)


def promised() -> dict[str, str]:
    """What docs/stored-data.md says of each table of PostgreSQL when the account is closed."""
    text = (settings.PROJECT / "docs" / "stored-data.md").read_text("utf-8")
    return {name: fate.strip() for names, fate in _ROW.findall(text) for name in re.findall("`(.*?)`", names)}


def tables_of_tenants() -> set[str]:
    """Every table with rows of an account, and the accounts themselves."""
    with db.reading() as session:
        found = session.scalars(
            sa.text(
                # The months of a table are the table.
                "SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid "
                "WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') "
                "AND NOT relispartition AND attname = 'account_id' AND NOT attisdropped"
            )
        )
        return {*found, "accounts"}


def rows_of(player: Player) -> dict[str, int]:
    with db.reading() as session:
        return {name: _count(session, name, player) for name in tables_of_tenants()}


def _count(session: db.Session, table: str, player: Player) -> int:
    column = "id" if table == "accounts" else "account_id"
    found = session.scalar(
        sa.text(f"SELECT count(*) FROM {table} WHERE {column} = :a"), {"a": player.account_id}
    )
    return int(found or 0)


@pytest.fixture
def full(client: FlaskClient, cast: Cast, desk: Desk) -> Iterator[Player]:
    """An account with something in every table."""
    alice = cast.player("alice")
    headers = {**alice.auth, "Idempotency-Key": "closing-account-1"}
    assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=headers).status_code == 200
    while usage.drain("closing"):
        pass
    spent = usage.Tokens(alice.account_id, alice.key_id, clock.today(), "draft", "openai m", False, 9, 3, 1)
    usage.record_tokens([spent])
    made = client.post("/api/v1/webhooks", json={"url": "https://hooks.example.com/x"}, headers=alice.auth)
    assert made.status_code == 201
    client.post(f"/api/v1/webhooks/{made.json['id']}/test", headers=alice.auth)
    watched = client.post("/api/v1/watches", json={"citation": "art. 1902 CC"}, headers=alice.auth)
    assert watched.status_code == 201
    body = {
        "branding": "partner",
        "partner_brand_name": "Acme",
        "partner_logo_url": "https://acme.example/l.png",
    }
    assert client.put("/api/v1/branding", json=body, headers=alice.auth).status_code == 200
    cast.child(alice, cast.organization(alice, "Secret Firm"))
    desk.accept(alice)
    upload = {"file": (io.BytesIO(LEASE.encode()), "lease.txt")}
    assert client.post("/api/v1/documents", data=upload, headers=alice.auth).status_code == 201
    versions = {"before": LEASE, "after": f"{LEASE} CUARTA.- Fuero. Los juzgados de Madrid."}
    assert client.post("/api/v1/compare", json=versions, headers=alice.auth).status_code == 200
    now = clock.now()
    with rls.acting_for(alice.account_id), db.transaction() as session:
        tenancy.enforcement.set_account_policy(
            session, alice.account_id, enabled=False, scope="user", target=None, now=now
        )
        chosen = own_engines.Chosen("B", "openai", "m", None, "responses", "sk-000000000000")
        storage.keep(session, alice.account_id, chosen, tested_at=now)
        tenancy.allow_address(session, alice.account_id, cidr="203.0.113.0/24", label="office", now=now)
        governance.order(
            session,
            alice.account_id,
            clock.today() - timedelta(days=1),
            clock.today(),
            key_id=None,
            flagged=False,
            language="es",
            now=now,
        )
        session.add(_link(session, alice, now))
        session.add(EventHorizon(account_id=alice.account_id, seq=0, created_at=now))
        _connect(session, alice, now)
    with rls.as_system(), db.transaction() as session:
        governance.append_round(session, now=now)
    with db.transaction() as session:
        session.add(
            OutgoingMail(
                account_id=alice.account_id,
                sealed=b"x",
                created_at=now,
                next_attempt_at=now + timedelta(days=1),
            )
        )
        session.add(Alert(account_id=alice.account_id, name="x", at=now))
        (owner,) = tenancy.members_of(session, alice.account_id)
        mail.choose(session, alice.account_id, owner.id, {"cap": False})
        row = sso.save_connection(
            session, alice.account_id, issuer="https://login.example", client_id="x", client_secret="x",
            role="developer", now=now,
        )  # fmt: skip
        session.add(
            Purchase(account_id=alice.account_id, credits=1, amount=1, currency="eur", created_at=now)
        )
        sso.add_domain(session, alice.account_id, f"{alice.account_id}.example", now=now)
        sso.admit(session, row, sso.Identity("x", owner.email), now=now)
        governance.chain_check.ask(session, alice.account_id)
        tenancy.one_time_links.invite(
            session, alice.account_id, email="carol@example.com", role="developer", now=now
        )
    yield alice
    # What is open must not be taken up by another test.
    with db.transaction() as session:
        governance.delete_all(session, alice.account_id)
        if tenancy.get_account(session, alice.account_id).closed_at is None:
            tenancy.close_account(session, alice.account_id, now=clock.now())
    erase()


def _link(session: db.Session, player: Player, now: datetime) -> ResultLink:
    """A link to a result of the account."""
    return ResultLink(
        id=uuid.uuid4(),
        account_id=player.account_id,
        job_id=session.scalar(sa.text("SELECT id FROM jobs WHERE account_id = :a"), {"a": player.account_id}),
        member_id=tenancy.members_of(session, player.account_id)[0].id,
        audience="members",
        token_hash=secrets.token_bytes(32),
        created_at=now,
        expires_at=now + timedelta(hours=1),
    )


def _connect(session: db.Session, player: Player, now: datetime) -> None:
    """Let an assistant in, and give it its tokens."""
    site = oauth.Site(base="http://localhost", name="Service", key_prefix="svc")
    made = clients.register(session, {"redirect_uris": ["https://assistant.example/cb"]}, now=now)
    consent = oauth.Consent(player.account_id, uuid.uuid4(), ("mcp",), None, now + timedelta(days=30))
    grants.begin(
        session,
        consent,
        client_id=made.client_id,
        redirect_uri=made.redirect_uris[0],
        requested=["mcp"],
        audience=site.audience,
        code=f"code-{player.account_id}",
        code_challenge="c" * 43,
        now=now,
    )
    grant = grants.by_code(session, f"code-{player.account_id}", made.client_id, now=now)
    assert grant is not None
    grants.issue(session, grant, made, site, now=now)


def close(visitor: PortalClient, player: Player) -> None:
    closed = visitor.send("/portal/account/close", {"current": player.password, "name": "alice"})
    assert closed.status_code == 303, closed.text


def erase() -> None:
    while portal.erase_closed():
        pass


def test_closing_deletes_and_keeps_what_the_table_says(full: Player, member: Make) -> None:
    words, before = promised(), rows_of(full)
    assert [name for name in before if name not in words] == [], "docs/stored-data.md names every table"
    assert [name for name, count in before.items() if not count] == [], "the test fills every table"
    close(member(full), full)
    erase()
    after = rows_of(full)
    wrong = {
        name: (words[name], before[name], after[name])
        for name in after
        if (words[name] == "deleted") != (after[name] == 0)
        or (words[name].startswith("kept") and after[name] != before[name] and name != "activities")
    }
    assert wrong == {}
    # Signing in and closing are the last of them.
    assert after["activities"] == before["activities"] + 2
    assert {words[name] for name in after} == {"deleted", "kept", "kept, without names and labels"}


def test_no_row_of_the_table_says_nothing_of_an_account_that_is_closed(app: object) -> None:
    words = promised()
    assert {name for name, fate in words.items() if not fate} == {
        "citator_edges",
        "corpus_*",
        "log_checkpoints",
        "log_entries",
        "log_tiles",
        "oauth_clients",
        "signing_keys",
    }


def test_no_name_that_a_person_gave_is_left_in_keys_and_organizations(full: Player, member: Make) -> None:
    close(member(full), full)
    erase()
    with db.reading() as session:
        found = session.execute(
            sa.text(
                "SELECT name, child_label FROM api_keys WHERE account_id = :a UNION ALL "
                "SELECT name, description FROM organizations WHERE account_id = :a"
            ),
            {"a": full.account_id},
        ).all()
    assert {tuple(row) for row in found} == {("closed", None)}


def test_nothing_sealed_can_be_opened_after_closing(full: Player, member: Make, desk: Desk) -> None:
    """The keys were in PostgreSQL; what is left in Redis is noise that runs out."""
    close(member(full), full)
    erase()
    with db.reading() as session:
        for table in ("jobs", "documents", "comparisons", "idempotency_records", "audit_documents"):
            assert not session.scalar(
                sa.text(f"SELECT count(*) FROM {table} WHERE account_id = :a"), {"a": full.account_id}
            )
    assert all(
        0 < redis_client.client().ttl(name) <= 25 * 3600
        for name in redis_client.client().scan_iter("answer:*")
    )


def test_a_job_in_hand_when_its_account_is_closed_charges_nothing(
    full: Player, member: Make, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with db.reading() as session:
        job_id = session.scalar(sa.text("SELECT id FROM jobs WHERE account_id = :a"), {"a": full.account_id})
    before = desk.charged(full)
    real = analysis.analyse

    def closing(*args: Any, **more: Any) -> Any:
        found = real(*args, **more)
        with rls.as_system(), db.transaction() as session:
            tenancy.close_account(session, full.account_id, now=clock.now())
        erase()
        return found

    monkeypatch.setattr(analysis, "analyse", closing)
    assert desk.run(str(job_id))
    assert desk.charged(full) == before
    assert rows_of(full)["jobs"] == 0


def test_what_was_still_under_way_is_deleted_by_a_later_round(full: Player, member: Make, desk: Desk) -> None:
    close(member(full), full)
    erase()
    with db.transaction() as session:
        webhooks.publish(
            session, full.account_id, "credits.low", {"balance": 1, "threshold": 2}, now=clock.now()
        )
    erase()
    assert rows_of(full)["events"] == 0
    desk.forward(hours=2)
    erase()
    with db.reading() as session:
        assert full.account_id not in tenancy.accounts_to_erase(session), (
            "it is done with, and not asked again"
        )


def test_other_accounts_keep_everything(full: Player, member: Make, cast: Cast, client: FlaskClient) -> None:
    mallory = cast.player("mallory")
    assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=mallory.auth).status_code == 200
    before = rows_of(mallory)
    close(member(full), full)
    erase()
    assert rows_of(mallory) == before
