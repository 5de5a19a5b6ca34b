"""Cut a judgment into the passages that are searched and quoted, of 2,000 characters at most."""

from __future__ import annotations

import re
from collections.abc import Iterator

MOST = 2_000
_PARAGRAPH = re.compile(r"\n\s*\n|\n")
_SENTENCE = re.compile(r"(?<=[.;:?!»”])\s+")


def _pieces(paragraph: str, most: int) -> Iterator[str]:
    """Cut a paragraph into parts of at most `most` characters: at sentences if possible, else at spaces."""
    if len(paragraph) <= most:
        yield paragraph
        return
    held = ""
    for sentence in _SENTENCE.split(paragraph):
        while len(sentence) > most:
            if held:
                yield held
                held = ""
            cut = sentence.rfind(" ", most // 2, most)
            cut = cut if cut > 0 else most
            yield sentence[:cut].strip()
            sentence = sentence[cut:].strip()
        if held and len(held) + 1 + len(sentence) > most:
            yield held
            held = sentence
        else:
            held = f"{held} {sentence}" if held else sentence
    if held:
        yield held


def passages(text: str, most: int = MOST) -> Iterator[str]:
    """Yield the parts of `text` in order, whole paragraphs and sentences; only white space is lost."""
    held = ""
    for paragraph in _PARAGRAPH.split(text):
        for piece in _pieces(paragraph.strip(), most):
            if not piece:
                continue
            if held and len(held) + 1 + len(piece) > most:
                yield held
                held = piece
            else:
                held = f"{held}\n{piece}" if held else piece
    if held:
        yield held
