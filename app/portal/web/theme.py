"""In whose name the portal appears to an account's people: as the account's letters are signed. Pure.

A partner's name and colour take the place of the service's; under `none` the account's own name does. There
is no picture: a logo may weigh more than the page.
"""

from __future__ import annotations

from dataclasses import dataclass

from app import branding
from app.branding import Branding


@dataclass(frozen=True, slots=True)
class Color:
    """A colour on white: its contrast, what text is printed in, and what can be read upon it."""

    value: str
    contrast: float
    ink: str
    upon: str


@dataclass(frozen=True, slots=True)
class Livery:
    """`color` is the partner's, of the mark before its name; the service's own mark stands where `ours`."""

    name: str
    ours: bool = False
    color: Color | None = None

    @property
    def initial(self) -> str:
        return self.name[:1].upper()


def livery(found: Branding, *, account_name: str, service_name: str) -> Livery:
    """What an account whose letters are signed like this sees above its pages."""
    if found.branding == "nexus":
        return Livery(service_name, ours=True)
    if found.branding == "partner" and found.partner_brand_name:
        return Livery(found.partner_brand_name, color=color(found))
    return Livery(account_name)


def color(found: Branding) -> Color:
    """The partner's colour, or the one that stands where none is chosen."""
    value = branding.letterhead(found, None).color
    ratio = branding.contrast(value)
    # The contrasts to white and to black multiply to 21 (WCAG 2.2).
    return Color(value, ratio, branding.readable(value), "#ffffff" if ratio * ratio >= 21 else "#000000")
