"""Identify a text by what it calls itself: numbers from addresses, official ids from titles."""

from __future__ import annotations

import re
from datetime import date

from app.citations import extract
from app.corpus import registry
from app.corpus.registry import Norm

_ELI = re.compile(r"/eli/es(?:-[a-z]{2})?/[a-z]+/(\d{4})/\d\d/\d\d/(\d{1,5})(?:/|$)")
_NUMBERED = re.compile(r"(?:Ley|Decreto|Acto Legislativo)(?: Legislativo)? (?:N\.?º? ?)?\d{1,4} de \d{4}")
COUNTRIES = ("ES", "CO", "CL", "MX", "AR", "PE")


def number_of(url: str | None) -> str | None:
    """Return "39/2015" from the ELI of a Spanish norm; `None` where it has no number."""
    match = _ELI.search(url or "")
    return f"{match[2]}/{match[1]}" if match else None


def registered(title: str, jurisdiction: str) -> Norm | None:
    """Return the norm of the registry that a title names ("Código de Comercio (Decreto 410 de 1971)")."""
    for citation in extract(f"artículo 1 de la {title}", jurisdiction) or extract(title, jurisdiction):
        if citation.kind == "L4-N" and citation.norm and citation.jurisdiction == jurisdiction:
            found = registry.norm(citation.norm)
            if found:
                return found
    return None


def official_id(title: str, jurisdiction: str) -> str | None:
    """Return the official id of a norm known by title only: the registry's, else the number in the title."""
    known = registered(title, jurisdiction)
    if known:
        return known.official_id or known.key.split(":", 1)[1]
    numbered = _NUMBERED.search(title)
    return numbered[0] if numbered else None


def repeal(jurisdiction: str, official: str) -> tuple[date | None, str | None]:
    """Return the day of a norm's repeal and the norm that repealed it, as the registry has them."""
    known = registry.norm(f"{jurisdiction}:{official}")
    if known is None or known.repealed is None:
        return None, None
    return known.repealed, "; ".join(known.successors) or None


def decision(written: str, jurisdiction: str | None) -> tuple[str, str, dict[str, str]] | None:
    """Return (jurisdiction, normal form, identifiers) of the first decision that `written` names."""
    for code in (jurisdiction,) if jurisdiction else COUNTRIES:
        for citation in extract(written, code):
            if citation.kind == "L2-J" and citation.canonical and citation.jurisdiction == code:
                return code, citation.canonical[0], dict(citation.ids)
    return None
