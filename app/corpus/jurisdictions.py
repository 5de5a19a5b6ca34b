"""List the jurisdictions that the service knows by name, from `data/jurisdictions.toml` (decision 032)."""

from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from app.corpus.registry import norm_count
from app.platform.data_files import Entry, Filled, FromList, read_file
from app.platform.errors import Invalid
from app.rules import BRANCHES, coverage

LegalSystem = Literal["civil", "common", "mixed", "religious", "customary"]

_FILE = Path(__file__).parent / "data" / "jurisdictions.toml"


class Jurisdiction(Entry):
    """One jurisdiction; `code` is ISO 3166-1 alpha-2 (or `EU`), `language` ISO 639-1 of the main one."""

    code: Annotated[str, Field(pattern="^[A-Z]{2}$")]
    name: Filled
    name_es: Filled
    legal_system: LegalSystem
    language: Annotated[str, Field(pattern="^[a-z]{2}$")]
    # The jurisdiction whose law stands above this one's.
    parent: Annotated[str, Field(pattern="^[A-Z]{2}$")] | None = None


class _File(Entry):
    jurisdiction: Annotated[tuple[Jurisdiction, ...], FromList]


@cache
def jurisdictions() -> tuple[Jurisdiction, ...]:
    """Return every jurisdiction, in the order of the file: those with own citation grammars first."""
    return read_file(_FILE, _File).jurisdiction


@cache
def _by_code() -> dict[str, Jurisdiction]:
    return {entry.code: entry for entry in jurisdictions()}


def jurisdiction(code: str) -> Jurisdiction | None:
    """Return the jurisdiction with `code` (any case); `None` if unknown: the caller answers 400."""
    return _by_code().get(code.strip().upper())


@cache
def lineage(code: str) -> tuple[str, ...]:
    """Return whose law governs in a jurisdiction: its own, then that above it, the nearest first."""
    found = [code]
    while (known := jurisdiction(found[-1])) is not None and known.parent and known.parent not in found:
        found.append(known.parent)
    return tuple(found)


def known_code(written: str) -> str:
    """Return a code of jurisdiction in capitals; `ZZ`, which is nowhere, is one for tests and examples.

    Raises:
        Invalid: The code is not known.
    """
    code = written.strip().upper()
    if jurisdiction(code) is None and code != "ZZ":
        raise Invalid(
            "jurisdiction: unknown code. See GET /api/v1/jurisdictions.",
            details={"field": "jurisdiction", "got": code[:8]},
        )
    return code


def assessed_branches(code: str) -> dict[str, str]:
    """Return how far the rules assess each branch of the law of `code`."""
    found = coverage(code.strip().upper())
    return {branch: found.branch(branch) for branch in BRANCHES}


def assessment(code: str, engine: str) -> Literal["full", "partial", "none"]:
    """Return how far `engine` can assess the law of `code` (decision 018).

    `rules` assesses the jurisdictions that it has rules for, in full or in part, and takes an inventory
    elsewhere; a model is held against the law that the service knows, and where it knows none its authorities
    stay unchecked. Canned answers are whole.
    """
    if engine == "rules":
        return coverage(code.strip().upper()).level
    return "full" if engine == "sandbox" or norm_count(code.strip().upper()) else "partial"
