"""Paths and links that the documentation names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.platform.settings import PROJECT

# What changed is told with the paths of its day.
PAGES = sorted({*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md")} - {PROJECT / "CHANGELOG.md"})
QUOTED = re.compile(r"`([A-Za-z0-9_.\-/]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)[^)\s]*\)")
# A path is written from the root, from `app/` or from `templates/`, a module also without `.py`.
BASES = (PROJECT, PROJECT / "app", PROJECT / "templates")
FOLDERS = frozenset(
    path.name
    for base in BASES
    for path in base.iterdir()
    if path.is_dir() and not path.name.startswith((".", "_"))
)
# Methods of the Model Context Protocol look like paths below our `tools/`.
METHODS = frozenset({"tools/call", "tools/list"})


def missing(text: str, page: Path) -> list[str]:
    """Return the paths in backquotes and the relative links in `text` of `page` that lead nowhere."""
    paths = [
        path
        for path in QUOTED.findall(text)
        if path.partition("/")[0] in FOLDERS and "/" in path and path not in METHODS
    ]
    links = [link for link in LINK.findall(text) if not re.match(r"[a-z]+:|/", link)]
    return [path for path in paths if not _exists(path)] + [
        link for link in links if not (page.parent / link).exists()
    ]


def _exists(path: str) -> bool:
    # `platform/processes/thread_pool.ContextPool` names what a module defines.
    module = (
        path
        if path.endswith("/")
        else path.rpartition("/")[0] + "/" + path.rpartition("/")[2].partition(".")[0]
    )
    return any((base / path).exists() or (base / f"{module}.py").exists() for base in BASES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(PROJECT).as_posix())
def test_what_a_page_names_is_there(page: Path) -> None:
    assert missing(page.read_text("utf-8"), page) == []


def test_the_pages_are_found() -> None:
    names = {page.relative_to(PROJECT).as_posix() for page in PAGES}
    assert {"README.md", "docs/stored-data.md", "docs/decisions/README.md"} <= names


@pytest.mark.parametrize(
    "text",
    [
        "`portal/closing.py`",
        "`app/analysis/gone`",
        "[x](gone.md)",
        "[x](../gone.md#part)",
        "`platform/gone.Class`",
    ],
)
def test_what_is_gone_is_seen(text: str) -> None:
    assert missing(text, PROJECT / "docs" / "search.md")


@pytest.mark.parametrize(
    "text",
    [
        "`app/portal/account/closing.py`",
        "`platform/postgres/rls`",
        "`platform/processes/thread_pool.ContextPool`",
        "`jobs/`",
        "`portal/web/layout.html`",
        "[x](jobs.md#states)",
        "[x](https://example.org/gone.md)",
        "`/api/v1/jobs`",
        "`tools/call`",
    ],
)
def test_what_is_there_or_no_path_is_left_alone(text: str) -> None:
    assert missing(text, PROJECT / "docs" / "search.md") == []
