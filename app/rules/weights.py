"""Learn from the exemplars and passages of this checkout what is not learnt yet, and write it to files.

python -m app.rules.weights [--force]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from app.rules.clause_types import exemplars, kind_model, training
from app.rules.clause_types.exemplars import Exemplar, Subject
from app.rules.passages import texts
from app.rules.passages import training as passages
from app.rules.rulebook.loader import rulebook


def build(subject: Subject) -> str:
    """Learn from the exemplars of a subject, write its file of weights, return a line about it."""
    made, learnt = _learn(subject, exemplars.digest(subject))
    partial = subject.weights.with_suffix(f".{os.getpid()}.part")
    partial.write_bytes(made)
    partial.replace(subject.weights)
    return f"{subject.weights.name}: {learnt}, {len(made)} bytes"


def _learn(subject: Subject, digest: str) -> tuple[bytes, str]:
    """Return the file of weights of a subject, and of what it is made."""
    if subject.folder.is_relative_to(exemplars.PASSAGES.folder):
        read = texts.read(subject.folder)
        rules = len({one.rule for one in read})
        return passages.train(read, digest), f"{rules} rules from {len(read)} passages"
    if subject.folder.parent == exemplars.KINDS.folder:
        shown = (*exemplars.read_of_language(subject.folder), *_by_kind(subject.folder.name))
    else:
        shown = exemplars.read(subject.folder)
    learn = training.train if subject is exemplars.CLAUSES else kind_model.train
    classes = len({one.type for one in shown} - {exemplars.NONE})
    return learn(shown, digest), f"{classes} classes from {len(shown)} exemplars"


def _by_kind(tongue: str) -> Iterator[Exemplar]:
    """Yield the passages in a language as excerpts of the first kind of document of their rule."""
    for code in exemplars.SPOKEN[tongue]:  # type: ignore[index]
        kinds = {risk.id: risk.kinds for risk in rulebook(code.upper()).risks}
        for one in texts.read(exemplars.PASSAGES.folder / code):
            if one.language == tongue and kinds.get(one.rule):
                yield Exemplar(kinds[one.rule][0], one.author, one.language, one.text)


def build_stale(*, force: bool = False) -> list[str]:
    """Learn what is not of the exemplars of this checkout, or all; return a line about each."""
    return [build(subject) for subject in exemplars.subjects() if force or not exemplars.is_fresh(subject)]


def main(arguments: list[str]) -> int:
    """Write the weights; return the exit code."""
    for line in build_stale(force="--force" in arguments):
        sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
