"""Every type of event, with what it means and an example of its data (decisions 2 and 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class EventType:
    """`example` has exactly the keys that every payload of this type has."""

    name: str
    meaning: str
    example: Mapping[str, Any]


CATALOGUE: Mapping[str, EventType] = {
    event.name: event
    for event in (
        EventType(
            "credits.low",
            "The balance fell below the account's threshold. Once, until a top-up lifts it above.",
            {"balance": 19, "threshold": 20},
        ),
        EventType(
            "spend_cap.reached",
            "A key met its monthly credit cap; what costs credits answers 402 until the month ends.",
            {"monthlyCreditCap": 500, "spent": 500, "resetsAt": "2026-12-01T00:00:00.000Z"},
        ),
    )
}
