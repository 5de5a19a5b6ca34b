"""Verdicts of readers on an exam's statements (`benchmarks.truth`): they hold for what was read alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import truth

_ROUNDS = sorted(truth.DEVELOPMENT.rglob("read.json"))


def _statement(
    text: str, *, section: str = "risks", lock: str = "L4", quote: str = "words"
) -> dict[str, Any]:
    quotes = [{"text": quote, "start": 0, "end": len(quote)}]
    return {
        "section": section,
        "text": text,
        "lock": lock,
        "severity": None,
        "quotes": quotes,
        "authorities": [],
    }


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """A folder with the answer about one document, `lease`, which stands in `data` beside it."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "lease.txt").write_text("The tenant pays 900 euros.")
    statements = [
        _statement("The rent is 900 euros.", section="amounts", lock="L1"),
        _statement("The deposit is too high."),
        _statement("Ask for it.", section="recommendations") | {"about": "s2"},
    ]
    answer = {"documentKind": "lease", "statements": statements}
    (tmp_path / "lease.json").write_text(json.dumps(answer))
    return tmp_path


def _take(answers: Path, *entries: dict[str, Any]) -> None:
    truth.take(entries, answers, {"lease": answers / "data" / "lease.txt"})


def _column(answers: Path) -> truth.Column:
    column = truth.Column()
    read = truth.readings(answers / "data").get("lease", truth.Readings())
    column.add(json.loads((answers / "lease.json").read_text()), read)
    return column


_FALSE = {"file": "lease.txt", "n": 2, "verdict": "false", "why": "there is none", "kind": "absent defect"}


def test_statements_that_a_reader_does_not_name_are_true(answers: Path) -> None:
    _take(answers, _FALSE)
    figures = _column(answers).figures()
    assert figures["statements"] == figures["read"] == 3
    assert (figures["false"], figures["misleading"]) == (0.333, 0.0)


def test_rows_tell_sections_and_locks_apart(answers: Path) -> None:
    _take(answers, _FALSE)
    rows = {row.split()[0]: row for row in _column(answers).rows()}
    assert "statements 1  read 1  false 1.0" in rows["risks"]
    assert "statements 1  read 1  false 0.0" in rows["[L1]"]
    assert list(rows)[-1] == "all"


def test_a_statement_whose_words_changed_is_unread_and_listed(answers: Path) -> None:
    _take(answers, {"file": "lease.txt", "verdict": "true"})
    answer = json.loads((answers / "lease.json").read_text())
    assert truth.for_reading("lease", "", answer, truth.readings(answers / "data")["lease"]) == ""
    answer["statements"][2]["text"] = "Ask the landlord for the deposit."
    (answers / "lease.json").write_text(json.dumps(answer))
    figures = _column(answers).figures()
    assert (figures["statements"], figures["read"]) == (3, 2)
    listed = truth.for_reading("lease", "", answer, truth.readings(answers / "data")["lease"])
    assert "[3] recommendations (about 2) [L4] : Ask the landlord for the deposit." in listed
    assert "[1]" not in listed


@pytest.mark.parametrize(
    "change", [{"quotes": []}, {"section": "deadlines"}, {"authorities": [{"citation": "x"}]}]
)
def test_a_verdict_holds_for_section_words_quotations_and_law(answers: Path, change: dict[str, Any]) -> None:
    one = _statement("The deposit is too high.")
    assert truth.key_of(one | change) != truth.key_of(one)
    assert truth.key_of(one | {"lock": "L1", "severity": "high"}) == truth.key_of(one)


def test_a_second_reader_corrects_the_first(answers: Path) -> None:
    _take(answers, _FALSE)
    _take(answers, {"file": "lease.txt", "verdict": "true"})  # reads only what is unread
    assert _column(answers).figures()["false"] == 0.333
    _take(answers, _FALSE | {"verdict": "unclear"})
    assert (_column(answers).figures()["false"], _column(answers).figures()["unclear"]) == (0.0, 0.333)


@pytest.mark.parametrize(
    "entry", [_FALSE | {"n": 9}, _FALSE | {"verdict": "wrong"}, _FALSE | {"file": "other.txt"}]
)
def test_a_verdict_on_nothing_is_refused(answers: Path, entry: dict[str, Any]) -> None:
    with pytest.raises(SystemExit):
        _take(answers, entry)
    assert truth.readings(answers / "data") == {}


def test_what_is_kept_is_about_documents_that_are_there() -> None:
    assert _ROUNDS
    for path in _ROUNDS:
        for name, one in truth.readings(path.parent).items():
            assert (path.parent / f"{name}.txt").exists()
            assert set(one.faults) <= one.read
            assert all(fault["verdict"] in truth.VERDICTS and fault["why"] for fault in one.faults.values())
