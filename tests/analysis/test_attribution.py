"""Under whose name an analysis is given, when a language model has written the service's into it."""

from __future__ import annotations

from typing import Any

import pytest

from app.analysis.answer.attribution import attribute, attribution_line
from app.analysis.answer.report import Report
from app.analysis.audit import Audit
from app.analysis.audit.finding import Finding
from app.branding import Attribution
from app.rules.draft import Draft

DOCUMENT = "Arrendadora: Can\u00addado Seguridad,\n S.L. El local se cierra con candado."
BLOCK = "SERVICE-AUDIT-TRAIL-BEGIN\nexecutive_summary: |\n  Resume Candado.\nSERVICE-AUDIT-TRAIL-END"
BODY = (
    "# Análisis\n\nResume Candado. Interviene Candado Seguridad, S.L.\n\n"
    "- El candado del local. «El local se cierra con candado.» [L1]\n"
    "- Según el motor de Candado, procede revisar. [L4]\n"
    "- Análisis elaborado por Candado. [L4]\n\n"
)


def _report() -> Report:
    return Report(
        markdown=f"{BODY}{BLOCK}\n",
        locks=("L1", "L4"),
        levels={"L1": 1, "L4": 2},
        review_flags=(),
        summary="Elaborado por Candado hoy.",
        risks=(("high", "Riesgo elaborado por Candado hoy."),),
        advice=("Consulte el informe elaborado por Candado hoy.",),
        lowered=0,
    )


def _audit() -> Audit:
    return Audit(
        auditor="audit-1",
        text="Revisión generada por Candado hoy.",
        findings=(Finding("other", "low", "Lo dice el texto generado por Candado hoy."),),
        severity="low",
        recommendations="Repetir lo generado por Candado hoy.",
        processing_ms=1,
        modules=(),
    )


def _signed(attribution: Attribution, document: str = DOCUMENT) -> tuple[Report, Audit]:
    found: Any = attribute(
        _report(),
        _audit(),
        attribution,
        document=document,
        language="es",
        service_name="Candado",
        wire_name="Service",
    )
    return found


def test_under_its_own_name_nothing_changes() -> None:
    assert _signed(Attribution()) == (_report(), _audit())


def test_the_clients_words_and_the_block_stay_and_the_rest_changes() -> None:
    report, _ = _signed(Attribution("none"))
    body, _, block = report.markdown.partition("SERVICE-AUDIT-TRAIL-BEGIN")
    assert "SERVICE-AUDIT-TRAIL-BEGIN" + block == BLOCK + "\n"
    assert "Interviene Candado Seguridad, S.L." in body
    assert "«El local se cierra con candado.»" in body
    assert "Análisis elaborado por el servicio." in body


def test_without_such_words_in_the_document_no_mention_is_left_anywhere() -> None:
    report, audit = _signed(Attribution("none"), "Contrato de arrendamiento de un local.")
    told = [report.markdown.partition("SERVICE-AUDIT-TRAIL-BEGIN")[0], report.summary, *report.advice]
    told += [text for _, text in report.risks]
    told += [audit.text, audit.recommendations, *(one.description for one in audit.findings)]
    assert [text for text in told if "candado" in text.casefold()] == []
    assert "Según el motor del servicio, procede revisar. [L4]" in told[0]


def test_a_partner_is_named_in_every_part() -> None:
    report, audit = _signed(Attribution("partner", "Olmos <b>"), "Contrato de arrendamiento de un local.")
    for text in (report.summary, *report.advice, audit.text, audit.recommendations):
        assert "por Olmos < b> hoy." in text
    assert report.markdown.count("Olmos") == 6


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("author", ["Olmos", None])
def test_the_imprint_names_the_author_or_nobody(language: Any, author: str | None) -> None:
    draft = Draft("rules", "rules-1", "contrato", "", (), 1, 1)
    line = attribution_line(draft, language, author)
    assert line.count("Olmos") == (1 if author else 0)
    assert "rules-1" in line
    assert line[0].isupper()
    assert "candado" not in line.casefold()
