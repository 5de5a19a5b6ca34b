"""Data-processing agreement between a partner and the operator of the service (Article 28(3) GDPR).

It is a draft to complete and sign: what only the parties know is in brackets. The partner is the controller
of its own matters and a processor for those of its clients; the service is its processor or sub-processor.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from app.branding.configuration import Branding
from app.branding.letterhead import letterhead
from app.branding.logo import Logo
from app.platform import pdf
from app.platform.errors import Conflict

# Changes with the text of the templates, so that two drafts can be told apart.
_EDITION = {"es": "noviembre de 2026", "en": "November 2026"}


def agreement(
    found: Branding, logo: Logo | None, *, language: Literal["es", "en"], service_name: str
) -> bytes:
    """Render the agreement as PDF with the partner's letterhead; the same values give the same bytes.

    It computes for about a second: call it outside a transaction.

    Raises:
        Conflict: 409 `LEGAL_NAME_MISSING`, without `partner_legal_name`.
        Upstream: 503, where no PDF can be made.
    """
    if not found.partner_legal_name:
        raise Conflict(
            "partner_legal_name: is not set. Save it first; the agreement names it as a party.",
            code="LEGAL_NAME_MISSING",
            details={"field": "partner_legal_name"},
        )
    return _drawn(found, logo, language, service_name)


@lru_cache(maxsize=32)
def _drawn(found: Branding, logo: Logo | None, language: str, service_name: str) -> bytes:
    values = {
        "letterhead": letterhead(found, logo),
        "legal_name": found.partner_legal_name,
        "service": service_name,
        "edition": _EDITION[language],
    }
    return pdf.render(f"agreement.{language}.html", values, origin="digitalCreation")
