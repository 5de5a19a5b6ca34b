"""Learn the weights of the clause types, which the engine `rules` needs, after a change of their exemplars.

The digest is that of `app.rules.clause_types`, which the system's Python cannot import.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from app.dev.console import Halt, say
from app.dev.process import SetupCommands

WEIGHTS = Path("app/rules/clause_types/weights.bin")
EXEMPLARS = Path("app/rules/data/exemplars")
CODE = ("rules/clause_types/features.py", "rules/clause_types/training.py", "text/normalize.py")


def digest(root: Path) -> str:
    """Return the SHA-256 of the exemplars and of the code that reads and learns from them, in hexadecimal."""
    made = hashlib.sha256()
    for path in [*sorted((root / EXEMPLARS).glob("*.toml")), *(root / "app" / name for name in CODE)]:
        made.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return made.hexdigest()


def are_fresh(root: Path) -> bool:
    """Return True when there are weights of the exemplars of this checkout."""
    try:
        with (root / WEIGHTS).open("rb") as held:
            return held.readline(80).strip() == digest(root).encode("ascii")
    except OSError:
        return False


def build(root: Path, python: Path, commands: SetupCommands) -> None:
    """Learn the weights with the packages of ``python``. Does nothing when fresh. Raises `Halt`."""
    if are_fresh(root):
        return
    say("setup", "Learning the types of clauses from their exemplars …")
    if not commands.succeeds([python, "-m", "app.rules.clause_types"]):
        raise Halt(f"The types of clauses could not be learnt; the reason is in {commands.log}")
