"""Periods that run from an event which the document dates elsewhere, and from the days of new bases."""

from __future__ import annotations

import pytest

from app.rules import Brief, RulesEngine
from app.rules.draft import Section


def _deadlines(text: str, branch: str = "civil", language: str = "es") -> str:
    draft = RulesEngine().analyse(Brief(text, "ES", branch, language))  # type: ignore[arg-type]
    return " ".join(one.text for one in draft.statements if one.section is Section.DEADLINES)


def test_a_period_from_a_request_is_counted_from_the_day_the_request_is_dated() -> None:
    text = (
        "NON-DISCLOSURE AGREEMENT\n\nMadrid, 12 October 2026\n\nThe Disclosing Party and the Receiving Party "
        "agree to protect the Confidential Information.\n\nReturn. Within fifteen calendar days of a written "
        "request the Receiving Party shall return the information. The Disclosing Party sent its request on "
        "1 February 2027."
    )
    assert "16 February 2027" in _deadlines(text, "mercantil", "en")


def test_no_day_is_told_where_several_days_may_be_that_of_the_request() -> None:
    text = (
        "NON-DISCLOSURE AGREEMENT\n\nMadrid, 12 October 2026\n\nThe Disclosing Party and the Receiving Party "
        "agree to protect the Confidential Information.\n\nReturn. Within fifteen calendar days of a written "
        "request the Receiving Party shall return the information. A first request was sent on 1 February "
        "2027. A second request was sent on 1 March 2027."
    )
    told = _deadlines(text, "mercantil", "en")
    assert "16 February 2027" not in told
    assert "16 March 2027" not in told


@pytest.mark.parametrize(
    ("text", "branch", "day"),
    [
        (
            "MI TESTAMENTO OLÓGRAFO. Escribo de mi puño y letra mi testamento. Nota: murió el 15 de marzo "
            "de 2026. Don Gaspar supo de la muerte el 16 de marzo de 2026.",
            "civil",
            "26 de marzo de 2026",
        ),
        (
            "CONTRATO DE ENCARGO DE TRATAMIENTO DE DATOS. El encargado trata datos por cuenta del "
            "responsable. El responsable tuvo conocimiento el 5 de octubre de 2026 de un acceso no "
            "autorizado.",
            "mercantil",
            "8 de octubre de 2026",
        ),
    ],
)
def test_the_law_s_period_is_counted_from_what_the_document_dates(text: str, branch: str, day: str) -> None:
    assert day in _deadlines(text, branch)
