"""Who is who, in the many ways in which documents begin."""

import pytest

from app.rules.facts.people.parties import extract_parties
from app.text.sentences import FoldedText
from tests.rules.openings_en import ENGLISH
from tests.rules.openings_es import SPANISH, Cast

OPENINGS = SPANISH | ENGLISH


@pytest.mark.parametrize("name", OPENINGS)
def test_the_cast_of_an_opening(name: str) -> None:
    text, expected = OPENINGS[name]
    found: Cast = [(party.name, party.role_key) for party in extract_parties(FoldedText(text))]
    assert found == expected


@pytest.mark.parametrize("name", [name for name, (text, _) in OPENINGS.items() if "\n" not in text])
def test_a_new_line_after_each_sentence_changes_no_part(name: str) -> None:
    text, expected = OPENINGS[name]
    found = {(party.name, party.role_key) for party in extract_parties(FoldedText(text.replace(". ", ".\n")))}
    assert found == set(expected)
