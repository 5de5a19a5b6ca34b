"""Fifty thousand characters of the worst kind take as long, character by character, as ten thousand do."""

import random
import time
from typing import Any

import pytest

from app.redaction import Redaction, redact

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
]


def _redacted(text: str, **options: Any) -> tuple[Redaction, float]:
    """And the processor's seconds it took."""
    begun = time.process_time()
    redaction = redact(text, **options)
    return redaction, time.process_time() - begun


def _is_linear(whole_s: float, fifth_s: float) -> bool:
    """Five times the text, five times the time; what is quadratic takes twenty-five.

    The tenth is the clock's and the collector's. A slow machine fails no more than a fast one.
    """
    return whole_s < 12 * fifth_s + 0.1


@pytest.fixture(scope="module", autouse=True)
def _tables_are_read() -> None:
    redact("DNI 12345678Z", mask_names=True)


@pytest.mark.parametrize("piece", WORST)
def test_hostile_repetition_takes_linear_time_and_comes_back(piece: str) -> None:
    text = (piece * (SIZE // len(piece) + 1))[:SIZE]
    _, fifth_s = _redacted(text[: SIZE // 5], mask_names=True)
    redaction, whole_s = _redacted(text, mask_names=True)
    assert _is_linear(whole_s, fifth_s)
    assert redaction.restore(redaction.text) == text


@pytest.mark.parametrize("alphabet", ["AB12 -.", "ABab12 -./()+@DNI", "9A ", "[]_ESDNI1b \\"])
def test_hostile_noise_takes_linear_time_and_comes_back(alphabet: str) -> None:
    text = "".join(random.Random(7).choices(alphabet, k=SIZE))
    _, fifth_s = _redacted(text[: SIZE // 5], mask_names=True)
    redaction, whole_s = _redacted(text, mask_names=True)
    assert _is_linear(whole_s, fifth_s)
    assert redaction.restore(redaction.text) == text


def test_many_protected_spans_do_not_slow_it_down() -> None:
    text = "DNI 12345678Z " * (SIZE // 14)
    spans = [(start, start + 13) for start in range(0, SIZE - 14, 28)]
    _, fifth_s = _redacted(text[: SIZE // 5], protected=[span for span in spans if span[1] <= SIZE // 5])
    redaction, whole_s = _redacted(text, protected=spans)
    assert _is_linear(whole_s, fifth_s)
    assert 1_700 < len(redaction.masked) < 1_900
