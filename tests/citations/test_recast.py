"""Which act a name means that two bore, one after the other: "Ley Concursal"."""

from __future__ import annotations

import pytest

from app.citations import extract


@pytest.mark.parametrize(
    ("text", "norm"),
    [
        ("Solicita el concurso con arreglo al art. 486 de la Ley Concursal.", "ES:rdleg:1/2020"),
        ("Auto de 9 de mayo de 2024: art. 486 LC.", "ES:rdleg:1/2020"),
        ("Auto de 3 de marzo de 2015: art. 172 de la Ley Concursal.", "ES:ley:22/2003"),
        ("Auto de 2024, art. 178 bis de la Ley Concursal.", "ES:ley:22/2003"),
        ("Art. 172 de la Ley Concursal de 2003.", "ES:ley:22/2003"),
    ],
)
def test_the_name_alone_means_the_act_in_force(text: str, norm: str) -> None:
    (one,) = extract(text, "ES")
    assert one.norm == norm


def test_a_text_that_cites_the_earlier_act_by_its_number_means_that_one() -> None:
    first, second = extract("La Ley 22/2003, de 9 de julio, y el art. 84 LC, en auto de 2024.", "ES")
    assert (first.norm, second.norm) == ("ES:ley:22/2003", "ES:ley:22/2003")


def test_a_text_that_cites_both_means_the_later_one_by_the_shared_name() -> None:
    found = extract(
        "Ni la Ley 22/2003 ni el TRLC (RDLeg 1/2020): art. 486 de la Ley Concursal, en 2019.", "ES"
    )
    assert found[-1].norm == "ES:rdleg:1/2020"
