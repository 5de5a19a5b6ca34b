"""Data-processing agreement between a partner and the operator of the service (Article 28(3) GDPR).

It is a draft to complete and sign: what only the parties know is in brackets. The partner is the controller
of its own matters and a processor for those of its clients; the service is its processor or sub-processor.
"""

from __future__ import annotations

from functools import lru_cache

from app.branding.configuration import Branding
from app.branding.letterhead import letterhead
from app.branding.logo import Logo
from app.platform import pdf
from app.platform.errors import Conflict
from app.text.bilingual import Bilingual, Language

# Changes with the text of the templates, so that two drafts can be told apart.
_EDITION = Bilingual("noviembre de 2026", "November 2026")
_FILE_NAME = Bilingual("contrato-de-encargo-del-tratamiento.pdf", "data-processing-agreement.pdf")


def agreement(found: Branding, logo: Logo | None, *, language: Language, service_name: str) -> bytes:
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


def agreement_file_name(language: Language) -> str:
    """Return the name under which the agreement is downloaded."""
    return _FILE_NAME.in_(language)


@lru_cache(maxsize=32)
def _drawn(found: Branding, logo: Logo | None, language: Language, service_name: str) -> bytes:
    values = {
        "letterhead": letterhead(found, logo),
        "legal_name": found.partner_legal_name,
        "service": service_name,
        "edition": _EDITION.in_(language),
    }
    return pdf.render(f"agreement.{language}.html", values, origin="digitalCreation")
