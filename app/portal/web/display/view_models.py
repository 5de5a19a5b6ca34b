"""Parts of view models: what templates look up, so that they need not compare. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from app import tenancy
from app.portal.web.display import labels


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


def still_to_come(moment: datetime | None, now: datetime) -> datetime | None:
    """Return a moment after `now`, else None."""
    return moment if moment and moment > now else None


def is_spent(credits: int, cap: int | None) -> bool:
    """Return whether a month's credits have reached the monthly cap of a key."""
    return cap is not None and credits >= cap


def scope_options(allowed: Iterable[str], chosen: Iterable[str] | None) -> list[tuple[Option, Any]]:
    """Return the scopes that are allowed, those chosen marked, each with its explanation."""
    within, marked = set(allowed), set(chosen or ())
    return [
        (Option(scope, labels.SCOPES[scope], scope in marked), labels.SCOPE_HINTS[scope])
        for scope in tenancy.SCOPES
        if scope in within
    ]
