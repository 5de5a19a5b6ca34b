"""Tell which laws do not apply to a document, because they leave its relation to another law.

A contract for domestic work in Argentina is an employment contract in its words, and the general law of
employment leaves it out: its rules would tell figures of another law. So would the law of consumers in a
contract by which a person works for a company. The law of domestic work, in turn, is none of a factory's
worker who names somebody else's domestic work.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.rules.document import Document
from app.rules.rulebook.schema import Exclusion


def excluded_laws(
    document: Document, exclusions: Iterable[Exclusion], day: str | None, kind: str | None = None
) -> frozenset[str]:
    """Return the norms that do not apply to a document.

    Args:
        document: the document.
        exclusions: the relations that laws leave out.
        day: that whose law governs the document (YYYY-MM-DD); without it, the latest law does.
        kind: the id of its kind, where it is known.
    """
    laws: set[str] = set()
    for one in exclusions:
        if kind not in one.kinds and not _is_of(document, one):
            laws.update(one.instead)
        elif one.in_force_from is None or day is None or day >= one.in_force_from.isoformat():
            laws.update(one.laws)
    return frozenset(laws)


def _is_of(document: Document, exclusion: Exclusion) -> bool:
    """Tell whether the words of a document show the relation."""
    standing = sum(document.find(one.compiled) is not None for one in exclusion.words)
    return standing >= exclusion.least and not any(
        document.find(one.compiled) is not None for one in exclusion.unless
    )
