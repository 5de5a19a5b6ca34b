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


@pytest.mark.parametrize(
    ("country", "text", "form"),
    [
        ("ES", "eso es la sts 611/2021, de 20 de septiembre", "ES:TS:611/2021"),
        ("ES", "hay una stsj murcia 12-5-2023, rec. 33/2023", "ES:TSJ:Murcia:rec33/2023"),
        ("ES", "la fecha, o sea que el plazo del 59.3 lrjs vence", "ES:ley:36/2011:art59.3"),
        ("ES", "ver art. 49 et, y del art. 64 lrjs también", "ES:ley:36/2011:art64"),
        ("CL", "según el art. 1545 CC (420 N° 3 c. del t.)", "CL:CT:art420.3"),
        ("CL", "los arts. 22 y 30 CdT", "CL:CT:art30"),
        ("CL", "art. 2 CT, art. 19 CPR y art. 162 letra a) del mismo código.", "CL:CT:art162.a"),
        ("AR", "la protección del 14 bis constitucional", "AR:CN:art14bis"),
        ("AR", 'CSJN, "Vizzoti", 14/9/2004', "AR:CSJN:2004-09-14"),
        ("AR", "el art. 2051 c.c. italiano", "IT:CC:art2051"),
        ("CO", "la Ley 1010 del 23 de enero de 2006", "CO:ley:1010/2006"),
        ("MX", "Ahora rige la LFPDPPP; léase", "MX:LFPDPPP"),
        ("MX", "amparo directo en revisión 1387/2012", "MX:SCJN:ADER:1387/2012"),
        ("DE", "nach § 307 Abs. 1 bgb", "DE:BGB:307.1"),
        ("DE", "nach § 879 ABGB", "AT:ABGB:879"),
        ("DE", "nach Art. 4 Abs. 1 Rom-I-VO", "EU:reg:2008/593:art4.1"),
        ("DE", "das Kündigungsschutzgesetz vom 25. August 1969", "DE:KSchG"),
        ("GB", "under s 13(1) eqa 2010 and", "GB:act:equality-act-2010:s13.1"),
        (
            "GB",
            "section 13 of the Equality Act 2010 and section 136(2) ibid:",
            "GB:act:equality-act-2010:s136.2",
        ),
        ("FR", "Conseil constitutionnel, n° 94-343 DC du 27 juillet 1994", "FR:CC:94-343 DC"),
        ("PT", "exigidas pelo art.º 615.º/1 CPC", "PT:CPC:art615.1"),
        ("ES", "va por art 49.1 et, o sea 53.4 et", "ES:rdleg:2/2015:art53.4"),
        ("ES", "el art 7 cc; ahora es 326 lec", "ES:ley:1/2000:art326"),
        ("ES", "ver art 49 et y el et de 1995", "ES:rdleg:1/1995"),
        ("GB", "s 13 EqA 2010; section 136 of the Equality Act", "GB:act:equality-act-2010:s136"),
        ("GB", "ss 13, 15 and 20-21 EqA 2010; s 15(1)(b) of that Act", "GB:act:equality-act-2010:s20-21"),
        ("GB", "and not the DPA 1998 cited", "GB:act:data-protection-act-1998"),
        ("CL", "el artículo 55 del Estatuto de los Trabajadores", "ES:rdleg:2/2015:art55"),
        ("ES", "el art. 64 del Código Sustantivo del Trabajo", "CO:CST:art64"),
        ("FR", "la loi n° 89-462 ; l'art. 7-1 de la loi précitée", "FR:loi:89-462:art7-1"),
        ("CO", "el artículo 64 CST y el artículo 65 de la misma obra", "CO:CST:art65"),
        ("ES", "la derogada LORTAD exigía", "ES:lo:5/1992"),
        ("DE", "das AGB-Gesetz gilt nicht mehr", "DE:AGBG"),
    ],
)
def test_a_hurried_hand_is_read(country: str, text: str, form: str) -> None:
    assert form in {one for found in extract(text, country) for one in found.canonical}


@pytest.mark.parametrize(
    ("country", "text"),
    [
        ("ES", "en el san jorge 3/2024 y en la sap 12 de marzo del programa"),
        ("ES", "los 4.5 et al. y los 20 de la sala"),
        ("PT", "testemunhas (art.º 1.º a 5.º da contestação)"),
        ("CL", "folio DT 0512/2025/778"),
    ],
)
def test_a_hurried_hand_is_not_read_into_other_words(country: str, text: str) -> None:
    assert not extract(text, country)


def test_a_conjunction_behind_a_paragraph_is_no_paragraph() -> None:
    (found,) = extract("el artículo 162 inciso primero del Código del Trabajo, y la carga", "CL")
    assert found.canonical == ("CL:CT:art162.1",)
    (elided,) = (
        one
        for one in extract("El Código del Trabajo manda: el art. 162 inciso primero, y la carga", "CL")
        if one.articles
    )
    assert elided.pinpoint == "1"
