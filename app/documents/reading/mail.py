"""Read messages (RFC 5322): who wrote to whom, when and what; attachments are named by their types only."""

from __future__ import annotations

import email
import email.policy
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage

from app.documents.errors import ENCRYPTED, DocumentUnreadable
from app.documents.reading.blocks import Block, clean, composed, reading_of, warning
from app.documents.reading.html import HtmlPage
from app.documents.reading.plain_text import decode, text_blocks
from app.documents.reading.reading import Reading, ReadingWarning

MEDIA_TYPE = "message/rfc822"

_HEADERS = ("From", "To", "Cc", "Subject", "Date")
_ENCRYPTED = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime", "multipart/encrypted"})
_MOST_PARTS, _LONGEST_HEADER = 500, 2_000
# Types that are named in a warning; a type is the sender's word, so any other is only counted.
_KINDS = {
    "application/pdf": "PDF",
    "application/msword": "Word",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
    "application/vnd.ms-excel": "Excel",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel",
    "application/zip": "ZIP",
    "message/rfc822": "message",
}


def read_mail(data: bytes) -> Reading:
    """Read a message: its headers, then its text, or its HTML where it has no text.

    Raises:
        DocumentUnreadable: It is encrypted or holds nothing to read.
    """
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    parts = []
    for part in message.walk():
        parts.append(part)
        if len(parts) > _MOST_PARTS:
            break
    if any(_is_encrypted(part) for part in parts):
        raise DocumentUnreadable(ENCRYPTED)
    headers = [Block(text) for text in _headers(message)]
    for follower in headers[1:]:
        follower.row = True
    body, told = _body(message)
    return reading_of([*headers, *body], MEDIA_TYPE, warnings=[*told, *_attachments(message)])


def _headers(message: EmailMessage) -> Iterator[str]:
    for name in _HEADERS:
        try:
            value = str(message.get(name, ""))
        except Exception:  # noqa: BLE001, S112 (how the library's parser fails on a bad header is its affair)
            continue
        if text := composed(clean(value[:_LONGEST_HEADER]).replace("\n", " ")):
            yield f"{name}: {text}"


def _body(message: EmailMessage) -> tuple[list[Block], list[ReadingWarning]]:
    """Return the blocks of the text of a message, and warnings about it."""
    plain = message.get_body(("plain",))
    if plain is not None and isinstance(plain, EmailMessage) and (text := _text(plain)).strip():
        return list(text_blocks(text)), []
    page = message.get_body(("html",))
    if page is not None and isinstance(page, EmailMessage) and (text := _text(page)).strip():
        shown = HtmlPage(text)
        return shown.blocks, list(shown.warnings())
    return [], []


def _text(part: EmailMessage) -> str:
    """Return the text of a part, whose declared encoding may be wrong or unknown."""
    payload = part.get_payload(decode=True)
    return decode(payload, part.get_content_charset())[0] if isinstance(payload, bytes) else ""


def _is_encrypted(part: object) -> bool:
    assert isinstance(part, EmailMessage)
    kind = part.get_content_type()
    # A signed message of this type is in clear inside, but cannot be read here either.
    return kind in _ENCRYPTED


def _attachments(message: EmailMessage) -> Iterator[ReadingWarning]:
    kinds = Counter(_kind(part.get_content_type()) for part in message.iter_attachments())
    if kinds:
        types = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        yield warning("ATTACHMENTS_NOT_READ", count=sum(kinds.values()), types=types)


def _kind(media_type: str) -> str:
    return _KINDS.get(media_type) or ("image" if media_type.startswith("image/") else "other")
