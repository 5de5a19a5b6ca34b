"""What a receiver gets: when, how often, signed how; and what becomes of one that does not answer."""

from __future__ import annotations

import hashlib
import hmac
import ssl
import threading
import time
from datetime import timedelta
from ipaddress import ip_address
from itertools import pairwise

import httpcore2
import pytest
import sqlalchemy as sa
from standardwebhooks.webhooks import Webhook

from app import tenancy, webhooks
from app.platform import clock, safe_http, settings
from app.platform.postgres import db
from app.webhooks import claims, delivery
from tests.cast import Cast
from tests.webhooks.office import Office
from tests.webhooks.receiver import Received, receiving


def _v1(secret: str, received: Received) -> list[bool]:
    """For each `v1=` of our own header, in order, whether `secret` made it."""
    stamp, *found = received.headers["x-service-signature"].split(",")
    t = stamp.removeprefix("t=")
    wanted = hmac.new(secret.encode(), f"{t}.".encode() + received.raw, hashlib.sha256).hexdigest()
    assert received.headers["x-service-signature-256"] == received.headers["x-service-signature"]
    assert received.headers["webhook-timestamp"] == t
    return [one == f"v1={wanted}" for one in found]


def _standard(secret: str, received: Received) -> None:
    Webhook(secret).verify(received.raw, received.headers)


def test_an_event_reaches_its_subscriber_with_every_header(
    office: Office, cast: Cast, sender: webhooks.Sender
) -> None:
    alice = cast.player()
    with receiving() as receiver:
        made = office.endpoint(alice, receiver.url + "/hook")
        event_id = office.publish(alice)
        assert sender.round() == 1
        (received,) = receiver.got
    assert received.body == {
        "id": str(event_id),
        "event_id": str(event_id),
        "event": "credits.low",
        "created_at": received.body["created_at"],
        "data": {"balance": 19, "threshold": 20},
    }
    (entry,) = office.log(alice, made.row.id).entries
    assert received.headers["x-service-event"] == "credits.low"
    assert received.headers["x-service-event-id"] == received.headers["webhook-id"] == str(event_id)
    assert received.headers["x-service-delivery-id"] == str(entry.id)
    assert received.headers["content-type"] == "application/json"
    assert (entry.status, entry.attempts, entry.last_status_code, entry.last_error) == (
        "success",
        1,
        200,
        None,
    )
    assert entry.size_bytes == len(received.raw)
    assert _v1(made.secret, received) == [True]
    _standard(made.secret, received)
    assert office.endpoint_now(alice, made.row.id).last_delivery_at == entry.delivered_at


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_2xx_is_success(office: Office, cast: Cast, sender: webhooks.Sender, status: int) -> None:
    alice = cast.player()
    with receiving(status) as receiver:
        made = office.endpoint(alice, receiver.url)
        office.publish(alice)
        sender.round()
    assert office.log(alice, made.row.id).summary["success"] == 1


_MODES = {
    "refused": "could not connect",
    "unresolved": "could not connect",
    "slow names": "timed out",
    "inside": "could not connect",
    "another address": "could not connect",
    "port": "could not connect",
    "certificate": "TLS failed",
    "tls": "TLS failed",
    "no http": "could not connect",
    "silence": "timed out",
    "ours": "internal error of the service",
}


@pytest.mark.parametrize("mode", _MODES)
def test_no_error_of_an_attempt_says_more_than_its_sort(
    office: Office, cast: Cast, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """Neither an address that a name led to nor what answers there: that would map somebody's network."""
    alice = cast.player()
    url = "https://hooks.example.com:9443/" if mode == "port" else "https://hooks.example.com/"
    made = office.endpoint(alice, url)
    office.publish(alice)
    raised: dict[str, BaseException] = {
        "refused": ConnectionRefusedError(111, "Connection refused"),
        "another address": safe_http.AddressNotAllowed("the connection led to 10.1.2.3"),
        "certificate": ssl.SSLCertVerificationError("certificate verify failed: 10.1.2.3"),
        "tls": ssl.SSLError("WRONG_VERSION_NUMBER"),
        "no http": httpcore2.RemoteProtocolError("illegal status line: SSH-2.0-OpenSSH_9.2"),
        "silence": TimeoutError(),
        "ours": ZeroDivisionError("10.1.2.3"),
    }

    raised["certificate"].verify_message = "certificate is for 10.1.2.3"  # type: ignore[attr-defined]

    def resolve(host: str, port: int) -> list[safe_http.Address]:
        if mode == "slow names":
            time.sleep(2)
        if mode in ("unresolved", "slow names"):
            return []
        return [ip_address("10.1.2.3" if mode == "inside" else "93.184.215.14")]

    def dial(*_: object) -> None:
        raise raised[mode]

    if mode in raised:
        monkeypatch.setattr(safe_http, "_dial", dial)
    monkeypatch.setattr(delivery, "TIMEOUT_S", 1.0)
    sender = webhooks.Sender(
        lambda claimed: delivery.make(claimed, wire_name="Service", allow_hosts=(), resolve=resolve),
        threads=1,
    )
    assert sender.round() == 1
    sender.finish()
    (entry,) = office.log(alice, made.row.id).entries
    assert (entry.status, entry.last_error) == ("failed", _MODES[mode])


def test_what_an_older_version_wrote_down_is_not_told_either(office: Office, cast: Cast) -> None:
    alice = cast.player()
    made = office.endpoint(alice, "https://hooks.example.com/")
    office.publish(alice)
    for written, code, told in (
        ("its name leads to a private address; a public address is needed", None, "could not connect"),
        ("answered 302; redirects are not followed", 302, "answered 302"),
        ("the webhook was deactivated", None, "the webhook was deactivated"),
    ):
        with db.transaction() as session:
            session.execute(
                sa.text(
                    "UPDATE webhook_deliveries SET last_error = :e, last_status_code = :c "
                    "WHERE endpoint_id = :i"
                ),
                {"e": written, "c": code, "i": made.row.id},
            )
        (entry,) = office.log(alice, made.row.id).entries
        assert entry.last_error == told


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (302, "answered 302"),
        (400, "answered 400"),
        (500, "answered 500"),
    ],
)
def test_anything_else_is_tried_again_and_said_plainly(
    office: Office, cast: Cast, sender: webhooks.Sender, status: int, words: str
) -> None:
    alice = cast.player()
    with receiving(status) as receiver:
        made = office.endpoint(alice, receiver.url)
        office.publish(alice)
        sender.round()
    (entry,) = office.log(alice, made.row.id).entries
    assert (entry.status, entry.last_status_code, entry.last_error) == ("failed", status, words)
    assert entry.next_retry_at is not None
    assert office.endpoint_now(alice, made.row.id).last_failure_at is not None


def test_a_receiver_that_is_down_gets_the_event_six_times_and_no_seventh(
    office: Office, cast: Cast, sender: webhooks.Sender
) -> None:
    alice = cast.player()
    with receiving(503) as receiver:
        made = office.endpoint(alice, receiver.url)
        event_id = office.publish(alice)
        assert sender.round() == 1
        stamps = []
        for wait in ({"minutes": 1}, {"minutes": 5}, {"minutes": 30}, {"hours": 2}, {"hours": 12}):
            (entry,) = office.log(alice, made.row.id).entries
            assert entry.status == "failed"
            assert entry.next_retry_at is not None
            # Up to a few seconds before its time nothing leaves; at its time it does.
            early = entry.next_retry_at - clock.now() - timedelta(seconds=5)
            office.forward(seconds=early.total_seconds())
            assert sender.round() == 0
            office.forward(seconds=timedelta(**wait).total_seconds() - early.total_seconds())
            assert sender.round() == 1
            stamps.append(int(receiver.got[-1].headers["webhook-timestamp"]))
        (entry,) = office.log(alice, made.row.id).entries
        assert (entry.status, entry.attempts, entry.next_retry_at) == ("exhausted", 6, None)
        office.forward(days=30)
        assert sender.round() == 0
        assert [received.event_id for received in receiver.got] == [str(event_id)] * 6
        assert len({received.raw for received in receiver.got}) == 1
        # Each attempt is signed at its own time: receivers refuse a signature older than five minutes.
        assert [b - a > 60 for a, b in pairwise(stamps)] == [True] * 4
        assert len({received.headers["x-service-signature"] for received in receiver.got}) == 6


def test_a_receiver_that_recovers_is_not_asked_again(
    office: Office, cast: Cast, sender: webhooks.Sender
) -> None:
    alice = cast.player()
    answers = iter([500, 200])
    with receiving(lambda _: next(answers)) as receiver:
        made = office.endpoint(alice, receiver.url)
        office.publish(alice)
        sender.round()
        office.forward(minutes=2)
        sender.round()
        office.forward(days=2)
        assert sender.round() == 0
        assert len(receiver.got) == 2
    (entry,) = office.log(alice, made.row.id).entries
    assert (entry.status, entry.attempts, entry.last_error) == ("success", 2, None)


def test_rotation_signs_with_both_old_first_and_new_last_for_a_day(
    office: Office, cast: Cast, sender: webhooks.Sender
) -> None:
    alice = cast.player()
    with receiving() as receiver:
        old = office.endpoint(alice, receiver.url)
        with db.transaction() as session:
            new = webhooks.rotate(session, alice.account_id, alice.key_id, old.row.id, now=clock.now())
        office.publish(alice)
        sender.round()
        both = receiver.got[-1]
        assert (_v1(old.secret, both), _v1(new.secret, both)) == ([True, False], [False, True])
        _standard(old.secret, both)
        _standard(new.secret, both)
        office.forward(hours=24, seconds=1)
        office.publish(alice)
        sender.round()
        after = receiver.got[-1]
        # The library compares with the machine's own clock, so only our own header is judged a day later.
        assert (_v1(old.secret, after), _v1(new.secret, after)) == ([False], [True])
    with db.transaction() as session:
        assert webhooks.forget_old_secrets(session, now=clock.now()) >= 1
    assert office.endpoint_now(alice, old.row.id).previous_secret is None


def test_gone_deactivates_at_once_and_is_told_on_the_bus(
    office: Office, cast: Cast, sender: webhooks.Sender
) -> None:
    alice = cast.player()
    with receiving(410) as receiver:
        made = office.endpoint(alice, receiver.url)
        for _ in range(3):
            office.publish(alice)
        sender.round()
        office.forward(days=2)
        office.publish(alice)
        assert sender.round() == 0
        assert len(receiver.got) <= 3
    row = office.endpoint_now(alice, made.row.id)
    assert (row.active, row.deactivated_because) == (False, "gone")
    assert office.log(alice, made.row.id).summary == {"pending": 0, "success": 0, "failed": 0, "exhausted": 3}
    with db.reading() as session:
        page = webhooks.events(session, alice.account_id, types=("webhook.deactivated",), limit=9)
        assert [found.id for found in webhooks.deactivated(session, alice.account_id)] == [made.row.id]
    assert [row.payload for row in page.rows] == [
        {"webhookId": str(made.row.id), "host": "127.0.0.1", "reason": "gone"}
    ]


def test_twenty_exhausted_in_a_row_deactivate_and_a_success_starts_the_count_anew(
    office: Office, cast: Cast
) -> None:
    alice = cast.player()
    made = office.endpoint(alice, "https://hooks.example.com/")
    ends = {"status": 500}

    def make(claimed: claims.ClaimedDelivery) -> claims.AttemptResult:
        error = None if ends["status"] == 200 else "answered 500; any 2xx is expected"
        return claims.AttemptResult(claimed, clock.now(), ends["status"], error, slow=False)

    sender = webhooks.Sender(make, threads=8)

    def run_out(count: int) -> None:
        for _ in range(count):
            office.publish(alice)
        for _ in range(6):
            while sender.round():
                pass
            office.forward(hours=13)

    run_out(19)
    row = office.endpoint_now(alice, made.row.id)
    assert (row.active, row.exhausted_in_a_row) == (True, 19)
    ends["status"] = 200
    office.publish(alice)
    sender.round()
    assert office.endpoint_now(alice, made.row.id).exhausted_in_a_row == 0
    ends["status"] = 500
    run_out(19)
    assert office.endpoint_now(alice, made.row.id).active
    run_out(1)
    row = office.endpoint_now(alice, made.row.id)
    assert (row.active, row.deactivated_because) == (False, "exhausted")
    office.change(alice, made.row.id, active=True)
    row = office.endpoint_now(alice, made.row.id)
    assert (row.active, row.exhausted_in_a_row, row.deactivated_because) == (True, 0, None)
    sender.finish()


def test_a_redriven_delivery_starts_its_schedule_anew_with_the_same_event(
    office: Office, cast: Cast, sender: webhooks.Sender
) -> None:
    alice = cast.player()
    status = {"now": 500}
    with receiving(lambda _: status["now"]) as receiver:
        made = office.endpoint(alice, receiver.url)
        event_id = office.publish(alice)
        sender.round()
        status["now"] = 200
        assert len(office.redrive(alice, made.row.id)) == 1
        assert sender.round() == 1
        assert [received.event_id for received in receiver.got] == [str(event_id)] * 2
    assert office.redrive(alice, made.row.id) == []


def test_a_slow_receiver_and_many_dead_ones_do_not_delay_the_others(
    office: Office, cast: Cast, sender: webhooks.Sender
) -> None:
    """The quick receiver has everything while each of the others still holds what it got first."""
    alice = cast.player()
    release = threading.Event()

    def answer(path: str) -> int:
        if path != "/quick":
            release.wait(30)
        return 200

    with receiving(answer) as receiver:
        # Eight threads: more slow receivers than could all be waited for.
        slow = [office.endpoint(alice, f"{receiver.url}/slow{n}") for n in range(12)]
        with db.transaction() as session:
            session.execute(
                sa.text("UPDATE webhook_endpoints SET slow = true WHERE id = ANY(:ids)"),
                {"ids": [made.row.id for made in slow]},
            )
        quick = office.endpoint(alice, f"{receiver.url}/quick")
        for _ in range(20):
            office.publish(alice)
        deadline = time.monotonic() + 20
        while office.log(alice, quick.row.id).summary["success"] < 20 and time.monotonic() < deadline:
            sender.round()
        finished = office.log(alice, quick.row.id).summary["success"]
        held = [len(receiver.at(f"/slow{n}")) for n in range(12)]
        release.set()
        sender.finish()
    assert finished == 20
    # A quarter of eight threads, and one delivery for each endpoint.
    assert (sum(held), max(held)) == (2, 1)


def test_one_that_turns_slow_holds_four_deliveries_and_others_pass(
    office: Office, cast: Cast, sender: webhooks.Sender
) -> None:
    alice = cast.player()
    release = threading.Event()

    def answer(path: str) -> int:
        if path == "/slow":
            release.wait(30)
        return 200

    with receiving(answer) as receiver:
        office.endpoint(alice, f"{receiver.url}/slow")
        quick = office.endpoint(alice, f"{receiver.url}/quick")
        for _ in range(30):
            office.publish(alice)
        deadline = time.monotonic() + 20
        while office.log(alice, quick.row.id).summary["success"] < 30 and time.monotonic() < deadline:
            sender.round()
        finished, held = office.log(alice, quick.row.id).summary["success"], len(receiver.at("/slow"))
        release.set()
        sender.finish()
    assert (finished, held) == (30, claims.EACH)


def test_two_senders_share_the_work_and_double_nothing(
    office: Office, cast: Cast, listed_hosts: None
) -> None:
    alice = cast.player()
    with receiving() as receiver:
        for n in range(4):
            office.endpoint(alice, f"{receiver.url}/{n}")
        for _ in range(25):
            office.publish(alice)

        def work() -> None:
            sender = webhooks.Sender(threads=4)
            while sender.round():
                pass
            sender.finish()

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(receiver.got) == 100
        assert len({(received.path, received.event_id) for received in receiver.got}) == 100


def test_what_a_dead_sender_held_is_due_again_when_its_lease_ends(
    office: Office, cast: Cast, sender: webhooks.Sender
) -> None:
    alice = cast.player()
    with receiving() as receiver:
        made = office.endpoint(alice, receiver.url)
        office.publish(alice)
        lost = claims.take(quick_room=9, slow_room=9, now=clock.now())
        assert len(lost) == 1
        assert sender.round() == 0
        office.forward(seconds=claims.QUEUE.length.total_seconds() + 1)
        assert sender.round() == 1
        # The dead one wakes up: its result comes too late to count.
        claims.settle([claims.AttemptResult(lost[0], clock.now(), 500, "answered 500", slow=False)])
        assert len(receiver.got) == 1
    (entry,) = office.log(alice, made.row.id).entries
    assert (entry.status, entry.attempts, entry.last_error) == ("success", 1, None)
    assert claims.QUEUE.length.total_seconds() > 2 * delivery.TIMEOUT_S


def test_an_endpoint_deactivated_while_a_delivery_is_in_flight(office: Office, cast: Cast) -> None:
    alice = cast.player()
    made = office.endpoint(alice, "https://hooks.example.com/")
    office.publish(alice)
    (taken,) = claims.take(quick_room=9, slow_room=9, now=clock.now())
    office.change(alice, made.row.id, active=False)
    claims.settle([claims.AttemptResult(taken, clock.now(), 200, None, slow=False)])
    assert office.log(alice, made.row.id).summary["exhausted"] == 1
    with db.transaction() as session:
        webhooks.delete(session, alice.account_id, alice.key_id, made.row.id)
    claims.settle([claims.AttemptResult(taken, clock.now(), 200, None, slow=False)])


def test_a_name_that_rebinds_is_refused_at_the_attempt(
    office: Office, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = cast.player()
    with receiving() as receiver:
        port = receiver.url.rpartition(":")[2]
        monkeypatch.setenv("OUTGOING_PORTS", f"443,{port}")
        settings.current.cache_clear()
        made = office.endpoint(alice, f"https://hooks.example.com:{port}/")
        office.publish(alice)
        answers = iter(["93.184.215.14", "127.0.0.1"])
        # What the name answered when it was registered.
        webhooks.check_url(made.row.url, allow_hosts=())

        def resolve(host: str, port: int) -> list[object]:
            return [ip_address(next(answers))]

        next(answers)
        sender = webhooks.Sender(
            lambda claimed: delivery.make(
                claimed, wire_name="Service", allow_hosts=(), resolve=resolve  # type: ignore[arg-type]
            ),
            threads=2,
        )  # fmt: skip
        assert sender.round() == 1
        assert receiver.got == []
        sender.finish()
    (entry,) = office.log(alice, made.row.id).entries
    # Not where the name led: that would make us a map of somebody's network.
    assert entry.last_error == "could not connect"
    assert (entry.status, entry.last_status_code) == ("failed", None)


def test_who_gets_what(office: Office, cast: Cast, sender: webhooks.Sender) -> None:
    alice, mallory = cast.player(), cast.player("mallory")
    other, _ = cast.key(alice.account_id)
    carol = cast.child(alice).key_id
    gone, _ = cast.key(alice.account_id)
    with receiving() as receiver:
        for key_id, path in ((alice.key_id, "alice"), (other, "other"), (carol, "carol"), (gone, "gone")):
            office.endpoint(alice, f"{receiver.url}/{path}", key_id=key_id)
        office.endpoint(alice, f"{receiver.url}/picky", "analysis.failed")
        office.endpoint(mallory, f"{receiver.url}/mallory")
        with db.transaction() as session:
            tenancy.revoke_key(session, gone, now=clock.now())
        office.publish(alice, "analysis.completed")
        office.publish(alice, "credits.low", of_key=False)
        office.publish(alice, "apikey.created")
        while sender.round():
            pass
        paths = sorted((received.path, received.body["event"]) for received in receiver.got)
    assert paths == [
        ("/alice", "analysis.completed"),
        ("/alice", "credits.low"),
        ("/other", "credits.low"),
    ]


def test_a_fact_that_was_rolled_back_is_not_sent(office: Office, cast: Cast, sender: webhooks.Sender) -> None:
    alice = cast.player()
    made = office.endpoint(alice, "https://hooks.example.com/")
    data = {"balance": 1, "threshold": 2}
    with db.reading() as session:  # rolled back at its end
        webhooks.publish(session, alice.account_id, "credits.low", data, now=clock.now())
    assert sender.round() == 0
    assert office.log(alice, made.row.id).entries == []


def test_old_deliveries_are_forgotten_and_open_ones_are_not(office: Office, cast: Cast) -> None:
    alice = cast.player()
    made = office.endpoint(alice, "https://hooks.example.com/")
    office.publish(alice)
    (taken,) = claims.take(quick_room=9, slow_room=9, now=clock.now())
    claims.settle([claims.AttemptResult(taken, clock.now(), 200, None, slow=False)])
    office.publish(alice)
    # In batches, as the task does: what other tests left may fill the first.
    left = True
    while left:
        with db.transaction() as session:
            left = webhooks.forget(session, before=clock.now() + timedelta(days=1)) > 0
    summary = office.log(alice, made.row.id).summary
    assert (summary["success"], summary["pending"]) == (0, 1)


def test_a_secret_rests_sealed(office: Office, cast: Cast) -> None:
    alice = cast.player()
    made = office.endpoint(alice, "https://hooks.example.com/")
    row = office.endpoint_now(alice, made.row.id)
    assert made.secret.startswith("whsec_")
    assert made.secret.encode() not in row.secret
    assert made.secret not in repr(made)
