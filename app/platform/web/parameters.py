"""Fields for query parameters, and cursors of paginated lists."""

from __future__ import annotations

import base64
import binascii
import re
import uuid
from datetime import date
from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.platform.errors import Invalid
from app.platform.web.openapi import Problem, Text, got

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_NUMBER = re.compile(r"-?[0-9]{1,9}")


class Query(ma.Schema):
    """Schema of the query parameters of a request; unknown ones are ignored."""

    class Meta:
        unknown = ma.EXCLUDE

    @ma.pre_load
    def _no_nul(self, data: Any, **_: Any) -> Any:
        """Reject NUL characters, which PostgreSQL cannot store."""
        for name, value in data.items():
            if isinstance(value, str) and "\x00" in value:
                raise ma.ValidationError({name: [Problem("contains a NUL character (U+0000); remove it.")]})
        return data


class Day(Text):
    """A calendar day such as `2026-09-30`."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> date:  # type: ignore[override]
        text = str(super()._deserialize(value, attr, data, **kwargs))
        try:
            if _DAY.fullmatch(text):
                return date.fromisoformat(text)
        except ValueError:
            pass
        raise ma.ValidationError(
            Problem(f"must be a date such as 2026-09-30; {got(text)}.", expected="YYYY-MM-DD")
        )


class Id(Text):
    """A UUID in its canonical form."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> uuid.UUID:  # type: ignore[override]
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if not _UUID.fullmatch(text):
            raise ma.ValidationError(Problem(f"must be a UUID; {got(text)}.", expected="uuid"))
        return uuid.UUID(text)


class Count(fields.Integer):
    """An integer within bounds, written in digits."""

    def __init__(self, *, min: int, max: int, **kwargs: Any) -> None:
        self.lowest, self.highest = min, max
        metadata = {"minimum": min, "maximum": max, **kwargs.pop("metadata", {})}
        super().__init__(metadata=metadata, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        text = str(value)
        if not _NUMBER.fullmatch(text) or not self.lowest <= int(text) <= self.highest:
            raise ma.ValidationError(
                Problem(
                    f"must be a whole number from {self.lowest} to {self.highest}; {got(text)}.",
                    min=self.lowest,
                    max=self.highest,
                )
            )
        return int(text)


class WordList(Text):
    """One or more of a fixed set of words, separated by commas (decision 003)."""

    def __init__(self, *words: str, **kwargs: Any) -> None:
        self.words = words
        super().__init__(**kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[str, ...]:  # type: ignore[override]
        text = str(super()._deserialize(value, attr, data, **kwargs))
        found = tuple(word.strip() for word in text.split(","))
        if not set(found) <= set(self.words):
            raise ma.ValidationError(
                Problem(
                    f"must be one or more of {', '.join(self.words)}, separated by commas; {got(text)}.",
                    allowed=list(self.words),
                )
            )
        return found


def encode_cursor(seq: int | None) -> str | None:
    """Encode a position in a list as an opaque cursor; `None` stays `None`."""
    return None if seq is None else base64.urlsafe_b64encode(b"seq:%d" % seq).decode().rstrip("=")


def decode_cursor(word: str | None) -> int | None:
    """Decode a cursor to its position; `None` stays `None`. Raises `Invalid` (400) for a malformed cursor."""
    if word is None:
        return None
    try:
        raw = base64.urlsafe_b64decode(word.encode() + b"=" * (-len(word) % 4))
        if raw.startswith(b"seq:") and raw[4:].isdigit() and len(raw) < 24:
            return int(raw[4:])
    except (binascii.Error, ValueError):
        pass
    raise Invalid(
        "cursor: invalid value. Send the next_cursor of the previous page.", details={"field": "cursor"}
    )
