"""Write the golden analyses again: `python -m tools.golden [name…]`.

Each document of `tests/analysis/golden` is examined as `POST /api/v1/analyze` would examine it, on a fixed
day, and the analysis stored beside it. The test compares exactly: run this after a change of the rules, and
read the difference before committing it.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from app.rules.draft import Language

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "analysis" / "golden"
ON = datetime(2026, 4, 30, 10, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Golden:
    """One document in one language of answer, with the file of its analysis."""

    name: str
    text: str
    branch: str
    language: Language
    mask_names: bool

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.{self.language}.md"


def cases(names: Sequence[str] = ()) -> Iterator[Golden]:
    """The cases of `cases.toml`, all or those named."""
    for name, given in tomllib.loads((FOLDER / "cases.toml").read_text("utf-8")).items():
        if names and name not in names:
            continue
        text = (FOLDER / f"{given.get('of', name)}.txt").read_text("utf-8")
        for language in given["languages"]:
            yield Golden(name, text, given["branch"], language, given.get("mask_names", False))


def analysis(case: Golden) -> str:
    """The analysis of one case, by the engine `rules`, with node B."""
    from app import corpus
    from app.analysis.pipeline import examine
    from app.analysis.request import BRANCHES, Order
    from app.branding import Voice
    from app.platform.confidential import DocumentText

    branch = next(one for one in BRANCHES if one == case.branch)
    order = Order(DocumentText(case.text), "ES", branch, case.language, "deep")
    # On the registry alone, whatever corpus the database of the day holds.
    with patch.object(corpus, "consult", lambda *_: corpus.Shelf()):
        examined = examine(order, mask_names=case.mask_names, on=ON, voice=Voice())
    return examined.report.markdown


def main() -> None:
    os.environ.setdefault("SECRET_KEY", "x" * 32)
    for case in cases(sys.argv[1:]):
        case.file.write_text(analysis(case), "utf-8")
        print(f"written: {case.file.name}")


if __name__ == "__main__":
    main()
