"""What provisions are often said to provide, and do not: the file, and the reading of it."""

from __future__ import annotations

import pytest

from app.citations import Citation, extract
from app.rules import misread
from app.rules.misreadings import Misreading, misreadings, misreadings_of_countries

ENTRIES = pytest.mark.parametrize("entry", misreadings(), ids=lambda one: one.cite)


def _split(text: str) -> tuple[Citation, str]:
    """The citation of an article in a sentence, and the rest of the sentence."""
    citation = next(one for one in extract(text, "ES") if one.articles)
    return citation, f"{text[: citation.start]} {text[citation.end :]}"


@ENTRIES
def test_an_entry_names_one_article_of_a_known_law(entry: Misreading) -> None:
    assert entry.citation.norm
    assert entry.examples


@ENTRIES
def test_each_example_is_a_misquotation_and_no_counterexample_is(entry: Misreading) -> None:
    assert all(misread(*_split(one)) is not None for one in entry.examples)
    assert all(misread(*_split(one)) is None for one in entry.counterexamples)


def test_no_article_is_entered_twice() -> None:
    cites = [one.cite for one in misreadings()]
    assert len(cites) == len(set(cites))


def test_a_paragraph_is_not_judged_by_what_is_wrongly_said_of_another() -> None:
    assert misread(*_split("Dispone de seis meses, según el artículo 36.1 de la LAU")) is not None
    assert misread(*_split("La subida será mensual, según el artículo 36.6 de la LAU")) is None


def test_of_an_article_cited_whole_the_entries_of_its_paragraphs_are_not_asked_where_there_are_several() -> (
    None
):
    assert misread(*_split("Sin interés alguno, según el artículo 36 de la LAU")) is None
    assert misread(*_split("Sin interés alguno, según el artículo 36.4 de la LAU")) is not None


def test_capitals_and_missing_accents_do_not_hide_a_misquotation() -> None:
    text = "LA RENTA DE SEIS MESES SE PAGA POR ADELANTADO SEGUN EL ARTICULO 17.2 DE LA LAU"
    assert misread(*_split(text)) is not None


def test_what_is_wrongly_said_of_articles_of_other_countries_is_heard_and_what_is_right_is_not() -> None:
    entries = misreadings_of_countries()
    assert len(entries) > 30
    for entry in entries:
        citation = entry.citation
        assert citation.norm, entry.cite
        for example in entry.examples:
            cited = next(one for one in extract(example, entry.country) if one.articles)
            said = f"{example[: cited.start]} {example[cited.end :]}"
            assert misread(cited, said) is not None, example
        assert misread(citation, f"as it provides: {entry.says.en}") is None, entry.cite


def test_what_an_article_of_another_country_says_is_no_misquotation_of_a_spanish_one() -> None:
    keys = {(one.citation.norm, one.citation.articles[0]) for one in misreadings()}
    assert not keys & {(one.citation.norm, one.citation.articles[0]) for one in misreadings_of_countries()}
