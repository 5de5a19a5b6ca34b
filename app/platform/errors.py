"""Domain errors: the kind of failure, an HTTP status and a stable code for clients.

    DomainError
    ├── Invalid     the request, or a value in it, is wrong (400, or 422 for a business limit)
    ├── Denied      the caller may not do this (401 unknown or without permission, 403 known and refused)
    ├── NotFound    unknown, or another tenant's (404)
    ├── Conflict    the present state does not allow it (409)
    ├── Exhausted   credits (402) or the rate limit (429) ran out
    └── Upstream    a dependency failed (502 unusable answer, 503 unavailable)

The HTTP edge, the portal and the command line each map a kind to their own output once. `DomainError` itself
has no status: without a mapping it becomes a 500. Codes are stable (decision 002). Messages are plain
sentences and never quote a document.
"""

from __future__ import annotations

from typing import Any


class DomainError(Exception):
    """Base of all domain errors.

    Args:
        message: One plain sentence for the caller.
        code: Stable code for clients; the default is that of the class.
        status: HTTP status; the default is that of the class.
        details: Small, JSON-serialisable, and free of document text.
        retry_after: Whole seconds for the `Retry-After` header.
    """

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
    """The id is unknown or belongs to another tenant; the answer is the same for both."""

    code = "NOT_FOUND"
    status = 404


class Conflict(DomainError):
    """The current state of the resource does not allow the operation."""

    code = "CONFLICT"
    status = 409


class Exhausted(DomainError):
    """The rate limit or the credits ran out."""

    code = "RATE_LIMITED"
    status = 429


class Upstream(DomainError):
    """A dependency of this service failed; the caller is not charged."""

    code = "DEPENDENCY_UNAVAILABLE"
    status = 503
    retry_after: int | None = 5
