"""Name why an attempt at a model failed, in words that hold nothing of what was asked or answered."""

from __future__ import annotations

from enum import Enum


class FailureKind(Enum):
    """Kind of failure, on which it depends whether to try again."""

    BUSY = "the vendor limits our requests"
    AWAY = "the vendor does not answer"
    REFUSED = "the model refused"
    CUT = "the answer was cut off"
    MALFORMED = "the answer does not fit the schema"
    REJECTED = "the vendor rejected the request"
    LOCKED_OUT = "the vendor rejected the key"
    FORBIDDEN = "its address must not be called"


# Another attempt may end otherwise.
_PASSING = frozenset({FailureKind.BUSY, FailureKind.AWAY, FailureKind.MALFORMED})
# What says that the vendor, rather than one question, is in trouble.
_OUTAGES = frozenset({FailureKind.BUSY, FailureKind.AWAY, FailureKind.LOCKED_OUT})


class AttemptFailed(Exception):
    """One attempt failed. `retry_after` is the seconds that the vendor asked us to wait."""

    def __init__(
        self, kind: FailureKind, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(kind.value)
        self.kind, self.status, self.retry_after = kind, status, retry_after

    @property
    def passing(self) -> bool:
        """Whether another attempt may end otherwise."""
        return self.kind in _PASSING

    @property
    def outage(self) -> bool:
        """Whether it says that the vendor, rather than one question, is in trouble."""
        return self.kind in _OUTAGES


def of_status(status: int, retry_after: str | None = None) -> AttemptFailed:
    """Return the failure that an HTTP status means; `retry_after` is the header's text."""
    if status == 429:
        return AttemptFailed(FailureKind.BUSY, status=status, retry_after=_seconds(retry_after))
    if status in (401, 403):
        return AttemptFailed(FailureKind.LOCKED_OUT, status=status)
    if status >= 500 or status in (408, 409):
        return AttemptFailed(FailureKind.AWAY, status=status, retry_after=_seconds(retry_after))
    return AttemptFailed(FailureKind.REJECTED, status=status)


def _seconds(written: str | None) -> float | None:
    try:
        found = float(written or "")
    except ValueError:
        return None
    return found if 0 <= found <= 3600 else None
