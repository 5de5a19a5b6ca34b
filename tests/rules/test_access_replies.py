"""Replies to requests for access to personal data: recognised, judged, and their last day reckoned."""

from __future__ import annotations

import pytest

from app.rules import Brief, RulesEngine

_LATE = """Hollin Bank Plc
Data Protection Team

14 September 2026

Dear Ms Ward

Your subject access request

Your request for a copy of your personal data reached us on 29 June 2026. We are sorry for the delay.
We need a further six months. A fee of 40 pounds is payable first. We will not say who has received your
data. There is nobody to whom you may complain. {more}

Yours sincerely
"""
_LAWFUL = """Hollin Bank Plc
Data Protection Team

14 July 2026

Dear Ms Ward

Your subject access request

Your request for a copy of your personal data reached us on 29 June 2026. A copy is enclosed, free of
charge. The purposes, the recipients and the storage periods are set out in the annex. Where an email mentions
other people we have redacted their names. Advice from our solicitors is privileged and is withheld. A second
copy would be charged at 10 pounds. If you are not satisfied you may complain to the authority or go to court.

Yours sincerely
"""


def _told(text: str, code: str) -> tuple[set[str], str]:
    draft = RulesEngine().analyse(Brief(text, code, "civil", "en"))
    rules = {one.facts["rule"] for one in draft.statements if "rule" in one.facts}
    return rules, " ".join(one.text for one in draft.statements)


@pytest.mark.parametrize("code", ["GB", "EU"])
def test_a_late_reply_that_charges_and_refuses_is_told_so_with_its_last_day(code: str) -> None:
    rules, text = _told(_LATE.format(more=""), code)
    prefix = code.lower()
    assert rules >= {
        f"{prefix}_access_late",
        f"{prefix}_access_extension_long",
        f"{prefix}_access_fee",
        f"{prefix}_access_information_refused",
        f"{prefix}_access_no_complaint",
        f"{prefix}_ld_access",
    }
    assert "29 July 2026" in text


@pytest.mark.parametrize("code", ["GB", "EU"])
def test_data_deleted_once_they_were_asked_for_are_told_and_those_deleted_before_are_not(code: str) -> None:
    rule = f"{code.lower()}_access_deleted_after"
    after = "After your request arrived we deleted the messages about you."
    before = "The recording had been erased before your request."
    assert rule in _told(_LATE.format(more=after), code)[0]
    assert rule not in _told(_LATE.format(more=before), code)[0]


@pytest.mark.parametrize("code", ["GB", "EU"])
def test_a_lawful_reply_meets_no_risk(code: str) -> None:
    draft = RulesEngine().analyse(Brief(_LAWFUL, code, "civil", "en"))
    assert draft.document_kind == "reply to a request for access to personal data"
    assert [one.text for one in draft.statements if one.section.value == "risks"] == []
