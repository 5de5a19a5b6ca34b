"""Tables of the search index: derived from the passages, of no tenant, and rebuildable at any time."""

from __future__ import annotations

import uuid
from datetime import date, datetime

import sqlalchemy as sa
from pgvector.sqlalchemy import HALFVEC
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base

_KINDS = "kind IN ('article', 'judgment')"


def _passage() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["jurisdiction", "passage_id"],
        ["corpus_passages.jurisdiction", "corpus_passages.id"],
        ondelete="CASCADE",
    )


class SearchCollection(Base):
    """The passages of one kind in one jurisdiction, searched together.

    `size` is the next free ordinal, `epoch` counts rebuilds of the index, `model` is the one whose vectors
    queries are compared with: null until every passage has one.
    """

    __tablename__ = "search_shelves"

    jurisdiction: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    epoch: Mapped[int] = mapped_column(default=0)
    size: Mapped[int] = mapped_column(default=0)
    model: Mapped[str | None]

    __table_args__ = (sa.CheckConstraint(_KINDS, name="kind_known"),)


class SearchEntry(Base):
    """The passage behind an ordinal of the postings; `replaces` is the ordinal it had before it changed."""

    __tablename__ = "search_entries"

    jurisdiction: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    passage_id: Mapped[uuid.UUID]
    replaces: Mapped[int | None]
    in_force_from: Mapped[date | None]
    in_force_to: Mapped[date | None]

    __table_args__ = (
        _passage(),
        sa.UniqueConstraint("jurisdiction", "passage_id"),
        {"postgresql_partition_by": "LIST (jurisdiction)"},
    )


class SearchPosting(Base):
    """Occurrences of a stem: 3 bytes a passage, ordinal in the block of 65,536 and weight from 1 to 255."""

    __tablename__ = "search_postings"

    jurisdiction: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    stem: Mapped[str] = mapped_column(primary_key=True)
    block: Mapped[int] = mapped_column(primary_key=True)
    postings: Mapped[bytes] = mapped_column(sa.LargeBinary)

    __table_args__ = ({"postgresql_partition_by": "LIST (jurisdiction)"},)


class SearchModel(Base):
    """An embedding model of one collection; `passages` is how many there were when it was registered."""

    __tablename__ = "search_models"

    jurisdiction: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    model: Mapped[str] = mapped_column(primary_key=True)
    dimensions: Mapped[int]
    passages: Mapped[int]
    made_at: Mapped[datetime]


class SearchProjection(Base):
    """Unused since LSA was removed (decision 045); a later release drops the table.

    Processes of the release before still read and write it while both run.
    """

    __tablename__ = "search_projections"

    model: Mapped[str] = mapped_column(primary_key=True)
    stem: Mapped[str] = mapped_column(primary_key=True)
    weights: Mapped[bytes] = mapped_column(sa.LargeBinary)


class SearchVector(Base):
    """The embedding of a passage with the model that made it; models are never mixed in a comparison."""

    __tablename__ = "search_vectors"

    jurisdiction: Mapped[str] = mapped_column(primary_key=True)
    model: Mapped[str] = mapped_column(primary_key=True)
    passage_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    embedding: Mapped[bytes] = mapped_column(HALFVEC())

    __table_args__ = (
        _passage(),
        sa.Index("ix_search_vectors_passage_id", "passage_id"),
        {"postgresql_partition_by": "LIST (jurisdiction)"},
    )
