"""The golden analyses: documents of every usual kind, each analysis read by a lawyer and kept word for word.

`python -m tools.golden` writes them again after a change of the rules.
"""

import re

import pytest

from tools import golden

CASES = list(golden.cases())
NAMES = [f"{case.name}.{case.language}" for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_analysis_is_word_for_word_the_one_that_was_reviewed(case: golden.Golden) -> None:
    assert golden.analysis(case) == case.file.read_text("utf-8"), "python -m tools.golden, then read the diff"


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_reviewed_analysis_is_fit_for_a_reader(case: golden.Golden) -> None:
    text = case.file.read_text("utf-8")
    assert not re.search(r"\[[A-Z_]{3,}_\d+\]", text), "a placeholder was left in"
    assert "{" not in text.partition("AUDIT-TRAIL-BEGIN")[0], "a slot was left unfilled"
    assert "review_flags: []" in text, "node B or a lock objects to an analysis held to be sound"


def test_every_stored_analysis_has_its_case() -> None:
    stored = {path.name for path in golden.FOLDER.glob("*.md")}
    assert stored == {case.file.name for case in CASES}


def test_masking_names_changes_what_leaves_the_process_and_not_what_the_reader_sees() -> None:
    masked, plain = (
        (golden.FOLDER / f"{name}.es.md").read_text("utf-8").splitlines()
        for name in ("housing_lease_masked", "housing_lease")
    )
    assert [line for line in masked if line not in plain and "enmascara" not in line] == []
