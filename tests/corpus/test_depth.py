"""How deep a citation is checked, and that its note claims no more (decision 016)."""

from __future__ import annotations

import re
from datetime import date

import pytest

from app.citations import extract
from app.corpus import (
    LoadedNorm,
    LookupResult,
    Verdict,
    apply_comparison,
    compare_cited,
    verify,
    words_of_place,
)
from app.corpus.lookup.norms import norm_ids
from app.text.bilingual import Bilingual

TODAY = date(2026, 4, 30)
TEXT = """1. La garantía será de una mensualidad de renta en las viviendas.

2. Durante los cinco primeros años no se actualizará:

a) Si el arrendador es persona física.

b) (Suprimida)

3. El saldo devengará intereses pasado un mes."""
PROSE = "Quien causa daño a otro lo repara."


def lookup_result(texts: dict[str, str] | None = None, key: str = "ES:ley:29/1994") -> LookupResult:
    texts = {"36": TEXT, "37": PROSE} if texts is None else texts
    held = LoadedNorm(
        official_id="BOE-A-1994-26003", title="LAU", url=None, whole=True, texts=True, edition=date(2026, 1,
        2),
        articles=dict.fromkeys(("36", "37"), "in_force"), last=40,
        words={number: ("", text) for number, text in texts.items()},
    )  # fmt: skip
    return LookupResult({norm_ids(key)[0]: held})


def verdict(text: str, held: LookupResult | None = None) -> Verdict:
    citation = next(one for one in extract(text, "ES") if one.articles)
    return verify(citation, TODAY, lookup_result() if held is None else held)


@pytest.mark.parametrize(
    ("text", "status", "depth", "said"),
    [
        ("artículo 36 LAU", "verified", "article", "contiene el artículo 36;"),
        ("artículo 36.2 LAU", "verified", "paragraph", "contiene el apartado 2 del artículo 36;"),
        ("la letra a) del apartado 2 del artículo 36 LAU", "verified", "paragraph",
         "la letra a) del apartado 2 del artículo 36"),
        ("artículo 36.9 LAU", "not_found", "paragraph",
         "no existe el apartado 9 del artículo 36. Tiene los apartados 1 a 3."),
        ("artículo 36 LAU, en su apartado séptimo", "not_found", "paragraph", "el apartado 7 del"),
        ("apartados 2 a 5 del artículo 36 LAU", "not_found", "paragraph", "el apartado 4 del artículo 36"),
        ("artículo 36.2.b) LAU", "not_found", "paragraph", "apartado 2 del artículo 36 figura sin"),
        ("artículo 36.2.c) LAU", "not_found", "paragraph", "no existe la letra c) del apartado 2"),
        ("artículo 37, párrafo segundo, LAU", "not_found", "paragraph", "Consta de un solo párrafo"),
        ("último apartado del artículo 36 LAU", "verified", "paragraph", "el último apartado"),
        ("artículos 36.1 y 37.4 LAU", "not_found", "paragraph", "el apartado 4 del artículo 37"),
        ("artículo 37, inciso segundo, LAU", "verified", "article", "su estructura no permite comprobar"),
    ],
)  # fmt: skip
def test_a_citation_is_checked_to_the_depth_at_which_it_is_made(
    text: str, status: str, depth: str, said: str
) -> None:
    found = verdict(text)
    assert (found.status, found.depth, said in found.note) == (status, depth, True), found.note


def test_a_paragraph_of_an_article_that_is_not_loaded_is_verified_down_to_the_article_and_says_so() -> None:
    found = verdict("artículo 36.9 LAU", LookupResult())
    assert (found.status, found.depth) == ("verified", "article")
    assert "solo hasta el artículo" in found.note
    assert "only the article was" in found.note_en


def test_a_norm_without_articles_is_checked_as_a_norm_and_one_unknown_not_at_all() -> None:
    (law,) = extract("Ley 39/2015, de 1 de octubre", "ES")
    (unknown,) = extract("art. 5 de la Ley de Fundaciones", "ES")
    assert (verify(law, TODAY).depth, verify(unknown, TODAY).depth) == ("norm", None)


@pytest.mark.parametrize(
    "text",
    ["artículo 36 LAU", "artículo 36.2 LAU", "artículo 37, inciso segundo, LAU", "artículos 36 a 37 LAU",
     "arts. 36 y 37 LAU", "Ley 29/1994, de 24 de noviembre"],
)  # fmt: skip
@pytest.mark.parametrize("held", [LookupResult(), lookup_result()])
def test_the_note_of_what_is_verified_names_its_place_and_says_that_the_words_were_not_compared(
    text: str, held: LookupResult
) -> None:
    citation = next(iter(extract(text, "ES")))
    found = verify(citation, TODAY, held)
    assert found.status == "verified"
    for note, place in (
        (found.note, found.place and found.place.es),
        (found.note_en, found.place and found.place.en),
    ):
        assert place is None or place in note
    if citation.articles:
        assert re.search(r"no se ha cotejado|No se ha cotejado|solo hasta el artículo", found.note)
        assert re.search(r"not compared|only down to the article", found.note_en)
        assert "contiene lo citado" not in found.note


def test_a_range_says_that_its_ends_were_looked_at() -> None:
    assert "36 y 37, extremos del intervalo citado" in verdict("artículos 36 a 37 LAU").note


def test_words_that_were_compared_reach_the_depth_of_words_and_drop_the_reserve() -> None:
    (citation,) = extract("artículo 36.2 LAU", "ES")
    compared = compare_cited(citation, "Durante los cinco primeros años no se actualizará", TEXT)
    found = apply_comparison(verdict("artículo 36.2 LAU"), compared)
    assert (found.status, found.depth, found.similarity) == ("verified", "words", 1.0)
    assert "no se ha cotejado" not in found.note
    assert "el apartado 2 del artículo 36" in found.note


def test_words_of_another_paragraph_are_a_mismatch_of_the_place() -> None:
    (citation,) = extract("artículo 36.2 LAU", "ES")
    compared = compare_cited(citation, "La garantía será de una mensualidad de renta en las viviendas", TEXT)
    found = apply_comparison(verdict("artículo 36.2 LAU"), compared)
    assert (found.status, found.depth, found.mismatch_kind) == ("mismatch", "words", "lexical")
    assert found.note == (
        "Las palabras citadas figuran en otra parte del artículo, no en el apartado 2 del artículo 36."
    )


def test_words_found_where_the_paragraph_cannot_be_told_keep_that_reserve() -> None:
    (citation,) = extract("artículo 37, inciso segundo, LAU", "ES")
    found = apply_comparison(
        verdict("artículo 37, inciso segundo, LAU"), compare_cited(citation, PROSE, PROSE)
    )
    assert (found.status, found.depth) == ("verified", "words")
    assert "No se ha podido comprobar" in found.note
    assert "could not be checked" in found.note_en


def test_the_more_unlike_the_words_the_lower_the_similarity() -> None:
    (citation,) = extract("artículo 37 LAU", "ES")
    claims = (
        "Quien causa un daño a otro lo repara siempre",
        "Quien causa daño lo paga",
        "El mar es azul y profundo",
    )
    found = [compare_cited(citation, claim, PROSE).similarity for claim in claims]
    assert found == sorted(found, reverse=True)
    assert found[-1] < 0.3


def test_notes_are_in_both_languages() -> None:
    found = verdict("artículo 36.9 LAU")
    assert "has no paragraph 9 of article 36. It has paragraphs 1 to 3." in found.note_en
    assert isinstance(found.place, Bilingual)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("artículo 36 LAU", TEXT),
        ("artículo 36.3 LAU", "3. El saldo devengará intereses pasado un mes."),
        (
            "artículo 36.2.a) LAU",
            "2. Durante los cinco primeros años no se actualizará:\na) Si el arrendador es persona física.",
        ),
        # Which one is meant cannot be told: the whole article.
        ("artículo 36, apartados 1 y 3, LAU", TEXT),
    ],
)
def test_a_claim_is_held_against_the_paragraph_that_it_cites(written: str, expected: str) -> None:
    (citation,) = extract(written, "ES")
    assert words_of_place(citation, TEXT) == expected


def test_a_number_that_stands_where_a_paragraph_would_says_nothing() -> None:
    (citation,) = extract("artículo 36.2 LAU", "ES")
    assert words_of_place(citation, "1. La garantía será de una mensualidad.\n\n2. 7") == ""
