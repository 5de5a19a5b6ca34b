"""The summary says in plain sentences what changed."""

from __future__ import annotations

from app.comparison.risks import Risk, RiskChanges, Stayed
from app.comparison.summary import MOST_OF_A_KIND, summarise
from app.comparison.versions import compare_versions
from app.text.bilingual import Language

NO_RISKS = RiskChanges((), (), ())
BEFORE = """CONTRATO

PRIMERA. Objeto. Una nave.

SEGUNDA. Penalización. El retraso se sanciona con una penalización de 1.000 euros.

TERCERA. Duración. El contrato finaliza el 1 de mayo de 2026 con un preaviso de un mes."""


def sentences(
    before: str, after: str, language: Language = "es", risks: RiskChanges = NO_RISKS
) -> tuple[str, ...]:
    found = compare_versions(before, after)
    return summarise(found.changes, found.values, risks, language)


def test_a_changed_amount_is_told_with_its_clause_in_both_languages() -> None:
    after = BEFORE.replace("1.000", "5.000")
    assert "La penalización pasa de 1.000 € a 5.000 € (cláusula 2)." in sentences(BEFORE, after)
    assert "The penalty goes from €1,000 to €5,000 (clause 2)." in sentences(BEFORE, after, "en")


def test_dates_and_periods_are_told_with_their_prepositions() -> None:
    after = BEFORE.replace("1 de mayo", "31 de mayo").replace("un mes", "dos meses")
    found = sentences(BEFORE, after)
    assert (
        "La fecha de fin o de vencimiento pasa del 1 de mayo de 2026 al 31 de mayo de 2026 (cláusula 3)."
        in found
    )
    assert "El preaviso o aviso pasa de 1 mes a 2 meses (cláusula 3)." in found


def test_counts_come_first() -> None:
    after = BEFORE.replace("1.000", "5.000") + "\n\nCUARTA. Fuero. Los juzgados de Soria."
    found = sentences(BEFORE, after)
    assert found[0] == "Cambia 1 cláusula, se añade 1 y quedan igual 3."
    assert "Se añade: cláusula 4 (Fuero)." in found
    assert sentences(BEFORE, after, "en")[0] == "1 clause changed, 1 was added and 3 are unchanged."


def test_risks_are_counted_and_a_changed_severity_is_told() -> None:
    def risk(severity: str) -> Risk:
        return Risk(0, "rule a", severity, (2,), frozenset(), "")  # type: ignore[arg-type]

    risks = RiskChanges((risk("low"),), (), (Stayed(risk("medium"), risk("high")),))
    found = sentences(BEFORE, BEFORE, risks=risks)
    assert "Riesgos: 1 nuevo, 0 que ya no están y 1 que sigue." in found
    assert "Un riesgo que sigue pasa de gravedad media a alta (cláusula 2)." in found


def test_a_long_list_is_cut_and_says_so() -> None:
    before = "\n\n".join(
        f"{at}. Partida. La partida {at} cuesta {at}00 euros en total." for at in range(1, 60)
    )
    after = before.replace("00 euros", "50 euros")
    found = sentences(before, after)
    assert sum("pasa de" in one for one in found) == MOST_OF_A_KIND
    assert "Y 34 cambios más como estos." in found


def test_an_article_is_called_an_article() -> None:
    before = "CONTRATO\n\nArtículo 1. Objeto. Nada.\n\nArtículo 2. Multa. Una multa de 100 euros."
    assert "La multa o sanción pasa de 100 € a 200 € (artículo 2)." in sentences(
        before, before.replace("100", "200")
    )
