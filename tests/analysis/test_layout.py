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


def risks(*severities: str) -> list[Statement]:
    found = []
    for at, severity in enumerate(severities):
        text = f"El riesgo {at} existe, según el art. 6 LAU. Lo demás es largo y no cabe siempre."
        found.append(statement(Section.RISKS, text, FIRST, severity=severity, facts={"rule": f"r{at}"}))
        found.append(statement(Section.RECOMMENDATIONS, f"Consejo {at}.", facts={"rule": f"r{at}"}))
    return found


# Words for three risks with the advice on two: less leaves only first sentences.
ROOM_FOR_ADVICE = 60


def written(statements: list[Statement], room: int | None) -> tuple[str, int]:
    order = list(Section)
    judged = judge(sorted(statements, key=lambda one: order.index(one.section)), QuoteFinder(DOCUMENT))
    made = lay_out(judged, Cleaner(lambda text: text, "es", "rules"), "es", room)
    return "\n".join(made.lines), made.shortened


def test_lesser_risks_are_told_by_their_first_sentence_before_graver_ones() -> None:
    statements = risks("high", "medium", "low")
    whole, none = written(statements, None)
    assert whole.count("Lo demás") == 3
    assert none == 0
    short, two = written(statements, ROOM_FOR_ADVICE)
    assert two == 2
    assert short.count("Lo demás") == 1
    assert all(f"El riesgo {at} existe, según el art. 6 LAU." in short for at in range(3))
    assert "Consejo 0." in short
    assert "Consejo 2." not in short


def test_of_many_grave_risks_the_first_are_explained_and_all_are_told_with_what_to_do() -> None:
    short, shortened = written(risks(*["high"] * 9), 210)
    assert shortened == 4
    assert short.count("Lo demás") == 5
    assert all(f"El riesgo {at} existe" in short and f"Consejo {at}." in short for at in range(9))


def test_with_no_room_every_risk_and_last_day_is_told_and_advice_on_the_gravest() -> None:
    counted = "Contado desde el 1 de marzo de 2026, termina el 1 de abril de 2026."
    period = f"Plazo para recurrir: un mes. Recurrir no suspende por sí solo. {counted}"
    statements = [
        *risks(*["high"] * 9),
        statement(Section.DEADLINES, period, FIRST, severity="high", facts={"rule": "appeal"}),
        statement(Section.DATES, "Fecha de firma: 1 de marzo de 2026.", SECOND),
    ]
    short, shortened = written(statements, 0)
    assert shortened == 10
    assert "Lo demás" not in short
    assert all(f"El riesgo {at} existe" in short for at in range(9))
    assert [at for at in range(9) if f"Consejo {at}." in short] == [0, 1, 2]
    assert f"- **Alto.** Plazo para recurrir: un mes. {counted} [L4]" in short
    assert "Fecha de firma" not in short


def test_figures_of_no_known_part_and_faultless_citations_go_first() -> None:
    statements = [
        *STATEMENTS,
        statement(Section.AMOUNTS, "Importe: 900 €.", SECOND, facts={"role": "other", "value": "900"}),
        statement(Section.DEADLINES, "Plazo: 5 días.", SECOND, facts={"role": "other"}),
        statement(
            Section.DEADLINES,
            "Plazo: termina mañana.",
            SECOND,
            facts={"role": "other", "until": "2026-03-08"},
        ),
        statement(Section.CITATIONS, "Verificada: art. 36 LAU."),
        statement(Section.CITATIONS, "No existe: art. 999 LAU.", severity="high"),
    ]
    short, _ = written(statements, 0)
    assert "Renta: 900" in short
    assert "termina mañana" in short
    assert "No existe" in short
    assert not any(left in short for left in ("Importe: 900", "Plazo: 5", "Verificada"))
