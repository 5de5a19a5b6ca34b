"""The table of the citator: public law, of no tenant, readable by every process."""

from __future__ import annotations

import uuid
from datetime import date

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base


class CitatorEdge(Base):
    """One authority speaks of another: with which treatment, how often, and where that was read.

    `citing` and `cited` are normal forms of `app.citations` (`CO:CC:T-760/08`, `ES:ley:39/2015`), so that an
    edge may point at what is not loaded yet; `article` is that of a cited norm, or empty. `partial` is true
    where only part of what is cited was struck down or repealed. `source` says where it was read: in the
    `text` of the citing judgment or norm, `reported` by a third (whose id is `reader`), in the `registry`, or
    in the `versions` of a norm; `line` are the words that say so, where it is more than a citation. `reader`
    is the row that was read: reading it again replaces its edges.
    """

    __tablename__ = "citator_edges"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    jurisdiction: Mapped[str]
    reader: Mapped[uuid.UUID]
    citing_kind: Mapped[str]
    citing: Mapped[str]
    cited_kind: Mapped[str]
    cited: Mapped[str]
    article: Mapped[str] = mapped_column(server_default="")
    treatment: Mapped[str]
    partial: Mapped[bool] = mapped_column(server_default=sa.false())
    times: Mapped[int]
    dated: Mapped[date | None]
    source: Mapped[str]
    line: Mapped[str | None]

    __table_args__ = (
        sa.CheckConstraint("citing_kind IN ('judgment', 'norm')", name="citing_known"),
        sa.CheckConstraint("cited_kind IN ('judgment', 'norm')", name="cited_known"),
        sa.CheckConstraint(
            "treatment IN ('cites', 'follows', 'distinguishes', 'overrules', 'annuls', "
            "'declares_unconstitutional', 'upholds_conditionally', 'amends', 'repeals')",
            name="treatment_known",
        ),
        sa.CheckConstraint("source IN ('text', 'reported', 'registry', 'versions')", name="source_known"),
        sa.Index("ix_citator_edges_cited_article", "cited", "article"),
        sa.Index("ix_citator_edges_citing", "citing"),
        sa.Index("ix_citator_edges_reader", "reader"),
    )
