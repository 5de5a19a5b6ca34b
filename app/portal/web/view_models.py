"""Parts of view models: what templates look up, so that they need not compare. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Option(NamedTuple):
    """One value of a select, of radio buttons or of a row of links."""

    value: Any
    label: Any
    chosen: bool


def options(labels: Mapping[Any, Any] | Iterable[tuple[Any, Any]], chosen: object) -> list[Option]:
    """Return the labelled values in their order, with the chosen one marked."""
    pairs = labels.items() if isinstance(labels, Mapping) else labels
    return [Option(value, label, value == chosen) for value, label in pairs]


def flags(value: str | None) -> Mapping[str, bool]:
    """Return `{value: True}`: templates ask `status_is.ready`, and any other name is false."""
    return {value: True} if value else {}


def tone_class(block: str, tone: str | None) -> str:
    """Return the CSS class of a tone, ` tag--ok`, with its leading space; nothing for no tone."""
    return f" {block}--{tone}" if tone else ""
