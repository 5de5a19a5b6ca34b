"""The name under which an analysis is given. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

# The values are literals of the wire (decision 039): `nexus` is the service under its own name.
Mode = Literal["nexus", "partner", "none"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Attribution:
    """The name to use: the service's, the partner's or none."""

    mode: Mode = "nexus"
    brand_name: str | None = None

    def author(self, service_name: str) -> str | None:
        """Return the name to write in place of the service's; `None` where no name may appear."""
        if self.mode == "none":
            return None
        return self.brand_name if self.mode == "partner" and self.brand_name else service_name


PLAIN = Attribution()
