"""Words that scanning broke are read whole, and lead back to how they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text import ocr
from app.text.ocr import repair

NOISE = "La comercia1ización y el titu1ar. "


@pytest.mark.parametrize(
    ("scanned", "read"),
    [
        ("cuyas caracterís-\nticas no constan", "cuyas características no constan"),
        ("la Compra-\n   dora paga", "la Compradora paga"),
        ("D E C R E T O   117/2025", "DECRETO   117/2025"),
        ("la comercia1ización", "la comercialización"),
        ("ADM1NISTRACION Y PRlMERA", "ADMINISTRACION Y PRIMERA"),
        ("lnterviene la sociedad", "Interviene la sociedad"),
        ("Fecha: l0-06-2026, l3:4O", "Fecha: 10-06-2026, 13:40"),
        ("a l2 de junio y a l de julio", "a 12 de junio y a 1 de julio"),
        (f"{NOISE}El docurnento se otorgará rnás tarde", None),
        (
            "el prestam0so, por dupIicado, a 3 de juIio, c0ntrata",
            "el prestamoso, por duplicado, a 3 de julio, contrata",
        ),
    ],
)
def test_noise_is_read_as_what_was_printed(scanned: str, read: str | None) -> None:
    repaired = repair(scanned)
    if read is None:
        assert repaired.text.endswith("El documento se otorgará más tarde")
    else:
        assert repaired.text == read


@pytest.mark.parametrize(
    "text",
    [
        "La jornada alterna del gobierno interno, el horno y el invierno de Hernández.",
        "NIF B00386241, ref. A0699925019990011, 3T-2022, CO2, H1N1, v1.0, IPv6.",
        "llamada, l'Hospitalet, lbs, ltd; la letra l) y el punto 1. bis.",
        "Véase la nota1 y el art. 5 de la Ley.",
        "entre 10-\n20 días; una clase físico-química",
        "A B C",
        "la app OpenIDea y la cuenta AlfaInvest",
        "la letra l de la lista; il/ll/lll; OO:OO; ll-IO-OOOl; art. 3.l de la Ley",
    ],
)
def test_what_is_right_stays(text: str) -> None:
    repaired = repair(text)
    assert repaired.text == text
    assert not repaired.changed


def test_a_quotation_is_taken_from_the_original() -> None:
    text = f"{NOISE}La Vende-\ndora podrá rnodificar el docurnento, sin tope."
    repaired = repair(text)
    assert "La Vendedora podrá modificar el documento, sin tope" in repaired.text
    words = repaired.as_written("Vendedora podrá modificar el documento")
    assert words == "Vende-\ndora podrá rnodificar el docurnento"
    assert repaired.as_written("no está aquí") == "no está aquí"


@given(st.text(alphabet="abrnlIO01 -\nABCDcpi.", max_size=80), st.integers(0, 80), st.integers(1, 20))
def test_every_slice_leads_to_a_slice_of_the_original(text: str, start: int, length: int) -> None:
    repaired = repair(text)
    words = repaired.text[start : start + length]
    assert repaired.as_written(words) in text


_PIECES = (
    "l",
    "I",
    "O",
    "0",
    "1",
    "29",
    "-",
    "/",
    ".",
    ":",
    " ",
    "a",
    "el",
    " de enero",
    "\n",
    "é",
    "٣",
    "_",
)


@given(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join))
def test_no_date_with_a_letter_in_it_is_passed_over(text: str) -> None:
    noisy = any(set("lIO") & set(found[0]) for found in ocr._DATE_NOISE.finditer(text))
    assert not noisy or ocr._DATE_LETTER.search(text)
