"""Facts for the norms registry out of consolidated statutes in Markdown and an index of norms in CSV.

    python -m tools.norms_from_markdown statutes FOLDER OUT.toml
    python -m tools.norms_from_markdown index FILE.csv.gz OUT.csv.gz

Only facts are written: identifiers, titles, dates, ELI, which articles and dispositions exist and which
of them are without content. No text of a law is copied.
"""

import csv
import gzip
import io
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from app.citations import SOLE, heading_without_content, norm_names, provisions_opened, without_content

_FRONT = re.compile(r'^(\w+): "(.*)"$', re.MULTILINE)
_HEADING = re.compile(r"^#{5,6} (.*)$")
_CODES = {"l": "ley", "rdlg": "rdleg", "dlg": "dleg", "lf": "lf", "o": "orden"}


def provisions(lines: Iterable[str]) -> tuple[list[str], list[str], set[str], bool]:
    """(articles, dispositions, those without content, whether every disposition has its own heading)."""
    articles: dict[str, bool] = {}
    dispositions: dict[str, bool] = {}
    bare = False
    open_now: list[str] = []
    fresh = False
    for line in lines:
        text = line.replace("\u00a0", " ").rstrip()
        match = _HEADING.match(text)
        if match:
            heading = match[1].strip().lstrip("«*")
            opening = provisions_opened(heading)
            open_now = [number for number in opening.numbers if number != SOLE] if opening else []
            table = dispositions if open_now and open_now[0][:1] == "d" else articles
            empty = heading_without_content(heading)
            for number in open_now:
                # The same number twice (a wrapper and its code, or two versions): content in either counts.
                table[number] = table.get(number, True) and empty
            bare = bare or (not open_now and re.match(r"(?:Primer|Segund)a\.", heading) is not None)
            fresh = not empty
        elif fresh and text.strip():
            fresh = False
            if without_content(text):
                for number in open_now:
                    table = dispositions if number[:1] == "d" else articles
                    table[number] = True
            else:
                for number in open_now:
                    table = dispositions if number[:1] == "d" else articles
                    table[number] = False
    empty_ones = {number for table in (articles, dispositions) for number, empty in table.items() if empty}
    return list(articles), list(dispositions), empty_ones, not bare


def _order(number: str) -> tuple[int, str]:
    match = re.match(r"\D*(\d+)(.*)", number)
    return (int(match[1]), match[2]) if match else (0, number)


def compressed(numbers: Iterable[str]) -> str:
    """Numbers as ranges and extras: `1-9, 9 bis, 11`. Dispositions keep their letters: `da1-19, dt1`."""
    plain: dict[str, list[int]] = {}
    extras: list[str] = []
    for number in numbers:
        match = re.fullmatch(r"(recital |anexo |[a-z]{0,2})(\d+)", number)
        if match:
            plain.setdefault(match[1], []).append(int(match[2]))
        else:
            extras.append(number)
    parts: list[str] = []
    for prefix, values in sorted(plain.items()):
        run: list[int] = []
        for value in [*sorted(set(values)), -1]:
            if run and value != run[-1] + 1:
                parts.append(f"{prefix}{run[0]}-{run[-1]}" if len(run) > 1 else f"{prefix}{run[0]}")
                run = []
            run.append(value)
    return ", ".join(parts + sorted(set(extras), key=_order))


def statutes(folder: Path) -> Iterator[str]:
    """TOML lines for every Markdown file of `folder`."""
    by_boe = {entry.ids["boe"]: entry for entry in norm_names() if "boe" in entry.ids}
    yield "# Facts of consolidated Spanish statutes (Boletín Oficial del Estado, consolidated legislation)."
    yield "# Written by tools/norms_from_markdown.py: do not edit by hand; what a lawyer adds goes beside it."
    for path in sorted(folder.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        facts = dict(_FRONT.findall(text.split("---", 2)[1]))
        entry = by_boe.get(facts["identifier"])
        if entry is None:
            print(f"{facts['identifier']}: no name in app/citations/data/names, left out", file=sys.stderr)
            continue
        articles, dispositions, empty, whole = provisions(text.split("---", 2)[2].splitlines())
        yield ""
        yield f'[norms."{entry.norm}"]'
        yield f'id = "{facts["identifier"]}"'
        yield f'title = "{facts["title"]}"'
        yield f"date = {facts['enactment_date']}"
        yield f"published = {facts['publication_date']}"
        yield f"checked = {facts['last_updated']}"
        yield f'url = "{facts["source"]}"'
        yield f'articles = "{compressed(articles)}"'
        yield f'dispositions = "{compressed(dispositions)}"'
        yield "exact = true"
        if not whole:
            yield "dispositions_open = true"
        if empty:
            yield f'empty = "{compressed(empty)}"'


def index_rows(path: Path) -> Iterator[tuple[str, ...]]:
    """(jurisdiction, rank, number, date, BOE id without `BOE-A-`, status letter) of the norms with an ELI
    number.
    """
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            match = re.search(r"/eli/(es(?:-[a-z]{2})?)/([a-z]+)/(\d{4})/(\d\d)/(\d\d)/(\d+)$", row["source"])
            if not match or match[2] not in (
                "l",
                "lo",
                "lf",
                "rdl",
                "rdlg",
                "dlg",
                "dl",
                "rd",
                "d",
                "o",
                "dflg",
                "dlf",
            ):
                continue
            if match[2] in ("o", "d") and match[1] == "es":
                continue
            yield (
                match[1].removeprefix("es").removeprefix("-"),
                _CODES.get(match[2], match[2]),
                match[6],
                f"{match[3]}{match[4]}{match[5]}",
                row["identifier"].removeprefix("BOE-A-"),
                {"in_force": "", "repealed": "r", "expired": "x", "annulled": "a"}[row["status"]],
            )


def main(arguments: list[str]) -> int:
    """Run one of the two conversions; 2 when called wrongly."""
    if len(arguments) != 3 or arguments[0] not in ("statutes", "index"):
        print(__doc__, file=sys.stderr)
        return 2
    source, target = Path(arguments[1]), Path(arguments[2])
    if arguments[0] == "statutes":
        target.write_text("\n".join(statutes(source)) + "\n", encoding="utf-8")
        return 0
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerows(sorted(index_rows(source)))
    target.write_bytes(gzip.compress(buffer.getvalue().encode(), 9, mtime=0))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
