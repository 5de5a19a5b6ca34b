"""Letters that tell the steps left out or the money taken, and what of them is lawful."""

from __future__ import annotations

from app.rules import Brief, RulesEngine

_SUSPENSION = (
    "IMPOSICIÓN DE SANCIÓN DISCIPLINARIA\nCali, 5 de octubre de 2026\nSeñor Iván Mora:\n"
    "Concluida la diligencia de descargos, la empresa resuelve suspender su contrato por doce (12) "
    "días. Pidió "
    "conocer los testimonios; no se le entregaron. Se le negó que lo acompañaran dos compañeros del "
    "sindicato. "
    "Incumbe al trabajador probar que no cometió la falta. Los mismos hechos, por los que recibió "
    "un llamado de "
    "atención en julio, ameritan otra sanción. Frente a esta decisión no cabe recurso. El valor de "
    "la reposición "
    "del radio se deducirá de su salario. La sanción, con su nombre, será publicada en la "
    "cartelera. Se impone "
    "además una multa equivalente a dos (2) días de salario por el retraso del 9 de julio."
)
_LAWFUL_LINES = (
    "Las multas, cuando proceden, se consignan en la cuenta especial para premios de los trabajadores. No se "
    "descuenta ningún día por dominicales distintos de los comprendidos en la suspensión."
)
_DEPOSIT = (
    "Dear Ruth,\n\nYour tenancy of the flat ended on 30 September 2026 and your landlord has asked "
    "us to write "
    "about the deposit. You paid £1,500, a month and a half's rent.\n\nInventory fee, clause 8 ....... £90\n"
    "Interest on the overdue rent at 6% a month ....... £45\nNew carpet, full cost ....... "
    "£400\n\nWe did not send "
    "you the prescribed information. Our decision is final and you cannot take it to the scheme or to court. "
    "If you accept £150 you release all claims about the deposit. Enforcement agents will take "
    "goods from your "
    "home. We keep the tenancy file for six years. The landlord would like the flat brought up to date."
)


def _told(code: str, branch: str, text: str) -> dict[object, tuple[str, ...]]:
    draft = RulesEngine().analyse(Brief(text, code, branch, "en"))
    risks = (one for one in draft.statements if one.section.value == "risks")
    return {one.facts["rule"]: one.quotes for one in risks if "rule" in one.facts}


def test_a_sanction_that_tells_the_steps_left_out_is_told_each() -> None:
    told = _told("CO", "laboral", _SUSPENSION)
    assert set(told) >= {
        "co_suspension_long",
        "co_evidence_withheld",
        "co_union_companion_denied",
        "co_burden_on_worker",
        "co_punished_twice",
        "co_no_challenge",
        "co_deductions",
        "co_worker_shamed",
        "co_fines",
    }


def test_where_fines_go_and_days_not_deducted_are_no_risk() -> None:
    told = _told("CO", "laboral", f"{_SUSPENSION} {_LAWFUL_LINES}")
    assert "co_overtime_unpaid" not in told
    assert not any("cuenta especial" in words for words in told["co_fines"])


def test_a_letter_on_the_deposit_is_told_what_it_takes_and_not_how_long_files_are_kept() -> None:
    told = _told("GB", "civil", _DEPOSIT)
    assert set(told) >= {
        "gb_deposit_weeks",
        "gb_prohibited_fees",
        "gb_late_rent_charge",
        "gb_message_betterment",
        "gb_message_information_missing",
        "gb_message_no_court",
        "gb_message_deposit_claim_waived",
        "gb_message_bailiffs",
    }
    assert "gb_fixed_term" not in told


def test_a_brazilian_dismissal_is_told_what_its_settlement_takes() -> None:
    letter = (
        "COMUNICADO DE DISPENSA SEM JUSTA CAUSA\nRecife, 9 de novembro de 2026\nSenhor Caio: "
        "comunicamos a sua "
        "dispensa, com aviso prévio indenizado de 30 dias, sem acréscimo por tempo de casa. O total "
        "será pago em "
        "quatro parcelas. A multa do FGTS é de 10%. Será abatido o valor da avaria do veículo. O exame "
        "demissional será pago pelo empregado. Será lançado na CTPS que o empregado tinha baixo "
        "desempenho. Com o "
        "pagamento dá plena e irrevogável quitação do contrato. Será descontado o adiantamento de outubro."
    )
    told = _told("BR", "laboral", letter)
    assert set(told) >= {
        "br_letter_notice_not_proportional",
        "br_letter_pay_instalments",
        "br_letter_fgts_penalty_short",
        "br_letter_damage_deducted",
        "br_exam_paid_by_worker",
        "br_record_bad_conduct",
        "br_letter_release_all",
    }
    assert not any("adiantamento" in words for words in told["br_letter_damage_deducted"])
