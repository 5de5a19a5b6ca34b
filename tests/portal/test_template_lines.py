"""Templates are read line by line: one block-level element opens on a line, and no line is long."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.platform import settings

ROOT = settings.PROJECT / "templates"
TEMPLATES = sorted(ROOT.rglob("*.html"))
LONGEST = 120
_BLOCK_LEVEL = (
    r"address|article|aside|blockquote|body|caption|col|colgroup|dd|details|dialog|div|dl|dt|fieldset|"
    r"figcaption|figure|footer|form|h[1-6]|head|header|hgroup|hr|html|legend|li|link|main|meta|nav|ol|"
    r"optgroup|option|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|title|tr|ul"
)
_OPENING = re.compile(rf"<(?:{_BLOCK_LEVEL})(?=[\s>{{/]|$)")


def complaints(text: str) -> list[str]:
    """The lines of a template that are too long, or that open more than one block-level element."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > LONGEST:
            found.append(f"line {number} has {len(line)} characters; at most {LONGEST}")
        opened = _OPENING.findall(line)
        if len(opened) > 1:
            found.append(f"line {number} opens {' and '.join(opened)}; one element a line")
    return found


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_has_one_element_a_line_and_no_long_line(template: Path) -> None:
    assert complaints(template.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("<ul><li>One</li></ul>", "line 1 opens <ul and <li; one element a line"),
        (
            "<td>One</td><td{% if last %} class='r'{% endif %}>Two</td>",
            "line 1 opens <td and <td; one element a line",
        ),
        ("x" * 121, "line 1 has 121 characters; at most 120"),
    ],
)
def test_a_crowded_or_long_line_is_complained_of(line: str, complaint: str) -> None:
    assert complaints(line) == [complaint]


@pytest.mark.parametrize("line", ["<p>A <b>bold</b> <a href='#'>link</a></p>", "<thead>", "x" * 120, ""])
def test_inline_elements_and_short_lines_are_not(line: str) -> None:
    assert complaints(line) == []
