"""Branding of the portal's pages, the same as in the account's mails. Pure.

A partner's name and colour replace the service's; under `none` the account's own name is shown. Logos are not
used: one may be larger than the page.
"""

from __future__ import annotations

from dataclasses import dataclass

from app import branding
from app.branding import Branding


@dataclass(frozen=True, slots=True)
class Color:
    """A colour on white: its contrast, its readable variant for text (`ink`), and the text colour upon it."""

    value: str
    contrast: float
    ink: str
    upon: str


@dataclass(frozen=True, slots=True)
class PageBranding:
    """Name and colour in the page's head. `ours` shows the service's own mark."""

    name: str
    ours: bool = False
    color: Color | None = None

    @property
    def initial(self) -> str:
        """The first letter of the name, in upper case."""
        return self.name[:1].upper()


def page_branding(found: Branding, *, account_name: str, service_name: str) -> PageBranding:
    """Return the name and colour of an account's pages."""
    if found.branding == "nexus":
        return PageBranding(service_name, ours=True)
    if found.branding == "partner" and found.partner_brand_name:
        return PageBranding(found.partner_brand_name, color=color(found))
    return PageBranding(account_name)


def color(found: Branding) -> Color:
    """Return the partner's colour, or the default."""
    value = branding.letterhead(found, None).color
    ratio = branding.contrast(value)
    # The contrasts to white and to black multiply to 21 (WCAG 2.2).
    return Color(value, ratio, branding.readable(value), "#ffffff" if ratio * ratio >= 21 else "#000000")
