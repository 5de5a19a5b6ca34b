"""Letterhead of a document: a partner's name or logo and its colour. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from app.branding.configuration import Branding
from app.branding.logo import Logo
from app.branding.values import is_color
from app.platform import pdf

_COLOR = "#33475b"
# WCAG 2.2, 1.4.3: text on white paper.
LEAST_CONTRAST = 4.5


@dataclass(frozen=True, slots=True)
class Letterhead:
    """Values of a letterhead for templates.

    `color` is the partner's, for lines; `ink` the same darkened until text is readable; `logo` a `data:` URL.
    """

    name: str
    color: str = _COLOR
    ink: str = _COLOR
    logo: str | None = None

    def __repr__(self) -> str:
        return f"<Letterhead {self.color}>"


def letterhead(found: Branding, logo: Logo | None) -> Letterhead:
    """Return the partner's letterhead; without a logo it shows the name."""
    # It goes into style sheets and attributes: a value that is not a colour is never written there.
    own = found.partner_primary_color
    color = (own if own and is_color(own) else _COLOR).lower()
    return Letterhead(
        name=found.partner_brand_name or found.partner_legal_name or "",
        color=color,
        ink=readable(color),
        logo=pdf.data_uri(logo.data) if logo is not None and logo.data is not None else None,
    )


def contrast(color: str) -> float:
    """Return the contrast ratio of `color` (`#rrggbb`) to white, 1 to 21; text needs `LEAST_CONTRAST`."""
    return contrast_to_white(*(int(color[at : at + 2], 16) for at in (1, 3, 5)))


def readable(color: str) -> str:
    """Darken `color` (`#rrggbb`) until text in it on white has `LEAST_CONTRAST`."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    share = 1.0
    while contrast_to_white(red * share, green * share, blue * share) < LEAST_CONTRAST:
        share -= 0.02
    return f"#{int(red * share):02x}{int(green * share):02x}{int(blue * share):02x}"


def contrast_to_white(red: float, green: float, blue: float) -> float:
    """Return the contrast ratio of a colour (0 to 255 each) to white, 1 to 21 (WCAG 2.2)."""

    def linear(value: float) -> float:
        value /= 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return 1.05 / (0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) + 0.05)
