"""Count the rules of each country, and write down what their authors read.

    python -m tools.rules_coverage

Writes `app/rules/data/<country>/assessed.toml`, by which the service says what it assesses, and
`docs/rules-checked/<country>.md`. Run it after a change of the rules of a country; a test compares.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from app.corpus import jurisdiction
from app.rules.assessed import FILE, count
from app.rules.rulebook.loader import DATA, SPAIN, codes, rulebook
from app.rules.rulebook.schema import Basis, Rulebook

_DOCS = Path(__file__).resolve().parents[1] / "docs" / "rules-checked"


def assessed(rules: Rulebook) -> str:
    """Return the file that says how far the law of a country is assessed."""
    found = count(rules)
    lines = ["# Written by python -m tools.rules_coverage: do not edit by hand."]
    lines += [f"rules = {found.rules}", "", "[branches]"]
    lines += [f"{branch} = {rules}" for branch, rules in found.branches.items()]
    return "\n".join(lines) + "\n"


def checked(code: str) -> str:
    """Return the page about what the rules of a country rest on."""
    country, _, state = code.partition("-")
    known = jurisdiction(country)
    name = f"{known.name if known else country}{f', {state}' if state else ''}"
    prefix = f"{code.lower().replace('-', '_')}_"
    rules = rulebook(code)
    rows = [(risk.id, basis) for risk in rules.risks for basis in risk.basis]
    rows += [(item.id, basis) for item in rules.checklist for basis in item.basis]
    rows = [(rule, basis) for rule, basis in rows if rule.startswith(prefix)]
    for clause in rules.clauses:
        bases = [*clause.note_basis, *(basis for absence in clause.absences for basis in absence.basis)]
        rows += [(clause.id, basis) for basis in bases if basis.key]
    unread = sum(basis.read == "knowledge" for _, basis in rows)
    second = sum(basis.reread is not None for _, basis in rows)
    return "\n".join(
        [
            f"# Rules of {name} ({code}) and the articles they rest on",
            "",
            "Written by `python -m tools.rules_coverage`. *Law*: the article was read in a text, in which a",
            "test finds the words again. *Knowledge*: no text was at hand; the author was sure on that day.",
            "*Second reader*: the day on which another compared what the rule tells with the article.",
            f"Of {len(rows)} articles, {unread} are from knowledge; {second} were read by a second reader.",
            "",
            "| rule | article | norm | read in | author | second reader |",
            "| --- | --- | --- | --- | --- | --- |",
            *(_row(rule, basis) for rule, basis in rows),
        ]
    )


def _row(rule: str, basis: Basis) -> str:
    days = f"{basis.checked or ''} | {basis.reread or ''}"
    return f"| `{rule}` | {basis.cite} | {basis.norm} | {basis.read} | {days} |"


def documents() -> Iterator[tuple[Path, str]]:
    """Yield every file that is written, with its text."""
    for code in codes():
        yield DATA / code.lower() / FILE, assessed(rulebook(code))
        if code != SPAIN:  # docs/rules-checked.md is of Spain, and written by hand
            yield _DOCS / f"{code.lower()}.md", checked(code) + "\n"


def main() -> int:
    """Write the files."""
    _DOCS.mkdir(exist_ok=True)
    for path, text in documents():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
