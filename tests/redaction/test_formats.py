"""The tables agree with python-stdnum, with themselves and with the list of jurisdictions."""

import json
from pathlib import Path

import pytest

from app.redaction.check_digits import rule_named
from app.redaction.formats import kinds_of, shape_of, tables
from app.redaction.iban import iban_agrees, iban_structure

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "jurisdictions.json"


def every_format() -> set[tuple[str, str, str | None]]:
    known = tables()
    in_labels = [fmt for entries in known.labels.values() for fmt, _ in entries]
    in_spellings = [
        fmt for table in (known.bare, known.home) for formats in table.values() for fmt in formats
    ]
    return {(fmt.type, fmt.country, fmt.check) for fmt in (*in_labels, *in_spellings)}


def test_every_check_named_in_the_tables_exists_and_answers_on_rubbish() -> None:
    for _, _, check in every_format():
        if check:
            for rubbish in ("", "0", "A", "&" * 20, "1" * 40, "ABCDEF12"):
                assert rule_named(check)(rubbish) in (True, False)


def test_a_type_holds_no_digit_so_that_numbers_of_placeholders_stay_unambiguous() -> None:
    assert all(not any(character.isdigit() for character in name) for name, _, _ in every_format())


@pytest.mark.skipif(not DATA.exists(), reason="needs ../shared/data beside the checkout")
def test_every_jurisdiction_with_identifiers_has_formats() -> None:
    countries = {country for _, country, _ in every_format()} | {"PR"}
    without = [
        row["code"]
        for row in json.loads(DATA.read_text("utf-8"))
        if (row["id_types"] or row["code"] in ("BO", "PA", "HN", "NI", "GQ")) and row["code"] not in countries
    ]
    assert without == []


def test_a_spelling_is_expanded_to_kinds_and_to_a_shape() -> None:
    assert set(kinds_of("9{1,2}X-A")) == {"99-A", "9A-A", "999-A", "99A-A"}
    shape = shape_of(["99.9{2,3}-A", "X{3}"])
    assert shape.fullmatch("1234Z")
    assert shape.fullmatch("A1B")
    assert not shape.fullmatch("123Z")


@pytest.mark.parametrize(
    ("rule", "right", "wrong"),
    [
        ("es_nuss", "281234567840", "281234567841"),
        ("mx_clabe", "032180000118359719", "032180000118359718"),
        ("gb_nino", "ES484279B", "QQ123456C"),
        ("uy_ci", "12345672", "12345673"),
        ("sv_dui", "000162975", "000162976"),
        ("br_pis", "12056412847", "12056412848"),
        ("card", "4111111111111111", "4111111111111112"),
        ("card", "378282246310005", "0000000000000000"),
        ("eu_vat", "DE136695976", "DE136695977"),
        ("es_dni", "12345678Z", "12345678A"),
        ("es_nie", "X1234567L", "X1234567M"),
    ],
)
def test_a_check_digit_is_recognised(rule: str, right: str, wrong: str) -> None:
    assert rule_named(rule)(right) is True
    assert rule_named(rule)(wrong) is False


@pytest.mark.parametrize(
    "iban", ["ES9121000418450200051332", "NO9386011117947", "MT84MALT011000012345MTLCAST001S"]
)
def test_ibans_of_any_length_agree_and_a_changed_digit_does_not(iban: str) -> None:
    structure = iban_structure(iban[:2])
    assert structure is not None
    assert structure[0] == len(iban)
    assert iban_agrees(iban)
    assert not iban_agrees(iban[:3] + str((int(iban[3]) + 1) % 10) + iban[4:])
    assert iban_structure("ZZ") is None
