"""Messages and letters of everyday life, as people paste them: their kind and what is told of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rules.brief import Brief
from app.rules.draft import Draft
from app.rules.engine import RulesEngine

TEXTS = Path(__file__).parent / "texts"
TOLD = {
    "landlord_es": (
        "contrato de arrendamiento de vivienda",
        {"lau_message_new_rent", "lau_message_leave", "lau_message_lock", "lau_message_costs"},
    ),
    "shop_es": (
        "comunicación de una empresa a su cliente",
        {"tl_sent_to_maker", "tl_repair_costs", "tl_opened_no_withdrawal"},
    ),
    "bank_es": (
        "comunicación de un banco a su cliente",
        {"bl_position_fee", "bl_silence_accepts", "bl_insurance_imposed", "bl_rate_raised"},
    ),
    "community_es": (
        "acta o acuerdos de una comunidad de propietarios",
        {"lph_lift_majorities", "lph_not_summoned", "community_essential_services"},
    ),
    "landlord_en": (
        "landlord's letter to the tenant",
        {"gb_message_be_out", "gb_message_rent_up", "gb_message_entry", "gb_message_deposit_held"},
    ),
}


def _read(name: str) -> Draft:
    text = (TEXTS / f"message_{name}.txt").read_text("utf-8")
    english = name.endswith("_en")
    jurisdiction, language = ("GB", "en") if english else ("ES", "es")
    return RulesEngine().analyse(
        Brief(text=text, jurisdiction=jurisdiction, branch="civil", language=language)
    )


def _told(draft: Draft) -> set[str]:
    return {
        str(one.facts["rule"]) for one in draft.statements if one.section == "risks" and "rule" in one.facts
    }


@pytest.mark.parametrize("name", sorted(TOLD))
def test_what_a_message_does_is_told(name: str) -> None:
    kind, rules = TOLD[name]
    draft = _read(name)
    assert draft.document_kind == kind
    assert rules <= _told(draft)


@pytest.mark.parametrize(
    "name", ["landlord_lawful_es", "shop_lawful_es", "bank_lawful_es", "landlord_lawful_en"]
)
def test_a_lawful_message_on_the_same_subjects_meets_none(name: str) -> None:
    assert _told(_read(name)) == set()
