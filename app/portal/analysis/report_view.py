"""View model of an analysis: sections, statements, locks, evidence. Pure.

It parses the Markdown that `app/analysis/answer/report` writes (decision 019): headings, one statement per
list item with its lock at the end, quotations in « » or “ ”, the audit block last. Anything else stays plain
text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ITEM = re.compile(r"^- (.*?)(?: \[(L1|L2-J-V|L2-J|L4|L5-C)\])?$")
_QUOTE = re.compile(r"[«“]([^»”]{2,})[»”]")
_BASIS = re.compile(r"\((?:Base|Basis): ([^()]*(?:\([^()]*\)[^()]*)*)\)\s*$")
_STRONG = re.compile(r"^\*\*(.+?)\*\*\s*")
_ADVICE = re.compile(r"^\*([^*]+:)\*\s*")
_BLOCK = re.compile(r"^[A-Z0-9_-]+-AUDIT-TRAIL-BEGIN$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: its text, lock, risk label, quotations and legal basis.

    `said` is the first of the quotations after the text, `opening` the words before an advice, "Qué hacer:";
    both are empty where there is none.
    """

    text: str
    lock: str | None
    label: str | None = None
    quotes: tuple[str, ...] = ()
    basis: str | None = None
    said: str = ""
    opening: str = ""

    @property
    def needs_judgment(self) -> bool:
        """Whether its lock attests neither words of the text nor law."""
        return self.lock in ("L4", "L5-C")


@dataclass(frozen=True, slots=True)
class Part:
    """A section with its paragraphs and statements."""

    title: str
    paragraphs: tuple[str, ...]
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class ParsedReport:
    """A parsed analysis; `trail` is the audit block, unchanged."""

    title: str
    lead: tuple[str, ...]
    parts: tuple[Part, ...]
    trail: str


def read(analysis: str) -> ParsedReport:
    """Parse an analysis. Never fails: what is not recognised becomes paragraphs."""
    begin = _BLOCK.search(analysis)
    body, trail = (analysis[: begin.start()], analysis[begin.start() :]) if begin else (analysis, "")
    title, lead, parts = "", [], []
    heading: str | None = None
    paragraphs: list[str] = []
    statements: list[Statement] = []

    def close() -> None:
        if heading is not None:
            parts.append(Part(heading, tuple(paragraphs), tuple(statements)))
        else:
            lead.extend(paragraphs)
        paragraphs.clear()
        statements.clear()

    for line in body.splitlines():
        if line.startswith("# ") and not title:
            title = line[2:]
        elif line.startswith("## "):
            close()
            heading = line[3:]
        elif line.startswith("- "):
            statements.append(statement(line))
        elif line.strip():
            paragraphs.append(line)
    close()
    return ParsedReport(title, tuple(lead), tuple(parts), trail)


def statement(line: str) -> Statement:
    """Parse one list item."""
    found = _ITEM.match(line)
    text, lock = (found[1], found[2]) if found else (line[2:], None)
    basis = _BASIS.search(text)
    if basis:
        text = text[: basis.start()].rstrip()
    quotes = tuple(match[1] for match in _QUOTE.finditer(text))
    # Quotations at the end are shown as evidence; one inside a sentence stays where it is.
    said = ""
    while ended := re.search(r"\s*[«“]([^»”]{2,})[»”]\s*$", text):
        if not text[: ended.start()].strip():
            break
        said, text = ended[1], text[: ended.start()]
    label, advice = _STRONG.match(text), _ADVICE.match(text)
    opened = label or advice
    return Statement(
        text=text[opened.end() :] if opened else text,
        lock=lock,
        label=label[1].rstrip(".") if label else None,
        quotes=quotes,
        basis=basis[1] if basis else None,
        said=said,
        opening=advice[1] if advice else "",
    )
