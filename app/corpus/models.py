"""Tables of the corpus: public law, of no tenant, readable by every process.

A norm has articles, an article has versions in time; a judgment stands by itself. Passages are what is
searched: one for each version of an article, several for a judgment. `indexed_at` and `read_at` are marks of
later steps (search index, citator): a row without the mark waits for its step, so a step may be killed and
resumed.
"""

from __future__ import annotations

import uuid
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, ExcludeConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base

# An index is built over rows that an open transaction may still see, as they were before a repair, too.
_IN_FORCE = (
    "(CASE WHEN in_force_from > in_force_to THEN 'empty'::daterange"
    " ELSE daterange(in_force_from, in_force_to) END)"
)


class CorpusNorm(Base):
    """A norm as loaded. `id` is derived from jurisdiction and official id: loading twice is one row.

    `status` is `in_force`, `repealed`, `expired` or `annulled`; `edition` is the date of the consolidation
    that was loaded, `digest` the SHA-256 of its source. `source` is the form it came in, `index` where no
    text did; `whole` where every article was in the source, so that one which is absent does not exist.
    `read_at` is when the citator read it. `editions` are those it was loaded from, where there was more than
    one.
    """

    __tablename__ = "corpus_norms"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    jurisdiction: Mapped[str]
    official_id: Mapped[str]
    title: Mapped[str]
    short_title: Mapped[str | None]
    rank: Mapped[str | None]
    number: Mapped[str | None]
    dated: Mapped[date | None]
    published: Mapped[date | None]
    in_force: Mapped[date | None]
    repealed: Mapped[date | None]
    repealed_by: Mapped[str | None]
    status: Mapped[str]
    url: Mapped[str | None]
    source: Mapped[str]
    edition: Mapped[date | None]
    digest: Mapped[bytes] = mapped_column(sa.LargeBinary)
    whole: Mapped[bool] = mapped_column(server_default=sa.false())
    editions: Mapped[list[dict[str, Any]] | None] = mapped_column(JSONB(none_as_null=True))
    loaded_at: Mapped[datetime]
    read_at: Mapped[datetime | None]

    __table_args__ = (
        sa.UniqueConstraint("jurisdiction", "official_id"),
        sa.Index("ix_corpus_norms_unread", "id", postgresql_where=sa.text("read_at IS NULL")),
        sa.CheckConstraint("status IN ('in_force', 'repealed', 'expired', 'annulled')", name="status_known"),
    )


class CorpusArticle(Base):
    """An article, disposition or annex of a norm; its words are in its versions.

    `number` is the normal form of `app.citations` (`1902`, `9 bis`, `da1`); where a source has the number
    twice, `occurrence` counts from 1. `place` is its position in the norm, `path` the headings above it.
    `readings` is what the editions loaded so far say of its words, from which its versions follow
    (`loading.readings`).
    """

    __tablename__ = "corpus_articles"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    norm_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("corpus_norms.id", ondelete="CASCADE"))
    number: Mapped[str]
    occurrence: Mapped[int] = mapped_column(sa.SmallInteger, default=1)
    place: Mapped[int]
    heading: Mapped[str | None]
    path: Mapped[list[str]] = mapped_column(ARRAY(sa.Text), default=list)
    readings: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))

    __table_args__ = (sa.UniqueConstraint("norm_id", "number", "occurrence"),)


class CorpusVersion(Base):
    """The words of an article while they were in force: from a day (inclusive) to a day (exclusive).

    `in_force_from` is null where the source does not say since when; `in_force_to` is null for the version in
    force. `amended_by` names what introduced it, as the source has it.
    """

    __tablename__ = "corpus_versions"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    article_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("corpus_articles.id", ondelete="CASCADE"))
    version: Mapped[int] = mapped_column(sa.SmallInteger)
    in_force_from: Mapped[date | None]
    in_force_to: Mapped[date | None]
    amended_by: Mapped[str | None]
    text: Mapped[str]
    digest: Mapped[bytes] = mapped_column(sa.LargeBinary)

    __table_args__ = (
        sa.UniqueConstraint("article_id", "version"),
        sa.CheckConstraint("in_force_from < in_force_to", name="ends_after_it_begins"),
        # Judged at the commit: what a load moves may meet its neighbour in between.
        ExcludeConstraint(
            (sa.column("article_id"), "="),
            (sa.text(_IN_FORCE), "&&"),
            name="ex_corpus_versions_apart",
            using="gist",
            deferrable=True,
            initially="DEFERRED",
        ),
    )


class CorpusVersionSetAside(Base):
    """A version that could not stand beside its neighbours when the constraint on days came, and why.

    Nothing reads it but people: the law's text is loaded again, or the days are corrected in its source.
    """

    __tablename__ = "corpus_versions_set_aside"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    article_id: Mapped[uuid.UUID] = mapped_column(sa.ForeignKey("corpus_articles.id", ondelete="CASCADE"))
    version: Mapped[int] = mapped_column(sa.SmallInteger)
    in_force_from: Mapped[date | None]
    in_force_to: Mapped[date | None]
    amended_by: Mapped[str | None]
    text: Mapped[str]
    digest: Mapped[bytes] = mapped_column(sa.LargeBinary)
    reason: Mapped[str]
    set_aside_at: Mapped[datetime]


class CorpusJudgment(Base):
    """A decision of a court. `text_known` is false where only its entry in an index was loaded.

    `canonical` is the normal form of `app.citations` joined by `:`; `read_at` is when the citator read it.
    """

    __tablename__ = "corpus_judgments"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    jurisdiction: Mapped[str]
    canonical: Mapped[str]
    court: Mapped[str]
    chamber: Mapped[str | None]
    kind: Mapped[str]
    number: Mapped[str | None]
    year: Mapped[int | None] = mapped_column(sa.SmallInteger)
    dated: Mapped[date | None]
    ecli: Mapped[str | None]
    roj: Mapped[str | None]
    docket: Mapped[str | None]
    judge: Mapped[str | None]
    title: Mapped[str]
    summary: Mapped[str | None]
    url: Mapped[str | None]
    source: Mapped[str]
    text_known: Mapped[bool]
    facts: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    digest: Mapped[bytes] = mapped_column(sa.LargeBinary)
    loaded_at: Mapped[datetime]
    read_at: Mapped[datetime | None]

    __table_args__ = (
        sa.UniqueConstraint("jurisdiction", "canonical"),
        sa.Index("ix_corpus_judgments_series", "jurisdiction", "court", "year"),
        sa.Index("ix_corpus_judgments_ecli", "ecli", postgresql_where=sa.text("ecli IS NOT NULL")),
        sa.Index("ix_corpus_judgments_roj", "roj", postgresql_where=sa.text("roj IS NOT NULL")),
        sa.Index(
            "ix_corpus_judgments_number",
            "jurisdiction",
            "number",
            postgresql_where=sa.text("number IS NOT NULL"),
        ),
        sa.Index("ix_corpus_judgments_unread", "id", postgresql_where=sa.text("read_at IS NULL")),
    )


class CorpusPassage(Base):
    """Unit of search and quotation: an article's version, or up to 2,000 characters of a judgment.

    List-partitioned by `jurisdiction` (measured: a filter on one index finds next to nothing in a small
    jurisdiction). `title` is the law's or the judgment's, `path` the headings above; `indexed_at` is when the
    search index took it in.
    """

    __tablename__ = "corpus_passages"

    jurisdiction: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    norm_id: Mapped[uuid.UUID | None] = mapped_column(sa.ForeignKey("corpus_norms.id", ondelete="CASCADE"))
    version_id: Mapped[uuid.UUID | None] = mapped_column(
        sa.ForeignKey("corpus_versions.id", ondelete="CASCADE")
    )
    judgment_id: Mapped[uuid.UUID | None] = mapped_column(
        sa.ForeignKey("corpus_judgments.id", ondelete="CASCADE")
    )
    place: Mapped[int]
    title: Mapped[str]
    path: Mapped[str]
    heading: Mapped[str]
    text: Mapped[str]
    in_force_from: Mapped[date | None]
    in_force_to: Mapped[date | None]
    indexed_at: Mapped[datetime | None]

    __table_args__ = (
        sa.CheckConstraint("kind IN ('article', 'judgment')", name="kind_known"),
        sa.Index("ix_corpus_passages_norm_id", "norm_id"),
        sa.Index("ix_corpus_passages_version_id", "version_id"),
        sa.Index("ix_corpus_passages_judgment_id", "judgment_id"),
        sa.Index("ix_corpus_passages_waiting", "id", postgresql_where=sa.text("indexed_at IS NULL")),
        {"postgresql_partition_by": "LIST (jurisdiction)"},
    )


class CorpusLoad(Base):
    """One source that was or is being loaded: how far it got, what it skipped and why, counted."""

    __tablename__ = "corpus_loads"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    source: Mapped[str]
    form: Mapped[str]
    digest: Mapped[bytes] = mapped_column(sa.LargeBinary)
    started_at: Mapped[datetime]
    moved_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    position: Mapped[int] = mapped_column(sa.BigInteger, default=0)
    counts: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    skipped: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)

    __table_args__ = (sa.UniqueConstraint("source", "form"),)
