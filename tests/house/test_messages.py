"""Users read no operator's commands: in errors, notes, pages or the API description."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from flask import Flask

from app.platform.catalogue import CATALOGUES
from app.platform.settings import PROJECT

APP = PROJECT / "app"
# The operator's own: commands, `make run`, the descriptions of settings, the page that a tool writes, and
# what keeps a process from starting.
OPERATORS = (
    "dev",
    "cli",
    "platform/settings.py",
    "rules/clause_types/exemplars.py",
    "webhooks/event_bus/catalogue_docs.py",
)


def _docstrings(tree: ast.AST, *, views: bool) -> set[int]:
    """Docstrings; with `views` also those of views, which in `routes.py` describe operations of the API."""
    found = set()
    for node in ast.walk(tree):
        if (
            not views
            and isinstance(node, ast.FunctionDef)
            and any(".route(" in ast.unparse(d) for d in node.decorator_list)
        ):
            continue
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            found.add(id(node.body[0].value))  # type: ignore[attr-defined]
    return found


def _strings(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    skipped = _docstrings(tree, views=path.name != "routes.py")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


def messages() -> Iterator[tuple[str, str]]:
    """Every text that a user of the product may read, with where it stands."""
    for path in sorted(APP.rglob("*.py")):
        name = path.relative_to(APP).as_posix()
        if not name.startswith(OPERATORS):
            yield from ((name, text) for text in _strings(path))
    for path in sorted((PROJECT / "templates").rglob("*.html")):
        yield (
            path.relative_to(PROJECT).as_posix(),
            re.sub(r"\{#.*?#\}", "", path.read_text("utf-8"), flags=re.DOTALL),
        )
    with (CATALOGUES / "es/LC_MESSAGES/messages.po").open("rb") as source:
        for message in read_po(source, locale="es"):
            for text in (message.id, message.string):
                yield from (("messages.po", one) for one in ([text] if isinstance(text, str) else text))


@pytest.fixture(scope="module")
def commands(app: Flask) -> re.Pattern[str]:
    """`flask corpus load`, `make run` and their kind, in any spelling a message could have."""
    targets = re.findall(r"^([a-z][a-z-]*):", (PROJECT / "Makefile").read_text("utf-8"), re.MULTILINE)
    return re.compile(
        rf"\bflask (?:--app \S+ )?(?:{'|'.join(sorted(app.cli.commands))})\b"
        rf"|\bmake (?:{'|'.join(targets)})\b|\bpython3? -m\b|\bdocker\b|\bpip install\b"
    )


def test_no_message_names_an_operators_command(commands: re.Pattern[str]) -> None:
    assert commands.search("Ejecute flask corpus index.")
    assert commands.search("Start it with `make run`.")
    assert [(place, found[0]) for place, text in messages() if (found := commands.search(text))] == []


def test_users_read_of_child_keys() -> None:
    """The API writes sub-key in paths and fields alone (docs/glossary.md)."""
    assert [(place, text[:60]) for place, text in messages() if re.search(r"\b[Ss]ub-keys?\b", text)] == []
