"""Define forms that need no more than a pattern of their own: decisions and numbered laws."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.citations.citation import Kind

# The binding of re2 has no types.
Match = Any
JUDGMENT: Kind = "L2-J"


@dataclass(frozen=True, slots=True)
class Form:
    """One written form of a decision; `canonical` builds its normal form.

    `where` limits the form to documents of those jurisdictions (`None`: it is unmistakable everywhere).
    """

    jurisdiction: str
    kind: Kind
    pattern: Any
    canonical: Callable[[Match], str]
    where: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class LawForm:
    """A numbered law as the documents of `where` write it; `norm` is what follows the country code."""

    jurisdiction: str
    pattern: Any
    norm: Callable[[Match], str]
    where: tuple[str, ...]


def plain(number: str) -> str:
    """Return a number without dots and spaces: "19.496" is 19496."""
    return number.replace(".", "").replace(" ", "")


def rank(word: str) -> str:
    """Return the code of a rank of law, whatever the language of the document."""
    return {"law": "ley"}.get(word.lower(), word.lower())
