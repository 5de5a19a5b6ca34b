"""The list of jurisdictions."""

from typing import get_args

from app.corpus import jurisdiction, jurisdictions, lineage
from app.corpus.jurisdictions import LegalSystem


def test_there_are_more_than_sixty_each_with_its_own_code() -> None:
    codes = [entry.code for entry in jurisdictions()]
    assert len(codes) >= 60
    assert len(set(codes)) == len(codes)
    assert all(len(code) == 2 and code.isupper() for code in codes)


def test_every_entry_is_complete_and_of_a_known_family_of_law() -> None:
    for entry in jurisdictions():
        assert entry.name
        assert entry.name_es
        assert len(entry.language) == 2
        assert entry.legal_system in get_args(LegalSystem)


def test_a_code_is_found_in_any_case_and_an_unknown_one_is_none() -> None:
    spain = jurisdiction("es")
    assert spain is not None
    assert (spain.name, spain.name_es, spain.legal_system, spain.language) == (
        "Spain",
        "España",
        "civil",
        "es",
    )
    assert jurisdiction("XX") is None
    union = jurisdiction("EU")
    assert union is not None
    assert union.legal_system == "mixed"


def test_the_law_of_the_union_stands_above_that_of_its_twenty_seven_members() -> None:
    members = ["AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU"]
    members += ["IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK"]
    assert sorted(one.code for one in jurisdictions() if one.parent) == members
    for one in jurisdictions():
        assert lineage(one.code) == ((one.code, "EU") if one.code in members else (one.code,))
        assert one.parent is None or jurisdiction(one.parent) is not None
    assert lineage("ZZ") == ("ZZ",)
