"""Messages and letters of everyday life, as people paste them: their kind and what is told of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.analysis.jurisdiction.assessment import choose_jurisdiction
from app.analysis.jurisdiction.detection import detect
from app.analysis.request import AUTO
from app.rules.brief import Brief
from app.rules.draft import Draft, Section
from app.rules.engine import RulesEngine
from app.text.bilingual import Language

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

TOLD_OF_OTHERS = {
    "boss_es": ("mensaje del empleador", {"em_change_alone", "em_holidays_alone", "em_hours_unpaid"}),
    "sick_es": (
        "mensaje del empleador",
        {"em_illness_threat", "em_diagnosis_asked", "em_work_on_sick_leave", "em_resignation_presumed"},
    ),
    "builder_es": (
        "presupuesto de obra o reparación",
        {"wq_cash_no_invoice", "wq_price_open", "wq_no_guarantee", "wq_no_date"},
    ),
    "parent_es": (
        "mensaje entre padres separados o familiares",
        {"fm_contact_for_money", "fm_move_alone", "fm_support_changed_alone", "fm_grandparents"},
    ),
    "collector_es": (
        "carta o mensaje de un cobrador de deudas",
        {"col_old_debt", "col_blacklist_threat", "demand_seizure_without_court"},
    ),
    "boss_mx": ("mensaje del empleador", {"mx_msg_severance_denied", "mx_msg_fired", "mx_msg_leave_unpaid"}),
    "landlord_co": (
        "comunicación del arrendador al inquilino",
        {"co_msg_rent_up", "co_msg_deposit", "co_msg_leave", "co_msg_lockout"},
    ),
    "boss_ar": (
        "mensaje del empleador",
        {"ar_msg_severance_denied", "ar_msg_abandonment", "ar_msg_certificate", "ar_msg_final_pay"},
    ),
    "landlord_cl": (
        "comunicación del arrendador al inquilino",
        {"cl_msg_leave", "cl_msg_lockout", "cl_msg_entry"},
    ),
    "boss_pe": ("mensaje del empleador", {"pe_msg_fired", "pe_msg_severance_denied", "pe_msg_pay_late"}),
    "collector_us": ("debt collector's letter or message", {"us_debt_threat", "us_msg_debt_no_dispute"}),
    "collector_gb": ("debt collector's letter or message", {"gb_msg_old_debt", "gb_message_bailiffs"}),
}
ENGLISH = ("GB", "US")


def _read(name: str) -> Draft:
    text = (TEXTS / f"message_{name}.txt").read_text("utf-8")
    place = name.rsplit("_", 1)[1].upper()
    jurisdiction = "GB" if place == "EN" else place
    language: Language = "en" if jurisdiction in ENGLISH else "es"
    return RulesEngine().analyse(
        Brief(text=text, jurisdiction=jurisdiction, branch="civil", language=language)
    )


def _told(draft: Draft) -> set[str]:
    return {
        str(one.facts["rule"]) for one in draft.statements if one.section == "risks" and "rule" in one.facts
    }


@pytest.mark.parametrize("name", sorted(TOLD | TOLD_OF_OTHERS))
def test_what_a_message_does_is_told(name: str) -> None:
    kind, rules = (TOLD | TOLD_OF_OTHERS)[name]
    draft = _read(name)
    assert draft.document_kind == kind
    assert rules <= _told(draft)


@pytest.mark.parametrize(
    "name",
    [
        "landlord_lawful_es",
        "shop_lawful_es",
        "bank_lawful_es",
        "landlord_lawful_en",
        "boss_lawful_es",
        "parent_lawful_es",
        "landlord_lawful_co",
    ],
)
def test_a_lawful_message_on_the_same_subjects_meets_none(name: str) -> None:
    assert _told(_read(name)) == set()


@pytest.mark.parametrize("name", ["collector_es", "boss_mx"])
def test_a_short_message_is_answered_with_a_few_things_to_do(name: str) -> None:
    draft = _read(name)
    assert len(_told(draft)) > 3
    assert sum(one.section is Section.RECOMMENDATIONS for one in draft.statements) == 3


@pytest.mark.parametrize("name", ["collector_us", "boss_mx", "landlord_co", "landlord_cl", "boss_pe"])
def test_everyday_words_tell_the_country_of_a_message(name: str) -> None:
    text = (TEXTS / f"message_{name}.txt").read_text("utf-8")
    assert choose_jurisdiction(AUTO, detect(text)) == name.rsplit("_", 1)[1].upper()
