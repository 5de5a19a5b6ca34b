"""The rule files read, validated, and refused with a sentence that says where and why.

A lawyer extends the engine by editing `data/*.toml`; every field is checked when the files are read, once per
process, so that a mistake stops the start and not an analysis.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.rules.document import compile_pattern
from app.rules.draft import Text
from app.rules.rulebook.comparisons import CHECKS
from app.rules.rulebook.schema import (
    Absence,
    Basis,
    ChecklistItem,
    Clause,
    Kind,
    Pattern,
    Risk,
    Rulebook,
    RuleFileError,
    Term,
)

DATA = Path(__file__).parents[1] / "data"
# The folder also holds the calendar and the procedural periods, which the readers of facts own.
FILES = (
    "kinds.toml",
    "terms.toml",
    "clauses_*.toml",
    "requirements_*.toml",
    "risks_*.toml",
    "checklists.toml",
)
_FAMILIES = ("contract", "pleading", "act", "letter", "ruling", "unknown")
_BRANCHES = (
    "civil",
    "penal",
    "laboral",
    "mercantil",
    "contencioso",
    "constitucional",
    "familia",
    "internacional",
)
_BOE = re.compile(r"BOE-A-\d{4}-\d{1,6}")
_SLOTS = {"of", "to", "times", "limit"}
_SLOT = re.compile(r"\{([^{}]*)\}")


class _Entry:
    """One table of a rule file, read field by field; remembers which fields were asked for."""

    def __init__(self, where: str, raw: object) -> None:
        self.where = where
        if not isinstance(raw, dict):
            raise RuleFileError(f"{where}: must be a table")
        self.raw: dict[str, Any] = raw
        self.seen: set[str] = set()

    def fail(self, field: str, problem: str) -> RuleFileError:
        return RuleFileError(f"{self.where}: {field} {problem}")

    def string(self, field: str, default: str | None = None) -> str:
        self.seen.add(field)
        value = self.raw.get(field, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            raise self.fail(field, "must be a text that is not empty")
        return value

    def flag(self, field: str) -> bool:
        self.seen.add(field)
        value = self.raw.get(field, False)
        if not isinstance(value, bool):
            raise self.fail(field, "must be true or false")
        return value

    def weight(self, field: str) -> int:
        self.seen.add(field)
        value = self.raw.get(field, 2)
        if value not in (1, 2, 3):
            raise self.fail(field, "must be 1, 2 or 3")
        return int(value)

    def strings(self, field: str) -> tuple[str, ...]:
        self.seen.add(field)
        value = self.raw.get(field, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
            raise self.fail(field, "must be a list of texts")
        return tuple(value)

    def choices(self, field: str, allowed: Iterable[str]) -> tuple[str, ...]:
        known = set(allowed)
        values = self.strings(field)
        for value in values:
            if value not in known:
                raise self.fail(field, f"names {value!r}, which does not exist")
        return values

    def text(self, field: str) -> Text:
        found = self.optional_text(field)
        if found is None:
            raise self.fail(field, "is missing")
        return found

    def optional_text(self, field: str) -> Text | None:
        self.seen.add(field)
        value = self.raw.get(field)
        if value is None:
            return None
        if not isinstance(value, dict) or set(value) != {"es", "en"}:
            raise self.fail(field, "must have exactly the languages es and en")
        if not all(isinstance(item, str) and item.strip() for item in value.values()):
            raise self.fail(field, "must not be empty in either language")
        return Text(es=value["es"].strip(), en=value["en"].strip())

    def patterns(self, field: str) -> tuple[Pattern, ...]:
        try:
            return tuple(Pattern(source, compile_pattern(source)) for source in self.strings(field))
        except ValueError as error:
            if isinstance(error, RuleFileError):
                raise
            raise self.fail(field, f"is wrong: {error}") from error

    def entries(self, field: str) -> list[_Entry]:
        self.seen.add(field)
        value = self.raw.get(field, [])
        if not isinstance(value, list):
            raise self.fail(field, "must be a list of tables")
        return [_Entry(f"{self.where}.{field}[{index}]", item) for index, item in enumerate(value)]

    def basis(self, field: str = "basis") -> tuple[Basis, ...]:
        bases = []
        for entry in self.entries(field):
            basis = Basis(
                entry.string("boe"), entry.string("article"), entry.string("cite"), entry.string("words", "")
            )
            entry.finish()
            if not _BOE.fullmatch(basis.boe):
                raise entry.fail("boe", f"is not a BOE identifier: {basis.boe!r}")
            # Old laws number their articles in words and are cited in figures: "art. 44 LOTC".
            if basis.article[0].isdigit() and basis.article not in basis.cite:
                raise entry.fail("cite", f"{basis.cite!r} does not name article {basis.article}")
            bases.append(basis)
        return tuple(bases)

    def day(self, field: str) -> date | None:
        self.seen.add(field)
        value = self.raw.get(field)
        if value is not None and type(value) is not date:
            raise self.fail(field, "must be a date without quotes (2019-03-06)")
        return value

    def finish(self) -> None:
        unknown = sorted(set(self.raw) - self.seen)
        if unknown:
            raise RuleFileError(f"{self.where}: unknown field {unknown[0]!r}")


def _kind(entry: _Entry) -> Kind:
    family = entry.string("family")
    if family not in _FAMILIES:
        raise entry.fail("family", f"must be one of {', '.join(_FAMILIES)}")
    return Kind(
        id=entry.string("id"),
        name=entry.text("name"),
        family=family,  # type: ignore[arg-type]
        branches=entry.choices("branches", _BRANCHES),
        titles=entry.patterns("titles"),
        signals=entry.patterns("signals"),
        against=entry.patterns("against"),
        examples=entry.strings("examples"),
    )


def _term(entry: _Entry, kinds: Iterable[str]) -> Term:
    measure = entry.string("measure")
    if measure not in ("money", "duration", "percent", "hours"):
        raise entry.fail("measure", "must be money, duration, percent or hours")
    return Term(
        id=entry.string("id"),
        name=entry.text("name"),
        measure=measure,  # type: ignore[arg-type]
        kinds=entry.choices("kinds", kinds),
        labels=entry.patterns("labels"),
        unless=entry.patterns("unless"),
        headline=entry.flag("headline"),
        examples=entry.strings("examples"),
    )


def _clause(entry: _Entry, kinds: Iterable[str], terms: Iterable[str]) -> Clause:
    known = set(kinds)
    absences = []
    for item in entry.entries("absence"):
        absence = Absence(
            kinds=item.choices("kinds", known),
            weight=item.weight("weight"),
            text=item.text("text"),
            advice=item.optional_text("advice"),
            basis=item.basis(),
        )
        item.finish()
        absences.append(absence)
    return Clause(
        id=entry.string("id"),
        name=entry.text("name"),
        patterns=entry.patterns("patterns"),
        headings=entry.patterns("headings"),
        unless=entry.patterns("unless"),
        waived=entry.patterns("waived"),
        when=entry.patterns("when"),
        excused=entry.patterns("excused"),
        terms=entry.choices("terms", terms),
        kinds=entry.choices("kinds", known),
        expected=entry.choices("expected", known),
        absences=tuple(absences),
        note=entry.optional_text("note"),
        note_kinds=entry.choices("note_kinds", known),
        note_basis=entry.basis("note_basis"),
        examples=entry.strings("examples"),
        counterexamples=entry.strings("counterexamples"),
    )


def _risk(entry: _Entry, kinds: Iterable[str]) -> Risk:
    severity = entry.string("severity")
    if severity not in ("low", "medium", "high"):
        raise entry.fail("severity", "must be low, medium or high")
    parameters = entry.raw.get("parameters", {})
    entry.seen.add("parameters")
    if not isinstance(parameters, dict):
        raise entry.fail("parameters", "must be a table")
    section = entry.string("section", "risks")
    if section not in ("risks", "deadlines"):
        raise entry.fail("section", "must be risks or deadlines")
    risk = Risk(
        id=entry.string("id"),
        kinds=entry.choices("kinds", kinds),
        flags=entry.strings("flags"),
        yields_to=entry.strings("yields_to"),
        patterns=entry.patterns("patterns"),
        unless=entry.patterns("unless"),
        elsewhere=entry.patterns("elsewhere"),
        check=entry.string("check", ""),
        parameters=parameters,
        section=section,  # type: ignore[arg-type]
        in_force_from=entry.day("in_force_from"),
        severity=severity,  # type: ignore[arg-type]
        critical=entry.flag("critical"),
        title=entry.text("title"),
        text=entry.text("text"),
        advice=entry.text("advice"),
        basis=entry.basis(),
        examples=entry.strings("examples"),
        counterexamples=entry.strings("counterexamples"),
    )
    if not risk.patterns and not risk.check:
        raise entry.fail("patterns", "or check must be given")
    if risk.check and risk.check not in CHECKS:
        raise entry.fail("check", f"names {risk.check!r}, which does not exist")
    for text in (risk.title, risk.text, risk.advice):
        for slot in _SLOT.findall(text.es + text.en):
            if slot not in _SLOTS:
                raise entry.fail("text", f"has the unknown slot {{{slot}}}")
    if risk.critical and risk.severity != "high":
        raise entry.fail("critical", "needs severity high")
    if not risk.basis:
        raise entry.fail("basis", "is missing: a risk states law")
    return risk


def _item(entry: _Entry, kinds: Iterable[str]) -> ChecklistItem:
    branch = entry.string("branch")
    if branch not in _BRANCHES:
        raise entry.fail("branch", f"must be one of {', '.join(_BRANCHES)}")
    return ChecklistItem(
        id=entry.string("id"),
        branch=branch,
        families=entry.choices("families", _FAMILIES),
        kinds=entry.choices("kinds", kinds),
        question=entry.text("question"),
        when=entry.patterns("when"),
        patterns=entry.patterns("patterns"),
        basis=entry.basis(),
        examples=entry.strings("examples"),
    )


def _tables(folder: Path) -> tuple[str, dict[str, list[_Entry]]]:
    version = ""
    tables: dict[str, list[_Entry]] = {"kind": [], "term": [], "clause": [], "risk": [], "item": []}
    for path in sorted(path for name in FILES for path in folder.glob(name)):
        try:
            raw = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise RuleFileError(f"{path.name}: is not TOML: {error}") from error
        version = str(raw.pop("version", version))
        for table, rows in raw.items():
            if table not in tables:
                raise RuleFileError(f"{path.name}: unknown table {table!r}")
            for row in rows if isinstance(rows, list) else [rows]:
                name = row.get("id", "without id") if isinstance(row, dict) else "without id"
                tables[table].append(_Entry(f"{path.name}: {table} {name}", row))
    if not version:
        raise RuleFileError("no rule file states a version")
    return version, tables


def _unique(entries: list[_Entry]) -> None:
    seen: set[str] = set()
    for entry in entries:
        entry.finish()
        name = str(entry.raw["id"])
        if name in seen:
            raise entry.fail("id", "is used twice")
        seen.add(name)


def read(folder: Path) -> Rulebook:
    """The rules in the TOML files of `folder`. Raises `RuleFileError` on the first mistake found."""
    version, tables = _tables(folder)
    kinds = tuple(map(_kind, tables["kind"]))
    ids = [kind.id for kind in kinds]
    terms = tuple(_term(entry, ids) for entry in tables["term"])
    rulebook = Rulebook(
        version=version,
        kinds=kinds,
        terms=terms,
        clauses=tuple(_clause(entry, ids, [term.id for term in terms]) for entry in tables["clause"]),
        risks=tuple(_risk(entry, ids) for entry in tables["risk"]),
        checklist=tuple(_item(entry, ids) for entry in tables["item"]),
    )
    for entries in tables.values():
        _unique(entries)
    known = {risk.id for risk in rulebook.risks}
    for entry, risk in zip(tables["risk"], rulebook.risks, strict=True):
        for other in risk.yields_to:
            if other not in known:
                raise entry.fail("yields_to", f"names {other!r}, which does not exist")
    return rulebook


@lru_cache(maxsize=1)
def rulebook() -> Rulebook:
    """The rules that ship with the engine, read once per process."""
    return read(DATA)


@lru_cache(maxsize=1)
def rule_citations() -> frozenset[str]:
    """Every authority that a rule names as its basis, as it stands in an analysis."""
    return frozenset(basis.cite for basis in rulebook().bases())
