"""Short hand of practice: initials, years of two digits, adjectives of regions, small letters, old names."""

from __future__ import annotations

import pytest

from app.citations import extract


@pytest.mark.parametrize(
    ("jurisdiction", "text", "cited", "norm", "articles"),
    [
        ("ES", "la Directiva 93/13, art. 6", "Directiva 93/13, art. 6", "EU:dir:1993/13", ("6",)),
        ("EU", "see Dir 2005/29", "Dir 2005/29", "EU:dir:2005/29", ()),
        ("EU", "see Reg 1215/2012, art 25", "Reg 1215/2012, art 25", "EU:reg:2012/1215", ("25",)),
        ("ES", "Ley catalana 18/2007, art. 3", "Ley catalana 18/2007, art. 3", "ES-CT:ley:18/2007", ("3",)),
        ("ES", "el art 1.255 cc manda", "art 1.255 cc", "ES:CC", ("1255",)),
        ("ES", "el art. 24 c.e. manda", "art. 24 c.e.", "ES:CE", ("24",)),
        ("ES", "art. 9.3 de la Norma Suprema", "art. 9.3 de la Norma Suprema", "ES:CE", ("9",)),
        ("ES", "art. 55.4 y 5 b) ET", "art. 55.4 y 5 b) ET", "ES:rdleg:2/2015", ("55",)),
        ("CO", "Ley 100/93, art. 33", "Ley 100/93, art. 33", "CO:ley:100/1993", ("33",)),
        ("CO", "D. 2591/91", "D. 2591/91", "CO:decreto:2591/1991", ()),
        ("CO", "art. 42 del Decreto 2591", "art. 42 del Decreto 2591", "CO:decreto:2591/1991", ("42",)),
        ("CL", "el D.S. 594/1999", "D.S. 594/1999", "CL:ds:594/1999", ()),
        ("CL", "art. 163 del estatuto laboral", "art. 163 del estatuto laboral", "CL:CT", ("163",)),
        ("MX", "artículo 48 de la Ley Laboral", "artículo 48 de la Ley Laboral", "MX:LFT", ("48",)),
        ("AR", "art. 4023 del viejo Código Civil", "art. 4023 del viejo Código Civil", "AR:CC", ("4023",)),
        ("FR", "L. n° 89-462 du 6 juill. 1989, art. 22-1", None, "FR:loi:89-462", ("22-1",)),
        ("FR", "art. 24 de la loi du 6 juillet 1989", None, "FR:loi:89-462", ("24",)),
        (
            "FR",
            "l'article 15 I de la loi n° 89-462",
            "article 15 I de la loi n° 89-462",
            "FR:loi:89-462",
            ("15",),
        ),
        ("FR", "article 1719, 1°, du code civil", None, "FR:Cciv", ("1719",)),
        ("FR", "L. 212-1 C. conso.", None, "FR:Cconso", ("L212-1",)),
        ("GB", "UCTA 1977, s 2(1)", None, "GB:act:unfair-contract-terms-act-1977", ("2",)),
        (
            "GB",
            "ss 119 and 123 ERA.",
            "ss 119 and 123 ERA",
            "GB:act:employment-rights-act-1996",
            ("119", "123"),
        ),
    ],
)
def test_short_hand_is_read(
    jurisdiction: str, text: str, cited: str | None, norm: str, articles: tuple[str, ...]
) -> None:
    (found,) = extract(text, jurisdiction)
    assert (found.text, found.norm, found.articles) == (cited or text, norm, articles)


@pytest.mark.parametrize(
    ("jurisdiction", "text"),
    [
        ("ES", "la directiva 12/34 del club"),
        ("ES", "cc: gestoría; expediente 93/13"),
        ("GB", "the ERA of reform"),
        ("CO", "el lote T-12-3 y la factura D. 25"),
    ],
)
def test_what_only_looks_like_it_is_left(jurisdiction: str, text: str) -> None:
    assert extract(text, jurisdiction) == ()


def test_a_colombian_decision_may_have_a_dash_before_its_year() -> None:
    (found,) = extract("la T-760-08", "CO")
    assert found.canonical == ("CO:CC:T-760/08",)


def test_a_belgian_law_of_the_same_day_is_another_one() -> None:
    (found,) = extract("la loi du 6 juillet 1989", "BE")
    assert found.norm == "BE:loi:1989-07-06"


def test_the_initials_of_several_acts_without_a_year_are_those_of_none() -> None:
    assert not extract("The tenant relies on s. 25 LTA and serves notice.", "GB")
    assert [one.articles for one in extract("The tenant relies on s. 98 ERA and claims.", "GB")] == [("98",)]
