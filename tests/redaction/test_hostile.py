"""Fifty thousand characters of the worst kind come back; their time grows with the length, not its square."""

import random

import pytest

from app.redaction import Redaction, redact
from app.text.invisible import visible
from tests.growth import assert_linear

SIZE = 50_000
WORST = [
    "1",
    "@",
    "1 ",
    "A-",
    "1 1 1 ",
    "a",
    "A",
    "[",
    "(",
    "+",
    "+1",
    " ",
    "\n",
    "-",
    ".",
    "a@",
    "a@a.",
    "a.",
    "\u6f22",
    "\U0001d7d9",
    "1\u200b",
    "[ES_DNI_1]",
    "[ES_DNI_1b",
    "DNI ",
    "DNI 1 ",
    "DNI: 12345678 ",
    "IBAN ",
    "ES12 ",
    "ES91 2100 ",
    "9999 ",
    "12/12/",
    "$1.",
    "00 1",
    "RUT 12.345.678-5 ",
    "cuenta 1234567890 ",
    "D. A",
    "Don Juan ",
    "Juan ",
    "Calle A de ",
    "Ab de ",
    "n.o ",
    "A1 ",
    "Juan Luis, con DNI ",
    "12 Ab ",
    "expediente 600123123 ",
    "n\u0303",
    "tel. ((((",
    "4111 1111 1111 1111 ",
    "nacido el ",
    "nacido el 3 de ",
    "arroba ",
    "a arroba a punto ",
    "a at ",
    "Ana ",
    "Ana Gil y ",
    "Ana Gil, ",
    "Doña Ana Gil. A.G. ",
    "A.",
    "GIL, ANA ",
    "hija Ana ",
    "1.1.1.1 ",
    "::",
    "f:",
    "C.P. ",
    ", 28013 Madrid",
    "calle 1 ",
    "tel. 6.1.2 ",
    "\U000e0041",
]


def _redact_names(text: str) -> Redaction:
    return redact(text, mask_names=True)


@pytest.fixture(scope="module", autouse=True)
def _tables_are_read() -> None:
    redact("DNI 12345678Z", mask_names=True)


@pytest.mark.parametrize("piece", WORST)
def test_hostile_repetition_takes_linear_time_and_comes_back(piece: str) -> None:
    assert_linear(_redact_names, piece, short=SIZE // 5, long=SIZE)
    text = (piece * (SIZE // len(piece) + 1))[:SIZE]
    redaction = _redact_names(text)
    assert redaction.restore(redaction.text) == visible(text)


@pytest.mark.parametrize("alphabet", ["AB12 -.", "ABab12 -./()+@DNI", "9A ", "[]_ESDNI1b \\"])
def test_hostile_noise_takes_linear_time_and_comes_back(alphabet: str) -> None:
    text = "".join(random.Random(7).choices(alphabet, k=SIZE))
    assert_linear(_redact_names, text, short=SIZE // 5, long=SIZE)
    redaction = _redact_names(text)
    assert redaction.restore(redaction.text) == visible(text)


def test_many_protected_spans_do_not_slow_it_down() -> None:
    def read(text: str) -> Redaction:
        return redact(text, protected=[(start, start + 13) for start in range(0, len(text) - 14, 28)])

    assert_linear(read, "DNI 12345678Z ", short=SIZE // 5, long=SIZE)
    assert 1_700 < len(read("DNI 12345678Z " * (SIZE // 14)).masked) < 1_900
