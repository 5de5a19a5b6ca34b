"""Recognise a right number under a wrong name, the commonest invention. Pure."""

from __future__ import annotations

import re

from app.citations import Citation, norm_names
from app.text.normalize import WORDS

# A name that short is too often part of another.
_SHORTEST = 12


def misnamed(citation: Citation, written: str) -> str | None:
    """Return the name of another norm that is given to the norm cited, `None` where the names agree.

    Args:
        citation: The citation.
        written: The citation with the words around it: "Ley 29/1994, de 24 de noviembre, de Propiedad
            Horizontal" gives the Act on urban leases the name of another.
    """
    if citation.norm is None:
        return None
    text = f" {_plain(written)} "
    own: set[str] = set()
    others: dict[str, str] = {}
    for entry in norm_names():
        if entry.jurisdiction != citation.jurisdiction:
            continue
        for name in entry.names:
            folded = _plain(name)
            for form in {folded, folded.removeprefix("ley de ").removeprefix("ley ")}:
                if len(form) >= _SHORTEST and f" {form} " in text:
                    if entry.norm == citation.norm:
                        own.add(form)
                    else:
                        others[form] = name
    if own or not others:
        return None
    return others[max(others, key=len)]


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", WORDS.fold(text)))
