"""The event bus: facts written in the transaction that makes them true.

Owns `events`. Invariant: an event exists if and only if its fact was committed; its type is in the catalogue.
Delivery to receivers and the pull interface read from this table.
"""

from app.webhooks.bus import publish
from app.webhooks.catalogue import CATALOGUE, EventType

__all__ = ["CATALOGUE", "EventType", "publish"]
