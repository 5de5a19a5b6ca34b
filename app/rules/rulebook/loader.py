"""Read the rule files, check them, and refuse a mistake with its file, entry, field and what was expected.

A lawyer extends the engine by editing `data/*.toml`. Every field is checked against the types of `schema`
when the files are read, once per process, so that a mistake stops the start and not an analysis. Compiling
thousands of patterns takes most of that time: those of files in which a process has found no mistake are
compiled by the next ones when they are first looked for.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from app.platform.data_files import Entry, read_entry, read_toml
from app.rules import clause_types, document
from app.rules.rulebook.comparisons import CHECKS
from app.rules.rulebook.schema import ChecklistItem, Clause, Kind, Risk, Rulebook, RuleFileError, Term

DATA = Path(__file__).parents[1] / "data"
CHECKED = Path(__file__).with_name("checked.sha256")
"""Holds the digest of the rule files in which no mistake was found."""
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


def _files(folder: Path) -> list[Path]:
    return sorted(path for name in FILES for path in folder.glob(name))


def _tables(folder: Path) -> tuple[str, dict[str, list[_Raw]]]:
    """Return the version of the rules and the entries of each table, in the order of files and lines."""
    version = ""
    tables: dict[str, list[_Raw]] = {table: [] for table in _TABLES}
    for path in _files(folder):
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


def read(folder: Path, *, compiled: bool = True) -> Rulebook:
    """Read the rules in the TOML files of a folder.

    Args:
        folder: the folder.
        compiled: whether patterns are compiled now, so that a mistake in one is found.

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
        "compiled": compiled,
    }
    return Rulebook(
        version=version,
        kinds=_read(Kind, tables["kind"], context),
        terms=_read(Term, tables["term"], context),
        clauses=_read(Clause, tables["clause"], context),
        risks=_read(Risk, tables["risk"], context),
        checklist=_read(ChecklistItem, tables["item"], context),
    )


def digest(folder: Path) -> str:
    """Return the SHA-256 of the rule files and of the code that compiles patterns, in hexadecimal."""
    made = hashlib.sha256()
    for path in [*_files(folder), Path(document.__file__)]:
        made.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return made.hexdigest()


def read_checked(folder: Path, checked: Path) -> Rulebook:
    """Read the rules of a folder, whose patterns are compiled now unless `checked` holds their digest.

    Where no mistake is found, `checked` holds it afterwards, if it can be written.

    Raises:
        RuleFileError: naming every mistake of the first entry that has one.
    """
    files = digest(folder)
    if checked.is_file() and checked.read_text("ascii") == files:
        return read(folder, compiled=False)
    rules = read(folder)
    with suppress(OSError):  # an image is read-only; its set-up has checked the files
        partial = checked.with_suffix(f".{os.getpid()}.part")
        partial.write_text(files, "ascii")
        partial.replace(checked)
    return rules


@lru_cache(maxsize=1)
def rulebook() -> Rulebook:
    """Return the rules that ship with the engine, read once per process."""
    return read_checked(DATA, CHECKED)


@lru_cache(maxsize=1)
def rule_citations() -> frozenset[str]:
    """Return every authority that a rule names as its basis, as it stands in an analysis."""
    return frozenset(basis.cite for basis in rulebook().bases())
