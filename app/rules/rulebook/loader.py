"""Read the rule files, check them, and refuse a mistake with its file, entry, field and what was expected.

A lawyer extends the engine by editing `data/*.toml`. Every field is checked against the types of `schema`
when the files are read, once per process, so that a mistake stops the start and not an analysis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from app.platform.data_files import Entry, read_entry, read_toml
from app.rules import clause_types
from app.rules.rulebook.comparisons import CHECKS
from app.rules.rulebook.schema import ChecklistItem, Clause, Kind, Risk, Rulebook, RuleFileError, Term

DATA = Path(__file__).parents[1] / "data"
# The folder also holds the calendar and the procedural periods, which the readers of facts own.
FILES = (
    "kinds.toml",
    "kinds_*.toml",
    "terms.toml",
    "terms_*.toml",
    "clauses_*.toml",
    "requirements_*.toml",
    "risks_*.toml",
    "checklists.toml",
    "checklists_*.toml",
)
_TABLES = ("kind", "term", "clause", "risk", "item")

_Rule = TypeVar("_Rule", bound=Entry)
# How messages call an entry (file, table and id), and the entry as it stands in the file.
_Raw = tuple[str, object]


def _tables(folder: Path) -> tuple[str, dict[str, list[_Raw]]]:
    """Return the version of the rules and the entries of each table, in the order of files and lines."""
    version = ""
    tables: dict[str, list[_Raw]] = {table: [] for table in _TABLES}
    for path in sorted(path for name in FILES for path in folder.glob(name)):
        raw = read_toml(path)
        version = str(raw.pop("version", version))
        for table, rows in raw.items():
            if table not in tables:
                raise RuleFileError(f"{path.name}: unknown table {table!r}")
            for row in rows if isinstance(rows, list) else [rows]:
                tables[table].append((f"{path.name}: {table} {_id(row) or 'without id'}", row))
    if not version:
        raise RuleFileError("no rule file states a version")
    return version, tables


def _id(row: object) -> str:
    """Return the id that an entry gives itself, empty where it gives none."""
    return str(row.get("id", "")) if isinstance(row, dict) else ""


def _read(model: type[_Rule], entries: Sequence[_Raw], context: Mapping[str, Any]) -> tuple[_Rule, ...]:
    """Validate the entries of one table, whose ids must differ."""
    seen: set[str] = set()
    for where, row in entries:
        if _id(row) in seen:
            raise RuleFileError(f"{where}: id is used twice")
        seen.add(_id(row))
    return tuple(read_entry(model, where, row, context) for where, row in entries)


def read(folder: Path) -> Rulebook:
    """Read the rules in the TOML files of a folder.

    Raises:
        RuleFileError: naming every mistake of the first entry that has one.
    """
    version, tables = _tables(folder)
    context = {
        "kinds": {_id(row) for _, row in tables["kind"]},
        "terms": {_id(row) for _, row in tables["term"]},
        "risks": {_id(row) for _, row in tables["risk"]},
        "checks": frozenset(CHECKS),
        "clause_types": frozenset(clause_types.type_ids()),
    }
    return Rulebook(
        version=version,
        kinds=_read(Kind, tables["kind"], context),
        terms=_read(Term, tables["term"], context),
        clauses=_read(Clause, tables["clause"], context),
        risks=_read(Risk, tables["risk"], context),
        checklist=_read(ChecklistItem, tables["item"], context),
    )


@lru_cache(maxsize=1)
def rulebook() -> Rulebook:
    """Return the rules that ship with the engine, read once per process."""
    return read(DATA)


@lru_cache(maxsize=1)
def rule_citations() -> frozenset[str]:
    """Return every authority that a rule names as its basis, as it stands in an analysis."""
    return frozenset(basis.cite for basis in rulebook().bases())
