"""List the jurisdictions that the service knows by name, from `data/jurisdictions.toml` (decision 032)."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from app.corpus.registry import norm_count

LegalSystem = Literal["civil", "common", "mixed", "religious", "customary"]

_FILE = Path(__file__).parent / "data" / "jurisdictions.toml"


@dataclass(frozen=True, slots=True)
class Jurisdiction:
    """One jurisdiction; `code` is ISO 3166-1 alpha-2 (or `EU`), `language` ISO 639-1 of the main one."""

    code: str
    name: str
    name_es: str
    legal_system: LegalSystem
    language: str
    # Whether the rules engine has legal rules of this jurisdiction.
    rules: bool = False


@cache
def jurisdictions() -> tuple[Jurisdiction, ...]:
    """Return every jurisdiction, in the order of the file: those with own citation grammars first."""
    with _FILE.open("rb") as file:
        entries = tuple(Jurisdiction(**raw) for raw in tomllib.load(file)["jurisdiction"])
    systems = get_args(LegalSystem)
    assert all(entry.legal_system in systems for entry in entries), "the file names a family of law we know"
    return entries


@cache
def _by_code() -> dict[str, Jurisdiction]:
    return {entry.code: entry for entry in jurisdictions()}


def jurisdiction(code: str) -> Jurisdiction | None:
    """Return the jurisdiction with `code` (any case); `None` if unknown: the caller answers 400."""
    return _by_code().get(code.strip().upper())


def assessment(code: str, engine: str) -> Literal["full", "partial", "none"]:
    """Return how far `engine` can assess the law of `code` (decision 018).

    `rules` assesses the jurisdictions that it has rules for and takes an inventory elsewhere; a model is
    held against the law that the service knows, and where it knows none its authorities stay unchecked.
    Canned answers are whole.
    """
    if engine == "rules":
        found = jurisdiction(code)
        return "full" if found is not None and found.rules else "none"
    return "full" if engine == "sandbox" or norm_count(code.strip().upper()) else "partial"
