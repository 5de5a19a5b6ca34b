"""Preview of a branding in each of its three modes. Pure except for the settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from flask_babel import gettext, ngettext

from app import analysis, branding
from app.branding import Branding, Letterhead, Logo, Mode
from app.platform import settings
from app.portal.web.theme import PageBranding, page_branding
from app.text.bilingual import Language

# The languages of analyses.

SAMPLE: analysis.sandbox.Name = "contract_es"
# Columns of the drawing's view box that one letter of the name takes, at size 1.
_LETTER = 0.58
_WIDTH, _LARGEST = 400, 22.0


@dataclass(frozen=True, slots=True)
class ModePreview:
    """The preview of one mode: a sample analysis, the letterhead, the mail's last line, the portal's head."""

    mode: Mode
    name: str | None
    opening: str
    imprint: tuple[str, str, str]
    paper: Letterhead
    has_logo: bool
    page_branding: PageBranding
    foot: tuple[str, ...]
    is_chosen: bool
    lacks_name: bool

    @property
    def size(self) -> float:
        """Font size at which the name fits its line of the letterhead."""
        return min(_LARGEST, _WIDTH / (_LETTER * max(1, len(self.paper.name))))


def service() -> str:
    """Return the service's name."""
    return settings.current().service_name


def mode_previews(
    found: Branding, logo: Logo | None, tongue: Language, on: date, *, account_name: str
) -> list[ModePreview]:
    """Return the previews of the three modes, the chosen one first."""
    modes = sorted(branding.MODES, key=lambda mode: mode != found.branding)
    return [
        _mode_preview(
            replace(found, branding=mode), logo, tongue, on, account_name, is_chosen=mode == found.branding
        )
        for mode in modes
    ]


def saved(keys: int) -> str:
    """Describe the result of a save."""
    return str(
        ngettext(
            "The branding has been saved. It applies from the next analysis, to %(num)s key.",
            "The branding has been saved. It applies from the next analysis, to %(num)s keys.",
            keys,
        )
    )


def why_no_logo(logo: Logo | None) -> str | None:
    """Describe why a logo is missing; technical reasons keep their original words."""
    return in_words(logo.reason) if logo is not None and logo.reason else None


def in_words(reason: str) -> str:
    """Return why a picture is no logo, in the visitor's language where it is a usual reason."""
    for part, words in (
        ("redirects", gettext("the URL redirects to another; use the URL of the image itself")),
        ("not a PNG or JPEG", gettext("it is not a readable PNG or JPEG")),
        ("pixels", gettext("it has too many or too few pixels")),
        ("larger than", gettext("the file is too large")),
        ("too detailed", gettext("it is too detailed; use an image with fewer colours")),
    ):
        if part in reason:
            return str(words)
    return reason


def _mode_preview(
    found: Branding, logo: Logo | None, tongue: Language, on: date, account_name: str, *, is_chosen: bool
) -> ModePreview:
    partner = found.branding == "partner" and bool(found.partner_brand_name)
    name = found.attribution.author(service())
    # As the audit-trail PDF has it: without a brand it bears the account's own name.
    own = found.partner_legal_name or account_name
    paper = branding.letterhead(found, logo) if partner else Letterhead(name or own)
    opening, imprint = _sample(tongue, on)
    spoken = branding.brand(
        imprint,
        found.attribution,
        service_name=service(),
        wire_name=settings.current().wire_name,
        language=tongue,
    )
    before, mark, after = spoken.partition(name) if name else (spoken, "", "")
    return ModePreview(
        mode=found.branding,
        name=name,
        opening=opening,
        imprint=(before, mark, after),
        paper=paper,
        has_logo=paper.logo is not None,
        page_branding=page_branding(found, account_name=account_name, service_name=service()),
        foot=branding.foot(found, service()),
        is_chosen=is_chosen,
        lacks_name=found.branding == "partner" and not found.partner_brand_name,
    )


@lru_cache(maxsize=8)
def _sample(tongue: Language, on: date) -> tuple[str, str]:
    """Return the first paragraph of the sample, and the line that names its author."""
    config = settings.current()
    shown = analysis.sandbox.canned_answer(
        SAMPLE, tongue, "standard", author=config.service_name, wire_name=config.wire_name, on=on
    ).analysis
    paragraphs = [line for line in shown.splitlines() if line and not line.startswith("#")]
    imprint = next(line for line in paragraphs if config.service_name in line)
    return paragraphs[0], imprint.removeprefix("- ")
