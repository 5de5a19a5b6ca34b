"""Letters leave over SMTP, wait when the server is away, and are given up when it refuses for good."""

from __future__ import annotations

import smtplib
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import cast

import pytest
import sqlalchemy as sa
from flask import Flask

from app import mail, portal
from app.mail import smtp
from app.mail.outbox import QUEUE
from app.platform import clock, settings
from app.platform.postgres import db
from tests.bare import bare
from tests.cast import Cast, Player

LETTER = mail.MailMessage("ana@example.com", "Un asunto con eñe", "Línea uno.\n\nhttps://example.com/x\n")


class Server:
    """A mail server that speaks as much SMTP (RFC 5321) as a letter needs."""

    def __init__(self) -> None:
        self.got: list[str] = []
        self.refusal: str | None = None
        # Called for each letter, before it is taken.
        self.on_letter: Callable[[], object] = lambda: None
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection, connection.makefile("rwb") as file:
                self._talk(file)

    def _talk(self, file: object) -> None:
        def say(line: str) -> None:
            file.write(line.encode() + b"\r\n")  # type: ignore[attr-defined]
            file.flush()  # type: ignore[attr-defined]

        say("220 test")
        while line := file.readline().decode().strip():  # type: ignore[attr-defined]
            word = line.split(" ")[0].upper()
            if word == "DATA":
                self.on_letter()
                say("354 go on")
                lines = []
                while (part := file.readline().decode()) != ".\r\n":  # type: ignore[attr-defined]
                    lines.append(part)
                self.got.append("".join(lines))
                say("250 taken")
            elif word == "RCPT" and self.refusal:
                say(self.refusal)
            elif word == "QUIT":
                say("221 bye")
                return
            else:
                say("250 test")


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


@pytest.fixture
def posted(app: Flask, alice: Player, server: Server, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """A letter in the outbox; calling it counts what waits."""
    from pydantic import SecretStr

    url = SecretStr(f"smtp://127.0.0.1:{server.port}")
    config = settings.current().model_copy(update={"smtp_url": url, "mail_from": "candado@example.com"})
    monkeypatch.setattr(settings, "current", lambda: config)
    with db.transaction() as session:
        session.execute(sa.text("DELETE FROM outgoing_mails"))
        mail.post(session, LETTER, account_id=alice.account_id, now=clock.now())

    def waiting() -> int:
        with db.reading() as session:
            return int(session.scalar(sa.text("SELECT count(*) FROM outgoing_mails")) or 0)

    return waiting


def test_a_letter_leaves_once(server: Server, posted: Callable[[], int]) -> None:
    assert mail.send_due(portal.compose) == 1
    assert mail.send_due(portal.compose) == 0
    (got,) = server.got
    assert "To: ana@example.com" in got
    assert "Auto-Submitted: auto-generated" in got
    assert posted() == 0


@pytest.mark.parametrize(
    ("sender", "answers_to", "lines"),
    [
        (None, None, ["From: Candado <candado@example.com>"]),
        ("Soler & Cía.", "soporte@example.org", ["Reply-To: soporte@example.org", "<candado@example.com>"]),
        ("", None, ["From: candado@example.com"]),
    ],
)
def test_a_letter_bears_the_name_that_it_is_sent_under(
    server: Server,
    posted: Callable[[], int],
    monkeypatch: pytest.MonkeyPatch,
    sender: str | None,
    answers_to: str | None,
    lines: list[str],
) -> None:
    config = settings.current().model_copy(update={"mail_from": "Candado <candado@example.com>"})
    monkeypatch.setattr(settings, "current", lambda: config)
    mail.send_due(portal.compose)
    with db.transaction() as session:
        letter = replace(LETTER, sender=sender, reply_to=answers_to)
        mail.post(session, letter, account_id=None, now=clock.now())
    assert mail.send_due(portal.compose) == 1
    got = server.got[-1]
    assert all(line in got for line in lines)
    assert ("Reply-To" in got) is bool(answers_to)
    assert ("Candado" in got) is (sender is None)
    assert "@example.com>" in next(line for line in got.splitlines() if line.startswith("Message-ID"))


def test_a_letter_waits_for_a_server_that_is_away(server: Server, posted: Callable[[], int]) -> None:
    server.refusal = "451 try later"
    assert mail.send_due(portal.compose) == 0
    server.refusal = None
    assert (mail.send_due(portal.compose), posted()) == (0, 1), "not before its time"
    later = clock.now() + QUEUE.waits[0] + timedelta(seconds=1)
    clock.install(lambda: later)
    try:
        assert (mail.send_due(portal.compose), posted(), len(server.got)) == (1, 0, 1)
    finally:
        clock.install(None)


def test_a_refusal_for_good_ends_it(server: Server, posted: Callable[[], int]) -> None:
    server.refusal = "550 no such mailbox"
    mail.send_due(portal.compose)
    assert (posted(), server.got) == (0, [])


def test_it_is_given_up_in_the_end(server: Server, posted: Callable[[], int]) -> None:
    server.refusal = "451 try later"
    try:
        for _ in range(QUEUE.attempts):
            mail.send_due(portal.compose)
            later = clock.now() + timedelta(hours=1)
            clock.install(lambda later=later: later)
        assert posted() == 0
    finally:
        clock.install(None)


def test_no_connection_to_the_database_is_held_while_a_letter_is_sent(
    server: Server, posted: Callable[[], int]
) -> None:
    held: list[int] = []
    pool = cast("sa.QueuePool", db.engine().pool)
    server.on_letter = lambda: held.append(pool.checkedout())
    assert mail.send_due(portal.compose) == 1
    assert held == [0]


def test_no_other_worker_takes_a_letter_that_is_being_sent(server: Server, posted: Callable[[], int]) -> None:
    others: list[int] = []
    server.on_letter = lambda: others.append(bare(mail.send_due, portal.compose))
    assert mail.send_due(portal.compose) == 1
    assert (others, len(server.got), posted()) == ([0], 1, 0)


class _Killed(BaseException):
    """Stands for a kill while a letter is sent."""


def _killed(*_: object, **__: object) -> None:
    raise _Killed


def test_a_letter_that_a_killed_worker_was_sending_leaves_after_its_lease(
    server: Server, posted: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(smtp, "send", _killed)
        with pytest.raises(_Killed):
            mail.send_due(portal.compose)
    assert (mail.send_due(portal.compose), posted()) == (0, 1), "its lease still runs"
    later = clock.now() + QUEUE.length
    clock.install(lambda: later)
    try:
        assert (mail.send_due(portal.compose), posted(), len(server.got)) == (1, 0, 1)
    finally:
        clock.install(None)


def test_a_letter_over_which_every_worker_died_is_given_up(
    server: Server, posted: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = [clock.now()]
    clock.install(lambda: moment[0])
    try:
        with monkeypatch.context() as patch:
            patch.setattr(smtp, "send", _killed)
            for _ in range(QUEUE.attempts):
                with pytest.raises(_Killed):
                    mail.send_due(portal.compose)
                moment[0] += QUEUE.length
        assert (mail.send_due(portal.compose), posted(), server.got) == (0, 0, [])
    finally:
        clock.install(None)


def test_no_password_travels_in_the_clear(server: Server) -> None:
    with pytest.raises(smtplib.SMTPNotSupportedError):
        smtp.send(
            f"smtp://user:secret@127.0.0.1:{server.port}",
            sender="a@b.example",
            to="c@d.example",
            subject="x",
            text="y",
        )


def test_a_letter_that_no_mail_can_be_made_of_stops_no_other(
    server: Server, posted: Callable[[], int], alice: Player
) -> None:
    with db.transaction() as session:
        session.execute(sa.text("DELETE FROM outgoing_mails"))
        now = clock.now()
        broken = replace(LETTER, subject="Join us\nBcc: everybody@example.com")
        mail.post(session, broken, account_id=alice.account_id, now=now - timedelta(seconds=1))
        mail.post(session, LETTER, account_id=alice.account_id, now=now)
    mail.send_due(portal.compose)
    (got,) = server.got
    assert "everybody@example.com" not in got
    assert posted() == 0


def test_a_mail_of_a_kind_can_be_ended_by_one_click(server: Server, posted: Callable[[], int]) -> None:
    mail.send_due(portal.compose)
    with db.transaction() as session:
        letter = replace(LETTER, unsubscribe="https://desk.example.com/unsubscribe/x")
        mail.post(session, letter, account_id=None, now=clock.now())
    assert mail.send_due(portal.compose) == 1
    assert "List-Unsubscribe" not in server.got[0]
    assert "List-Unsubscribe: <https://desk.example.com/unsubscribe/x>" in server.got[1]
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in server.got[1]
