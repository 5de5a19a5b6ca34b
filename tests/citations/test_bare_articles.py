"""Articles without a word for them are read of the law beside them, or of the one named before."""

import pytest

from app.citations import extract

READ = (
    ("MX", "carece de firma (38, fracción V, CFF) y", "38, fracción V, CFF", "MX:CFF", ("38",)),
    ("MX", "por inaplicación, el ordinal 842 LFT.", "ordinal 842 LFT", "MX:LFT", ("842",)),
    (
        "MX",
        "la Ley de Amparo; sin causal del 61, fr. XVIII, de la misma)",
        "61, fr. XVIII, de la misma", "MX:LA", ("61",),
    ),
    ("FR", "art. 1104 C. civ., dommages (1240 du même code)", "1240 du même code", "FR:Cciv", ("1240",)),
    ("AR", "la indemnización (LCT, 245) y", "LCT, 245", "AR:ley:20744", ("245",)),
    ("ES", "art 55.4 et y cc 1554, nada más", "cc 1554", "ES:CC", ("1554",)),
    ("ES", "art. 363.1.e) LSC, 363 bis.", "363 bis", "ES:rdleg:1/2010", ("363 bis",)),
    ("ES", "art 55.4 et y da 23 et.", "da 23 et", "ES:rdleg:2/2015", ("da23",)),
    ("GB", "it fails under UCTA s 3.", "UCTA s 3", "GB:act:unfair-contract-terms-act-1977", ("3",)),
    (
        "GB",
        "within reg. 3(1)(a) of TUPE 2006.",
        "reg. 3(1)(a) of TUPE 2006",
        "GB:act:transfer-of-undertakings-protection-of-employment-regulations-2006",
        ("3",),
    ),
    ("DE", "nach §§ 280 I, III, 281 BGB.", "§§ 280 I, III, 281 BGB", "DE:BGB", ("280", "281")),
    (
        "DE",
        "§ 8 des Gesetzes gegen den unlauteren Wettbewerb",
        "§ 8 des Gesetzes gegen den unlauteren Wettbewerb",
        "DE:UWG",
        ("8",),
    ),
    ("FR", "la réduction (art. 259d CO).", "art. 259d CO", "CH:OR", ("259d",)),
    ("ES", "el tipo italiano (art. 640 c.p. italiano)", "art. 640 c.p. italiano", "IT:CP", ("640",)),
    (
        "FR",
        "l'art. 1er de la loi du 10 juillet 1965",
        "art. 1er de la loi du 10 juillet 1965", "FR:loi:65-557", ("1",),
    ),
    (
        "CO",
        "La Ley 1437 de 2011 y el Decreto 100 de 1980. Art. 28 de la citada Ley 1437.",
        "Art. 28 de la citada Ley 1437",
        "CO:ley:1437/2011",
        ("28",),
    ),
    (
        "CL",
        "El Código del Trabajo. Y el art. 510 del Código del ramo.",
        "art. 510 del Código del ramo", "CL:CT", ("510",),
    ),
    (
        "FR",
        "La loi n° 89-462 du 6 juillet 1989 et l'art. 6 CCH ; art. 20-1 de ladite loi de 1989",
        "art. 20-1 de ladite loi de 1989",
        "FR:loi:89-462",
        ("20-1",),
    ),
    ("ES", "La LAU de 1964 (art. 114) y la de 1994 (art. 27.2)", "art. 27.2", "ES:ley:29/1994", ("27",)),
)  # fmt: skip


@pytest.mark.parametrize("country", sorted({row[0] for row in READ}))
def test_an_article_is_read_of_the_law_beside_or_before_it(country: str) -> None:
    for _, text, span, norm, articles in (row for row in READ if row[0] == country):
        found = {one.text: (one.norm, one.articles) for one in extract(text, country)}
        assert found.get(span) == (norm, articles), (text, found)


def test_prices_days_and_years_behind_a_law_are_no_articles() -> None:
    for text in (
        "art. 55 ET, 34 folios",
        "art. 24 CE, 250,00 euros",
        "el art. 5 LAU, 45 días",
        "matrícula 7382 LEC",
        "(en adelante, LGT)",
    ):
        assert len(extract(text, "ES")) == text.startswith(("art", "el art")), text


def test_a_law_named_by_its_letters_is_cited_where_nothing_else_cites_it() -> None:
    assert [one.text for one in extract("antes regía la LORTAD, ya derogada", "ES")] == ["LORTAD"]
    assert [one.text for one in extract("La LRJS obliga: art. 80 LRJS.", "ES")] == ["art. 80 LRJS"]


def test_a_day_behind_the_letters_of_a_law_is_its_date() -> None:
    (found,) = extract("la LRJS de 10 de noviembre de 2011", "ES")
    assert (found.norm, found.ids["date"]) == ("ES:ley:36/2011", "2011-11-10")
