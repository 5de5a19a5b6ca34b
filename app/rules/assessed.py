"""Tell how far the rules assess the law of a country, branch by branch.

The figures are counted in the rule files (`python -m tools.rules_coverage`) and kept beside them in
`assessed.toml`, so that nobody who asks has to read the rules of every country.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Final, Literal, get_args

from pydantic import Field

from app.platform.data_files import Entry, read_file
from app.rules.rulebook.loader import DATA, SPAIN
from app.rules.rulebook.schema import Branch, Rulebook

Level = Literal["full", "partial", "none"]
BRANCHES: Final[tuple[Branch, ...]] = get_args(Branch)
FILE: Final = "assessed.toml"
# A branch is assessed in full where so many rules of law are about its documents, in a country of which there
# are so many in all: a reader may then take silence for an answer.
_FULL_BRANCH, _FULL_COUNTRY = 20, 300
# The country itself, where all of these are.
_MAIN: Final[tuple[Branch, ...]] = ("civil", "laboral", "mercantil")


class _Assessed(Entry):
    """The file `assessed.toml`: how many rules of law there are, and how many are about each branch."""

    rules: Annotated[int, Field(ge=0)]
    branches: dict[Branch, Annotated[int, Field(ge=1)]]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many rules of law there are of a country, and of each branch that has some."""

    rules: int
    branches: Mapping[Branch, int]

    def branch(self, branch: Branch) -> Level:
        """Return how far a branch is assessed."""
        rules = self.branches.get(branch, 0)
        if not rules:
            return "none"
        return "full" if rules >= _FULL_BRANCH and self.rules >= _FULL_COUNTRY else "partial"

    @property
    def level(self) -> Level:
        """How far the country is assessed: in full where its main branches are."""
        if not self.rules:
            return "none"
        return "full" if all(self.branch(one) == "full" for one in _MAIN) else "partial"


NOTHING: Final = Coverage(0, {})


def count(rules: Rulebook) -> Coverage:
    """Count the risks of a country's own law, and those about documents of each branch."""
    code = rules.codes[-1] if rules.codes else ""
    prefix = "" if code == SPAIN else f"{code.lower().replace('-', '_')}_"
    own = [one for one in rules.risks if one.id.startswith(prefix)]
    branches: Counter[Branch] = Counter()
    of_kind = {kind.id: kind.branches for kind in rules.kinds}
    of_nature = {nature.id: nature.branches for nature in rules.natures}
    for risk in own:
        of_risk = {branch for kind in risk.kinds for branch in of_kind[kind]}
        of_risk.update(branch for nature in risk.natures for branch in of_nature[nature])
        branches.update(of_risk)
    return Coverage(len(own), {one: branches[one] for one in BRANCHES if branches[one]})


@cache
def coverage(code: str) -> Coverage:
    """Return how far the rules assess the law of a jurisdiction, by its code in capitals."""
    path = DATA / code.lower() / FILE
    if not code.isascii() or not code or not path.is_file():
        return NOTHING
    told = read_file(path, _Assessed)
    return Coverage(told.rules, told.branches)
