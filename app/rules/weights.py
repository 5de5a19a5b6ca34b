"""Learn from the exemplars and passages of this checkout what is not learnt yet, and write it to files.

python -m app.rules.weights [--force]
"""

from __future__ import annotations

import os
import sys

from app.rules.clause_types import exemplars, kind_model, training
from app.rules.clause_types.exemplars import Subject
from app.rules.passages import texts
from app.rules.passages import training as passages


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
    shown = exemplars.read(subject.folder)
    learn = kind_model.train if subject is exemplars.KINDS else training.train
    classes = len(exemplars.type_ids(subject.folder))
    return learn(shown, digest), f"{classes} classes from {len(shown)} exemplars"


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
