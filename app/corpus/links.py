"""Build permanent addresses and short names of norms and judgments."""

from __future__ import annotations

import uuid
from functools import cache
from urllib.parse import quote

from app.citations import norm_names


def article_url(official_id: str, url: str | None, number: str | None = None) -> str | None:
    """Return the permanent address of a norm or, at the BOE, of its article."""
    if official_id.startswith("BOE-A-"):
        anchor = f"#a{number.replace(' ', '')}" if number and number[:1].isdigit() else ""
        return f"https://www.boe.es/buscar/act.php?id={official_id}{anchor}"
    return url


def judgment_url(judgment_id: uuid.UUID, url: str | None, ecli: str | None) -> str:
    """Return a permanent URI of a judgment: its publisher's, the ECLI search engine's, or a URN.

    The URN holds the id of the judgment, which is derived from what it names and never changes.
    """
    if url:
        return url
    if ecli:
        return f"https://e-justice.europa.eu/ecli/{quote(ecli, safe=':')}"
    return f"urn:uuid:{judgment_id}"


def norm_alias(jurisdiction: str, official_id: str) -> str | None:
    """Return the short name of a norm ("LEC"), where it has one."""
    return _aliases().get((jurisdiction, official_id))


@cache
def _aliases() -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for name in norm_names():
        if name.short:
            for official in (name.ids.get("boe"), name.norm.split(":", 1)[1]):
                if official:
                    found.setdefault((name.jurisdiction, official), name.short[0])
    return found
