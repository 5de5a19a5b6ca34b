"""Quotations beside a text: what is forgiven, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.citations import extract
from app.corpus.quote_match import compare, misnamed

LAW = (
    "1. El plazo será de tres meses. El arrendador no podrá exigir garantía adicional superior a dos "
    "mensualidades, salvo pacto en contrario.\n\n"
    "2. La indemnización por el transporte corresponderá al **Tribunal** competente, que resolverá "
    "en el plazo de diez días hábiles. La multa será de 1.800 euros o del 5 % del importe."
)
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.mark.parametrize(
    "claim",
    [
        "El plazo será de tres meses.",
        "«el plazo SERÁ de   tres\nmeses»",
        "El plazo sera de tres meses",
        "El arrendador no podrá exigir garantía adicional […] salvo pacto en contrario",
        "El plazo será de tres meses... diez días hábiles",
        "contrario. La indemnización por el transporte",
        "1. El plazo será de tres meses",
        "El tribunal competente, que resolverá"[3:],
        "La multa será de 1800 euros o del 5 por ciento del importe",
        "la indemni-\nzación por el transporte corresponderá",
    ],
)
def test_what_does_not_change_the_words_is_literal(claim: str) -> None:
    assert compare(claim, LAW).match == "literal"


@pytest.mark.parametrize(
    ("claim", "kind", "reason"),
    [
        ("El arrendador podrá exigir garantía adicional superior a dos mensualidades", "meaning", "negation"),
        ("podrá exigir garantía adicional superior a dos mensualidades", "meaning", "negation"),
        ("El arrendador […] podrá exigir garantía adicional", "meaning", "negation"),
        ("El arrendador no deberá exigir garantía adicional", "meaning", "modality"),
        ("El plazo será de seis meses", "meaning", "number"),
        ("La multa será de 1.900 euros", "meaning", "number"),
        ("El arrendatario no podrá exigir garantía adicional superior", "meaning", "subject"),
        ("superior a dos mensualidades, incluso pacto en contrario", "meaning", "exception"),
        ("pacto en contrario", "meaning", "exception"),
        ("La indemnización por el transporte corresponderá al Tribunal incompetente", "meaning", "negation"),
        ("La compensación por el transporte corresponderá al Tribunal", "lexical", None),
        ("El plazo será de tres meses. La indemnización por el transporte corresponderá", "stitched", None),
        ("Los astros inclinan pero no obligan", "lexical", None),
        ("...", "lexical", None),
    ],
)
def test_a_word_more_less_or_other_is_refused(claim: str, kind: str, reason: str | None) -> None:
    found = compare(claim, LAW)
    assert (found.right, found.kind) == (False, kind)
    if reason:
        assert found.reason == reason


def test_a_slip_of_the_pen_is_forgiven_where_no_meaning_hangs_on_it() -> None:
    assert compare("La indemnizacón por el transporte corresponderá al Tribunal", LAW).match == "near"
    # An ending is no slip: it tells who and how many.
    assert not compare("Las indemnizaciones por el transporte corresponderán al Tribunal", LAW).right


def test_a_heading_may_be_quoted_and_negates_nothing_below_it() -> None:
    assert compare("Plazo, determinado o no. El plazo será", LAW, "Plazo, determinado o no").right
    assert compare("El plazo será de tres meses", LAW, "Plazo, determinado o no").right


def test_a_number_under_the_name_of_another_law_is_told() -> None:
    def of(written: str) -> str | None:
        return misnamed(extract(written, "ES")[0], written)

    assert of("Ley 29/1994, de 24 de noviembre, de Propiedad Horizontal") == "Ley de Propiedad Horizontal"
    assert of("Ley 29/1994, de 24 de noviembre, de Arrendamientos Urbanos") is None
    assert of("art. 1902 del Código Civil") is None


@pytest.mark.skipif(not (DATA / "es_statutes").is_dir(), reason="no folder ../shared/data with es_statutes")
def test_every_article_of_the_civil_code_quoted_back_is_literal() -> None:
    from benchmarks.law_articles import spanish

    code = [one for one in spanish(DATA / "es_statutes") if one.law == "BOE-A-1889-4763" and one.text.strip()]
    wrong = [one.key for one in code if compare(one.text, one.text, one.heading).match != "literal"]
    assert (len(code) > 1_900, wrong) == (True, [])


def test_hostile_claims_take_no_longer_than_their_length_allows() -> None:
    assert not compare("a " * 5_000, "a b " * 5_000).right
    assert not compare("... " * 2_500 + "x", "y " * 5_000).right
