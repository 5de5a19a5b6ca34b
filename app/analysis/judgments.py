"""Read judgments for an analysis: their loaded texts, and which are still good law."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from uuid import UUID

from app import citator, corpus
from app.platform.postgres import db


def good_judgments(judgments: Sequence[corpus.LoadedJudgment], on: date) -> frozenset[UUID]:
    """Return the ids of those `judgments` against which the citator knows nothing (decision 034).

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
    """Return the loaded texts of judgments by id; one with only an entry in an index has none."""
    with db.reading() as session:
        return corpus.judgment_texts(session, judgments)
