"""Read a decision as text, one a file: with descriptive lines above, or as CENDOJ prints its documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date

from app.citations import extract
from app.corpus.loading.readers import files, front_matter, self_names
from app.corpus.loading.readers.judgment_csv import constitutional_url, ecli_url
from app.corpus.loading.records import Item, Judgment, Skip, Source, digest_of

_UNDECODED = "\ufffd"
# CENDOJ breaks each page with its number and a word; both stand in the middle of sentences.
_PAGE = re.compile(r"\n\d{1,4}\nJURISPRUDENCIA(?=\n|$)|^JURISPRUDENCIA\n|\n\d{1,4}\s*$")
_CENDOJ = re.compile(r"^\s*(?:JURISPRUDENCIA\s*\n)?\s*Roj:\s", re.IGNORECASE)
_HEADER_LINES = 16
_HEADER_LENGTH = 4_000
_NUMBER = re.compile(r"([A-Z]{1,2}-)?(\d{1,5}[A-Z]?)/(\d{2,4})$")
_CENTURY = 70


def read(source: Source, after: int) -> Iterator[Item]:
    """Yield one item: the file is one decision."""
    if after:
        return
    with files.text(source.path) as file:
        written = files.clean(file.read())
    notes = ("characters lost before the file was made (U+FFFD)",) * written.count(_UNDECODED)
    made = _cendoj(written) if _CENDOJ.match(written) else _described(written, source)
    yield Item(1, made, notes)


def _described(written: str, source: Source) -> Judgment | Skip:
    matter, body = front_matter.split(written)
    title = matter.get("title") or next(
        (line.strip("# ") for line in written.split("\n") if line.strip()), ""
    )
    decided = self_names.decision(f"{matter.get('ecli', '')} {title}", source.jurisdiction)
    if decided is None:
        return Skip("a decision whose citation is of no known form")
    code, canonical, ids = decided
    number, kind, year = _number(canonical)
    dated = front_matter.day(matter.get("date") or matter.get("fecha"))
    court, _, chamber = (matter.get("court") or matter.get("fuente") or canonical.split(":")[1]).partition(
        ". "
    )
    constitutional = canonical.startswith("CO:CC:") and number and year
    return Judgment(
        jurisdiction=code,
        canonical=canonical,
        court=court,
        kind=kind or "judgment",
        title=title if not constitutional else f"Sentencia {kind}-{number} de {year}",
        source="markdown",
        digest=digest_of(written),
        chamber=chamber or None,
        number=number,
        year=year,
        dated=dated or _dated_in(body, canonical, code),
        ecli=matter.get("ecli") or ids.get("ecli"),
        roj=ids.get("roj"),
        docket=matter.get("docket") or matter.get("expediente"),
        judge=matter.get("judge") or matter.get("ponente"),
        url=matter.get("url")
        or (constitutional_url(kind, number, year) if constitutional and kind and number and year else None)
        or ecli_url(ids.get("ecli")),
        text=body.strip(),
    )


def _number(canonical: str) -> tuple[str | None, str | None, int | None]:
    """Split a normal form into (number, letter, year): `CO:CC:T-760/08` is 760, T, 2008."""
    found = _NUMBER.search(canonical.rsplit(":", 1)[-1])
    if not found:
        return None, None, None
    year = int(found[3])
    full = year if year > 99 else 1900 + year if year >= _CENTURY else 2000 + year
    return found[2], (found[1] or "").rstrip("-") or None, full


def _dated_in(body: str, canonical: str, code: str) -> date | None:
    """Return the day that the text gives its own decision, where it cites itself with one."""
    for citation in extract(body[:4000], code):
        if canonical in citation.canonical:
            return front_matter.day(citation.ids.get("date"))
    return None


def cendoj_head(written: str) -> dict[str, str]:
    """Return the fields at the head of a decision as CENDOJ prints it; none where it is another's."""
    if not _CENDOJ.match(written):
        return {}
    return front_matter.pairs(written[:_HEADER_LENGTH].split("\n")[:_HEADER_LINES])


def _cendoj(written: str) -> Judgment | Skip:
    head = cendoj_head(written)
    decided = self_names.decision(head.get("roj", "") and f"Roj: {head['roj']}", "ES")
    if decided is None:
        return Skip("a decision whose citation is of no known form")
    code, canonical, ids = decided
    dated = front_matter.day(head.get("fecha"))
    resolution = _resolution(head, dated, canonical)
    court, _, chamber = head.get("órgano", canonical.split(":")[1]).partition(". ")
    kind = head.get("tipo de resolución", "Sentencia").lower()
    ecli = ids.get("ecli")
    return Judgment(
        jurisdiction=code,
        canonical=resolution or canonical,
        court=court,
        kind=kind,
        title=f"{ids.get('roj', canonical)}"
        + (f", de {dated.day:02d}/{dated.month:02d}/{dated.year}" if dated else ""),
        source="markdown",
        digest=digest_of(written),
        chamber=chamber or None,
        number=head.get("nº de resolución"),
        year=dated.year if dated else None,
        dated=dated,
        ecli=ecli,
        roj=ids.get("roj"),
        docket=head.get("nº de recurso"),
        judge=(head.get("ponente") or "").title() or None,
        url=ecli_url(ecli),
        facts={"cendoj": head["id cendoj"]} if "id cendoj" in head else {},
        text=_PAGE.sub("", written).strip(),
    )


def _resolution(head: Mapping[str, str], dated: date | None, canonical: str) -> str | None:
    """Return the normal form by number of decision, as lawyers cite the courts that number theirs."""
    number = re.fullmatch(r"(\d{1,5})(?:/(\d{4}))?", head.get("nº de resolución", "").strip())
    court = canonical.split(":")[1]
    if not number or dated is None or court not in ("TS", "AN", "TC"):
        return None
    letter = "A" if head.get("tipo de resolución", "").strip().lower() == "auto" else ""
    return f"ES:{court}:{letter}{int(number[1])}/{number[2] or dated.year}"
