"""Who speaks in an analysis. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

# The values are literals of the wire (decision 039): `nexus` is the service under its own name.
Mode = Literal["nexus", "partner", "none"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Attribution:
    """The name under which an analysis is given: the service's, the partner's or nobody's."""

    mode: Mode = "nexus"
    brand_name: str | None = None

    def author(self, service_name: str) -> str | None:
        """The name to write where the service would write its own; `None` where none may stand."""
        if self.mode == "none":
            return None
        return self.brand_name if self.mode == "partner" and self.brand_name else service_name


PLAIN = Attribution()
