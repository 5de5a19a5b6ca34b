"""Further wordings of risks are heard, and by nothing else than themselves."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from app.rules.document import Document
from app.rules.rulebook.loader import DATA, read, rulebook
from app.rules.rulebook.risks import meets
from app.rules.rulebook.schema import RuleFileError

FILES = sorted(DATA.glob("*/risks_words.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_the_examples_of_further_wordings_are_not_heard_without_them(path: Path) -> None:
    risks = {risk.id: risk for risk in rulebook(path.parent.name.upper()).risks}
    needless = []
    for words in tomllib.loads(path.read_text("utf-8"))["risk_words"]:
        risk = risks[words["id"]]
        alone = risk.model_copy(update={"patterns": risk.patterns[len(words["patterns"]) :]})
        for example in words.get("examples", ()):
            document = Document(example)
            assert meets(document, risk), (risk.id, example)
            if meets(document, alone):
                needless.append((risk.id, example))
    assert needless == []


def test_further_wordings_of_a_rule_that_does_not_exist_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    with (folder / "uy" / "risks_words.toml").open("w") as file:
        file.write("[[risk_words]]\nid = \"uy_of_nothing\"\npatterns = ['x']\n")
    with pytest.raises(RuleFileError, match="uy_of_nothing"):
        read(folder, "UY", compiled=False)
