"""Which subdivisions of an article a citation names: in it, before it and after it, outermost first."""

from __future__ import annotations

import time

import pytest

from app.citations import Division, extract
from app.citations.citation import range_ends


@pytest.mark.parametrize(
    ("text", "jurisdiction", "named"),
    [
        ("artículo 36.1 LAU", "ES", "any 1"),
        ("art. 36, apartado 2, párrafo segundo, de la LAU", "ES", "paragraph 2, block 2"),
        ("la letra b) del apartado 2 del artículo 6 del RGPD", "ES", "paragraph 2, letter b"),
        ("art. 6.1.f) RGPD", "ES", "any 1, any f"),
        ("el apartado 1.f) del artículo 6 RGPD", "ES", "paragraph 1, any f"),
        ("artículo 36 de la LAU, apartado 9", "ES", "paragraph 9"),
        ("artículo 36 LAU, en sus apartados 1 y 3", "ES", "paragraph 1+3"),
        ("el segundo párrafo del art. 1124 del Código Civil", "ES", "block 2"),
        ("último párrafo del artículo 1124 CC", "ES", "block last"),
        ("los apartados 1 a 3 del artículo 36 de la LAU", "ES", "paragraph 1+2+3"),
        ("los apartados 4, 4 bis y 5 del artículo 37 ET", "ES", "paragraph 4+4 bis+5"),
        ("letras a) a d) del artículo 52 ET", "ES", "letter a+b+c+d"),
        ("arts. 36.1 y 2, 37.3 LAU", "ES", "any 1+2; any 3"),
        ("artículo 20.1, último párrafo, LAU", "ES", "any 1, block last"),
        ("artículo treinta y seis LAU, apartado 2", "ES", "paragraph 2"),
        ("art. 249.1.6.º LEC", "ES", "any 1, any 6"),
        ("el apartado 1 del artículo 6 RGPD, letra b)", "ES", "paragraph 1, letter b"),
        ("artículo 47, fracción IV, inciso a), de la Ley Federal del Trabajo", "MX", "fraction iv, letter a"),
        ("las fracciones I a V del artículo 95 de la CPEUM", "MX", "fraction i+ii+iii+iv+v"),
        ("numeral 5 del literal A del artículo 62 del CST", "CO", "letter a, paragraph 5"),
        ("inciso segundo del artículo 64 del Código Sustantivo del Trabajo", "CO", "block 2"),
        ("parágrafo 1 del artículo 64 del CST", "CO", "added 1"),
        ("§ 1 Abs. 2 Satz 1 KSchG", "DE", "paragraph 2, sentence 1"),
        ("§ 433 II 1 BGB", "DE", "paragraph 2, sentence 1"),
        ("article 1240, alinéa 2, du Code civil", "FR", "block 2"),
        ("l'alinéa 2 de l'article 1240 du Code civil", "FR", "block 2"),
        ("art. 1341, comma 2, c.c.", "IT", "block 2"),
        ("il secondo comma dell'art. 1341 c.c.", "IT", "block 2"),
        ("alínea b) do n.º 2 do artigo 186.º do Código de Processo Civil", "PT", "paragraph 2, letter b"),
        ("subsection (2)(b) of section 11 of the Landlord and Tenant Act 1985", "GB", "paragraph 2, any b"),
        ("section 11(1A)(b)(ii) of the Landlord and Tenant Act 1985", "GB", "any 1a, any b, any ii"),
        ("point (f) of Article 6(1) GDPR", "EU", "any 1, any f"),
        ("the second subparagraph of Article 6(1) of the GDPR", "EU", "any 1, block 2"),
    ],
)
def test_subdivisions_are_read_in_every_order(text: str, jurisdiction: str, named: str) -> None:
    found = next(one for one in extract(text, jurisdiction) if one.articles)
    assert "; ".join(", ".join(_shown(part) for part in one) for one in found.divisions) == named


def _shown(division: Division) -> str:
    return f"{division.kind} {'+'.join(division.values)}"


@pytest.mark.parametrize(
    "text",
    [
        "art. 36 LAU",
        "art. 36 LAU, apartado 2 del contrato",
        "La cláusula 4, apartado 2, y el artículo 36 LAU.",
        "los artículos 9 a 12 LAU",
        "art. 4 Reglamento «Roma II» (n.º 864/2007)",
    ],
)
def test_subdivisions_of_something_else_are_not_the_articles(text: str) -> None:
    assert [one.divisions for one in extract(text, "ES") if one.norm] == [()]


def test_an_article_in_a_list_is_no_further_paragraph_of_the_one_before() -> None:
    (citation,) = extract("los artículos 2, apartado 2, y 11, apartados 2 y 5, LAU", "ES")
    values = [[part.values for part in of_one] for of_one in citation.divisions]
    assert (citation.articles, values) == (("2", "11"), [[("2",)], [("2", "5")]])


def test_a_range_is_told_from_a_number_with_a_hyphen() -> None:
    assert [range_ends(one) for one in ("82-91", "1231-5", "L221-5", "9 bis")] == [
        ("82", "91"),
        ("1231-5",),
        ("L221-5",),
        ("9 bis",),
    ]


def test_article_zero_and_letters_behind_a_comma_are_read_as_written() -> None:
    assert [one.articles for one in extract("artículo 0 LAU", "ES")] == [("0",)]
    (found,) = extract("art. 36.1, b) LAU", "ES")
    assert (found.pinpoint, found.text) == ("1.b", "art. 36.1, b) LAU")


def test_a_law_named_right_before_its_article_is_not_left_out() -> None:
    found = extract("Así lo exige la Ley 39/2015, de 1 de octubre, en su artículo 900.", "ES")
    assert [("elided" in one.ids, one.articles) for one in found] == [(False, ()), (False, ("900",))]


def test_hostile_lists_of_letters_take_no_longer_than_their_length() -> None:
    began = time.process_time()
    extract("letra i, i y i a i " * 20_000 + "del artículo 6 RGPD", "ES")
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("jurisdiction", "text", "values"),
    [
        ("MX", "art. 47 fr. II y fr. X LFT", ("ii", "x")),
        ("ES", "art. 5, apartado 1 y apartado 3, de la LEC", ("1", "3")),
    ],
)
def test_a_word_said_again_before_a_second_value_names_both(
    jurisdiction: str, text: str, values: tuple[str, ...]
) -> None:
    (one,) = extract(text, jurisdiction)
    assert [part.values for part in one.divisions[0]] == [values]
