"""Reading and keeping a file: bytes in, the answer that is kept for repeats out (decisions 025, 078)."""

from __future__ import annotations

import hashlib
import time
from typing import Any

from app import idempotency
from app.documents import reading, uploads
from app.documents.errors import MAX_BYTES
from app.documents.models import Document
from app.documents.reading import Reading
from app.platform import clock, log
from app.platform.postgres import db
from app.platform.web import http
from app.tenancy import Caller

__all__ = ["BYTES_MAX", "described", "upload"]

# Of one file.
BYTES_MAX = MAX_BYTES

_logger = log.logger("documents")


def upload(
    caller: Caller, file: http.UploadedFile, *, key: str | None, request_id: str
) -> tuple[idempotency.StoredAnswer, bool]:
    """Read a file and keep it for the caller; return the answer (201) and whether it is a repeat.

    No transaction is open while the file is read.

    Args:
        caller: The uploading key.
        file: The file.
        key: The Idempotency-Key, if one was sent. It is this API key's own, as the document is.
        request_id: Goes into the answer.

    Raises:
        DocumentUnreadable: 413, 415 or 422: the file cannot be read; the message says what to do.
        TooManyDocuments: 429.
    """
    started = time.monotonic()

    def work(claim: idempotency.Claim | None) -> idempotency.StoredAnswer:
        found = reading.read(
            file.data,
            media_type=file.media_type,
            file_name=f"document.{file.extension}" if file.extension else None,
        )
        now = clock.now()
        with db.transaction() as session:
            made = uploads.keep(session, caller, found, file.data, now=now)
            if claim is not None:
                session.take(idempotency.completing(claim, now=now))
        _logger.info(
            "document read",
            account=str(caller.account_id),
            key=caller.key_prefix,
            mediaType=made.media_type,
            bytes=len(file.data),
            pages=made.pages,
            characters=made.characters,
            ms=round((time.monotonic() - started) * 1000),
        )
        return idempotency.StoredAnswer(201, {}, http.encode(described(made, found, request_id)))

    # The record keeps the hash of this, and this the hash of the file: neither its bytes nor its name.
    sent = {
        "sha256": hashlib.sha256(file.data).hexdigest(),
        "mediaType": file.media_type,
        "extension": file.extension,
    }
    return idempotency.once(caller, "POST /api/v1/documents", key, sent, work, own=True)


def described(document: Document, found: Reading, request_id: str) -> dict[str, Any]:
    """Return a document as the interface describes it."""
    return {
        "documentRef": str(document.id),
        "mediaType": document.media_type,
        "pages": document.pages,
        "characters": document.characters,
        "language": document.language,
        "ocr": document.ocr,
        "warnings": [{"code": one.code, "message": one.message, "page": one.page} for one in found.warnings],
        "expiresAt": clock.iso(document.expires_at),
        "requestId": request_id,
    }
