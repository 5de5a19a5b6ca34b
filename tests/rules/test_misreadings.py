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
        for right in entry.counterexamples:
            cited = next(one for one in extract(right, entry.country) if one.articles)
            assert misread(cited, f"{right[: cited.start]} {right[cited.end :]}") is None, right
        assert misread(citation, f"as it provides: {entry.says.en}") is None, entry.cite


def test_what_an_article_of_another_country_says_is_no_misquotation_of_a_spanish_one() -> None:
    keys = {(one.citation.norm, one.citation.articles[0]) for one in misreadings()}
    assert not keys & {(one.citation.norm, one.citation.articles[0]) for one in misreadings_of_countries()}


def test_an_entry_of_the_whole_article_does_not_silence_the_one_of_its_paragraph() -> None:
    # The file has "art. 121 LPAC" whole, and of article 55 ET the whole and its first paragraph.
    assert (
        misread(*_split("Según el artículo 55 del Estatuto de los Trabajadores basta decirlo de palabra"))
        is not None
    )
    assert (
        misread(*_split("El artículo 55.1 del Estatuto de los Trabajadores no exige detallar los hechos"))
        is not None
    )
    assert (
        misread(*_split("Conforme al artículo 12 de la Ley 10/2021 el trabajador asume los gastos"))
        is not None
    )


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (
            "Según el artículo 548 de la Ley de Enjuiciamiento Civil, la ejecución puede pedirse a los "
            "cinco días",
            "Han transcurrido los veinte días del artículo 548 de la Ley de Enjuiciamiento Civil",
        ),
        (
            "El artículo 57 de la Ley Orgánica 4/2000 permite imponer la multa además de la expulsión",
            "En ningún caso podrán imponerse conjuntamente la expulsión y la multa, según el artículo "
            "57 de la Ley "
            "Orgánica 4/2000",
        ),
        (
            "Según el artículo 63 de la Ley 39/2015, el mismo órgano puede instruir y resolver",
            "La instrucción y la sanción se encomiendan a órganos distintos, según el artículo 63 de la "
            "Ley 39/2015",
        ),
        (
            "De conformidad con el artículo 58 del Estatuto de los Trabajadores, que autoriza a "
            "descontar vacaciones",
            "No se podrán imponer sanciones que reduzcan las vacaciones, según el artículo 58 del "
            "Estatuto de los "
            "Trabajadores",
        ),
    ],
)
def test_misquotations_of_labour_and_public_law_are_heard_and_fair_paraphrases_are_not(
    wrong: str, right: str
) -> None:
    assert misread(*_split(wrong)) is not None
    assert misread(*_split(right)) is None
