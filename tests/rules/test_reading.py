"""A document is read once, whoever asks, and the many words of its kind are looked for together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.rules import Brief, Document, Reading, RulesEngine, find_inconsistencies
from app.rules.brief import reading_of
from app.rules.document import Span, compile_pattern
from app.rules.pattern_set import PatternSet
from app.rules.rulebook.loader import rulebook
from tests.cast import LEASE

SAMPLES = sorted(Path(__file__).parents[1].glob("analysis/golden/*.txt"))


def test_a_brief_with_a_reading_is_answered_alike_and_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Brief(LEASE, "ES", "civil", "es")
    reading = Reading(LEASE, "ES")
    drafted = RulesEngine().analyse(replace(plain, reading=reading))
    found = find_inconsistencies(replace(plain, reading=reading))
    assert drafted == RulesEngine().analyse(plain)
    assert found == find_inconsistencies(plain)
    read: list[str] = []
    monkeypatch.setattr("app.rules.reading.extract_facts", lambda text, _: read.append(text))
    RulesEngine().analyse(replace(plain, reading=reading))
    find_inconsistencies(replace(plain, reading=reading))
    assert read == []


@pytest.mark.parametrize("other", [{"text": "Otra cosa."}, {"jurisdiction": "MX"}])
def test_a_reading_of_something_else_is_not_used(other: dict[str, str]) -> None:
    brief = replace(Brief(LEASE, "ES", "civil", "es", reading=Reading(LEASE, "ES")), **other)
    assert reading_of(brief).text == brief.text
    assert reading_of(brief).jurisdiction == brief.jurisdiction
    assert LEASE not in repr(brief) or brief.text == LEASE


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_words_of_kinds_stand_where_each_alone_is_found(path: Path) -> None:
    document = Document(path.read_text("utf-8"))
    words = [one for kind in rulebook().kinds for one in (*kind.signals, *kind.against)]
    found = PatternSet([one.compiled for one in words]).standing_in(document)
    assert found == {at for at, one in enumerate(words) if document.find(one.compiled) is not None}


def test_no_word_of_a_kind_matches_nothing_at_all() -> None:
    for kind in rulebook().kinds:
        for one in (*kind.signals, *kind.against):
            assert one.compiled.search(b"") is None, f"{kind.id}: {one.source}"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_what_is_ruled_out_is_not_found_when_looked_for(path: Path) -> None:
    document = Document(path.read_text("utf-8"))
    for kind in ("housing_lease", "employment", "loan", "unknown"):
        absent = rulebook().searches(kind).absent_from(document)
        assert absent
        assert [one.pattern for one in absent if document.find(one) is not None] == []


def test_a_pattern_ruled_out_is_not_looked_for() -> None:
    document, pattern = Document("La renta es de 900 euros. La renta sube."), compile_pattern("renta")
    assert document.find(pattern) == Span(3, 8)
    document.rule_out([pattern])
    assert document.find(pattern) is None
    assert document.find_all(pattern) == []
    assert len(document.find_all(compile_pattern("renta"))) == 2
