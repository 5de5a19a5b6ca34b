"""Colours of partners: every one can be read where the portal writes in it or upon it (WCAG 2.2, 1.4.3)."""

from __future__ import annotations

import random

from app.branding import LEAST_CONTRAST, Branding
from app.portal.web.theme import color


def luminance(value: str) -> float:
    """The relative luminance of `#rrggbb`, by the formula of WCAG 2.2 itself."""
    parts = [int(value[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_monogram_and_names_in_any_brand_colour_can_be_read() -> None:
    dice = random.Random(24)
    greys = [f"#{level:02x}{level:02x}{level:02x}" for level in range(256)]
    steps = range(0, 256, 51)
    web = [f"#{red:02x}{green:02x}{blue:02x}" for red in steps for green in steps for blue in steps]
    drawn = [f"#{dice.randrange(1 << 24):06x}" for _ in range(500)]
    for value in (*greys, *web, *drawn):
        found = color(Branding("partner", "Firm", partner_primary_color=value))
        assert ratio(found.value, found.upon) >= LEAST_CONTRAST, value
        assert ratio(found.ink, "#ffffff") >= LEAST_CONTRAST, value
        assert abs(found.contrast - ratio(value, "#ffffff")) < 1e-9
