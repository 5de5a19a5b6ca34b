"""Norms of the past, parts of norms, and numbers that State and communities share."""

from __future__ import annotations

from datetime import date

import pytest

from app.citations import extract
from app.corpus import verify

_TODAY = date(2026, 4, 30)


def _status(text: str, on: date = _TODAY) -> str:
    (citation,) = extract(text, "ES")
    return verify(citation, on).status


@pytest.mark.parametrize(
    "text",
    [
        "Decreto 4104/1964, de 24 de diciembre",
        "artículo 114 de la Ley de Arrendamientos Urbanos de 1964",
        "artículo 1 de la LEC 1881",
        "Real Decreto 1684/1990, de 20 de diciembre",
        "Real Decreto-ley 14/1999, de 17 de septiembre",
        "artículo 8 del Real Decreto-ley 2/1985, de 30 de abril",
        "disposición adicional quinta de la Ley 30/1981, de 7 de julio",
        "artículo 4 de la Ley 23/2003, de 10 de julio",
        "Reglamento (UE) n.º 524/2013",
    ],
)
def test_repealed(text: str) -> None:
    assert _status(text) == "derogated"


def test_before_its_repeal_a_norm_stood() -> None:
    assert _status("Decreto 4104/1964, de 24 de diciembre", date(1990, 1, 1)) == "verified"


def test_acts_that_amend_others_exist() -> None:
    assert _status("Ley 15/2005, de 8 de julio") == "verified"
    assert _status("Ley 15/2005, de 18 de julio") in ("mismatch", "not_verifiable")


def test_of_several_acts_of_a_number_the_known_statute_is_meant() -> None:
    assert _status("artículo 16 de la Ley 16/2011") == "verified"


def test_a_community_named_in_the_text_leaves_the_number_open() -> None:
    found = extract("En Andalucía rige el artículo 16 de la Ley 16/2011", "ES")
    assert verify(found[0], _TODAY).status == "not_verifiable"


def test_the_day_that_the_year_of_the_number_lacks() -> None:
    assert _status("sentencia del Tribunal Supremo 210/2021, de 29 de febrero") == "not_found"
    assert _status("sentencia del Tribunal Supremo 210/2024, de 29 de febrero") == "not_verifiable"


@pytest.mark.parametrize(
    ("country", "text", "status"),
    [
        ("ES", "art. 52.d) ET", "derogated"),
        ("ES", "letra d) del art. 52 ET", "derogated"),
        ("ES", "art. 52.c) ET", "verified"),
        ("ES", "disposición transitoria quinta de la Ley 42/2015", "verified"),
        ("ES", "art. 568-8 CCCat", "verified"),
        ("ES", "Directiva (UE) 2019/1023, de 20 de junio", "verified"),
        ("ES", "Directiva 91/533/CEE", "derogated"),
        ("FR", "article 24 de la Charte sociale européenne", "verified"),
        ("FR", "articles L. 1152-1 à L. 1152-3 du code du travail", "verified"),
        ("FR", "loi n° 91-650 du 9 juillet 1991", "derogated"),
        ("IT", "L. 30 luglio 1998, n. 281", "derogated"),
        ("IT", "D.M. 55/2014", "verified"),
        ("PT", "artigo 1083.º do Código Civil", "verified"),
        ("PT", "artigo 2400.º do C. Civ.", "not_found"),
        ("AR", "ley 27.423", "verified"),
        ("AR", "ley 25.156", "derogated"),
        ("CL", "Ley N° 19.631", "verified"),
        ("CO", "art. 690 del C. de P.C.", "derogated"),
        ("CO", "Ley 734 de 2002", "derogated"),
        ("PE", "Ley 30225", "derogated"),
        ("MX", "Ley Federal de los Derechos del Contribuyente", "verified"),
    ],
)
def test_the_registry_knows_the_laws_most_cited(country: str, text: str, status: str) -> None:
    (citation,) = extract(text, country)
    assert verify(citation, _TODAY).status == status


@pytest.mark.parametrize("law", ["Ley 18.829", "Ley 21.608", "Ley 26.356"])
def test_acts_of_argentina_that_the_decree_of_necessity_repealed(law: str) -> None:
    (citation,) = extract(law, "AR")
    assert verify(citation, _TODAY).status == "derogated"
    assert verify(citation, date(2023, 1, 1)).status == "verified"
