"""Read TOML files that people edit into pydantic models, and say plainly what is wrong in them. Pure.

A mistake is told with the file, the entry, the field and what was expected there (decision 051).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainValidator,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from app.text.bilingual import Bilingual

# pydantic's kinds of error, in the words of somebody who edits a file.
_EXPECTED = {
    "missing": "is missing",
    "string_type": "must be a text",
    "string_too_short": "must be a text that is not empty",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "too_short": "must not be empty",
    "too_long": "has too many values",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "date_type": "must be a date without quotes (2019-03-06)",
}


# By which of its fields an entry of a list is known to who edits the file.
_NAMES = ("id", "name", "code", "country", "treatment", "section")


class DataFileError(ValueError):
    """A data file is wrong; the message names the file, the entry and the field."""


class Entry(BaseModel):
    """One table of a data file: no unknown field, nothing converted, nothing changed after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def _as_tuple(value: object) -> object:
    """Return a list of a file as the tuple that it is read into."""
    return tuple(value) if isinstance(value, list) else value


def _not_blank(value: str) -> str:
    """Return a text that says something.

    Raises:
        ValueError: for one of blanks.
    """
    if not value.strip():
        raise ValueError("must be a text that is not empty")
    return value


def _bilingual(value: object) -> Bilingual:
    """Return the text in both languages.

    Raises:
        ValueError: when a language is missing, empty or one too many.
    """
    if not isinstance(value, dict) or set(value) != {"es", "en"}:
        raise ValueError("must have exactly the languages es and en")
    if not all(isinstance(item, str) and item.strip() for item in value.values()):
        raise ValueError("must not be empty in either language")
    return Bilingual(es=value["es"].strip(), en=value["en"].strip())


FromList = BeforeValidator(_as_tuple)
"""A list of the file becomes a tuple: `Annotated[tuple[X, ...], FromList]`."""
NotBlank = Annotated[str, AfterValidator(_not_blank)]
Words = Annotated[tuple[NotBlank, ...], FromList]

Wording = Annotated[Bilingual, PlainValidator(_bilingual)]
"""A table with a text in Spanish (`es`) and in English (`en`)."""
Filled = Annotated[str, StringConstraints(min_length=1)]
"""A text of at least one character; checked without a call of Python, for long lists."""
Texts = Annotated[tuple[Filled, ...], FromList]

Shape = TypeVar("Shape")
Model = TypeVar("Model", bound=Entry)


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Raises:
        DataFileError: when the file is not TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DataFileError(f"{path.name}: is not TOML: {error}") from error


def read_entry(
    model: type[Model], where: str, raw: object, context: Mapping[str, Any] | None = None
) -> Model:
    """Validate one table of a data file.

    Args:
        model: what the table must be.
        where: how messages call the table: file, kind of entry and its id.
        raw: the table as `tomllib` gives it.
        context: what the validators of `model` want to know of other entries.

    Raises:
        DataFileError: with every mistake of the table.
    """
    try:
        return model.model_validate(raw, context=dict(context or {}))
    except ValidationError as error:
        raise DataFileError(f"{where}: {'; '.join(map(_told, error.errors()))}") from None


def read_file(path: Path, shape: type[Shape]) -> Shape:
    """Read a TOML file as an `Entry`, or as a dictionary of such by the names of its tables.

    Args:
        path: the file.
        shape: what it must be.

    Raises:
        DataFileError: when it is not TOML, or with every mistake in it.
    """
    raw = read_toml(path)
    try:
        return TypeAdapter(shape).validate_python(raw, strict=True)
    except ValidationError as error:
        told = (_told(problem, raw) for problem in error.errors())
        raise DataFileError(f"{path.name}: {'; '.join(told)}") from None


def _told(problem: Mapping[str, Any], raw: object = None) -> str:
    """Return one mistake as field and expectation; entries of lists in `raw` are called by their names."""
    kind, place = problem["type"], _field(problem["loc"], raw)
    if kind == "extra_forbidden":
        return f"unknown field {place!r}"
    if kind == "literal_error":
        expected = f"must be {problem['ctx']['expected']}".replace("'", "")
    elif kind == "value_error":
        expected = str(problem["ctx"]["error"])
    else:
        expected = _EXPECTED.get(kind) or re.sub(r"^\w+ should", "must", problem["msg"])
    return f"{place} {expected}" if place else expected


def _field(place: tuple[int | str, ...], raw: object = None) -> str:
    """Return where a field is: `absence[0].basis[1].boe`, or `type[3 NIF].check` where `raw` has a name."""
    written = ""
    for part in place:
        try:
            raw = raw[part]  # type: ignore[index]
        except (TypeError, KeyError, IndexError):
            raw = None
        if isinstance(part, int):
            named = next((raw[key] for key in _NAMES if key in raw), "") if isinstance(raw, dict) else ""
            written += f"[{part} {named}]" if isinstance(named, str) and named else f"[{part}]"
        else:
            written += f".{part}"
    return written.removeprefix(".")
