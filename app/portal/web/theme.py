"""Branding of the portal's pages, the same as in the account's mails. Pure.

A partner's name and colour replace the service's; under `none` the account's own name is shown. Logos are not
used: one may be larger than the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import escape

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

    @property
    def icon(self) -> str:
        """The first letter on the colour as an SVG image in a `data:` URL, which the pages' policy allows."""
        worn = self.color or color(Branding())
        drawn = (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
            f'<rect width="24" height="24" rx="5" fill="{worn.value}"/>'
            '<text x="12" y="17" text-anchor="middle" font-family="sans-serif" font-size="14" '
            f'font-weight="700" fill="{worn.upon}">{escape(self.initial)}</text></svg>'
        )
        return f"data:image/svg+xml,{quote(drawn)}"


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
