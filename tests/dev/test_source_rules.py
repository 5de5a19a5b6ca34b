"""The rules about our own source that `make check` runs, on sources that break them."""

import ast
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tools import source_rules

ROOT = Path(__file__).resolve().parents[2]
RULES: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["source_rules"]
ONLY_DB = {"only_in": {"commit": {"why": "only db.py commits", "files": {"app/db.py": "transaction"}}}}


def broken(folder: Path, rules: dict[str, Any], **files: str) -> list[str]:
    """The complaints about a tree of these files, `app__db` being app/db.py."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.{'html' if name.startswith('templates') else 'py'}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return source_rules.complaints(folder, rules)


def test_a_commit_elsewhere_is_named_with_its_line(tmp_path: Path) -> None:
    bad = "def keep(session):\n    session.add(1)\n    session.commit()\n"
    assert broken(tmp_path, ONLY_DB, app__db="session.commit()\n", app__credits__ledger=bad) == [
        "app/credits/ledger.py:3: commit: only db.py commits"
    ]


def test_the_word_in_a_comment_or_a_text_is_no_commit(tmp_path: Path) -> None:
    fair = '"""After .commit() nothing is left."""\n# session.commit()\nnote = "commit"\n'
    assert broken(tmp_path, ONLY_DB, app__db="session.commit()\n", app__notes=fair) == []


def test_an_exception_that_is_not_needed_any_more_is_a_complaint(tmp_path: Path) -> None:
    assert broken(tmp_path, ONLY_DB, app__db="session.close()\n") == [
        "app/db.py:1: commit: listed in pyproject.toml, but not used here"
    ]


@pytest.mark.parametrize(
    "source",
    [
        "with rls.as_system():\n    pass",
        "@rls.as_system()\ndef sweep(): ...",
        "from app.platform.rls import as_system as quietly",
        "enter = rls.as_system",
        "as_system()",
    ],
)
def test_a_name_is_found_however_it_is_used(source: str) -> None:
    assert source_rules.uses(ast.parse(source), "as_system") == [1]


def test_another_name_is_not_found() -> None:
    assert source_rules.uses(ast.parse("rls.as_systems()\nx = 'as_system'"), "as_system") == []


def test_a_module_of_one_line_too_many_is_a_complaint(tmp_path: Path) -> None:
    rules = {"longest_module": 3}
    assert broken(tmp_path, rules, app__short="a = 1\n" * 3, app__long="a = 1\n" * 4) == [
        "app/long.py:4: a module has at most 3 lines, this one 4"
    ]


def absent(word: str) -> list[dict[str, Any]]:
    """The rules of this project whose words find `word`."""
    return [rule for rule in RULES["absent"] if rule["words"].startswith(word)]


@pytest.mark.parametrize("marked", ["{{ note | safe }}", "{% autoescape false %}", "{{ Markup(note) }}"])
def test_a_template_that_marks_something_as_safe_is_a_complaint(tmp_path: Path, marked: str) -> None:
    [complaint] = broken(tmp_path, {"absent": absent(r"\|")}, templates__page=f"<p>\n{marked}</p>")
    assert complaint.startswith("templates/page.html:2: ")


def test_a_product_name_in_a_page_is_a_complaint(tmp_path: Path) -> None:
    files = {"templates__mail__letter": "<p>Candado</p>", "app__portal__pages": 'title = "Candado"\n'}
    assert len(broken(tmp_path, {"absent": absent("Candado")}, **files)) == 2


def test_a_pattern_that_finds_no_file_is_a_complaint(tmp_path: Path) -> None:
    [complaint] = broken(tmp_path, {"absent": absent("contiene")}, app__corpus__other="")
    assert "no file is like app/corpus/notes/*.py" in complaint


@pytest.mark.parametrize(
    ("source", "complaints"),
    [
        ("from tests.jobs.test_turns import take\n", 1),
        ("from tests.test_cli import run\n", 1),
        ("from tests.jobs import test_turns\n", 1),
        ("import tests.jobs.test_turns as turns\n", 1),
        ("def late():\n    from tests.jobs.test_turns import take\n", 1),
        ("from tests.jobs.desk import Desk\nfrom tests.cast import Cast\n", 0),
    ],
)
def test_an_import_of_a_test_module_is_a_complaint(tmp_path: Path, source: str, complaints: int) -> None:
    fair = {"benchmarks__speed": "", "tools__lists": ""}
    found = broken(tmp_path, {"absent": absent(r"^\s*(from tests")}, tests__jobs__test_one=source, **fair)
    assert len(found) == complaints
