"""What the six verdicts on a citation are called: one source for the portal and for the audit document.

A verdict is read on a screen and again in a PDF that is shown to a court: the two must say the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.corpus.verdicts import Status

# Spanish and English, of one citation and of several. What needs a lawyer's eye comes first.
_NAMES: Mapping[Status, Mapping[str, tuple[str, str]]] = {
    "not_found": {"es": ("no encontrada", "no encontradas"), "en": ("not found", "not found")},
    "derogated": {"es": ("derogada", "derogadas"), "en": ("no longer in force", "no longer in force")},
    "mismatch": {"es": ("no coincide", "no coinciden"), "en": ("does not match", "do not match")},
    "pending": {"es": ("en comprobación", "en comprobación"), "en": ("being checked", "being checked")},
    "not_verifiable": {
        "es": ("no verificable", "no verificables"),
        "en": ("not verifiable", "not verifiable"),
    },
    "verified": {"es": ("verificada", "verificadas"), "en": ("verified", "verified")},
}

VERDICTS: tuple[Status, ...] = tuple(_NAMES)


def verdict_name(status: Status, language: str, count: int = 1) -> str:
    """The name of a verdict on `count` citations, in `es` or `en`."""
    one, several = _NAMES[status]["es" if language == "es" else "en"]
    return one if count == 1 else several
