"""SMTP client: sends one mail, encrypted wherever the server supports it."""

from __future__ import annotations

import smtplib
import ssl
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from urllib.parse import unquote, urlsplit

_PATIENCE_S = 15


def named(sender: str, name: str | None) -> str:
    """Return the address `sender` with another display name.

    Args:
        sender: Address, with or without a display name.
        name: The new display name; empty for none, `None` to leave `sender` as it is.
    """
    if name is None:
        return sender
    _, address = parseaddr(sender)
    return str(Address(display_name=name, addr_spec=address))


def send(
    url: str,
    *,
    sender: str,
    to: str,
    subject: str,
    text: str,
    reply_to: str | None = None,
    unsubscribe: str | None = None,
) -> None:
    """Send a plain-text mail.

    Args:
        url: Server, such as `smtp://user:password@host:587` or `smtps://…`.
        sender: `From`, with or without a display name.
        to: `To`.
        subject: One line.
        text: Plain text.
        reply_to: `Reply-To`, `None` for no such header.
        unsubscribe: URL of `List-Unsubscribe`, which one POST carries out (RFC 8058); `None` for none.

    Raises:
        OSError: The server cannot be reached.
        smtplib.SMTPException: The server refused, or the password would be sent unencrypted.
        ValueError: A header has a line break.
    """
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    if reply_to:
        message["Reply-To"] = reply_to
    if unsubscribe:
        message["List-Unsubscribe"] = f"<{unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
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
