"""Write a report as Markdown (CommonMark with the tables of GitHub). Pure.

Words of a document or a model are escaped: they begin no heading, link, tag or table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from app.reports.blocks import (
    Block,
    Bullets,
    Cell,
    Composition,
    Facts,
    Figures,
    Heading,
    Paragraph,
    StatementBlock,
    Table,
    Warnings,
)

MEDIA_TYPE = "text/markdown"
# Signs that mean something inside a line, and those that do at its beginning.
_INLINE = re.compile(r"[\\`*_{}\[\]<>|~&]")
_AT_START = re.compile(r"^(\s*)([#+=-]|\d+(?=[.)]))")


def write(report: Composition) -> bytes:
    """Return the report as Markdown in UTF-8."""
    frame = report.frame
    lines = []
    if frame.name:
        lines += [f"**{escaped(frame.name)}**" + "".join(f" · {escaped(one)}" for one in frame.contact), ""]
    lines += [f"# {escaped(frame.title)}", "", escaped(frame.subtitle), ""]
    lines += _lines(report.opening)
    for chapter in report.chapters:
        if report.opening:
            lines += ["---", ""]
        lines += _lines(chapter.blocks)
    lines += ["---", "", *_lines(report.closing), escaped(frame.foot)]
    return ("\n".join(lines) + "\n").encode()


def escaped(text: str) -> str:
    """Return `text` in one line, with every sign escaped that Markdown would read."""
    plain = _INLINE.sub(lambda sign: "\\" + sign[0], " ".join(text.split()))
    return _AT_START.sub(_escaped_start, plain)


def _escaped_start(found: re.Match[str]) -> str:
    # A number keeps its figures: what makes a list of it is the point behind.
    return f"{found[1]}\\{found[2]}" if not found[2].isdecimal() else f"{found[1]}{found[2]}\\"


def _lines(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        yield from _block(block)
        yield ""


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield (
                f"{'#' * (block.level)} {escaped(block.text)}"
                if block.level > 1
                else f"# {escaped(block.text)}"
            )
        case Paragraph():
            yield escaped(block.text)
        case Warnings():
            yield f"> **{escaped(block.title)}**"
            yield ">"
            yield from (f"> - {escaped(item)}" for item in block.items)
        case Figures():
            yield " · ".join(f"**{escaped(number)}** {escaped(words)}" for number, words, _ in block.items)
        case Facts():
            yield from (
                f"- **{escaped(name)}:** {f'`{value}`' if name in block.literal else escaped(value)}"
                for name, value in block.rows
            )
        case Table():
            yield "| " + " | ".join(map(escaped, block.columns)) + " |"
            yield "|" + " --- |" * len(block.columns)
            yield from ("| " + " | ".join(map(_cell, row)) + " |" for row in block.rows)
        case Bullets():
            yield from (f"- {escaped(item)}" for item in block.items)
        case StatementBlock():
            yield from _statement(block)


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    if cell.mark == "bad":
        text = f"**{text}**"
    if cell.url:
        text = f"[{text}](<{cell.url.replace('>', '%3E').replace('<', '%3C')}>)"
    return f"{text}<br>{escaped(cell.below)}" if cell.below else text


def _statement(block: StatementBlock) -> Iterator[str]:
    label = f"{escaped(block.label)} · " if block.label else ""
    yield f"**{block.number}. {escaped(block.head)}**"
    yield ""
    yield f"{label}[{block.lock}] {escaped(block.lock_words)}"
    if block.text:
        yield ""
        yield escaped(block.text)
    for quotation in block.quotations:
        yield ""
        yield f"> {escaped(quotation.words)} ({escaped(quotation.place)})"
    if block.lines:
        yield ""
    yield from (f"- **{escaped(line.label)}:** {_with_lock(line.text)}" for line in block.lines)


_LOCK_AT_END = re.compile(r" \[(L[0-9A-Z-]+)\]$")


def _with_lock(text: str) -> str:
    """Escape a line, but for the lock at its end, which the report itself wrote there."""
    found = _LOCK_AT_END.search(text)
    return escaped(text) if found is None else f"{escaped(text[: found.start()])} [{found[1]}]"
