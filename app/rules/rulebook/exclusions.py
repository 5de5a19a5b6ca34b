"""Tell which laws do not apply to a document, because they leave its relation to another law.

A contract for domestic work in Argentina is an employment contract in its words, and the general law of
employment leaves it out: its rules would tell figures of another law. So would the law of consumers in a
contract by which a person works for a company.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.rules.document import Document
from app.rules.rulebook.schema import Exclusion


def excluded_laws(document: Document, exclusions: Iterable[Exclusion], day: str | None) -> frozenset[str]:
    """Return the norms that do not apply to a document.

    Args:
        document: the document.
        exclusions: the relations that laws leave out.
        day: that whose law governs the document (YYYY-MM-DD); without it, the latest law does.
    """
    return frozenset(law for one in exclusions if _leaves_out(document, one, day) for law in one.laws)


def _leaves_out(document: Document, exclusion: Exclusion, day: str | None) -> bool:
    since = exclusion.in_force_from
    if since is not None and day is not None and day < since.isoformat():
        return False
    standing = sum(document.find(one.compiled) is not None for one in exclusion.words)
    return standing >= exclusion.least and not any(
        document.find(one.compiled) is not None for one in exclusion.unless
    )
