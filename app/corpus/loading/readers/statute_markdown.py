"""Read a consolidated statute in Markdown: front matter, articles as level-five headings; one law a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from app.citations import extract
from app.corpus import registry
from app.corpus.loading.readers import files, front_matter, self_names
from app.corpus.loading.readers.outline import Outline, read_markdown
from app.corpus.loading.records import Item, NormFacts, Skip, Source, Status, Statute, digest_of


def read(source: Source, after: int) -> Iterator[Item]:
    """Yield one item: the file is one law.

    Front matter: `title`, `identifier`, `country`, `rank`, `status`, `publication_date`, `enactment_date`,
    `last_updated`, `source`; without it the title names the law.
    """
    if after:
        return
    with files.text(source.path) as file:
        written = files.clean(file.read())
    matter, body = front_matter.split(written)
    outline = Outline()
    read_markdown(body, outline)
    articles = outline.finish()
    notes = ("paragraphs outside any article",) * outline.loose
    facts = _facts(matter, source, body, written)
    if facts is None:
        yield Item(1, Skip("no title that names a law"), notes)
    elif not articles:
        yield Item(1, Skip("no article in the file"), notes)
    elif matter.get("last_updated") and facts.edition is None:
        # Taken for undated, it would lose to every dated edition without a word.
        yield Item(1, Skip("a last_updated that is no day"), notes)
    else:
        yield Item(1, Statute(facts, articles), notes)


def _facts(matter: Mapping[str, str], source: Source, body: str, written: str) -> NormFacts | None:
    identifier = matter.get("identifier")
    if not identifier:
        return _unheaded(source, body, written)
    country = (matter.get("country") or source.jurisdiction or "ES").upper()[:2]
    status = matter.get("status", "in_force")
    repealed, by = self_names.repeal(country, identifier)
    return NormFacts(
        jurisdiction=source.jurisdiction or country,
        official_id=identifier,
        title=matter.get("title", identifier),
        source="markdown",
        digest=digest_of(written),
        status=_status(status),
        rank=matter.get("rank"),
        number=self_names.number_of(matter.get("source")),
        dated=front_matter.day(matter.get("enactment_date")),
        published=front_matter.day(matter.get("publication_date")),
        repealed=repealed,
        repealed_by=by,
        url=matter.get("source"),
        edition=front_matter.day(matter.get("last_updated")),
        whole=True,
    )


def _status(word: str) -> Status:
    known: tuple[Status, ...] = get_args(Status)
    return next((status for status in known if status == word), "in_force")


def _unheaded(source: Source, body: str, written: str) -> NormFacts | None:
    """Return the facts of a text without front matter, whose first line is its title; perhaps a part."""
    title = next((line.lstrip("# ").strip() for line in body.split("\n") if line.strip()), "")
    for code in (source.jurisdiction, "EU", *self_names.COUNTRIES):
        for citation in extract(title[:400], code) if code else ():
            known = registry.norm(citation.norm) if citation.norm else None
            if citation.kind != "L4-N" or known is None or citation.start > 2:
                continue
            return NormFacts(
                jurisdiction=known.jurisdiction,
                official_id=known.official_id or known.key.split(":", 1)[1],
                title=title.rstrip("."),
                source="markdown",
                digest=digest_of(written),
                short_title=known.title,
                dated=known.dated,
                in_force=known.in_force,
                repealed=known.repealed,
                repealed_by="; ".join(known.successors) or None,
                url=known.url,
                whole=False,
            )
    return None
