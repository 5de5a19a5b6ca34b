"""Form fields and validators shared by several screens."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from flask_babel import gettext
from flask_wtf import FlaskForm
from wtforms import DateField, FieldList, FormField, RadioField, SelectMultipleField, StringField
from wtforms.validators import ValidationError

from app.platform.errors import NotFound

HIGHEST_CAP = 1_000_000_000


def complaints(form: FlaskForm) -> list[tuple[str, Any]]:
    """Return, for each wrong field of a form, the id that its complaint is reached by, and the complaint.

    A text is reached itself; a group of choices has no element of its own, but its complaint has.
    """
    groups = (RadioField, SelectMultipleField)
    return [
        (f"{field.id}-err" if isinstance(field, groups) else field.id, field.errors[0])
        for field in _plain_fields(form)
        if field.errors
    ]


def _plain_fields(form: Iterable[Any]) -> Iterator[Any]:
    """Yield the fields of a form, those of its rows in their order."""
    for field in form:
        if isinstance(field, FieldList):
            yield from _plain_fields(field)
        elif isinstance(field, FormField):
            yield from _plain_fields(field.form)
        else:
            yield field


class Day(DateField):  # type: ignore[misc]  # wtforms ships no types
    """A date field with an error message that shows the format."""

    def process_formdata(self, valuelist: list[str]) -> None:
        """Parse the date; an empty field is no date."""
        if valuelist and not valuelist[0].strip():
            return
        try:
            super().process_formdata(valuelist)
        except ValueError:
            raise ValueError(gettext("Enter the date as year-month-day, such as 2027-01-31.")) from None

    @property
    def shown(self) -> str:
        """The value to show in the field: the text as typed, or the date."""
        return self.raw_data[0] if self.raw_data else (self.data.isoformat() if self.data else "")


def whole_number(text: str | None, lowest: int, highest: int) -> int | None:
    """Return an integer in digits within its bounds, `None` for anything else."""
    plain = (text or "").strip()
    if not (plain.isascii() and plain.isdigit() and len(plain) <= 10):
        return None
    return int(plain) if lowest <= int(plain) <= highest else None


class MonthlyCapForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """A form with the monthly spend cap of a key, in credits; empty for none."""

    cap = StringField()

    def validate_cap(self, field: Any) -> None:
        """Check that the cap is an integer within its bounds."""
        if (field.data or "").strip() and self.monthly_cap is None:
            raise ValidationError(gettext("Enter a whole number from 0 to 1,000,000,000, digits only."))

    @property
    def monthly_cap(self) -> int | None:
        """The cap in credits; `None` without one."""
        return whole_number(self.cap.data, 0, HIGHEST_CAP)


def printable(_form: FlaskForm, field: Any) -> None:
    """Reject line breaks and control characters (a validator of wtforms)."""
    if field.data and not field.data.strip().isprintable():
        raise ValidationError(gettext("Use letters, digits and punctuation on one line."))


def identifier(raw: str | None, message: str) -> uuid.UUID | None:
    """Return the id in a URL, `None` without one. Raises `NotFound` with `message` for a malformed id."""
    if not raw:
        return None
    try:
        return uuid.UUID(raw)
    except ValueError:
        raise NotFound(message) from None


def midnight(day: date | None, days: int = 0) -> datetime | None:
    """Return the beginning of a day in UTC, `days` later; `None` for no day or one beyond the calendar."""
    try:
        return None if day is None else datetime.combine(day + timedelta(days=days), time(), UTC)
    except OverflowError:
        return None
