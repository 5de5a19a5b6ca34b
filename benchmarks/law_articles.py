"""Real law put straight into the corpus tables, for benchmarks of search that need no loader.

Reads the consolidated statutes in Markdown and the articles in JSON lines; `grown` multiplies them by
replacing words, so that 300 thousand passages have the statistics of language and not of copies.
"""

import gzip
import json
import random
import re
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import sqlalchemy as sa

from app.citations import extract
from app.platform import clock
from app.platform.postgres import db

_ROOT = uuid.UUID("8d0f3a52-11f4-4f0e-9f61-0a7f5d1f9b11")
_HEAD = re.compile(r"(#{1,6}) (.*)")
_DISPOSITION = {"adicional": "da", "transitoria": "dt", "final": "df", "derogatoria": "dd"}


@dataclass(frozen=True, slots=True)
class Article:
    """One article: `key` is `<official id>#<number>` as the labelled questions write it."""

    jurisdiction: str
    law: str
    title: str
    number: str
    occurrence: int
    place: int
    path: str
    heading: str
    text: str

    @property
    def key(self) -> str:
        again = f"~{self.occurrence}" if self.occurrence > 1 else ""
        return f"{self.law}#{self.number}{again}"

    @property
    def passage_id(self) -> uuid.UUID:
        return uuid.uuid5(_ROOT, f"{self.jurisdiction}:{self.key}:{self.place}")


def _number(heading: str) -> str:
    found = extract(f"{heading.split('.')[0]} del Código Civil", "ES")
    if found and found[0].articles:
        return found[0].articles[0]
    match = re.match(
        r"(?:Art[íi]culo|Art\.|ARTÍCULO)\s*(\d[\d.]*(?: ?(?:bis|ter|quater|quinquies|sexies))?)", heading
    )
    return match[1].rstrip(".").replace(".", "") if match else heading[:60]


def spanish(folder: Path) -> Iterator[Article]:
    """The statutes in Markdown, article by article."""
    for path in sorted(folder.glob("*.md")):
        head, _, body = path.read_text("utf-8").replace("\u00a0", " ").partition("\n---\n")
        title = re.search(r'^title: "(.*)"', head, re.MULTILINE)
        divisions: list[tuple[int, str]] = []
        seen: dict[str, int] = {}
        current: tuple[str, int, str] | None = None
        lines: list[str] = []
        place = 0
        for line in [*body.split("\n"), "# "]:
            match = _HEAD.match(line)
            if not match:
                lines.append(line)
                continue
            if current:
                place += 1
                yield Article(
                    "ES", path.stem, title[1] if title else path.stem, current[0], current[1], place,
                    " > ".join(name for _, name in divisions), current[2], "\n".join(lines).strip(),
                )  # fmt: skip
            level, words, current, lines = len(match[1]), match[2].strip(), None, []
            if level >= 5:
                number = _number(words)
                seen[number] = seen.get(number, 0) + 1
                current = (number, seen[number], words)
            elif level > 1:
                while divisions and divisions[-1][0] >= level:
                    divisions.pop()
                divisions.append((level, words))


def colombian(file: Path) -> Iterator[Article]:
    """The Colombian codes in JSON lines."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for place, line in enumerate(lines):
            row = json.loads(line)
            yield Article(
                "CO", row["abbr"], row["law"], row["num"], 1, place, "",
                f"Artículo {row['num']}. {row['heading']}", row["text"],
            )  # fmt: skip


def grown(articles: list[Article], count: int, seed: int = 7) -> Iterator[tuple[Article, Article, Article]]:
    """`count` articles, each with the two it is made of: every tenth word is the second's."""
    chance = random.Random(seed)
    for copy in range(count):
        article, other = articles[copy % len(articles)], chance.choice(articles)
        words, foreign = article.text.split(" "), other.text.split(" ")
        for place in range(copy % 10, len(words), 10):
            words[place] = foreign[place % len(foreign)]
        law = f"{article.law}-{copy // len(articles)}"
        yield replace(article, law=law, text=" ".join(words)), article, other


def put(articles: Iterable[Article]) -> int:
    """Write articles as norms, articles, versions and passages; how many."""
    batch: list[Article] = []
    count = 0
    for article in articles:
        batch.append(article)
        if len(batch) == 2_000:
            _put(batch)
            count += len(batch)
            batch = []
    if batch:
        _put(batch)
    return count + len(batch)


def _put(batch: list[Article]) -> None:
    rows = []
    for one in batch:
        norm = uuid.uuid5(_ROOT, f"{one.jurisdiction}:{one.law}")
        rows.append(
            {
                "code": one.jurisdiction, "norm": str(norm), "law": one.law, "title": one.title,
                "id": str(one.passage_id), "number": one.number, "occurrence": one.occurrence,
                "place": one.place, "path": one.path, "heading": one.heading, "text": one.text,
            }
        )  # fmt: skip
    recordset = """json_to_recordset(CAST(:rows AS json)) AS r(code text, norm uuid, law text, title text,
        id uuid, number text, occurrence smallint, place int, path text, heading text, text text)"""
    statements = (
        """INSERT INTO corpus_norms (id, jurisdiction, official_id, title, rank, status, url, source, digest,
            loaded_at)
        SELECT DISTINCT ON (norm) norm, code, law, title, 'ley', 'in_force',
            'https://www.boe.es/buscar/act.php?id=' || law, 'benchmark', CAST('' AS bytea),
            CAST(:now AS timestamptz)
        FROM {rows} ON CONFLICT DO NOTHING""",
        """INSERT INTO corpus_articles (id, norm_id, number, occurrence, place, heading, path)
        SELECT id, norm, number, occurrence, place, heading, string_to_array(path, ' > ') FROM {rows}
        ON CONFLICT DO NOTHING""",
        """INSERT INTO corpus_versions (id, article_id, version, text, digest)
        SELECT id, id, 1, text, CAST('' AS bytea) FROM {rows} ON CONFLICT (id) DO NOTHING""",
        """INSERT INTO corpus_passages (jurisdiction, id, kind, norm_id, version_id, place, title, path,
            heading, text)
        SELECT code, id, 'article', norm, id, place, title, path, heading, text FROM {rows}
        ON CONFLICT DO NOTHING""",
    )
    with db.transaction() as session:
        for code in {one.jurisdiction for one in batch}:
            session.execute(sa.text("SELECT open_corpus_partition(:code)"), {"code": code})
        for statement in statements:
            session.execute(
                sa.text(statement.format(rows=recordset)), {"rows": json.dumps(rows), "now": clock.now()}
            )
