"""Which judgments are still good law: the citator asked on behalf of an analysis."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from app import citator, corpus
from app.platform import db


def still_good(judgments: Sequence[corpus.HeldJudgment], on: date) -> frozenset[UUID]:
    """Ids of those of `judgments` against which, having read who cites them, the citator knows nothing."""
    with db.reading() as session:
        return frozenset(
            one.id
            for one in judgments
            if citator.good_law(
                session,
                citator.Authority(
                    "judgment",
                    one.canonical,
                    "",
                    one.jurisdiction,
                    one.title,
                    one.url,
                    one.dated,
                    True,
                    one.id,
                ),
                on,
            )
        )
