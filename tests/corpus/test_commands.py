"""`flask corpus load | status | read`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.corpus.conftest import write_law

pytestmark = pytest.mark.usefixtures("empty_corpus")


def run(app: Flask, *words: str) -> Any:
    return app.test_cli_runner().invoke(args=["corpus", *words])


def answer(app: Flask, *words: str) -> dict[str, Any]:
    result = run(app, *words, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout.strip().splitlines()[-1])
    return found


def test_a_load_says_what_it_did_and_shows_progress(app: Flask, tmp_path: Path) -> None:
    law = str(write_law(tmp_path))
    result = run(app, "load", "statutes", law, "--format", "markdown", "--json")
    assert f"{tmp_path.name}/ZZ-A-2020-1.md: 1 done" in result.stderr
    done = json.loads(result.stdout)
    assert (done["sources"], done["records"], done["written"]["articles"], done["citations"]) == (1, 1, 8, 1)
    assert (done["skipped"], done["norms_updated"]) == ({}, 0)
    again = answer(app, "load", "statutes", law, "--format", "markdown")
    assert (again["unchanged"], again["records"]) == (1, 0)


def test_status_has_the_rows_and_the_loads(app: Flask, tmp_path: Path) -> None:
    answer(app, "load", "statutes", str(write_law(tmp_path)), "--format", "markdown", "--no-read")
    found = answer(app, "status")
    assert found["jurisdictions"] == {
        "ZZ": {
            "norms": 1,
            "articles": 8,
            "versions": 8,
            "judgments": 0,
            "texts": 0,
            "passages": 8,
            "indexed": 0,
            "waiting": 8,
        }
    }
    (load,) = found["loads"]
    assert (load["form"], load["records"], load["skipped"]) == ("statutes/markdown", 1, {})
    assert load["finished"]
    assert answer(app, "read")["norms"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("statutes", "--format", "csv"), "forms are markdown, jsonl, boe-xml, akn"),
        (("norms", "--format", "csv"), "There is no file .csv"),
        (("norms", "--format", "csv", "--jurisdiction", "QQ"), "QQ is not known"),
    ],
)
def test_a_refusal_is_one_sentence(app: Flask, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    result = run(app, "load", words[0], str(tmp_path), *words[1:])
    assert result.exit_code == 1
    assert said in result.output
