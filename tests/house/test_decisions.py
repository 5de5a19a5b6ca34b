"""Decision records: numbered, listed, enforced by what is there, and all that anything refers to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "docs" / "decisions"
FOLDERS = ("app", "benchmarks", "docs", "migrations", "templates", "tests", "tools")
READ = frozenset({".css", ".html", ".js", ".md", ".py", ".toml", ".txt", ".yaml"})
# Words of laws and contracts, which speak of decisions and specifications of their own.
TEXTS = ("/data/", "/golden/", "/texts/", "node_modules/")
STATUS = re.compile(r"Status: (in force|not built yet|replaced by (\d{3}))")
# "decision 013", "decisions 013 and 014", "Decisions 013 to 016", over the end of a line of comment too.
REFERENCE = re.compile(r"\b[Dd]ecisions?\s+(?:#\s+)?(\d+(?:(?:,| and| to)\s+(?:#\s+)?\d+)*)\b(?!/)")
# How a document is named that is not in the repository.
ELSEWHERE = re.compile(
    r"\b(?:interface \d|endpoint rule|decisions, sections? \d|of the specification|the specification\b)"
    r"|\(interface, |\b(?:decisions|interface|tool_server|stack|design|house)\.md\b",
    re.IGNORECASE,
)
QUOTED = re.compile(r"`([^`\n]+)`")


def records() -> dict[str, Path]:
    return {path.name[:3]: path for path in sorted(RECORDS.glob("[0-9]*.md"))}


def wrong_references(text: str, known: Iterable[str]) -> list[str]:
    """Return the numbers that `text` calls a decision and that are none of the `known` records."""
    return [
        number
        for found in REFERENCE.finditer(text)
        for number in re.findall(r"\d+", found[1])
        if number not in known
    ]


def missing_paths(record: str) -> list[str]:
    """Return the paths under "Enforced by" that do not exist, or say that there is none."""
    enforced = record.partition("\n**Enforced by**\n")[2]
    paths = [path for path in QUOTED.findall(enforced) if "/" in path]
    if not any(path.startswith("tests/") for path in paths):
        return ["(no test is named)"]
    return [path for path in paths if not (ROOT / path).exists()]


@cache
def ours() -> tuple[Path, ...]:
    """Files of the repository that people of the project wrote, this one left out."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")] + list(ROOT.glob("*"))
    return tuple(
        path
        for path in sorted(found)
        if path.suffix in READ
        and path.is_file()
        and path != Path(__file__)
        and not any(part in relative(path) for part in TEXTS)
    )


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_there_are_records_and_files_to_read() -> None:
    assert len(records()) >= 40
    names = {relative(path) for path in ours()}
    assert {"app/__init__.py", "README.md", "docs/decisions/README.md", "tests/conftest.py"} <= names
    assert len(names) > 300


@pytest.mark.parametrize("number", records())
def test_a_record_has_its_form(number: str) -> None:
    title, _, status, _, *rest = records()[number].read_text("utf-8").split("\n")
    assert title.startswith(f"# {number}. ")
    found = STATUS.fullmatch(status)
    assert found, status
    assert found[2] is None or found[2] in records()
    assert [line.split("**")[1] for line in rest if line.startswith("**")] == [
        "Context.", "Decision.", "Consequences.", "Enforced by",
    ]  # fmt: skip
    assert 10 <= len(rest) + 4 <= 40


def test_numbers_follow_each_other() -> None:
    assert list(records()) == [f"{number:03d}" for number in range(1, len(records()) + 1)]
    assert len(records()) == len(list(RECORDS.glob("[0-9]*.md"))), "two records share a number"


@pytest.mark.parametrize("number", records())
def test_what_enforces_a_record_is_there(number: str) -> None:
    assert missing_paths(records()[number].read_text("utf-8")) == []


def test_the_list_names_every_record_with_its_title() -> None:
    listed = re.findall(r"^- \[(\d{3})\]\(([^)]+)\) (.+)$", (RECORDS / "README.md").read_text("utf-8"), re.M)
    titles = {number: path.read_text("utf-8").partition("\n")[0][7:] for number, path in records().items()}
    assert listed == [(number, path.name, titles[number]) for number, path in records().items()]


def _found(pattern: re.Pattern[str]) -> Iterator[str]:
    for path in ours():
        for line, text in enumerate(path.read_text("utf-8").split("\n"), 1):
            if match := pattern.search(text):
                yield f"{relative(path)}:{line}: {match[0]}"


def test_every_reference_names_a_record() -> None:
    known = records()
    wrong = {relative(path): wrong_references(path.read_text("utf-8"), known) for path in ours()}
    assert {name: numbers for name, numbers in wrong.items() if numbers} == {}


def test_nothing_refers_to_a_document_that_is_not_here() -> None:
    assert list(_found(ELSEWHERE)) == []


def test_the_numbers_of_the_glossary_are_records() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    assert set(re.findall(r"\((\d{3})\)", text)) <= set(records())


@pytest.mark.parametrize(
    "text",
    [
        "(decision 999)",
        "decisions 13",
        "(decisions 013 and\n999)",
        "# see decision\n# 999",
        "Decision 1: a",
        "decision 013, 999",
    ],
)
def test_a_reference_to_nothing_is_seen(text: str) -> None:
    assert wrong_references(text, records())


@pytest.mark.parametrize(
    "text",
    ["(decision 013)", "decisions 013 to\n016", "Decision 2021/914", "decided"],
)
def test_what_is_a_record_or_no_reference_is_left_alone(text: str) -> None:
    assert wrong_references(text, records()) == []


@pytest.mark.parametrize(
    "text",
    ["(interface 2.9)", "(interface, endpoint rule 3)", "those of the specification", "see decisions.md",
     "(decisions, section 7)", "(design.md)"],
)  # fmt: skip
def test_a_document_that_is_not_here_is_seen(text: str) -> None:
    assert ELSEWHERE.search(text)


def test_a_path_that_is_gone_is_seen() -> None:
    gone = "x\n**Enforced by**\n- `app/analysis/gone.py`\n- `tests/house/test_decisions.py`: this\n"
    assert missing_paths(gone) == ["app/analysis/gone.py"]
    assert missing_paths("x\n**Enforced by**\n- `app/analysis`\n") == ["(no test is named)"]
