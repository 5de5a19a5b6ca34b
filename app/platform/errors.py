"""Errors of the domain: what kind of thing went wrong, and a stable code for machines.

    DomainError
    ├── Invalid     the request, or a value in it, is wrong (400, or 422 for a business limit)
    ├── Denied      who asks may not (401 unknown or without permission, 403 known and refused)
    ├── NotFound    no such thing, or not the caller's (404)
    ├── Conflict    the present state does not allow it (409)
    ├── Exhausted   something ran out: credits (402) or the rate (429)
    └── Upstream    what we depend on failed (502 gave nonsense, 503 is away)

Each edge maps a kind to its own vocabulary once. `DomainError` itself has no status: what nobody mapped is a
real 500. Codes are stable (decision 002). Messages are plain sentences and never quote a document.
"""

from __future__ import annotations

from typing import Any


class DomainError(Exception):
    """Base. `message` is one plain sentence, `details` small and free of document text."""

    code: str = "INTERNAL_ERROR"
    status: int | None = None
    retry_after: int | None = None

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        status: int | None = None,
        details: dict[str, Any] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.status = status or type(self).status
        self.details = details
        self.retry_after = retry_after if retry_after is not None else type(self).retry_after


class Invalid(DomainError):
    """The request is wrong: 400, or 422 where a well-formed value breaks a business limit."""

    code = "VALIDATION_ERROR"
    status = 400


class Denied(DomainError):
    """The caller is unknown (401) or known and refused (403)."""

    code = "UNAUTHENTICATED"
    status = 401


class NotFound(DomainError):
    """Unknown, or another tenant's: the two are never told apart."""

    code = "NOT_FOUND"
    status = 404


class Conflict(DomainError):
    """The thing is in a state that does not allow this."""

    code = "CONFLICT"
    status = 409


class Exhausted(DomainError):
    """A budget ran out."""

    code = "RATE_LIMITED"
    status = 429


class Upstream(DomainError):
    """Something this service depends on failed; the caller is not charged."""

    code = "DEPENDENCY_UNAVAILABLE"
    status = 503
    retry_after: int | None = 5
