"""What a report says of an answer, before it has a format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from app import governance
from app.reports.blocks import Block, Composition, Facts, Figures, Heading, StatementBlock, Table, Warnings
from app.reports.composition import compose
from tests.reports.answers import OCCASION, SAID, answer, failure, statement


def composed(*answers: dict[str, Any], several: bool = False) -> Composition:
    return compose(answers or (answer(),), OCCASION, several=several)


def blocks(report: Composition) -> list[Block]:
    return [*report.opening, *(one for chapter in report.chapters for one in chapter.blocks), *report.closing]


def texts(value: Any) -> Iterator[str]:
    """Every string in a composition."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for one in fields(value):
            yield from texts(getattr(value, one.name))
    elif isinstance(value, Sequence | frozenset):
        for one in value:
            yield from texts(one)


def cards(report: Composition) -> list[StatementBlock]:
    return [one for one in blocks(report) if isinstance(one, StatementBlock)]


@pytest.mark.parametrize("words", SAID)
def test_nothing_that_the_answer_says_is_lost(words: str) -> None:
    assert any(words in one for one in texts(composed()))


def test_risks_come_first_and_the_gravest_before_the_others() -> None:
    report = composed()
    assert [one.number for one in cards(report)][:2] == [2, 1]
    headings = [one.text for one in blocks(report) if isinstance(one, Heading) and one.level == 2]
    assert headings == [
        "Riesgos", "Plazos e importes", "Cláusulas que faltan", "Otras recomendaciones", "Razonamiento",
        "Comprobación de las citas", "Auditoría del nodo B", "Avisos para revisar",
        "Límites de este análisis", "Inventario del documento", "Sobre este informe",
    ]  # fmt: skip


def test_what_to_do_stands_with_its_risk_and_has_its_own_lock() -> None:
    [risk] = [one for one in cards(composed()) if one.number == 2]
    told = {line.label: line.text for line in risk.lines}
    assert told["Qué hacer"] == "Suprimir la exclusión. [L4]"
    assert told["Regla"] == "La prórroga es forzosa. [L4]"
    assert told["Discutida"] == "El nodo B no ve la exclusión."
    assert [one.number for one in cards(composed())].count(5) == 0


def test_an_inference_is_told_as_one_wherever_it_stands() -> None:
    report = composed()
    for one in cards(report):
        assert (one.lock == "L4") == ("inferencia" in one.lock_words)
    rows = [row for one in blocks(report) if isinstance(one, Table) for row in one.rows]
    inferred = [row[2] for row in rows if row[-1].text == "L4"]
    assert len(inferred) == 3
    assert {cell.below for cell in inferred} == {"inferencia, debe revisarse"}


def test_warnings_of_the_whole_come_before_everything_else() -> None:
    [found] = [one for one in blocks(composed()) if isinstance(one, Warnings)]
    assert [one[:20] for one in found.items] == [
        "No toda autoridad pu", "El documento apunta ", "La página se leyó ma", "Hay una cita que no ",
        "El nodo B no llegó a",
    ]  # fmt: skip
    clean = answer(
        assessment="full", assessmentNote=None, detectedJurisdiction={"code": "ES", "confidence": 1.0},
        documentWarnings=[], audit=None,
    )  # fmt: skip
    clean["citationChecks"]["checks"].pop()
    assert not [one for one in blocks(composed(clean)) if isinstance(one, Warnings)]


def test_counts_are_those_of_the_answer() -> None:
    [found] = [one for one in blocks(composed()) if isinstance(one, Figures)]
    assert [(number, words) for number, words, _ in found.items] == [
        ("2", "riesgos (1 alto)"), ("1", "plazo"), ("2", "citas comprobadas"), ("1", "cita que falla"),
        ("1", "objeción del nodo B"), ("2", "avisos para revisar"),
    ]  # fmt: skip


def test_broken_citations_come_first_and_only_web_addresses_are_links() -> None:
    checks = next(one for one in blocks(composed()) if isinstance(one, Table) and len(one.columns) == 3
                  and one.columns[0] == "Cita")  # fmt: skip
    assert [(row[0].text, row[0].url) for row in checks.rows] == [
        ("STS 999/2030", None),
        ("art. 36 LAU", "https://www.boe.es/eli/es/l/1994/11/24/29"),
    ]
    assert checks.rows[0][1].mark == "bad"


def test_the_hash_is_that_of_the_analysis_as_it_was_written() -> None:
    analysis = "con un carácter \x0b que nadie puede imprimir"
    rows = dict(
        row
        for one in composed(answer(analysis=analysis)).closing
        if isinstance(one, Facts)
        for row in one.rows
    )
    assert rows["Huella del análisis (SHA-256)"] == governance.content_hash(analysis)


def test_characters_that_no_file_can_hold_are_left_out() -> None:
    found = answer(summary="a\x00b\x0bc\ud800d\ufffee")
    assert "a b c d e" in set(texts(composed(found)))


def test_a_report_in_english_speaks_english() -> None:
    report = composed(answer(language="en"))
    assert (report.frame.title, report.frame.page) == ("Analysis report", "Page")
    assert "inference, needs review" in {one.lock_words for one in cards(report)}
    assert next(one.text for one in blocks(report) if isinstance(one, Heading)) == "Risks"


def test_what_a_model_wrote_is_said_to_be_generated_by_one() -> None:
    assert composed().frame.origin_code == "algorithmicMedia"
    origin = {"generated": True, "by": None, "engine": "some-model+audit-1", "reviewed": True}
    report = composed(answer(contentOrigin=origin))
    assert report.frame.origin_code == "trainedAlgorithmicMedia"
    assert "inteligencia artificial (some-model+audit-1)" in report.frame.origin
    assert ("Revisión humana", "consta") in {
        row for one in blocks(report) if isinstance(one, Facts) for row in one.rows
    }


def test_a_batch_has_a_chapter_for_each_document_and_names_those_that_failed() -> None:
    report = composed(
        answer(id="a-1"), failure(), answer(id="c-3", language="en", documentKind="lease"), several=True
    )
    assert [
        (one.language, one.blocks[0].text) for one in report.chapters if isinstance(one.blocks[0], Heading)
    ] == [
        ("es", "1. Contrato de arrendamiento de vivienda"),
        ("en", "3. Lease"),
    ]
    listed, failed = (one for one in report.opening if isinstance(one, Table))
    assert [row[0].text for row in listed.rows] == ["1", "3"]
    assert [[cell.text for cell in row] for row in failed.rows] == [
        ["2", "b-2", "text: must have 50 to 50000 characters, has 3."]
    ]


def test_a_batch_of_failures_alone_is_a_list_of_them() -> None:
    report = composed(failure(), failure(id=None), several=True)
    assert not report.chapters
    assert [row[1].text for one in report.opening if isinstance(one, Table) for row in one.rows] == [
        "b-2",
        "–",
    ]


def test_statements_that_name_each_other_are_all_shown() -> None:
    found = answer(
        statements=[
            statement(1, "risks", "Uno.", severity="high", about="s1"),
            statement(2, "recommendations", "Dos.", about="s9", part="recommendation"),
        ]
    )
    assert [one.head for one in cards(composed(found))] == ["Uno.", "Dos."]


def test_an_answer_without_the_newer_fields_still_has_a_report() -> None:
    old = answer()
    for name in ("language", "documentKind", "summary", "scope", "reviewFlags", "documentWarnings"):
        del old[name]
    assert composed(old).frame.subtitle == "Documento"


def test_no_part_shows_its_text_in_a_log() -> None:
    assert "prórroga" not in repr(composed())
    assert "prórroga" not in repr(blocks(composed()))
