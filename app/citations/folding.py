"""Length-preserving folding: accents, exotic spaces and hyphens go, every offset stays."""

import re
import unicodedata

_HYPHENS = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad\ufe63\uff0d"
_SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\r\v\f"
_QUOTES = {
    "\u2018": "'",
    "\u2019": "'",
    "\u02bc": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u00ab": '"',
    "\u00bb": '"',
}


def _table() -> dict[int, str]:
    table: dict[int, str] = {}
    for point in range(0xC0, 0x250):
        base = unicodedata.normalize("NFD", chr(point))[0]
        if base.isascii() and base.isalpha():
            table[point] = base
    table.update({ord(char): "-" for char in _HYPHENS})
    table.update({ord(char): " " for char in _SPACES})
    table.update({ord(char): plain for char, plain in _QUOTES.items()})
    table[ord("\u00b0")] = "\u00ba"  # the degree sign is typed for the ordinal one
    table[ord("\u02da")] = "\u00ba"
    table[ord("\u2044")] = "/"
    return table


_TABLE = {chr(point): base for point, base in _table().items()}
# Substituting the few characters concerned is several times as fast as translating all of them.
_CONCERNED = re.compile(r"[^\x00-\x08\n\x0e-\x7f]")


def fold(text: str) -> str:
    """`text` with base letters for accented ones and plain spaces, hyphens and quotes; same length."""
    return _CONCERNED.sub(lambda match: _TABLE.get(match[0], match[0]), text)


def compose(text: str) -> tuple[str, list[int] | None]:
    """NFC of `text` and, where that changed anything, the offset in `text` of each composed character.

    Text taken from PDF files often carries its accents as separate characters; the grammars want one
    character per letter, the caller wants offsets into what it sent.
    """
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text, None
    parts: list[str] = []
    offsets: list[int] = []
    start, length = 0, len(text)
    while start < length:
        end = start + 1
        # A run of marks longer than any real letter carries is cut, so that hostile runs stay linear.
        while end < length and end - start < 8 and unicodedata.combining(text[end]):
            end += 1
        piece = unicodedata.normalize("NFC", text[start:end])
        parts.append(piece)
        offsets.extend([start] * len(piece))
        start = end
    offsets.append(length)
    return "".join(parts), offsets
