"""Find words of a document again in it. Pure.

By comparison and not by an expression made of them: what `re` and `re2` compile stays in their caches, and
names of a document would outlive its analysis there.
"""

from __future__ import annotations

from collections.abc import Iterator


def occurrences(text: str, words: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield where `words` stand in a text as whole words, whatever white space parts them.

    Args:
        text: the text; letters are compared as they are.
        words: one word or several, parted by white space.
        start: the offset from which to look.

    Returns:
        Offsets (start, end), in order, none overlapping.
    """
    parts = words.split()
    if not parts:
        return
    at = text.find(parts[0], start)
    while at >= 0:
        end = _end(text, parts, at)
        if end is None:
            at = text.find(parts[0], at + 1)
        else:
            yield at, end
            at = text.find(parts[0], end)


def _end(text: str, parts: list[str], at: int) -> int | None:
    """Return where all parts that begin at an offset end, `None` where they are not all there."""
    if at and text[at - 1].isalnum():
        return None
    end = at + len(parts[0])
    for part in parts[1:]:
        following = end
        while following < len(text) and text[following].isspace():
            following += 1
        if following == end or not text.startswith(part, following):
            return None
        end = following + len(part)
    return None if text[end : end + 1].isalnum() else end
