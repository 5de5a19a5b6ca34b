"""Read an index of norms as CSV: existence, date and status of norms without their texts.

Columns: `identifier, rank, title, enactment_date, publication_date, last_updated, status, source`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import get_args

from app.corpus.loading.readers import files, front_matter, self_names
from app.corpus.loading.records import Item, NormFacts, Skip, Source, Status, digest_of

_ELI_DAY = re.compile(r"/eli/[\w-]+/[a-z]+/(\d{4})/(\d\d)/(\d\d)/")
_NEEDED = {"identifier", "title", "status"}


def read(source: Source, after: int) -> Iterator[Item]:
    """Yield one item for each row."""
    rows = csv.DictReader(files.lines(source.path))
    if not set(rows.fieldnames or ()) >= _NEEDED:
        yield Item(1, Skip("no header with identifier, title and status"))
        return
    for place, row in enumerate(rows, start=1):
        if place > after:
            yield Item(place, _facts(row, source.jurisdiction or "ES"))


def _facts(row: dict[str, str | None], jurisdiction: str) -> NormFacts | Skip:
    words = {key: files.clean(value).strip() for key, value in row.items() if isinstance(value, str)}
    identifier, title = words.get("identifier"), words.get("title")
    if not identifier or not title:
        return Skip("a norm without identifier or title")
    statuses: tuple[Status, ...] = get_args(Status)
    status = next((one for one in statuses if one == words.get("status")), None)
    if status is None:
        return Skip("a status that is not known")
    url = words.get("source") or None
    eli = _ELI_DAY.search(url or "")
    repealed, by = self_names.repeal(jurisdiction, identifier)
    return NormFacts(
        jurisdiction=jurisdiction,
        official_id=identifier,
        title=title,
        source="index",
        digest=digest_of(*(words.get(name, "") for name in sorted(words))),
        status=status,
        rank=words.get("rank") or None,
        number=self_names.number_of(url),
        dated=front_matter.day(words.get("enactment_date"))
        or (front_matter.day("".join(eli.groups())) if eli else None),
        published=front_matter.day(words.get("publication_date")),
        repealed=repealed,
        repealed_by=by,
        url=url,
        edition=front_matter.day(words.get("last_updated")),
    )
