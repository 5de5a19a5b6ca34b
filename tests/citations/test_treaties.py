"""Conventions of the Hague and of the Labour Organization, by day or number, in six languages."""

from __future__ import annotations

from datetime import date

import pytest

from app.citations import extract
from app.corpus import verify

ON = date(2026, 4, 30)


@pytest.mark.parametrize(
    ("jurisdiction", "text", "norm", "articles"),
    [
        ("ES", "el art. 12 del Convenio de La Haya de 25 de octubre de 1980", "INT:haya:1980-10-25", ("12",)),
        ("ES", "según el Convenio núm. 190 de la OIT", "INT:OIT:190", ()),
        ("FR", "article 13 de la convention de La Haye du 25 octobre 1980", "INT:haya:1980-10-25", ("13",)),
        ("FR", "l'article 4 de la convention n° 158 de l'OIT", "INT:OIT:158", ("4",)),
        ("IT", "la Convenzione OIL n. 190", "INT:OIT:190", ()),
        ("GB", "Article 13 of the Hague Convention of 25 October 1980", "INT:haya:1980-10-25", ("13",)),
        ("GB", "under ILO Convention No. 87", "INT:OIT:87", ()),
        ("DE", "Art. 13 des Haager Übereinkommens vom 25. Oktober 1980", "INT:haya:1980-10-25", ("13",)),
        ("PT", "a Convenção n.º 158 da OIT", "INT:OIT:158", ()),
        ("CO", "el artículo 25 del Pacto de San José de Costa Rica", "INT:CADH", ("25",)),
    ],
)
def test_a_treaty_is_cited_by_place_and_day_or_by_number(
    jurisdiction: str, text: str, norm: str, articles: tuple[str, ...]
) -> None:
    (one,) = extract(text, jurisdiction)
    assert (one.norm, one.articles, one.jurisdiction) == (norm, articles, "INT")
    assert verify(one, ON).status == "verified"


def test_of_a_treaty_whose_last_article_is_known_a_higher_one_does_not_exist() -> None:
    (one,) = extract("el art. 90 de la Convención sobre los Derechos del Niño", "ES")
    assert verify(one, ON).status == "not_found"


def test_a_day_on_which_no_known_convention_was_signed_is_not_called_wrong() -> None:
    (one,) = extract("el Convenio de La Haya de 26 de octubre de 1981", "ES")
    assert verify(one, ON).status == "not_verifiable"


def test_conventions_are_read_by_another_place_and_their_day() -> None:
    text = "Lugano Convention of 30 October 2007 and the New York Convention of 10 June 1958, no other"
    norms = [one.norm for one in extract(text, "EU")]
    assert norms == ["INT:Lugano", "INT:CNY"]
