"""Numbers and dates that cannot be are `not_found`, and named as such."""

from __future__ import annotations

from datetime import date

import pytest

from app.citations import extract
from app.corpus import verify

TODAY = date(2026, 4, 30)


@pytest.mark.parametrize(
    ("text", "jurisdiction", "said"),
    [
        ("STS 25000/2015, de 3 de marzo", "ES", "Número inverosímil"),
        ("STS 0/2015", "ES", "numera desde el 1"),
        ("ATS 99999/2020", "ES", "Número inverosímil"),
        ("STC 5/1975", "ES", "no existía en 1975"),
        ("ECLI:ES:TS:2013:999999", "ES", "Número inverosímil"),
        ("ECLI:ES:TC:2013:9999", "ES", "Número inverosímil"),
        ("ECLI:ES:TS:2031:55", "ES", "2031, posterior"),
        ("asunto C-9999/15", "ES", "Número inverosímil"),
        ("T-5000 de 2008", "CO", "Número inverosímil"),
        ("Sentencia C-100 de 1985", "CO", "no existía en 1985"),
        ("[2031] UKSC 5", "GB", "2031, posterior"),
        ("[2015] UKSC 900", "GB", "Número inverosímil"),
        ("575 U.S. 320 (2031)", "US", "2031, posterior"),
        ("STS 12/2031", "ES", "2031, posterior"),
        ("Informe 12/2031 de la AEPD", "ES", "2031, posterior"),
        ("Dictamen del Consejo de Estado 5/2031", "ES", "2031, posterior"),
        ("STS 241/2013, de 30 de febrero", "ES", "Fecha imposible: el 30/2"),
        ("STS de 31 de abril de 2015", "ES", "Fecha imposible: el 31/4/2015"),
        ("Ley 39/2015, de 30 de febrero", "ES", "Fecha imposible"),
        ("BGH, Urteil vom 30. Februar 2015 - VIII ZR 1/15", "DE", "Fecha imposible"),
        ("Ley 29/1994, de 24 de noviembre de 2031", "ES", "24 de noviembre de 2031"),
        ("Ley 5/2031, de 3 de marzo", "ES", "2031, posterior"),
        ("Ley 1564 de 2045", "CO", "2045, posterior"),
        ("Real Decreto 99999/2015", "ES", "Número inverosímil"),
        ("BOE-A-2031-5", "ES", "2031, posterior"),
        ("artículo 0 de la LAU", "ES", "no existe un artículo 0"),
        ("artículo 36.0 LAU", "ES", "no existe un apartado 0"),
        ("§ 0 BGB", "DE", "no existe un artículo 0"),
        ("Corte Suprema, Rol N° 1.450-2031", "CL", "2031, posterior"),
    ],
)
def test_what_cannot_be_is_not_found_and_said_to_be_implausible(
    text: str, jurisdiction: str, said: str
) -> None:
    (citation,) = extract(text, jurisdiction)
    found = verify(citation, TODAY)
    assert (found.status, said in found.note) == ("not_found", True), found.note
    assert found.note_en.startswith(("Implausible", "Impossible"))


@pytest.mark.parametrize(
    ("text", "jurisdiction"),
    [
        ("STS 5880/2013", "ES"),
        ("ATS 14000/2020", "ES"),
        ("STC 420/2004", "ES"),
        ("Ley 39/2015, de 29 de febrero", "ES"),
        ("Decreto 2591 de 1991", "CO"),
        ("Decreto 2067 de 1991", "CO"),
        ("T-1331 de 2005", "CO"),
        ("STS 241/2013, de 29 de febrero de 2012", "ES"),
        ("Real Decreto 3484/2000", "ES"),
        ("Reglamento (UE) 2022/2554", "ES"),
        ("Dictamen 1345/2009 del Consejo de Estado", "ES"),
        ("Corte Suprema, Rol N° 4.903-2015", "CL"),
    ],
)
def test_what_can_be_is_left_to_the_registry(text: str, jurisdiction: str) -> None:
    (citation,) = extract(text, jurisdiction)
    found = verify(citation, TODAY)
    assert "nveros" not in found.note
    assert "imposible" not in found.note


def test_a_law_left_out_is_never_called_impossible() -> None:
    _, elided = extract("La Ley 39/2015, de 1 de octubre. Véase el artículo 0.", "ES")
    assert verify(elided, TODAY).status == "not_verifiable"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        # Voted in December, published in January.
        ("STS 761/2014, de 16 de enero de 2015", "not_verifiable"),
        ("STS 761/2014, de 16 de junio de 2015", "mismatch"),
        ("STS 761/2014, de 16 de enero de 2016", "mismatch"),
        ("STS 761/2014, de 16 de enero de 2013", "mismatch"),
        ("asunto C-394/07, EU:C:2009:219", "not_verifiable"),
        ("asunto C-394/07, EU:C:2019:219", "mismatch"),
        ("asunto C-394/07, EU:C:2006:219", "mismatch"),
        # Eleven years from the application to the last judgment.
        ("asunto C-104/89, EU:C:2000:38", "not_verifiable"),
    ],
)
def test_years_that_cannot_belong_together_are_a_mismatch(text: str, status: str) -> None:
    found = [verify(one, TODAY).status for one in extract(text, "EU" if "asunto" in text else "ES")]
    assert found == [status]


@pytest.mark.parametrize(
    ("text", "jurisdiction", "status"),
    [
        ("art. 24 LOE", "ES", "not_found"),
        ("art. 20 LOE", "ES", "verified"),
        ("Article 38(3) of Directive 92/43", "EU", "not_found"),
        ("Article 24 of Directive 92/43", "EU", "verified"),
        ("arts. 37 a 40 de la Ley N° 19.670", "UY", "verified"),
        ("art. 18 de la Ley N° 18.335", "UY", "verified"),
        ("art. 4 del Decreto N° 64/020", "UY", "verified"),
        ("art. 400 de la Ley N° 19.670", "UY", "not_verifiable"),
    ],
)
def test_articles_up_to_the_last_are_known(text: str, jurisdiction: str, status: str) -> None:
    (citation,) = extract(text, jurisdiction)
    assert verify(citation, TODAY).status == status
