"""Templates look up what view models say: comparisons are made in Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.platform import settings

ROOT = settings.PROJECT / "templates"
# What is left: lengths of rows of the API reference, and two formats of figures on paper. Fewer is welcome.
LEFT = {
    "pdf/audit.html": 2,
    "pdf/base.html": 2,
    "portal/docs/reference/_parts.html": 7,
    "portal/docs/reference/operation.html": 1,
    "portal/docs/reference/search.html": 1,
}
_TAG = re.compile(r"\{%(.*?)%\}|\{\{(.*?)\}\}", re.S)
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_COMPARISON = re.compile(r"[=!<>]=|[<>]|\bin\s*(?=[(\[]|'')")
_LOOP = re.compile(r"^[-\s]*for\b.*?\bin\b")


def comparisons(text: str) -> int:
    """Count `==`, `!=`, `<`, `>`, `<=`, `>=` and `in` before a literal, in the tags of a template."""
    found = 0
    for tag in _TAG.finditer(text):
        bare = _STRING.sub("''", tag[1] or tag[2] or "")
        found += len(_COMPARISON.findall(_LOOP.sub("", bare)))
    return found


def test_templates_compare_no_more_than_is_listed() -> None:
    counted = {path.relative_to(ROOT).as_posix(): comparisons(path.read_text("utf-8")) for path in paths()}
    assert {name: number for name, number in counted.items() if number} == LEFT


def paths() -> list[Path]:
    return sorted(ROOT.rglob("*.html"))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("{% if a == 'b' %}", 1),
        ("{{ 'x' if a|length > 45 else '' }}", 1),
        ("{% if a in ('b', 'c') and d != e %}", 2),
        ("{% if a[0] in '0123' %}", 1),
        ("{% for a in ('b', 'c') %}{% if a.chosen %}<b>{{ a <= 2 }}</b>", 1),
        ("<p>{% if shown %}>{% endif %} {{ _('a > b') }} {{ url_for('x', in=chosen) }}", 0),
    ],
)
def test_comparisons_are_counted(text: str, number: int) -> None:
    assert comparisons(text) == number
