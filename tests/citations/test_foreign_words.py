"""Codes and decisions of another country in its own words, and articles without any word for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.citations import extract, name_index


@pytest.mark.parametrize(
    ("country", "text", "forms"),
    [
        ("IT", "ai sensi dell'article 1217 du Code civil", {"FR:Cciv:art1217"}),
        ("IT", "l'art. 1240 C. civ. français", {"FR:Cciv:art1240"}),
        ("ES", "el article L. 442-1 du code de commerce", {"FR:Ccom:artL442-1"}),
        ("ES", "conforme al art. L. 212-1 C. conso.", {"FR:Cconso:artL212-1"}),
        ("DE", "Art. 1341 Codice civile", {"IT:CC:art1341"}),
        ("BE", "l'article 1134 du Code civil", {"BE:CC:art1134"}),
        ("IT", "Cass. com., 22 octobre 1996, n° 93-18.632", {"FR:Cass:93-18.632"}),
        ("IT", "Cass. civ., Sez. Un., 30 ottobre 2001, n. 13533", {"IT:Cass:13533/2001"}),
        ("FR", "Cass. 1re civ., 16 mai 2018, n° 17-11.337", {"FR:Cass:17-11.337"}),
        ("BR", "o art. 1.192 do Código Civil de 1916", {"BR:lei:3071/1916:art1192"}),
        ("IT", "art. 4, par. 1, lett. a), reg. (CE) n. 593/2008", {"EU:reg:2008/593:art4.1.a"}),
    ],
)
def test_words_of_another_country(country: str, text: str, forms: set[str]) -> None:
    assert {one for found in extract(text, country) for one in found.canonical} == forms


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("el art. 1902 cc. Costas, 394.1 LEC; intereses", "ES:ley:1/2000:art394.1"),
        ("art. 103.1 de la Ley 36/2011, reguladora de lo social y 59.3 ET", "ES:rdleg:2/2015:art59.3"),
        ("Cuantía, art 251 L.E.Civil y 253 de la LEC.", "ES:ley:1/2000:art253"),
        ("con arreglo a los arts 399 y ss de la Lec contra", "ES:ley:1/2000:art399"),
        ("responde por el art. 76 de la ley 50/80 y debe", "ES:ley:50/1980:art76"),
        ("según la ley 35/15, de 22 de septiembre,", "ES:ley:35/2015"),
        ("por el art 54.2.d et, que ya conoces", "ES:rdleg:2/2015:art54.2.d"),
        ("los arts 63 y ss de la lrjs", "ES:ley:36/2011:art63"),
        ("y la ley Zerolo lo prohíbe", "ES:ley:15/2022"),
        ("el art. 1124 CC chileno", "CL:CC:art1124"),
    ],
)  # fmt: skip
def test_articles_and_laws_as_hurried_writers_leave_them(text: str, form: str) -> None:
    assert form in {one for found in extract(text, "ES") for one in found.canonical}


@pytest.mark.parametrize(
    "text",
    [
        "un motor de gasolina, 1600 CC y 90 caballos",
        "la letra del Code of conduct de la empresa, apartado 3",
        "asiste doña Rosa Lec, vecina de esta villa; el 3 de la ley 3/20 del juego",
        "el codice de la biblioteca, folio 12",
        "lote 3 et al. de la subasta, con 54 cff y 12 bis",
        "la ley del más fuerte; compró el 3 de mayo el lprl de la tienda",
    ],
)
def test_what_only_looks_like_it(text: str) -> None:
    assert not extract(text, "ES")


_BESIDE = (" ", "  ", "   ", "\n", ",", "de", "del", "la", "republica", "chileno", "π", "x", "1", "_")
_WORDS = st.sampled_from((*name_index._COUNTRY, *_BESIDE))


@given(st.lists(st.one_of(_WORDS, _WORDS.map(str.title), st.sampled_from(_BESIDE)), max_size=12).map("".join))
def test_the_words_of_countries_are_those_that_the_expression_finds(folded: str) -> None:
    expected = [found.span(1) for found in name_index._ADJECTIVE.finditer(folded)]
    assert [found.span(1) for found in name_index._adjectives(folded)] == expected


@pytest.mark.parametrize(
    ("text", "norms"),
    [
        ("rige la ley italiana 392/1978", ["IT:l:392/1978"]),
        ("el art. 27 de la ley 392/1978, italiana, y la Ley 29/1994", ["IT:l:392/1978", "ES:ley:29/1994"]),
        ("el local está en Italia: rige la ley 392/1978", ["IT:l:392/1978"]),
        ("un cliente de Italia alega la Ley 29/1994", ["ES:ley:29/1994"]),
        ("la ley francesa 89-462", ["FR:loi:89-462"]),
    ],
)
def test_a_law_told_in_spanish_is_of_the_country_that_is_named(text: str, norms: list[str]) -> None:
    assert [one.norm for one in extract(text, "ES")] == norms
