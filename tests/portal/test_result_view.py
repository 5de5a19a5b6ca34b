"""The page of a result: what to do stands with its risk, risks by severity, notes on citations once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask_babel import force_locale

from app.portal.analysis import result_view

ANALYSIS = """# Analysis: lease

A lease of a home.

## Risks

- **High.** The deposit is two months of rent. The law fixes one. «two months of rent» (Basis: art. 36.1 LAU; art. 9.1 LAU) [L5-C]
- *What to do:* Reduce it to one month. [L4]
- **Low.** The term is one year. [L4]

## Time limits

- End of the term: 31 August 2027. «one year» [L1]
- Notice: thirty days before the end. The tenant gives it in writing. (Basis: art. 11 LAU) [L4]

## Clauses missing

- Expenses: not found. [L4]

## Parties

- Lessor: Ana Fingida. [L1]

## Scope

- Made by a rule engine: it finds what its rules describe.

CANDADO-AUDIT-TRAIL-BEGIN
mode: deep
CANDADO-AUDIT-TRAIL-END
"""  # noqa: E501 (a line of an analysis is one paragraph)
LAW = "https://law.example/lau"


def check(citation: str, status: str, note: str) -> dict[str, Any]:
    return {"citation": citation, "status": status, "url": LAW, "note": note}


CHECKS = [
    check("art. 36.1 LAU", "verified", "Urban Leases Act: in force and has article 36; not compared."),
    check("art. 9.1 LAU", "verified", "Urban Leases Act: in force and has article 9; not compared."),
    check("art. 11 LAU", "verified", "Urban Leases Act: in force and has article 11; its text agrees."),
    check("art. 999 LAU", "not_found", "Urban Leases Act has no article 999."),
]
FINDING = {"type": "citation_error", "severity": "high", "description": "wrong", "statement": 4}


@pytest.fixture
def values(app: Flask) -> Iterator[dict[str, Any]]:
    answer = {
        "analysis": ANALYSIS,
        "citationChecks": {"checks": CHECKS},
        "audit": {"findings": [FINDING], "overallSeverity": "high"},
    }
    with app.test_request_context(), force_locale("en"):
        yield result_view.values(answer)


def test_risks_stand_by_severity_each_with_its_words_its_articles_and_what_to_do(
    values: dict[str, Any],
) -> None:
    high, low = values["parts"][0].risks
    assert [(one.severity, one.tone, one.name) for one in (high, low)] == [
        ("high", "bad", "High risk"),
        ("low", "low", "Low risk"),
    ]
    (deposit,) = high.entries
    assert deposit.headline == "The deposit is two months of rent."
    assert deposit.rest == "The law fixes one."
    assert deposit.clause == "two months of rent"
    assert [one["citation"] for one in deposit.authorities] == ["art. 36.1 LAU", "art. 9.1 LAU"]
    assert [(one.number, one.headline) for one in deposit.advice] == [(2, "Reduce it to one month.")]
    assert low.entries[0].number == 3


def test_words_that_stand_below_a_risk_are_not_said_before_its_reason(app: Flask) -> None:
    told = ANALYSIS.replace("The law fixes one. «two months", "«two months").replace(
        "rent» (Basis", "rent» Reason: the law fixes one. (Basis"
    )
    assert told != ANALYSIS
    with app.test_request_context(), force_locale("en"):
        found = result_view.values({"analysis": told, "citationChecks": {"checks": CHECKS}})
    deposit = found["parts"][0].risks[0].entries[0]
    assert (deposit.rest, deposit.clause) == ("Reason: the law fixes one.", "two months of rent")


def test_what_the_document_says_of_itself_is_an_inventory_apart(values: dict[str, Any]) -> None:
    assert [one.title for one in values["parts"]] == ["Risks", "Time limits", "Clauses missing", "Scope"]
    (parties,) = values["inventory"]
    (lessor,) = parties.entries
    assert (lessor.term, lessor.headline, lessor.has_grounds) == ("Lessor", "Ana Fingida.", False)


def test_a_short_statement_is_a_name_with_its_value_and_a_long_one_is_not(values: dict[str, Any]) -> None:
    term, notice = values["parts"][1].entries
    assert (term.term, term.headline) == ("End of the term", "31 August 2027.")
    assert (notice.term, notice.headline) == ("", "Notice: thirty days before the end.")
    assert values["parts"][2].entries[0].term == ""


def test_a_finding_stands_at_the_statement_it_names(values: dict[str, Any]) -> None:
    numbered = {one.number: one for part in values["parts"] for one in part.entries}
    assert [one["description"] for one in numbered[4].findings] == ["wrong"]
    assert [number for number, one in numbered.items() if one.findings] == [4]


def test_a_note_that_citations_share_stands_once_and_a_fault_comes_first(values: dict[str, Any]) -> None:
    faulty, sound = values["cited"]
    assert (faulty.status, faulty.title, faulty.tone) == ("not_found", "", "bad")
    assert [one.text for one in faulty.notes] == ["Urban Leases Act has no article 999."]
    assert (sound.title, sound.count) == ("Urban Leases Act", 3)
    assert [(one.text, [check["citation"] for check in one.checks]) for one in sound.notes] == [
        ("In force and has the article cited; not compared.", ["art. 36.1 LAU", "art. 9.1 LAU"]),
        ("In force and has article 11; its text agrees.", ["art. 11 LAU"]),
    ]


def test_the_figures_count_what_the_page_shows_and_lead_to_it(values: dict[str, Any]) -> None:
    assert [(one.number, one.words, one.tone, one.place) for one in values["figures"]] == [
        (2, "1 high, 1 low", "bad", "part-1"),
        (2, "with their last day where known", "", "part-2"),
        (1, "expected and not found", "", "part-3"),
        (4, "1 wrong", "bad", "cited"),
        (3, "of 7 statements; judge the others", "", ""),
    ]
