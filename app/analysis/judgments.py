"""Which judgments are still good law: the citator asked on behalf of an analysis."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from uuid import UUID

from app import citator, corpus
from app.platform.postgres import db


def good_judgments(judgments: Sequence[corpus.LoadedJudgment], on: date) -> frozenset[UUID]:
    """Ids of those of `judgments` against which, having read who cites them, the citator knows nothing.

    One question for all of them: the number of statements does not grow with their number.
    """
    asked = [
        citator.Authority(
            "judgment", one.canonical, "", one.jurisdiction, one.title, one.url, one.dated, True, one.id
        )
        for one in judgments
    ]
    with db.reading() as session:
        return citator.good_judgments(session, asked, on)


def judgment_texts(judgments: Collection[UUID]) -> Mapping[UUID, str]:
    """The loaded text of judgments, by id; those of which only an index entry is loaded have none."""
    with db.reading() as session:
        return corpus.judgment_texts(session, judgments)
