"""Rules about our own source that neither ruff nor import-linter can say: `python -m tools.source_rules`.

They stand in pyproject.toml under `[tool.source_rules]`, in three kinds:

`longest_module`   lines that a module of `app` may have.
`only_in.NAME`     a function or class that only the listed `files` may name, each with its reason; `why` says
                   what to do instead.
`absent`           words (a regular expression) that stand in none of the `files`, which are glob patterns.

A listed file that does not name it, and a pattern of files that finds none, are complaints too.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def complaints(root: Path, rules: Mapping[str, Any]) -> list[str]:
    """Return what breaks `rules` in the tree under `root`, as "path:line: why"."""
    found = list(_too_long(root, rules["longest_module"])) if "longest_module" in rules else []
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted((root / "app").rglob("*.py"))}
    for name, rule in rules.get("only_in", {}).items():
        found += _named_elsewhere(root, trees, name, rule)
    for rule in rules.get("absent", ()):
        found += _words(root, rule)
    return found


def uses(tree: ast.AST, name: str) -> list[int]:
    """Return the lines on which a module names, imports or reads as an attribute what is called `name`."""
    return sorted(
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id == name)
        or (isinstance(node, ast.Attribute) and node.attr == name)
        or (isinstance(node, ast.alias) and node.name.rpartition(".")[2] == name)
    )


def _too_long(root: Path, most: int) -> Iterator[str]:
    for path in sorted((root / "app").rglob("*.py")):
        count = len(path.read_text("utf-8").splitlines())
        if count > most:
            yield f"{path.relative_to(root)}:{most + 1}: a module has at most {most} lines, this one {count}"


def _named_elsewhere(
    root: Path, trees: Mapping[Path, ast.AST], name: str, rule: Mapping[str, Any]
) -> Iterator[str]:
    files: Mapping[str, str] = rule["files"]
    idle = set(files)
    for path, tree in trees.items():
        place = str(path.relative_to(root))
        lines = uses(tree, name)
        if place in files and lines:
            idle.discard(place)
        elif lines:
            yield from (f"{place}:{line}: {name}: {rule['why']}" for line in lines)
    yield from (f"{place}:1: {name}: listed in pyproject.toml, but not used here" for place in sorted(idle))


def _words(root: Path, rule: Mapping[str, Any]) -> Iterator[str]:
    pattern = re.compile(rule["words"], re.MULTILINE)
    for glob in rule["files"]:
        paths = sorted(root.glob(glob))
        if not paths:
            yield f"pyproject.toml:1: no file is like {glob}: {rule['why']}"
        for path in paths:
            text = path.read_text("utf-8")
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path.relative_to(root)}:{line}: {match[0].strip()}: {rule['why']}"


def main(words: Sequence[str]) -> int:
    """Print every complaint about this checkout; return 1 if there is any."""
    if words:
        print(__doc__)
        return 2
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found = complaints(ROOT, config["tool"]["source_rules"])
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
