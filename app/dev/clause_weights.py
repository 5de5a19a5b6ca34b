"""Learn the weights of the clause types, which the engine `rules` needs, after a change of their exemplars.

The digest is that of `app.rules.clause_types`, which the system's Python cannot import.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from app.dev.console import Halt, say
from app.dev.process import SetupCommands

# The folder of exemplars of each subject, and the file of its weights. Kinds in another language than Spanish
# and English, and passages of another country than Spain, stand in folders below, after which their weights
# are named.
SUBJECTS = {
    Path("app/rules/data/exemplars"): Path("app/rules/clause_types/weights.bin"),
    Path("app/rules/data/kind_exemplars"): Path("app/rules/clause_types/kind_weights.bin"),
    Path("app/rules/data/passages"): Path("app/rules/clause_types/passage_weights.bin"),
}
_KINDS = "kind_exemplars"
# The countries whose documents are in a language: kinds in it are learnt from their rules' passages too.
SPOKEN = {"de": ("de",), "fr": ("fr",), "it": ("it",), "pt": ("br", "pt")}
CODE = (
    "rules/clause_types/features.py",
    "rules/clause_types/kind_model.py",
    "rules/clause_types/part_words.py",
    "rules/clause_types/training.py",
    "rules/passages/index.py",
    "rules/passages/texts.py",
    "rules/passages/training.py",
    "rules/data/synonyms.toml",
    "rules/data/languages/de/synonyms.toml",
    "rules/data/languages/fr/synonyms.toml",
    "rules/data/languages/it/synonyms.toml",
    "rules/data/languages/pt/synonyms.toml",
    "text/normalize.py",
)


def digest(root: Path, exemplars: Path) -> str:
    """Return the SHA-256 of the exemplars and of the code that reads and learns from them, in hexadecimal."""
    made = hashlib.sha256()
    countries = SPOKEN.get(exemplars.name, ()) if exemplars.parent.name == _KINDS else ()
    also = [Path("app/rules/data") / folder / code for code in countries for folder in ("passages", "")]
    folders = [sorted((root / folder).glob("*.toml")) for folder in (exemplars, *also)]
    for path in [*(path for folder in folders for path in folder), *(root / "app" / name for name in CODE)]:
        made.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return made.hexdigest()


def subjects(root: Path) -> dict[Path, Path]:
    """Return the folder of exemplars of each subject, and the file of its weights."""
    return SUBJECTS | {
        path.relative_to(root): weights.with_stem(f"{weights.stem}_{path.name}")
        for folder, weights in list(SUBJECTS.items())[1:]
        for path in sorted((root / folder).iterdir())
        if path.is_dir()
    }


def are_fresh(root: Path) -> bool:
    """Return True when there are weights of the exemplars of this checkout."""
    try:
        for exemplars, weights in subjects(root).items():
            with (root / weights).open("rb") as held:
                if held.readline(80).strip() != digest(root, exemplars).encode("ascii"):
                    return False
    except OSError:
        return False
    return True


def build(root: Path, python: Path, commands: SetupCommands) -> None:
    """Learn the weights with the packages of ``python``. Does nothing when fresh. Raises `Halt`."""
    if are_fresh(root):
        return
    say("setup", "Learning the types of clauses from their exemplars …")
    if not commands.succeeds([python, "-m", "app.rules.weights"]):
        raise Halt(f"The types of clauses could not be learnt; the reason is in {commands.log}")
