"""Fill a collection of the search with millions of passages, for benchmarks: real law, made law, copies.

Law has new words without end: of `n` passages it has some `k * n ** beta` different stems (Heaps' law). `k`
and `beta` are read from the index of the real law; made passages get so many words that are new, and of a
copied block so many stems that one passage has get a name of their own.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import psycopg
import sqlalchemy as sa

from app.platform.postgres import db
from app.search.postings import BLOCK
from benchmarks.law_articles import Article, grown, spanish

FOLDERS: Final = ("es_statutes", "es_statutes_more")
_SYLLABLES: Final = [first + vowel for first in "bcdfglmnprstvz" for vowel in "aeiou"]
# Triggers check two keys of each passage; what is copied refers to what its origin refers to.
_UNCHECKED = "SET session_replication_role = replica"
_NEW_NAMES = """
    INSERT INTO search_postings (jurisdiction, kind, stem, block, postings)
    SELECT jurisdiction, kind,
        CASE WHEN octet_length(postings) = 3
            AND (hashtext(stem || %(name)s)::bigint + 2147483648) / 4294967296.0 < %(share)s
            THEN stem || '~' || %(name)s ELSE stem END,
        %(at)s::integer, postings
    FROM search_postings WHERE jurisdiction = 'ES' AND kind = 'article' AND block = %(of)s ORDER BY 3
    """
_ONCE = """
    SELECT count(*) FROM search_postings
    WHERE jurisdiction = 'ES' AND kind = 'article' AND block = %s AND octet_length(postings) = 3
    """
_COPIES = """
    CREATE TEMP TABLE copies ON COMMIT DROP AS
    SELECT ordinal - %(of)s::integer * %(size)s::integer AS within, passage_id, gen_random_uuid() AS id
    FROM search_entries
    WHERE jurisdiction = 'ES' AND kind = 'article'
        AND ordinal >= %(of)s::integer * %(size)s::integer
        AND ordinal < (%(of)s::integer + 1) * %(size)s::integer
    """
_PASSAGES = """
    INSERT INTO corpus_passages (jurisdiction, id, kind, norm_id, version_id, place, title, path, heading,
        text, indexed_at)
    SELECT 'ES', c.id, 'article', p.norm_id, p.version_id, p.place, p.title, p.path, p.heading, p.text,
        p.indexed_at
    FROM copies c JOIN corpus_passages p ON p.jurisdiction = 'ES' AND p.id = c.passage_id
    """
_ENTRIES = """
    INSERT INTO search_entries (jurisdiction, kind, ordinal, passage_id)
    SELECT 'ES', 'article', within + %(at)s::integer * %(size)s::integer, id FROM copies
    """
_SIZE = "UPDATE search_shelves SET size = %s WHERE jurisdiction = 'ES' AND kind = 'article'"


@dataclass(frozen=True, slots=True)
class Heaps:
    """How many different stems so many passages have: `k * n ** beta`."""

    k: float
    beta: float

    def stems(self, passages: int) -> float:
        """Return the number of different stems."""
        found: float = self.k * passages**self.beta
        return found


def real(data: Path) -> list[Article]:
    """Return the Spanish statutes of the folders there are."""
    return [one for name in FOLDERS if (data / name).is_dir() for one in spanish(data / name)]


def heaps() -> Heaps:
    """Fit Heaps' law to the first block of the index, whose passages are in the order of random ids."""
    with db.reading() as session:
        first = session.scalars(
            sa.text(
                "SELECT get_byte(postings, 0) + 256 * get_byte(postings, 1) FROM search_postings "
                "WHERE jurisdiction = 'ES' AND kind = 'article' AND block = 0"
            )
        ).all()
        passages = min(size(session), BLOCK)
    before = sum(1 for one in first if one < passages // 4)
    beta = math.log(len(first) / before) / math.log(4)
    return Heaps(len(first) / passages**beta, beta)


def made(articles: Sequence[Article], count: int, law: Heaps, seed: int = 7) -> Iterator[Article]:
    """Yield articles with words of others, and with new words as Heaps' law says, some of them said again."""
    chance = random.Random(seed)
    coined: list[str] = []
    for number, (article, _, _) in enumerate(grown(list(articles), count, seed), start=len(articles)):
        words = article.text.split(" ")
        new = int(law.stems(number + 1)) - int(law.stems(number))
        for _ in range(new):
            coined.append("".join(chance.choice(_SYLLABLES) for _ in range(chance.randint(3, 6))))
            words[chance.randrange(len(words))] = coined[-1]
        if coined:
            words[chance.randrange(len(words))] = coined[int(len(coined) * chance.random() ** 3)]
        yield replace(article, text=" ".join(words))


def size(session: db.Session) -> int:
    """Return how many ordinals the Spanish articles have."""
    found: int = session.execute(
        sa.text("SELECT size FROM search_shelves WHERE jurisdiction = 'ES' AND kind = 'article'")
    ).scalar_one()
    return found


def copy(address: str, blocks: int, law: Heaps, until: int) -> int:
    """Copy the first blocks of the index and their passages, in turn, until there are so many passages.

    Args:
        address: Of the database, whose user may leave out triggers.
        blocks: So many full blocks there are to copy.
        law: How the number of stems grows.
        until: Passages.

    Returns:
        Passages after that: full blocks.
    """
    address = address.replace("postgresql+psycopg://", "postgresql://")
    with psycopg.connect(address) as connection:
        connection.execute(_UNCHECKED)
        found = connection.execute(
            "SELECT size FROM search_shelves WHERE jurisdiction = 'ES' AND kind = 'article'"
        ).fetchone()
        assert found is not None
        reached = int(found[0])
        while reached < until:
            at = reached // BLOCK
            values: dict[str, Any] = {"at": at, "of": at % blocks, "size": BLOCK}
            once = connection.execute(_ONCE, [values["of"]]).fetchone()
            assert once is not None
            new = law.stems(reached + BLOCK) - law.stems(reached)
            named = {**values, "name": str(at), "share": min(1.0, new / max(1, once[0]))}
            connection.execute(_NEW_NAMES, named)
            for statement in (_COPIES, _PASSAGES, _ENTRIES):
                connection.execute(statement, values)
            reached += BLOCK
            connection.execute(_SIZE, [reached])
            connection.commit()
    return reached


def vacuum(address: str) -> None:
    """Give back the place of rows that are no more and count what there is, as autovacuum does."""
    with psycopg.connect(
        address.replace("postgresql+psycopg://", "postgresql://"), autocommit=True
    ) as connection:
        for table in ("search_postings", "search_entries", "corpus_passages"):
            connection.execute(f"VACUUM ANALYZE {table}")
