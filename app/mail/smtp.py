"""One letter over SMTP, encrypted on the way wherever the server can."""

from __future__ import annotations

import smtplib
import ssl
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from urllib.parse import unquote, urlsplit

_PATIENCE_S = 15


def named(sender: str, name: str | None) -> str:
    """The address `sender` under another name; as it is where `name` is `None`, bare where it is empty."""
    if name is None:
        return sender
    _, address = parseaddr(sender)
    return str(Address(display_name=name, addr_spec=address))


def send(url: str, *, sender: str, to: str, subject: str, text: str, reply_to: str | None = None) -> None:
    """Hand a plain-text letter to the server of `url`, `smtp://user:password@host:587` or `smtps://…`.

    Raises `OSError` or `smtplib.SMTPException`; also where a password would travel in the clear.
    """
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    if reply_to:
        message["Reply-To"] = reply_to
    message["Date"], message["Message-ID"] = (
        formatdate(),
        make_msgid(domain=parseaddr(sender)[1].rpartition("@")[2] or None),
    )
    # No autoresponder answers this (RFC 3834).
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    parts = urlsplit(url)
    host, context = parts.hostname or "localhost", ssl.create_default_context()
    if parts.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, parts.port or 465, timeout=_PATIENCE_S, context=context)
    else:
        server = smtplib.SMTP(host, parts.port or 587, timeout=_PATIENCE_S)
    with server:
        if parts.scheme != "smtps":
            server.ehlo()
            if server.has_extn("starttls"):
                server.starttls(context=context)
                server.ehlo()
            elif parts.password:
                raise smtplib.SMTPNotSupportedError(
                    "the server offers no STARTTLS; no password is sent without"
                )
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
        server.send_message(message)
