"""Letters leave over SMTP, wait when the server is away, and are given up when it refuses for good."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from app import mail, portal
from app.mail.outbox import WAITS
from app.platform import clock, settings
from app.platform.postgres import db
from tests.cast import Cast, Player

LETTER = mail.Letter("ana@example.com", "Un asunto con eñe", "Línea uno.\n\nhttps://example.com/x\n")


class Server:
    """A mail server that speaks as much SMTP (RFC 5321) as a letter needs."""

    def __init__(self) -> None:
        self.got: list[str] = []
        self.refusal: str | None = None
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
    assert mail.round_(portal.compose) == 1
    assert mail.round_(portal.compose) == 0
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
    mail.round_(portal.compose)
    with db.transaction() as session:
        letter = replace(LETTER, sender=sender, reply_to=answers_to)
        mail.post(session, letter, account_id=None, now=clock.now())
    assert mail.round_(portal.compose) == 1
    got = server.got[-1]
    assert all(line in got for line in lines)
    assert ("Reply-To" in got) is bool(answers_to)
    assert ("Candado" in got) is (sender is None)
    assert "@example.com>" in next(line for line in got.splitlines() if line.startswith("Message-ID"))


def test_a_letter_waits_for_a_server_that_is_away(server: Server, posted: Callable[[], int]) -> None:
    server.refusal = "451 try later"
    assert mail.round_(portal.compose) == 0
    server.refusal = None
    assert (mail.round_(portal.compose), posted()) == (0, 1), "not before its time"
    later = clock.now() + WAITS[0] + timedelta(seconds=1)
    clock.install(lambda: later)
    try:
        assert (mail.round_(portal.compose), posted(), len(server.got)) == (1, 0, 1)
    finally:
        clock.install(None)


def test_a_refusal_for_good_ends_it(server: Server, posted: Callable[[], int]) -> None:
    server.refusal = "550 no such mailbox"
    mail.round_(portal.compose)
    assert (posted(), server.got) == (0, [])


def test_it_is_given_up_in_the_end(server: Server, posted: Callable[[], int]) -> None:
    server.refusal = "451 try later"
    try:
        for _ in range(len(WAITS) + 1):
            mail.round_(portal.compose)
            later = clock.now() + timedelta(hours=1)
            clock.install(lambda later=later: later)
        assert posted() == 0
    finally:
        clock.install(None)


def test_no_password_travels_in_the_clear(server: Server) -> None:
    import smtplib

    from app.mail import smtp

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
    mail.round_(portal.compose)
    (got,) = server.got
    assert "everybody@example.com" not in got
    assert posted() == 0
