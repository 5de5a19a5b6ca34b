"""Read the rule files, check them, and refuse a mistake with its file, entry, field and what was expected.

A lawyer extends the engine by editing `data/*.toml`. Every field is checked against the types of `schema`
when the files are read, once per process, so that a mistake stops the start and not an analysis. Compiling
thousands of patterns takes most of that time: those of files in which a process has found no mistake are
compiled by the next ones when they are first looked for.

What is language and not law stands in `data` itself: kinds, quantities, clauses. The law of a country stands
in a folder by its code (`data/mx`, `data/us-ca`), the words of a language beyond Spanish and English in
`data/languages/<code>`. A folder is read when a document of its country is first analysed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from app.platform.data_files import Entry, read_entry, read_toml
from app.rules import clause_types, document
from app.rules.rulebook.comparisons import CHECKS
from app.rules.rulebook.schema import (
    Absence,
    ChecklistItem,
    Clause,
    ClauseWords,
    Exclusion,
    Kind,
    KindWords,
    Law,
    Nature,
    Rate,
    Risk,
    RiskWords,
    Rulebook,
    RuleFileError,
    Term,
    TermWords,
)

DATA = Path(__file__).parents[1] / "data"
CHECKED = Path(__file__).with_name("checked.sha256")
"""Holds the digests of the sets of rule files in which no mistake was found, one a line."""
SPAIN = "ES"
# The folder also holds the calendar and the procedural periods, which the readers of facts own.
FILES = (
    "kinds.toml",
    "kinds_*.toml",
    "terms.toml",
    "terms_*.toml",
    "clauses_*.toml",
    "requirements_*.toml",
    "natures.toml",
)
"""The files of `data` itself: kinds, quantities, clauses, natures, the same for the law of every country."""
LAW_FILES = (
    "kinds_*.toml",
    "terms_*.toml",
    "clauses_*.toml",
    "natures.toml",
    "risks_*.toml",
    "checklists*.toml",
    "rates.toml",
    "exclusions.toml",
)
"""The files of the folder of a country; those of a language are the first four."""
_LAW = "country.toml"
_SHARED_TABLES = ("kind", "term", "clause")
_NATURES = "nature"
_EXCLUSIONS = "exclusion"
_LAW_TABLES = (
    *_SHARED_TABLES, "kind_words", "term_words", "clause_words", "risk", "risk_words", "item", "rate",
    _NATURES, _EXCLUSIONS,
)  # fmt: skip

_Rule = TypeVar("_Rule", bound=Entry)
# How messages call an entry (file, table and id), and the entry as it stands in the file.
_Raw = tuple[str, object]
_Tables = dict[str, list[_Raw]]


@dataclass(frozen=True)
class Shared:
    """The rules that are language and not law."""

    version: str
    kinds: tuple[Kind, ...]
    terms: tuple[Term, ...]
    clauses: tuple[Clause, ...]
    natures: tuple[Nature, ...]


def _files(folder: Path, names: Sequence[str]) -> list[Path]:
    return sorted(path for name in names for path in folder.glob(name))


def _tables(data: Path, paths: Iterable[Path], known: Sequence[str]) -> tuple[str, _Tables]:
    """Return the version that the files state, if any, and the entries of each table, in their order."""
    version = ""
    tables: _Tables = {table: [] for table in known}
    for path in paths:
        name, raw = _shown(path, data), read_toml(path)
        version = str(raw.pop("version", version))
        for table, rows in raw.items():
            if table not in tables:
                raise RuleFileError(f"{name}: unknown table {table!r}")
            for row in rows if isinstance(rows, list) else [rows]:
                tables[table].append((f"{name}: {table} {_id(row) or 'without id'}", row))
    return version, tables


def _shown(path: Path, data: Path) -> str:
    """Return how messages call a file: "kinds.toml", "mx/risks_labour.toml"."""
    return path.relative_to(data).as_posix()


def _id(row: object) -> str:
    """Return the id that an entry gives itself, empty where it gives none."""
    return str(row.get("id", "")) if isinstance(row, dict) else ""


def _ids(rows: Iterable[_Raw]) -> set[str]:
    return {_id(row) for _, row in rows}


def _read(
    model: type[_Rule], entries: Sequence[_Raw], context: Mapping[str, Any], taken: Iterable[str] = ()
) -> tuple[_Rule, ...]:
    """Validate the entries of one table, whose ids must differ, also from those that are taken."""
    seen = set(taken)
    for where, row in entries:
        if _id(row) in seen:
            raise RuleFileError(f"{where}: id is used twice")
        seen.add(_id(row))
    return tuple(read_entry(model, where, row, context) for where, row in entries)


def read_shared(folder: Path, *, compiled: bool = True) -> Shared:
    """Read the kinds, quantities and clauses of a folder.

    Raises:
        RuleFileError: naming every mistake of the first entry that has one.
    """
    for name in LAW_FILES[4:]:
        for path in folder.glob(name):
            raise RuleFileError(f"{path.name}: rules of law stand in the folder of their country")
    version, tables = _tables(folder, _files(folder, FILES), (*_SHARED_TABLES, _NATURES))
    if not version:
        raise RuleFileError("no rule file states a version")
    context = {
        "kinds": _ids(tables["kind"]),
        "terms": _ids(tables["term"]),
        "clause_types": frozenset(clause_types.type_ids()),
        "compiled": compiled,
    }
    return Shared(
        version=version,
        kinds=_read(Kind, tables["kind"], context),
        terms=_read(Term, tables["term"], context),
        clauses=_read(Clause, tables["clause"], context),
        natures=_read(Nature, tables[_NATURES], context),
    )


def law_of(folder: Path) -> Law:
    """Return whose law a folder states.

    Raises:
        RuleFileError: naming every mistake in its `country.toml`.
    """
    return read_entry(Law, f"{folder.name}/{_LAW}", read_toml(folder / _LAW))


def folders_of(data: Path, code: str) -> tuple[Path, ...]:
    """Return the folders whose rules hold in a jurisdiction: words of languages, law above it, its own.

    None where there are no rules of it.
    """
    own = data / code.lower()
    if not (own / _LAW).is_file():
        return ()
    law = law_of(own)
    found: dict[Path, None] = {data / "languages" / one: None for one in law.languages}
    for above in law.above:
        found |= dict.fromkeys(folders_of(data, above))
    return (*found, own)


def read(data: Path, code: str = SPAIN, *, compiled: bool = True, shared: Shared | None = None) -> Rulebook:
    """Read the rules that hold in a jurisdiction.

    Args:
        data: the folder of all rule files.
        code: the jurisdiction (ISO 3166-1, or ISO 3166-2 for a state of a federation).
        compiled: whether patterns are compiled now, so that a mistake in one is found.
        shared: the kinds, quantities and clauses of `data`, where they have been read.

    Raises:
        RuleFileError: naming every mistake of the first entry that has one.
    """
    shared = shared if shared is not None else read_shared(data, compiled=compiled)
    folders = folders_of(data, code)
    _, tables = _tables(data, (path for folder in folders for path in _files(folder, LAW_FILES)), _LAW_TABLES)
    for where, row in [*tables["risk"], *tables["item"]]:
        _check_prefix(where, _id(row))
    kinds, terms, clauses = shared.kinds, shared.terms, shared.clauses
    context = {
        "kinds": {one.id for one in kinds} | _ids(tables["kind"]),
        "terms": {one.id for one in terms} | _ids(tables["term"]),
        "risks": _ids(tables["risk"]),
        "natures": _ids(tables[_NATURES]),
        "checks": frozenset(CHECKS),
        "clause_types": frozenset(clause_types.type_ids()),
        "compiled": compiled,
    }
    kinds += _read(Kind, tables["kind"], context, {one.id for one in kinds})
    terms += _read(Term, tables["term"], context, {one.id for one in terms})
    clauses += _read(Clause, tables["clause"], context, {one.id for one in clauses})
    if code != SPAIN:
        clauses = tuple(map(_without_law, clauses[: len(shared.clauses)])) + clauses[len(shared.clauses) :]
    rates = _rates(_told(Rate, tables["rate"], context))
    risks = _with_words(_read(Risk, tables["risk"], context), _told(RiskWords, tables["risk_words"], context))
    return Rulebook(
        version=shared.version,
        kinds=_with_words(kinds, _told(KindWords, tables["kind_words"], context)),
        terms=_with_words(terms, _told(TermWords, tables["term_words"], context)),
        clauses=_with_words(clauses, _told(ClauseWords, tables["clause_words"], context)),
        risks=tuple(_with_rates(one, rates) for one in risks),
        checklist=_read(ChecklistItem, tables["item"], context),
        codes=tuple(law_of(folder).code for folder in folders if (folder / _LAW).is_file()),
        rates=rates,
        natures=(*(shared.natures if code != SPAIN else ()), *_read(Nature, tables[_NATURES], context)),
        exclusions=_read(Exclusion, tables[_EXCLUSIONS], context),
    )


def _check_prefix(where: str, rule: str) -> None:
    """Refuse a rule of another country than Spain that does not bear its code: `mx_`, `us_ca_`."""
    prefix = f"{where.partition('/')[0].replace('-', '_')}_"
    if prefix != f"{SPAIN.lower()}_" and not rule.startswith(prefix):
        raise RuleFileError(f"{where}: id must begin with {prefix}")


def _rates(told: Sequence[tuple[str, Rate]]) -> tuple[Rate, ...]:
    """Return figures, of which no two of one name hold on one day."""
    for at, (where, one) in enumerate(told):
        for _, other in told[:at]:
            if one.id == other.id and one.from_ <= other.to and other.from_ <= one.to:
                raise RuleFileError(f"{where}: two values hold on {max(one.from_, other.from_)}")
    return tuple(one for _, one in told)


def _told(model: type[_Rule], entries: Sequence[_Raw], context: Mapping[str, Any]) -> list[tuple[str, _Rule]]:
    return [(where, read_entry(model, where, row, context)) for where, row in entries]


def _without_law(clause: Clause) -> Clause:
    """Return a clause without what the law of Spain says of it: only how much its absence weighs is kept."""
    if not clause.absences and clause.note is None:
        return clause
    weights = tuple(Absence(kinds=one.kinds, weight=one.weight) for one in clause.absences)
    return clause.model_copy(update={"absences": weights, "note": None, "note_kinds": (), "note_basis": ()})


def _with_words(rules: tuple[_Rule, ...], words: Iterable[tuple[str, Entry]]) -> tuple[_Rule, ...]:
    """Return rules with further words: lists are joined, what the words say first, and texts replaced.

    Raises:
        RuleFileError: for words of a rule that does not exist.
    """
    found = {_named(rule): rule for rule in rules}
    for where, more in words:
        rule = found.get(_named(more))
        if rule is None:
            raise RuleFileError(f"{where}: names {_named(more)!r}, which does not exist")
        changed: dict[str, Any] = {}
        fields = more.model_fields_set - {"id"}
        if isinstance(rule, Risk) and isinstance(more, RiskWords):
            changed["further"] = (*rule.further, more)
            fields -= {"unless"}
        for name in fields:
            own, further = getattr(rule, name), getattr(more, name)
            changed[name] = further if name.startswith("note") else (*further, *own)
        found[_named(rule)] = rule.model_copy(update=changed)
    return tuple(found.values())


def _named(rule: Entry) -> str:
    return str(getattr(rule, "id"))  # noqa: B009


def _with_rates(risk: Risk, rates: Sequence[Rate]) -> Risk:
    """Return a risk with the figures that its parameter `rate` names.

    Raises:
        RuleFileError: where there are none of that name.
    """
    name = risk.parameters.get("rate")
    if name is None:
        return risk
    mine = tuple(one for one in rates if one.id == name)
    if not mine:
        raise RuleFileError(f"risk {risk.id}: parameters.rate names {name!r}, which does not exist")
    return risk.model_copy(update={"parameters": {**risk.parameters, "rates": mine}})


def codes(data: Path = DATA) -> tuple[str, ...]:
    """Return the jurisdictions that there are rules of."""
    return tuple(sorted(path.parent.name.upper() for path in data.glob(f"*/{_LAW}")))


def digest(data: Path, code: str = "") -> str:
    """Return the SHA-256 of rule files and of the code that compiles patterns, in hexadecimal.

    Args:
        data: the folder of all rule files.
        code: the jurisdiction whose rules are meant; empty for the kinds, quantities and clauses of all.
    """
    made = hashlib.sha256()
    folders = folders_of(data, code) if code else ()
    paths = (
        [path for folder in folders for path in _files(folder, LAW_FILES)] if code else _files(data, FILES)
    )
    for path in [*paths, Path(document.__file__)]:
        made.update(_shown(path, data).encode() if path.is_relative_to(data) else b"")
        made.update(b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return made.hexdigest()


def read_checked(data: Path, checked: Path, code: str = SPAIN, shared: Shared | None = None) -> Rulebook:
    """Read the rules of a jurisdiction, whose patterns are compiled now unless `checked` holds their digests.

    Where no mistake is found, `checked` holds them afterwards, if it can be written.

    Raises:
        RuleFileError: naming every mistake of the first entry that has one.
    """
    wanted = [digest(data), digest(data, code)] if code else [digest(data)]
    known = checked.read_text("ascii").split() if checked.is_file() else []
    if wanted[0] not in known:
        checked_now = read_shared(data)
        shared = shared if shared is not None else checked_now  # one process holds them once
    rules = read(data, code, compiled=not set(wanted) <= set(known), shared=shared)
    if not set(wanted) <= set(known):
        keep(checked, list(dict.fromkeys([*known, *wanted])))
    return rules


def keep(checked: Path, digests: Sequence[str]) -> None:
    """Write the digests of files without a mistake, if they can be written."""
    with suppress(OSError):  # an image is read-only; its set-up has checked the files
        partial = checked.with_suffix(f".{os.getpid()}.part")
        partial.write_text("\n".join(digests), "ascii")
        partial.replace(checked)


@lru_cache(maxsize=1)
def _shared() -> Shared:
    # `read_checked` finds the mistakes in their patterns.
    return read_shared(DATA, compiled=False)


@cache
def _of_folder(code: str) -> Rulebook:
    return read_checked(DATA, CHECKED, code, _shared())


@cache
def rulebook(code: str = SPAIN) -> Rulebook:
    """Return the rules of a jurisdiction, read at its first document in this process.

    Where there are none, they are those that state no law.
    """
    known = (DATA / code.lower() / _LAW).is_file() and code.isascii()
    return _of_folder(code if known else "")


@cache
def states(code: str) -> tuple[Law, ...]:
    """Return whose law the folders of the states of a federation are ("us-ca" for US), if it has any."""
    known = sorted(DATA.glob(f"{code.lower()}-*/{_LAW}")) if code.isalpha() else []
    return tuple(law_of(path.parent) for path in known)


@cache
def rule_citations(code: str = SPAIN) -> frozenset[str]:
    """Return every authority that a rule of a jurisdiction names, as it stands in an analysis."""
    return frozenset(basis.cite for basis in rulebook(code).bases())
