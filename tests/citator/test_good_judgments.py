"""Whether judgments are still good law, asked for all of a document at once."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import pytest
import sqlalchemy as sa

from app import citator, corpus
from app.analysis.checks.citation_checker import good_judgments
from app.platform import clock
from app.platform.postgres import db
from tests.corpus.conftest import clear

_ON = date(2026, 1, 1)
_TREATMENTS = ["cites", "overrules", "annuls", "distinguishes", "follows"]


@pytest.fixture
def judgments(app: object) -> Iterator[list[corpus.LoadedJudgment]]:
    """Forty judgments of two countries, each treated in another way by one or several others."""
    clear()
    made: list[corpus.LoadedJudgment] = []
    with db.transaction() as session:
        for place in range(40):
            code = "CO" if place % 8 else "ZZ"
            form, key = f"{code}:CC:T-{100 + place}/01", uuid.uuid4()
            values = {"id": key, "code": code, "form": form, "now": clock.now(), "dated": date(2001, 1, 1)}
            session.execute(
                sa.text(
                    "INSERT INTO corpus_judgments (id, jurisdiction, canonical, court, kind,"
                    " title, dated, source, text_known, facts, digest, loaded_at) VALUES (:id, :code,"
                    " :form, 'Corte', 'sentencia', :form, :dated, 'test', true, '{}', '', :now)"
                ),
                values,
            )
            made.append(corpus.LoadedJudgment(key, code, form, form, None, date(2001, 1, 1), None, None))
        for place, one in enumerate(made):
            for times in range(place % 4):
                by = made[(place + times + 1) % len(made)]
                session.execute(
                    sa.text(
                        "INSERT INTO citator_edges (id, jurisdiction, reader, citing_kind, citing,"
                        " cited_kind, cited, article, treatment, partial, times, dated, source) VALUES"
                        " (gen_random_uuid(), 'CO', :reader, 'judgment', :citing, 'judgment', :cited, '',"
                        " :treatment, :partial, 1, :dated, 'text')"
                    ),
                    {
                        "reader": by.id,
                        "citing": by.canonical,
                        "cited": one.canonical,
                        "treatment": _TREATMENTS[(place + times) % len(_TREATMENTS)],
                        "partial": place % 3 == 0,
                        "dated": None if place % 5 == 0 else date(2030 if place % 7 == 0 else 2010, 1, 1),
                    },
                )
    yield made
    clear()


@contextmanager
def _statements() -> Iterator[list[str]]:
    sent: list[str] = []

    def told(_c: object, _u: object, statement: str, *_: object) -> None:
        sent.append(statement)

    sa.event.listen(db.engine(), "before_cursor_execute", told)
    try:
        yield sent
    finally:
        sa.event.remove(db.engine(), "before_cursor_execute", told)


def test_all_at_once_they_stand_as_one_by_one(judgments: list[corpus.LoadedJudgment]) -> None:
    with db.reading() as session:
        alone = {
            one.id
            for one in judgments
            if (authority := citator.resolve(session, str(one.id)))
            and citator.standing_of(session, authority, on=_ON).standing == "good"
        }
    assert good_judgments(judgments, _ON) == alone
    assert 0 < len(alone) < len(judgments)


def test_thirty_judgments_cost_no_more_statements_than_three(judgments: list[corpus.LoadedJudgment]) -> None:
    with _statements() as few:
        good_judgments(judgments[:3], _ON)
    with _statements() as many:
        good_judgments(judgments[:30], _ON)
    assert 0 < len(many) <= max(len(few), 5)


def test_no_judgment_is_no_question(app: object) -> None:
    with _statements() as sent:
        assert good_judgments([], _ON) == frozenset()
    assert sent == []
