"""Find by its head who writes a letter and to whom. Pure.

A letter says "we" and "you", and who tells of it says the names. Those stand over the salutation: the
writer's on the first line of the paper, the reader's on a line that begins with "Sra.", "Ms" or the like.
"""

from __future__ import annotations

import re

_SALUTATION = re.compile(
    r"(?:^|\n)[ \t]*(?:Estimad[oa]s?|Distinguid[oa]s?|Apreciad[oa]s?|Querid[oa]s?|Muy (?:señor|Sr)[a-z]*"
    r"|Dear|Hola)\b"
)
_COMPANY = re.compile(
    r"[ ,]+(?:S\.? ?[ALC]\.?(?: de C\.?V\.?)?(?:[ .,]|$)|S\.L\.U|S\.A\.U|S\. ?de R\.?L|S\.A\.S|SAS\b|Ltda"
    r"|S\.p\.A|S\.r\.l|Limited\b|Ltd\b|LLC\b|LLP\b|L\.P\.|PLC\b|plc\b|B\.V\.|GmbH\b|AG\b|Inc\b|INC\b|LIMITED\b|LTD\b|Corp\b|CORP\b"
    r"|S\. ?Coop)"
)
_ADDRESSING = re.compile(r"(?:A|To|Para|Att|At|Attn)\b[.:]|A la atención|Destinatari")
_READER = re.compile(
    r"(?:(?:A la atención de|Att\.?:?|Attn\.?:?|A/A:?|Para:|A:|To:)[ \t]+)?"
    r"(?:(?:Sra?|Srta|D|D\.ª|Dª|Dña|Don|Doña|Señora?|Mrs?|Ms|Miss|Dra?|Mx)"
    r"\.?ª?[ \t]+(?:D\.ª?|Dª|Dña\.?)?[ \t]*)"
    r"(?P<name>(?:[A-ZÁÉÍÓÚÑÀÈ][\wáéíóúñüçÁÉÍÓÚÑ'’-]+[ \t]?(?:de |del |la |las |los |y |i )*){1,5})[ \t]*,?$"
)
_BLOCK_ENDS = re.compile(r"\n[ \t]*\n")
# No letter has more above its salutation.
_HEAD = 1_500


def writer_of(text: str) -> tuple[int, int] | None:
    """Return where the name of the company stands on whose paper a letter is written, or `None`.

    Args:
        text: the document. One that greets nobody is no letter.

    Returns:
        Offsets of the first line up to the form of the company, if that line names one and whom it writes to
        stands in a block below. A block that stands alone may be the address of the company written to.
    """
    head = _head(text)
    readers = readers_of(text)
    for match in re.finditer(r"[^\n]+", text[:head]):
        line = match[0].strip()
        if not line:
            continue
        form = _COMPANY.search(match[0])
        below = readers[0][0] if readers else match.end()
        if form is None or _ADDRESSING.match(line) or not _BLOCK_ENDS.search(text, match.end(), below):
            return None
        return match.start(), match.start() + form.start()
    return None


def readers_of(text: str) -> list[tuple[int, int]]:
    """Return where the names of those stand to whom a letter is addressed, over its salutation."""
    head = _head(text)
    return [
        (match.start() + found.start("name"), match.start() + found.end("name"))
        for match in re.finditer(r"[^\n]+", text[:head])
        if (found := _READER.match(match[0].rstrip()))
    ]


def _head(text: str) -> int:
    """Return where the salutation begins; 0 without one."""
    found = _SALUTATION.search(text, 0, _HEAD)
    return found.start() if found else 0
