"""What a redactor must leave alone: `app.citations.protected_spans`."""

import json
from pathlib import Path

import pytest

from app.citations import protected_spans
from tests.growth import assert_linear

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def protects(text: str, what: str, jurisdiction: str = "ES") -> bool:
    at = text.index(what)
    return any(start <= at and at + len(what) <= end for start, end in protected_spans(text, jurisdiction))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("La cuantía es de 123.456,78 euros.", "123.456,78 euros"),
        ("En Madrid, a 14 de marzo de 2024.", "14 de marzo de 2024"),
        ("Ley 39/2015 y STS 5753/2016", "39/2015"),
        ("ECLI:ES:TS:2016:5753", "ECLI:ES:TS:2016:5753"),
        ("Id Cendoj: 28079140012016101021", "28079140012016101021"),
        ("Procedimiento ordinario 1234/2020, NIG 28.079.00.2-2020/0012345", "28.079.00.2-2020/0012345"),
        ("causa RIT O-1234-2020, RUC 20-4-0256789-1", "20-4-0256789-1"),
        ("radicado 11001-03-15-000-2009-01328-01", "11001-03-15-000-2009-01328-01"),
        ("(BOE-A-2017-12902)", "BOE-A-2017-12902"),
        ("por $ 45.600.000.", "45.600.000"),
    ],
)
def test_law_dockets_money_and_dates_are_protected(text: str, what: str) -> None:
    assert protects(text, what)


def test_identifiers_of_people_are_not_protected() -> None:
    text = "D.ª Ana Ruiz, con DNI 12345678Z, IBAN ES91 2100 0418 4502 0005 1332 y teléfono 600 123 456."
    assert protected_spans(text) == ()


@pytest.mark.skipif(not (DATA / "pii_dev.jsonl").exists(), reason="needs ../shared/data/pii_dev.jsonl")
def test_no_labelled_identifier_is_shielded_from_the_redactor() -> None:
    shielded = []
    for line in (DATA / "pii_dev.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        spans = protected_spans(case["text"], case["jurisdiction"])
        shielded += [
            label["value"]
            for label in case["spans"]
            if any(start < label["end"] and label["start"] < end for start, end in spans)
        ]
    assert shielded == []


@pytest.mark.parametrize("worst", ["1.", "autos de ", "1 000 ", "$1,", "12/34567/20 ", "art. 1 "])
def test_hostile_text_takes_linear_time(worst: str) -> None:
    assert_linear(protected_spans, worst, short=10_000, long=50_000)
