"""What an account watches, and who is told when a load changes or cites it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import citator, corpus, mail, portal, tenancy, webhooks
from app.platform import clock, settings
from app.platform.postgres import db, rls
from app.webhooks.event_bus import broadcasts
from tests.cast import Cast, Player
from tests.corpus.conftest import clear, write_law

PATH = "/api/v1/watches"
LAW, NAME = "ZZ-A-2020-1", "Ley 1/2020, de 2 de enero, de Demostración"


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.fixture
def bob(cast: Cast) -> Player:
    return cast.player("bob")


@pytest.fixture
def law(app: object, tmp_path: Path) -> Iterator[Path]:
    """A law of two articles, loaded."""
    clear()
    _forget()
    corpus.load("statutes", write_law(tmp_path), "markdown", now=clock.now())
    yield tmp_path
    clear()
    _forget()


def _forget() -> None:
    with db.transaction() as session:
        for table in ("watches", "announcements", "outgoing_mails"):
            session.execute(sa.text(f"DELETE FROM {table}"))


def watch(client: FlaskClient, player: Player, citation: str, status: int = 201, **body: Any) -> Any:
    asked = {"citation": citation, "jurisdiction": "ZZ"} | body
    response = client.post(PATH, json=asked, headers=player.auth)
    assert response.status_code == status, response.text
    return response.get_json()


def change(folder: Path) -> None:
    """Load an edition in which article 1 has other words and article 2 the same."""
    corpus.load(
        "statutes", write_law(folder, edition="2024-05-06", first="Otra."), "markdown", now=clock.now()
    )
    webhooks.spread(clock.now())


def hook(player: Player, *events: str) -> uuid.UUID:
    with db.transaction() as session:
        made = webhooks.register(
            session, player.account_id, player.key_id, url="https://93.184.215.14/hook",
            events=events, description=None, now=clock.now(),
        )  # fmt: skip
        return made.row.id


def deliveries(player: Player, endpoint: uuid.UUID) -> list[str]:
    with db.reading() as session:
        found = webhooks.log(session, player.account_id, player.key_id, endpoint, limit=100)
    return [row.event for row in found.entries]


def told(player: Player, event: str) -> list[dict[str, Any]]:
    with db.reading() as session:
        page = webhooks.events(session, player.account_id, types=(event,), limit=9)
        return [dict(row.payload) for row in page.rows]


def test_watches_are_added_listed_and_removed(client: FlaskClient, alice: Player, law: Path) -> None:
    made = watch(client, alice, LAW, mail=True)
    assert (made["kind"], made["subject"], made["mail"]) == ("law", f"ZZ:{LAW}", True)
    again = watch(client, alice, LAW, status=200)
    assert (again["id"], again["mail"]) == (made["id"], False)
    article = watch(client, alice, "art. 1902 CC", jurisdiction="ES")
    assert (article["kind"], article["subject"], article["article"]) == ("article", "ES:CC:art1902", "1902")
    decision = watch(client, alice, "Sentencia T-025 de 2004", jurisdiction="CO")
    assert (decision["kind"], decision["subject"]) == ("judgment", "CO:CC:T-025/04")
    listed = client.get(PATH, headers=alice.auth).get_json()
    assert [row["id"] for row in listed["watches"]] == [decision["id"], article["id"], made["id"]]
    assert (listed["count"], listed["limit"]) == (3, webhooks.MAX_WATCHES)
    gone = client.delete(f"{PATH}/{made['id']}", headers=alice.auth)
    assert gone.get_json() == {"removed_watch_id": made["id"]}
    assert client.delete(f"{PATH}/{made['id']}", headers=alice.auth).status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "citation"),
        ({"citation": "la cláusula de siempre"}, "citation"),
        ({"citation": "Ley 99/2093, de 3 de mayo", "jurisdiction": "ES"}, "citation"),
        ({"citation": "art. 5 CC", "jurisdiction": "QQ"}, "jurisdiction"),
        ({"citation": "art. 5 CC", "mail": "yes"}, "mail"),
    ],
)
def test_a_wrong_wish_names_the_field(
    client: FlaskClient, alice: Player, law: Path, body: dict[str, Any], field: str
) -> None:
    response = client.post(PATH, json=body, headers=alice.auth)
    assert response.status_code == 400
    assert response.get_json()["details"]["field"] == field


def test_there_is_a_limit(
    client: FlaskClient, alice: Player, law: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.webhooks.watches.MAX_PER_ACCOUNT", 1)
    watch(client, alice, "art. 1902 CC", jurisdiction="ES")
    refused = watch(client, alice, "art. 1903 CC", status=422, jurisdiction="ES")
    assert refused["code"] == "WATCH_LIMIT"
    watch(client, alice, "art. 1902 CC", status=200, jurisdiction="ES")


def test_a_tenant_sees_and_removes_its_own_watches_only(
    client: FlaskClient, alice: Player, bob: Player, law: Path
) -> None:
    made = watch(client, alice, LAW)
    assert client.get(PATH, headers=bob.auth).get_json()["watches"] == []
    assert client.delete(f"{PATH}/{made['id']}", headers=bob.auth).status_code == 404
    assert client.get(PATH, headers=alice.auth).get_json()["count"] == 1


def test_a_child_key_watches_nothing(client: FlaskClient, cast: Cast, alice: Player, law: Path) -> None:
    child = cast.child(alice, cast.organization(alice, "Firm"))
    assert watch(client, child, LAW, status=403)["code"] == "FORBIDDEN_CHILD_KEY"
    assert client.get(PATH, headers=child.auth).get_json()["code"] == "FORBIDDEN_CHILD_KEY"


def test_a_changed_law_is_delivered_to_those_that_watch_it_or_the_article(
    client: FlaskClient, cast: Cast, alice: Player, bob: Player, law: Path
) -> None:
    carol, dave = cast.player("carol"), cast.player("dave")
    hooks = {one.key_id: hook(one, "normativa.updated") for one in (alice, bob, carol, dave)}
    watch(client, alice, LAW)
    with db.transaction() as session:
        for player, number in ((bob, "1"), (carol, "2")):
            name = f"ZZ:{LAW}:art{number}"
            subject = webhooks.Subject("article", (name,), "Ley", number, "ZZ", None)
            webhooks.watch(session, player.account_id, subject, mail=False, now=clock.now())
    change(law)
    assert deliveries(alice, hooks[alice.key_id]) == ["normativa.updated"]
    assert deliveries(bob, hooks[bob.key_id]) == ["normativa.updated"]
    assert deliveries(carol, hooks[carol.key_id]) == []  # article 2 reads as before
    assert deliveries(dave, hooks[dave.key_id]) == []  # watches nothing; the event bus has it
    assert [one["changedArticles"] for one in told(dave, "normativa.updated")] == [["1"]]
    assert webhooks.spread(clock.now()) == 0


def test_who_did_not_subscribe_is_not_delivered_to(client: FlaskClient, alice: Player, law: Path) -> None:
    other = hook(alice, "judgment.cited")
    watch(client, alice, LAW)
    change(law)
    assert deliveries(alice, other) == []


def _decide(folder: Path, *texts: tuple[str, str]) -> None:
    lines = folder / "decisions.jsonl"
    rows = [
        {
            "jurisdiction": "CO", "title": title, "court": "Corte Constitucional", "date": "2020-02-03",
            "text": text, "url": None,
        }
        for title, text in texts
    ]  # fmt: skip
    lines.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    corpus.load("judgments", lines, "jsonl", now=clock.now())
    citator.read_waiting(clock.now)
    webhooks.spread(clock.now())


def test_a_cited_judgment_is_told_once_to_those_that_watch_it(
    client: FlaskClient, alice: Player, bob: Player, law: Path
) -> None:
    endpoint = hook(alice, "judgment.cited")
    watch(client, alice, "Sentencia T-025 de 2004", jurisdiction="CO")
    watch(client, bob, "Sentencia T-026 de 2004", jurisdiction="CO")
    first = ("Sentencia T-300 de 2020", "La Sala reitera lo dicho en la sentencia T-025 de 2004.")
    _decide(law, first)
    assert told(alice, "judgment.cited") == [
        {
            "jurisdiction": "CO",
            "cited": "CO:CC:T-025/04",
            "by": "CO:CC:T-300/20",
            "treatment": "follows",
            "date": "2020-02-03",
        }
    ]
    assert deliveries(alice, endpoint) == ["judgment.cited"]
    assert told(bob, "judgment.cited") == []
    with db.transaction() as session:
        session.execute(sa.text("UPDATE corpus_judgments SET read_at = NULL"))
    _decide(law, first, ("Sentencia T-301 de 2020", "Nada cita."))
    assert len(told(alice, "judgment.cited")) == 1


def test_owners_are_told_by_mail_where_the_watch_asks_for_it(
    client: FlaskClient, alice: Player, bob: Player, law: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = settings.current().model_copy(update={"mail_inbox": True})
    monkeypatch.setattr(settings, "current", lambda: config)
    watch(client, alice, LAW, mail=True)
    watch(client, bob, LAW)
    sent: list[mail.MailMessage] = []
    monkeypatch.setattr("app.mail.outbox._send", sent.append)
    change(law)
    mail.send_due(portal.compose)
    assert [letter.to for letter in sent] == [alice.email]
    assert "Demostración: nueva redacción desde el 2024-05-06" in sent[0].text


def activity(player: Player) -> list[tuple[str, str | None, Any]]:
    with db.reading() as session:
        found = tenancy.activity.activities(session, player.account_id, tenancy.activity.Filter(), limit=9)
        return [
            (row.action, row.target_name, row.details) for row in found if row.action.startswith("watch.")
        ]


def test_adding_changing_and_removing_are_noted(client: FlaskClient, alice: Player, law: Path) -> None:
    made = watch(client, alice, LAW)
    watch(client, alice, LAW, status=200)
    watch(client, alice, LAW, status=200, mail=True)
    client.delete(f"{PATH}/{made['id']}", headers=alice.auth)
    about = {"subject": f"ZZ:{LAW}"}
    assert activity(alice) == [
        ("watch.removed", NAME, {**about, "mail": True}),
        ("watch.changed", NAME, {**about, "mail": True}),
        ("watch.added", NAME, {**about, "mail": False}),
    ]


MANY = 10_000
_CROWD = """
    WITH made AS (
        INSERT INTO accounts (id, name, attestation, citator, created_at)
        SELECT gen_random_uuid(), 'crowd', false, false, now() FROM generate_series(1, :many)
        RETURNING id
    )
    INSERT INTO watches
        (id, account_id, kind, subject, names, title, article, jurisdiction, url, mail, created_at)
    SELECT gen_random_uuid(), id, 'law', 'ZZ:CROWD', '{ZZ:CROWD}', 'Ley', NULL, 'ZZ', NULL, true, now()
    FROM made
    """
_DISPERSE = (
    "DELETE FROM events WHERE account_id IN (SELECT id FROM accounts WHERE name = 'crowd')",
    "DELETE FROM watches WHERE subject = 'ZZ:CROWD'",
    "DELETE FROM accounts WHERE name = 'crowd'",
)
# Of the transactions that run: no lock on a row or a turn of an account.
_TURNS = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"


@pytest.fixture
def crowd(app: object) -> Iterator[None]:
    """Ten thousand accounts that watch one law."""
    _forget()
    with rls.as_system(), db.transaction() as session:
        session.execute(sa.text(_CROWD), {"many": MANY})
    yield
    with rls.as_system(), db.transaction() as session:
        for statement in _DISPERSE:
            session.execute(sa.text(statement))
    _forget()


def test_ten_thousand_watches_of_one_law_are_announced_without_a_lock_and_spread_in_batches(
    crowd: None, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    watching = webhooks.Subject("law", ("ZZ:CROWD",), "Ley", None, "ZZ", None)
    with db.transaction() as session:
        webhooks.watch(session, alice.account_id, watching, mail=False, now=clock.now())
    sent: list[str] = []
    exchange = db.Connection._exchange

    def counting(self: Any, *statements: Any) -> Any:
        sent.extend(statement for statement, _ in statements)
        return exchange(self, *statements)

    payload = {
        "jurisdiction": "ZZ", "normId": "CROWD", "title": "Ley", "inForceFrom": None, "articles": 1,
        "changedArticles": ["1"],
    }  # fmt: skip
    monkeypatch.setattr(db.Connection, "_exchange", counting)
    with rls.as_system(), db.transaction() as session:
        webhooks.announce(
            session, "normativa.updated", [payload], scope="query", now=clock.now(), subjects=[("ZZ:CROWD",)]
        )
        assert len(sent) == 1, sent
        assert session.scalar(sa.text(_TURNS)) == 0
        # While the load is still open, an account that watches publishes without waiting for it.
        with ThreadPool(1) as pool:
            pool.apply_async(_publish, (alice,)).get(timeout=20)
        # Whoever may read the law is told too: the accounts that other tests left.
        accounts = session.scalar(sa.text("SELECT count(*) FROM accounts"))
    sent.clear()
    batches, most = 0, 0
    while broadcasts._spread_batch(clock.now()):
        batches, most = batches + 1, max(most, len(sent))
        sent.clear()
    assert most <= 8, "trips of a batch do not grow with its accounts"
    assert batches <= accounts / 25 + 10
    with rls.as_system(), db.reading() as session:
        told_of = session.scalar(
            sa.text(
                "SELECT count(DISTINCT account_id) FROM events WHERE payload ->> 'normId' = 'CROWD' "
                "AND account_id IN (SELECT account_id FROM watches WHERE subject = 'ZZ:CROWD')"
            )
        )
    assert told_of == MANY + 1


def _publish(player: Player) -> None:
    with rls.as_system(), db.transaction() as session:
        session.execute(sa.text("SET LOCAL lock_timeout = '2s'"))
        low = {"balance": 1, "threshold": 2}
        webhooks.publish(session, player.account_id, "credits.low", low, now=clock.now())
