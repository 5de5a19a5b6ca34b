"""Read an index of decisions as CSV.

Two headers are known: that of the Corte Constitucional (`sentencia, tipo, fecha, ponente, sala, expediente`),
and a plain one (`jurisdiction, court, kind, number, date, ecli, roj, title, url, chamber, judge, docket`).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping

from app.corpus.loading.readers import files, front_matter, self_names
from app.corpus.loading.records import Item, Judgment, Skip, Source, digest_of

_CONSTITUTIONAL = re.compile(r"(?P<kind>SU|T|C|A)-(?P<number>\d{3,4}[A-Z]?)/(?P<year>\d\d)")
_CENTURY = 70


def read(source: Source, after: int) -> Iterator[Item]:
    """Yield one item for each row."""
    rows = csv.DictReader(files.lines(source.path))
    names = set(rows.fieldnames or ())
    if not (names >= {"sentencia", "fecha"} or names >= {"court", "title"}):
        yield Item(1, Skip("no header of an index of decisions that is known"))
        return
    for place, row in enumerate(rows, start=1):
        if place > after:
            words = {key: files.clean(value).strip() for key, value in row.items() if isinstance(value, str)}
            made = (
                _constitutional(words) if "sentencia" in names else plain(words, "index", source.jurisdiction)
            )
            yield Item(place, made)


def constitutional_url(kind: str, number: str, year: int) -> str:
    """Return the address at which the Corte Constitucional of Colombia publishes a decision."""
    joined = f"SU{number}" if kind == "SU" else f"{kind}-{number}"
    return f"https://www.corteconstitucional.gov.co/relatoria/{year}/{joined}-{year % 100:02d}.htm"


def _constitutional(row: Mapping[str, str]) -> Judgment | Skip:
    found = _CONSTITUTIONAL.fullmatch(row.get("sentencia", ""))
    if not found:
        return Skip("a number of decision of another form")
    short = int(found["year"])
    year = 1900 + short if short >= _CENTURY else 2000 + short
    return Judgment(
        jurisdiction="CO",
        canonical=f"CO:CC:{found['kind']}-{found['number']}/{found['year']}",
        court="Corte Constitucional",
        kind=found["kind"],
        title=f"Sentencia {found['kind']}-{found['number']} de {year}",
        source="index",
        digest=digest_of(*(row.get(name, "") for name in sorted(row))),
        chamber=row.get("sala") or None,
        number=found["number"],
        year=year,
        dated=front_matter.day(row.get("fecha")),
        docket=row.get("expediente") or None,
        judge=row.get("ponente") or None,
        url=constitutional_url(found["kind"], found["number"], year),
    )


def plain(row: Mapping[str, str], form: str, jurisdiction: str | None) -> Judgment | Skip:
    """Build a decision from named fields, `text` among them or not; its normal form is read off its names."""
    named = "; ".join(row[name] for name in ("ecli", "title", "roj") if row.get(name))
    decided = self_names.decision(named, (row.get("jurisdiction") or jurisdiction or "").upper() or None)
    if decided is None:
        return Skip("a decision whose citation is of no known form")
    code, canonical, ids = decided
    dated = front_matter.day(row.get("date"))
    return Judgment(
        jurisdiction=code,
        canonical=canonical,
        court=row.get("court") or canonical.split(":")[1],
        kind=row.get("kind") or "judgment",
        title=row.get("title") or canonical,
        source=form,
        digest=digest_of(*(f"{name}={row[name]}" for name in sorted(row))),
        chamber=row.get("chamber") or None,
        number=row.get("number") or None,
        year=dated.year if dated else None,
        dated=dated,
        ecli=row.get("ecli") or ids.get("ecli"),
        roj=row.get("roj") or ids.get("roj"),
        docket=row.get("docket") or None,
        judge=row.get("judge") or None,
        summary=row.get("summary") or None,
        url=row.get("url") or ecli_url(row.get("ecli") or ids.get("ecli")),
        text=row.get("text", "").strip(),
    )


def ecli_url(ecli: str | None) -> str | None:
    """Return the permanent address of a European decision: the ECLI search engine of the e-Justice portal."""
    return f"https://e-justice.europa.eu/ecli/{ecli}" if ecli else None
