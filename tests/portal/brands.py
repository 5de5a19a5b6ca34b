"""The branding form of a fictional partner, and sending it."""

from __future__ import annotations

from typing import Any

from tests.portal.conftest import PortalClient

PAGE = "/portal/branding"
FORM: dict[str, object] = {
    "branding": "partner",
    "partner_brand_name": "Ibáñez & Soler",
    "partner_legal_name": "Ibáñez y Soler Abogados, S.L.P.",
    "partner_logo_url": "",
    "partner_primary_color": "#1f4e79",
    "partner_support_email": "soporte@ibanez-soler.example",
    "partner_website": "https://www.ibanez-soler.example/",
}


def send(visitor: PortalClient, path: str = PAGE, **changes: object) -> Any:
    return visitor.send(path, {**FORM, **changes})
