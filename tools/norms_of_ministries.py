"""List acts of ministries and agencies, and what the index of numbers left out, from the BOE's own index.

    python -m tools.norms_of_ministries FILE.csv.gz

Orders, circulars, instructions, resolutions and acts known by their day alone go to `ES_ministries.csv.gz`;
acts of communities that the index of numbers lacks, and numbered decrees of the State, are added to
`ES_index.csv.gz` (tools/norms_from_markdown.py). Only facts are written: number, day,
identifier, status, issuer.
"""

import csv
import gzip
import io
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from app.citations import issuer_named, written_date
from app.corpus import registry

_NORMS = Path(__file__).parents[1] / "app" / "corpus" / "data" / "norms"
_STATUS = {"in_force": "", "repealed": "r", "expired": "x", "annulled": "a"}
_DAY = r"de (?:fecha )?\d{1,2}\.? (?:de )?[a-zA-Z]+ (?:de )?\d{4}"
_MINISTRY = re.compile(r"Orden ([A-Z]{2,4}/\d{1,5}/\d{4})\b")
_NUMBERED = re.compile(r"(?:Orden|Circular|Instrucci[oó]n)(?: n[uú]m(?:ero|\.))? (\d{1,5})/(\d{4})\b")
_DATED = re.compile(
    rf"(?:Orden(?: [Mm]inisterial| comunicada)?|Circular|Instrucción|Resolución|Acuerdo|"
    rf"Real [Dd]ecreto(?:[- ][Ll]ey)?|"
    rf"Decreto(?:-ley)?|Ley),? (?:{_DAY})",
    re.IGNORECASE,
)
_RANKS = {
    "orden": "orden", "circular": "circular", "instruccion": "instruccion", "resolucion": "resolucion",
    "acuerdo": "acuerdo", "real_decreto": "rd", "real_decreto_ley": "rdl", "decreto": "d", "ley": "ley",
}  # fmt: skip
_COMMUNITY = re.compile(
    r"(?P<rank>Ley Foral|Ley|Decreto[- ][Ll]ey Foral|Decreto[- ][Ll]ey|Decreto Foral Legislativo|"
    r"Decreto Legislativo)"
    r"(?: n[uú]m(?:ero|\.))? (?P<number>\d{1,4})/(?P<year>\d{4})\b"
)
_COMMUNITY_RANKS = {
    "ley": "ley", "ley foral": "lf", "decreto ley": "dl", "decreto ley foral": "dlf",
    "decreto legislativo": "dleg", "decreto foral legislativo": "dflg",
}  # fmt: skip
_DECREE = re.compile(r"Decreto (?P<number>\d{1,5})/(?P<year>\d{4})\b")
Row = tuple[str, ...]


def _day_of(title: str, source: str) -> str:
    """Return the day of an act: that of its address in the gazette, else the one in its title."""
    address = re.search(r"/(\d{4})/(\d{2})/(\d{2})/", source)
    if address:
        return "".join(address.groups())
    read = written_date(title) or ""
    year = re.search(r"/(\d{4})\b", title)
    if read.startswith("--") and year:
        read = f"{year[1]}{read[1:]}"
    return read.replace("-", "") if len(read) == 10 else ""


def of_ministries(rows: Iterable[dict[str, str]]) -> Iterator[Row]:
    """Yield rank, number, issuer, day, identifier and status of each act that is not of a parliament."""
    for row in rows:
        rank, title, status = _RANKS.get(row["rank"]), row["title"], _STATUS[row["status"]]
        day = _day_of(title, row["source"])
        if rank is None or not day or not row["path"].startswith("es/"):
            continue
        by_ministry, numbered = _MINISTRY.match(title), _NUMBERED.match(title)
        if rank in ("orden", "circular", "instruccion") and (by_ministry or numbered):
            number = (
                by_ministry[1] if by_ministry else f"{int(numbered[1])}/{numbered[2]}" if numbered else ""
            )
        elif _DATED.match(title):
            number = ""
        else:
            continue
        yield rank, number, issuer_named(title[:200]), day, row["identifier"], status


def left_out(rows: Iterable[dict[str, str]]) -> Iterator[Row]:
    """Yield the rows that the index of numbers lacks: region, rank, number, day, identifier, status."""
    for row in rows:
        title, (home, _, _) = row["title"], row["path"].partition("/")
        day, region = _day_of(title, row["source"]), home.removeprefix("es").removeprefix("-")
        found = _COMMUNITY.match(title) if region else _DECREE.match(title)
        if not found or not day or registry.indexed(row["identifier"]) or found["year"] != day[:4]:
            continue
        rank = _COMMUNITY_RANKS[found["rank"].lower().replace("-", " ")] if region else "d"
        number = f"{int(found['number'])}/{found['year']}"
        listed = registry.numbered(rank, number)
        if any(one.region == region for one in listed) or (
            not region and registry.norm(f"ES:{rank}:{number}")
        ):
            continue
        identifier = row["identifier"].removeprefix("BOE-A-")
        yield region, rank, str(int(found["number"])), day, identifier, _STATUS[row["status"]]


def _written(path: Path, rows: Iterable[Row]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    path.write_bytes(gzip.compress(text.getvalue().encode("utf-8"), mtime=0))


def main(source: Path) -> None:
    """Write both files."""
    with gzip.open(source, "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    acts = sorted(set(of_ministries(rows)))
    _written(_NORMS / "ES_ministries.csv.gz", acts)
    index = _NORMS / "ES_index.csv.gz"
    with gzip.open(index, "rt", encoding="utf-8") as file:
        known = [tuple(row) for row in csv.reader(file)]
    added = sorted(set(left_out(rows)))
    _written(index, sorted({*known, *added}))
    print(f"{len(acts)} acts of ministries and agencies; {len(added)} rows added to the index")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
