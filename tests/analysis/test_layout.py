"""The page of an analysis: advice beside its risk, the inventory last, no longer than the document."""

from __future__ import annotations

from typing import Any

import pytest

from app.analysis.answer.layout import Detail, lay_out
from app.analysis.checks.locks import judge
from app.analysis.sanitize import Cleaner
from app.analysis.support.quote_finder import QuoteFinder
from app.rules import Lock, Section, Statement

DOCUMENT = (
    "PRIMERA. La fianza será de tres mensualidades, que la arrendadora retendrá sin plazo y sin intereses "
    "hasta que "
    "estime oportuno devolverla a quien corresponda según su criterio. SEGUNDA. La renta será de 900 "
    "euros al mes, "
    "pagadera por transferencia en los cinco primeros días. En Soria, a 3 de marzo de 2026."
)
FIRST, SECOND, THIRD = DOCUMENT.split(". ")[1], DOCUMENT.split(". ")[3], "En Soria, a 3 de marzo de 2026"


def statement(section: Section, text: str, *quotes: str, **more: Any) -> Statement:
    return Statement(section, text, quotes=quotes, origin="rules", **more)


STATEMENTS = [
    statement(Section.PARTIES, "Arrendadora: ninguna."),
    statement(Section.CLAUSES_PRESENT, "Fianza: cláusula primera.", FIRST, facts={"clause": "deposit"}),
    statement(Section.DATES, "Fecha de firma: 3 de marzo de 2026.", THIRD, proposed=Lock.L1),
    statement(Section.RECOMMENDATIONS, "Reducir la fianza.", facts={"rule": "deposit_rule"}),
    statement(Section.RECOMMENDATIONS, "Leerlo todo.", facts={"rule": "another"}),
    statement(
        Section.RISKS, "La fianza es excesiva.", FIRST, severity="high", facts={"rule": "deposit_rule"}
    ),
    statement(Section.AMOUNTS, "Renta: 900 € al mes.", SECOND, proposed=Lock.L1),
]


def page(room: int | None = None) -> tuple[list[str], int]:
    order = list(Section)
    judged = judge(sorted(STATEMENTS, key=lambda one: order.index(one.section)), QuoteFinder(DOCUMENT))
    made = lay_out(judged, Cleaner(lambda text: text, "es", "rules"), "es", room)
    written = sum(line.count("[L") for line in made.lines)
    assert written == len(made.locks) == len(STATEMENTS) - made.left_out
    assert room is None or made.words <= room or made.left_out
    return [line for line in made.lines if line], made.words


def test_advice_stands_with_its_risk_and_the_inventory_last() -> None:
    lines, _ = page()
    assert [line[3:] for line in lines if line.startswith("## ")] == [
        "Riesgos", "Importes", "Recomendaciones", "Partes", "Fechas", "Cláusulas presentes",
    ]  # fmt: skip
    risk = next(at for at, line in enumerate(lines) if "excesiva" in line)
    assert lines[risk + 1] == "- *Qué hacer:* Reducir la fianza. [L4]"
    assert sum("Reducir la fianza" in line for line in lines) == 1
    assert lines[lines.index("## Recomendaciones") + 1] == "- Leerlo todo. [L4]"


def test_every_line_is_one_statement_with_its_lock_at_the_end() -> None:
    for line in page()[0]:
        assert line.startswith("## ") or (
            line.startswith("- ") and line.count("[L") == 1 and line.endswith("]")
        )


def test_the_inventory_quotes_few_words_and_only_those_that_carry_the_value() -> None:
    lines, _ = page()
    [rent] = [line for line in lines if "Renta" in line]
    words = rent.partition("«")[2].partition("»")[0]
    assert "900" in words
    assert words in DOCUMENT
    assert len(words) <= 70
    [clause] = [line for line in lines if "cláusula primera" in line]
    assert "«" not in clause  # an inference quotes nothing


@pytest.mark.parametrize("room", [70, 40, 20, 0])
def test_a_page_with_little_room_still_has_risks_sums_and_advice(room: int) -> None:
    lines, words = page(room)
    assert words < page()[1]
    whole = "\n".join(lines)
    for kept in ("La fianza es excesiva.", "Renta: 900 € al mes.", "Reducir la fianza.", "Leerlo todo."):
        assert kept in whole
    if room < 40:
        assert "Cláusulas presentes" not in whole


def test_details_grow_shorter() -> None:
    assert list(Detail) == sorted(Detail)
