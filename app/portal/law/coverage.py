"""Coverage of the corpus by country, in the visitor's language. Pure except for that language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask_babel import gettext

from app import corpus
from app.portal.web.display import labels, language

# The code of a country that does not exist.
FICTIONAL = "ZZ"


@dataclass(frozen=True, slots=True)
class Row:
    """Coverage of one country.

    `checkable` counts laws known to the registry, `laws` and `judgments` those loaded; `newest` is the ISO
    day of the newest document. `assessed` names the branches whose law the built-in rules assess.
    """

    code: str
    name: str
    checkable: int
    laws: int
    judgments: int
    newest: str | None
    assessed: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """Countries with any coverage, the largest first, and the names of the others."""

    rows: Sequence[Row]
    others: Sequence[str]

    @property
    def judgments(self) -> int:
        """Number of judgments loaded."""
        return sum(row.judgments for row in self.rows)

    @property
    def checkable(self) -> int:
        """Number of laws that can be checked."""
        return sum(row.checkable for row in self.rows)

    @property
    def has_fictional(self) -> bool:
        """Whether the fictional law of the demonstration is loaded."""
        return any(row.code == FICTIONAL and row.laws for row in self.rows)

    @property
    def is_fictional(self) -> bool:
        """Whether nothing but fictional law is loaded."""
        return self.has_fictional and all(
            row.code == FICTIONAL or not (row.laws or row.judgments) for row in self.rows
        )

    @property
    def empty(self) -> bool:
        """Whether nothing was ever loaded."""
        return not any(row.laws or row.judgments for row in self.rows)


def coverage_of(snapshot: corpus.CoverageSnapshot) -> Coverage:
    """Return what the corpus holds by country, together with the registry's laws."""
    laws: dict[str, int] = {}
    judgments: dict[str, int] = {}
    newest: dict[str, str] = {}
    for table in snapshot.tables:
        code = table.jurisdiction
        if code is None:
            continue
        if table.table.startswith("corpus_norms"):
            laws[code] = laws.get(code, 0) + table.docs
        elif table.table.startswith("corpus_judgments"):
            judgments[code] = judgments.get(code, 0) + table.docs
        else:
            continue
        if table.newest:
            newest[code] = max(newest.get(code, ""), table.newest)
    codes = [one.code for one in corpus.jurisdictions()]
    codes += sorted(({*laws} | {*judgments}) - {*codes})
    rows = [
        Row(
            code,
            country(code),
            max(laws.get(code, 0), corpus.norm_count(code)),
            laws.get(code, 0),
            judgments.get(code, 0),
            newest.get(code),
            assessed(code),
        )
        for code in codes
    ]
    full = [row for row in rows if row.checkable or row.judgments]
    full.sort(key=lambda row: (-(row.laws + row.judgments), -row.checkable, row.name))
    return Coverage(full, sorted(row.name for row in rows if not row.checkable and not row.judgments))


def assessed(code: str) -> str:
    """Return the branches whose law the rules assess, those in part marked; a dash where there are none."""
    told = [
        labels.BRANCHES[branch]
        if level == "full"
        else gettext("%(branch)s (in part)", branch=labels.BRANCHES[branch])
        for branch, level in corpus.assessed_branches(code).items()
        if level != "none"
    ]
    return ", ".join(map(str, told)) or "–"


def country(code: str) -> str:
    """Return the name of a jurisdiction in the visitor's language."""
    return str(gettext("Fictional law (ZZ)")) if code == FICTIONAL else language.territory(code)
