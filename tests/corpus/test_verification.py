"""The verdict on one citation against the registry."""

import csv
import gzip
import re
from datetime import date
from pathlib import Path

import pytest

from app.citations import extract, norm_names
from app.corpus import Verdict, norm, norm_count, verify
from app.corpus.registry import norms

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
TODAY = date(2026, 4, 30)
STATUTES = [key for key, entry in norms().items() if entry.exact and key.startswith("ES:")]


def verdict(text: str, jurisdiction: str = "ES", on: date = TODAY) -> Verdict:
    (citation,) = extract(text, jurisdiction)
    return verify(citation, on)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("art. 1902 CC", "verified"),
        ("arts. 82 a 91 TRLGDCU", "verified"),
        ("art. 348 bis LSC", "verified"),
        ("art. 99 ET", "not_found"),
        ("art. 1902 LEC", "not_found"),
        ("art. 10 bis LPH", "not_found"),
        ("art. 283 bis a) LEC", "verified"),
        ("arts. 9 y 99 LPH", "not_found"),
        ("disposición transitoria undécima ET", "verified"),
        ("disposición transitoria nonagésima ET", "not_found"),
        ("Ley 39/2015, de 1 de octubre", "verified"),
        ("Ley 39/2015, de 2 de noviembre", "mismatch"),
        ("Ley 4/1983", "not_verifiable"),
        ("RDL 2/2015", "not_verifiable"),
        ("RDL 1/2007, de 16 de noviembre", "verified"),
        ("Real Decreto Legislativo 9/2015", "not_found"),
        ("Ley Orgánica 45/2021", "not_found"),
        ("Ley Orgánica 45/1999", "not_verifiable"),
        ("art. 5 de la Ley de Fundaciones", "not_verifiable"),
        ("art. 6 RGPD", "verified"),
        ("art. 100 RGPD", "not_found"),
        ("Directiva (UE) 2016/679", "mismatch"),
        ("Reglamento (UE) 679/2016", "verified"),
        ("Reglamento (UE) 2021/1234", "not_verifiable"),
        ("STS 241/2013, de 9 de mayo", "not_verifiable"),
        ("STS 241/2013, de 9 de mayo de 2014", "mismatch"),
        ("STS 241/2013 (ECLI:ES:TS:2014:1916)", "mismatch"),
        ("STC 31/2010 (ECLI:ES:TC:2010:32)", "mismatch"),
        ("STS 12/2031", "not_found"),
        ("ECLI:ES:TS:20:99", "not_verifiable"),
        ("ECLI:NL:HR:2019:2006", "not_verifiable"),
    ],
)
def test_each_kind_of_citation_gets_its_verdict(text: str, status: str) -> None:
    assert verdict(text).status == status


def test_a_repealed_law_is_derogated_with_its_date_and_successor() -> None:
    found = verdict("Ley 30/1992, de 26 de noviembre")
    assert found.status == "derogated"
    assert "2 de octubre de 2016" in found.note
    assert "Ley 39/2015" in found.note
    assert "2016-10-02" in found.note_en


def test_a_repealed_law_was_good_law_the_day_before() -> None:
    assert verdict("Ley 30/1992, de 26 de noviembre", on=date(2016, 10, 1)).status == "verified"


def test_an_article_without_content_is_derogated() -> None:
    assert verdict("art. 1214 CC").status == "derogated"


def test_an_ambiguous_number_is_told_with_its_candidates() -> None:
    found = verdict("Ley 4/1983")
    assert found.status == "not_verifiable"
    assert "Andalucía" in found.note


def test_rdl_is_told_as_both_ranks() -> None:
    note = verdict("RDL 2/2015").note
    assert "Real Decreto-ley 2/2015" in note
    assert "Real Decreto Legislativo 2/2015" in note


def test_a_title_after_the_number_settles_which_law_is_meant() -> None:
    assert verdict("Ley 1/2000, de Enjuiciamiento Civil").status == "verified"


def test_a_date_elsewhere_in_the_text_settles_which_law_is_meant() -> None:
    citations = extract("La Ley 3/2004, de 29 de diciembre. El art. 7 de la Ley 3/2004.")
    assert [verify(citation, TODAY).status for citation in citations] == ["verified", "verified"]


def test_a_law_left_out_is_never_called_an_error() -> None:
    _, elided = extract("La Ley 39/2015, de 1 de octubre, y su artículo 900.")
    assert verify(elided, TODAY).status == "not_verifiable"


def test_a_mismatch_says_of_what_kind_and_gives_the_right_date() -> None:
    found = verdict("Ley 39/2015, de 2 de noviembre")
    assert found.mismatch_kind == "date"
    assert "1 de octubre de 2015" in found.note
    assert found.url == "https://www.boe.es/eli/es/l/2015/10/01/39"


def test_a_number_that_bears_another_laws_name_is_a_mismatch() -> None:
    cases = {
        ("AR", "art. 5 de la Ley 25.326 de Defensa del Consumidor"): "mismatch",
        ("AR", "la Ley N° 24.240 de Contrato de Trabajo."): "mismatch",
        ("AR", "el art. 4 de la Ley de Defensa del Consumidor 25.326"): "mismatch",
        ("AR", "art. 4 de la Ley de Defensa del Consumidor 24.240"): "verified",
        ("AR", "Ley de Contrato de Trabajo (Ley 20.744)"): "verified",
        ("ES", "art. 7 de la Ley 29/1994, de 24 de noviembre, de Propiedad Horizontal"): "mismatch",
        ("ES", "art. 7 de la Ley 29/1994, de 24 de noviembre, de Arrendamientos Urbanos"): "verified",
        ("ES", "Ley 42/2015, de 5 de octubre, de reforma de la Ley de Enjuiciamiento Civil"): "verified",
        ("ES", "Ley 24/1988, de 28 de julio, del Mercado de Valores"): "derogated",
        (
            "ES",
            "Ley 40/1998, de 9 de diciembre, del Impuesto sobre la Renta de las Personas Físicas",
        ): "derogated",
        ("CO", "Ley 1581 de 2012 (Estatuto del Consumidor)"): "mismatch",
        ("CO", "Ley 1480 de 2011 (Estatuto del Consumidor)"): "verified",
        ("BR", "Lei 8.078/1990 (Código Civil)"): "mismatch",
        # A list of laws gives no names.
        ("CO", "Ley 1480 de 2011, Código General del Proceso"): "verified",
        ("CL", "Ley N° 19.496, sobre protección de la vida privada"): "mismatch",
    }
    given = {case: verify(extract(case[1], case[0])[0], TODAY) for case in cases}
    assert {case: verdict.status for case, verdict in given.items()} == cases
    assert "Ley de Protección" in given["AR", "art. 5 de la Ley 25.326 de Defensa del Consumidor"].note


@pytest.mark.parametrize("key", STATUTES)
def test_every_statute_is_verified_by_each_of_its_names_and_ends_where_it_ends(key: str) -> None:
    entry = norms()[key]
    names = next(name for name in norm_names() if name.norm == key)
    existing = next(
        str(number)
        for number in range(1, 400)
        if str(number) in entry.articles and str(number) not in entry.empty
    )
    for alias in (*names.short, *names.names):
        assert (
            verdict(f"artículo {existing} {'' if alias in names.short else 'de la '}{alias}").status
            == "verified"
        ), alias
        assert verdict(f"artículo {entry.articles.last + 1} de la {alias}").status == "not_found", alias


def test_fifty_seven_spanish_statutes_have_their_exact_articles() -> None:
    assert len(STATUTES) == 57
    assert norm_count("ES") >= 57
    civil_code = norm("ES:CC")
    assert civil_code is not None
    assert civil_code.official_id == "BOE-A-1889-4763"
    assert civil_code.articles.last == 1976


def test_every_country_promised_has_norms() -> None:
    for code in ("ES", "EU", "CO", "MX", "AR", "CL", "PE", "PT", "FR", "IT", "DE", "GB", "US"):
        assert norm_count(code) > 0, code


@pytest.mark.skipif(not (DATA / "es_index").exists(), reason="needs ../shared/data/es_index")
def test_status_and_date_of_the_index_are_kept() -> None:
    checked = 0
    with gzip.open(DATA / "es_index" / "boe_normas_2026-04.csv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            match = re.match(r"(Ley Orgánica \d+/(?:19|20)\d\d, de \d+ de [a-z]+),", row["title"])
            if match and row["status"] in ("repealed", "in_force"):
                expected = ("derogated",) if row["status"] == "repealed" else ("verified", "derogated")
                assert verdict(match[1]).status in expected, row["title"]
                checked += 1
    assert checked > 100


@pytest.mark.parametrize(
    ("text", "jurisdiction", "status"),
    [
        ("artículo 621 del Código General del Proceso", "CO", "derogated"),
        ("artículo 619 del Código General del Proceso", "CO", "verified"),
        ("artículo 270 del Código de Comercio", "CO", "derogated"),
        ("Reglamento (UE) n.º 330/2010", "ES", "derogated"),
        ("artículo 4 del Reglamento (UE) 2022/720", "ES", "verified"),
        ("artículo 12 del Reglamento (UE) 2022/720", "ES", "not_found"),
        ("Directiva 97/7/CE", "ES", "derogated"),
        ("Lei nº 8.666/1993", "BR", "derogated"),
        ("Ley N° 28237", "PE", "derogated"),
    ],
)
def test_repeals_abroad_and_in_the_union_are_known(text: str, jurisdiction: str, status: str) -> None:
    assert verdict(text, jurisdiction).status == status


@pytest.mark.parametrize(
    ("text", "country", "status"),
    [
        ("Ley Federal de Protección al Consumidor de 24 de diciembre de 1992", "MX", "verified"),
        ("Ley Federal de Protección al Consumidor de 24 de diciembre de 1993", "MX", "mismatch"),
        ("Mindestlohngesetz vom 11. August 2014", "DE", "verified"),
        ("Mindestlohngesetz vom 11. August 2015", "DE", "mismatch"),
        ("Lei n.º 58/2019, de 9 de agosto", "PT", "mismatch"),
        ("Ley 2466 del 25 de junio de 2025", "CO", "verified"),
        ("Ley 2466 del 20 de junio de 2025", "CO", "verified"),
    ],
)
def test_a_day_that_cannot_be_that_of_the_law_is_a_mismatch(text: str, country: str, status: str) -> None:
    found = verdict(text, country)
    assert (found.status, found.mismatch_kind) == (status, "date" if status == "mismatch" else None)


def test_an_instrument_is_known_by_its_number_too() -> None:
    (citation,) = extract("the Working Time Regulations 1998, SI 1998/1833, applies", "GB")
    assert (citation.text, citation.ids["si"]) == ("Working Time Regulations 1998, SI 1998/1833", "1998/1833")
    by_number = norm("GB:si:1998/1833")
    assert by_number is not None
    assert by_number.key == citation.norm
