"""Read decisions as JSON lines, one decision a line.

Fields: `{title, court, text}` and, where known, `jurisdiction, ecli, roj, kind, number, date, chamber, judge,
docket, summary, url`. What a text that CENDOJ printed says of itself at its head fills what is not given.
"""

from __future__ import annotations

from collections.abc import Iterator

from app.corpus.loading.readers import files, judgment_text
from app.corpus.loading.readers.judgment_csv import plain
from app.corpus.loading.records import Item, Judgment, Skip, Source


def read(source: Source, after: int) -> Iterator[Item]:
    """Yield one item for each line."""
    for place, line in enumerate(files.lines(source.path), start=1):
        if place > after and line.strip():
            yield Item(place, _record(line, source.jurisdiction))


def _record(line: str, jurisdiction: str | None) -> Judgment | Skip:
    row = files.json_object(line)
    if isinstance(row, Skip):
        return row
    words = {key: files.clean(value) for key, value in row.items() if isinstance(value, str)}
    head = judgment_text.cendoj_head(words.get("text", ""))
    court, _, chamber = head.get("órgano", "").partition(". ")
    roj, _, ecli = head.get("roj", "").partition(" - ")
    told = {
        "roj": roj,
        "ecli": ecli,
        "court": court,
        "chamber": chamber,
        "kind": head.get("tipo de resolución", "").lower(),
        "number": head.get("nº de resolución", ""),
        "docket": head.get("nº de recurso", ""),
        "judge": head.get("ponente", "").title(),
    }
    return plain({**{name: one for name, one in told.items() if one}, **words}, "jsonl", jurisdiction)
