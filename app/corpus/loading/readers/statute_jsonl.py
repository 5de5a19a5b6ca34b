"""Read articles as JSON lines, one article a line, of any number of laws.

Fields: `{id, law, num, text}` and, where known, `abbr, heading, jurisdiction, norm_id, url, dated,
in_force_from, in_force_to, amended_by, path`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from app.citations import article_number
from app.corpus.jurisdictions import jurisdiction
from app.corpus.loading.readers import files, front_matter, self_names
from app.corpus.loading.records import (
    ArticleText,
    Item,
    NormFacts,
    Record,
    Skip,
    Source,
    Statute,
    Wording,
    digest_of,
)  # fmt: skip

_DAYS = ("in_force_from", "in_force_to")
_DECIMAL = re.compile(r"\d{1,5}(?:\.\d{1,4}){1,2}[a-z]?")


def read(source: Source, after: int) -> Iterator[Item]:
    """Yield one item for each line; the writer brings the articles of one law together."""
    for place, line in enumerate(files.lines(source.path), start=1):
        if place > after and line.strip():
            yield Item(place, _record(line, place, source.jurisdiction))


def _record(line: str, place: int, given: str | None) -> Record | Skip:
    row = files.json_object(line)
    if isinstance(row, Skip):
        return row
    # Cleaned once more: an escape such as \\u0000 is a character only now.
    words = {key: files.clean(value).strip() for key, value in row.items() if isinstance(value, str)}
    code = (words.get("jurisdiction") or given or words.get("id", "").partition(":")[0]).upper()
    if jurisdiction(code) is None:
        code = code.partition("-")[0] if code != "ZZ" else code  # the law of a State: "US-CA"
    if jurisdiction(code) is None and code != "ZZ":
        return Skip("no jurisdiction that is known")
    number = _number(str(row.get("num") or ""), code)
    if not number:
        return Skip("no number of an article")
    text = _text(words.get("text", ""), words.get("law", ""), words.get("heading"))
    if not text:
        return Skip("an article without words")
    if any(words.get(name) and front_matter.day(words[name]) is None for name in _DAYS):
        return Skip("a day in force that is no day")
    facts = _facts(code, words.get("law", ""), words.get("norm_id"), words.get("url"), words.get("dated"))
    if facts is None:
        return Skip("a law without title or id")
    return Statute(facts, (_article(row, words, number, text, place),))


def _article(row: dict[str, Any], words: dict[str, str], number: str, text: str, place: int) -> ArticleText:
    path = row.get("path")
    return ArticleText(
        number=number,
        wordings=(
            Wording(
                text,
                front_matter.day(words.get("in_force_from")),
                front_matter.day(words.get("in_force_to")),
                words.get("amended_by"),
            ),
        ),
        place=int(number) if number.isdigit() else 10_000 + place % 1_000_000,
        heading=words.get("heading") or None,
        path=tuple(files.clean(str(step)) for step in path) if isinstance(path, list) else (),
    )


def _number(written: str, code: str) -> str | None:
    # American sections are numbered with a point: 226.7, 1798.100.
    if code.startswith("US") and _DECIMAL.fullmatch(written):
        return written
    return article_number(written)


def _text(text: str, law: str, heading: str | None) -> str:
    """Return the words of the article alone: scraped pages repeat heading and title around them."""
    if law and text.endswith(law):
        text = text[: -len(law)].rstrip()
    if heading and text.startswith(heading + "\n"):
        text = text[len(heading) :].lstrip()
    return text.strip()


@lru_cache(maxsize=4096)
def _facts(code: str, law: str, norm_id: str | None, url: str | None, dated: str | None) -> NormFacts | None:
    known = self_names.registered(law, code) if law else None
    official = norm_id or (self_names.official_id(law, code) if law else None) or law
    if not official:
        return None
    return NormFacts(
        jurisdiction=code,
        official_id=official,
        title=law or official,
        source="jsonl",
        digest=digest_of(code, official, law),
        short_title=known.title if known and known.title != law else None,
        dated=front_matter.day(dated) or (known.dated if known else None),
        in_force=known.in_force if known else None,
        repealed=known.repealed if known else None,
        repealed_by="; ".join(known.successors) or None if known else None,
        status="repealed" if known and known.repealed else "in_force",
        url=url or (known.url if known else None),
    )
