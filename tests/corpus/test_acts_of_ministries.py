"""Orders, circulars and instructions of Spain by number or by day, and acts of communities that no "
"list had."""

from __future__ import annotations

from datetime import date

import pytest

from app.citations import extract, issuer_named
from app.corpus import registry, verify
from tools import norms_of_ministries

ON = date(2026, 4, 30)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("la Orden de 27 de diciembre de 1994", "verified"),
        ("Orden TED/627/2020, de 3 de julio", "verified"),
        ("Orden TED/627/2020, de 4 de julio", "mismatch"),
        ("Orden JUS/504/2020", "derogated"),
        ("Orden TED/99627/2020", "not_verifiable"),
        ("Circular 2/2011, de 9 de junio, de la CNMV", "verified"),
        ("Circular 2/2011, de 9 de junio, de la Fiscalía General del Estado", "not_verifiable"),
        ("la Instrucción de 5 de octubre de 2010, de la DGRN", "derogated"),
        ("Decreto 2464/1974, de 9 de agosto", "verified"),
        ("Decreto Foral Legislativo 1/2017, de 26 de julio", "verified"),
        ("DLeg 1/2010, de 3 de agosto", "verified"),
        ("D. Leg. 1/2014, de 8 de julio, del Gobierno de Aragón", "verified"),
        ("Región de Murcia: Ley 13/2015", "verified"),
        ("según la Ley 13/2015, de 24 de junio", "verified"),
        ("Decreto-ley 3/2019, de 24 de septiembre", "derogated"),
        ("Real Decreto 2187/1978, de 23 de junio", "verified"),
        ("Orden HFP/816/2017, de 28 de agosto", "verified"),
    ],
)
def test_act_is_judged(text: str, status: str) -> None:
    (citation,) = extract(text, "ES")
    assert verify(citation, ON).status == status


def test_community_named_before_a_number_tells_whose_it_is() -> None:
    text = "En Extremadura y Murcia rige otra cosa. Extremadura: Ley 13/2015."
    (citation,) = extract(text, "ES")
    assert "Extremadura" in verify(citation, ON).note


@pytest.mark.parametrize(
    "text",
    [
        "la Orden de 3 de marzo de 2026 que deniega la ayuda",
        "la Resolución de 4 de mayo de 2026 del Ayuntamiento de Soria",
        "la Instrucción de 5 de mayo de 2026 al personal",
    ],
)
def test_decision_of_an_office_is_no_norm(text: str) -> None:
    assert not extract(text, "ES")


def test_resolution_that_makes_rules_is_heard_with_its_title() -> None:
    text = "Resolución de 16 de diciembre de 2021, de la Subsecretaría, por la que se aprueban los modelos"
    (citation,) = extract(text, "ES")
    assert citation.norm == "ES:resolucion:2021-12-16"


def test_issuer_is_told_by_its_words() -> None:
    assert issuer_named(", de 27 de noviembre, del Banco de España") == "bde"
    assert issuer_named(", sobre otra cosa") == ""


def test_several_of_a_number_are_listed_with_their_issuer() -> None:
    found = registry.ministerial("ES:circular:1/2014")
    assert {one.issuer for one in found} == {"cnmc", "cnmv"}
    assert registry.ministerial("ES:orden:1994-12-27")


def test_rows_of_the_gazette_are_read() -> None:
    row = {
        "identifier": "BOE-A-2023-2160", "rank": "orden", "status": "in_force",
        "path": "es/BOE-A-2023-2160.md",
        "title": "Orden PCM/63/2023, de 25 de enero, por la que se determinan las características",
        "source": "https://www.boe.es/eli/es/o/2023/01/25/pcm63",
    }  # fmt: skip
    dated = row | {
        "title": "Orden de 7 de abril de 2000 sobre manejo",
        "source": "https://www.boe.es/eli/es/o/2000/04/07/(2)",
    }
    regional = row | {"path": "es-an/BOE-A-2023-2160.md"}
    assert list(norms_of_ministries.of_ministries([row, dated, regional])) == [
        ("orden", "PCM/63/2023", "", "20230125", "BOE-A-2023-2160", ""),
        ("orden", "", "", "20000407", "BOE-A-2023-2160", ""),
    ]
    decree = row | {
        "identifier": "BOJA-b-2030-90000", "rank": "real_decreto_ley", "path": "es-an/BOJA-b-2030-90000.md",
        "title": "Decreto-ley 5/2030, de 27 de noviembre, de medidas",
        "source": "https://www.boe.es/act.php?id=BOJA",
    }  # fmt: skip
    assert list(norms_of_ministries.left_out([decree])) == [
        ("an", "dl", "5", "20301127", "BOJA-b-2030-90000", "")
    ]
