"""Make the variant answer of POST /analyze: an envelope of node A and node B (decision 022). Pure.

The rules for its values are ours. Words are in Spanish
capitals whatever the answer's language, so that a client may compare them.
"""

from __future__ import annotations

from typing import Any

from app.analysis.result import AnalysisResult
from app.rules import Severity

_LEVELS: dict[Severity | None, str] = {"high": "ALTO", "medium": "MEDIO", "low": "BAJO", None: "BAJO"}
_VERDICTS: dict[Severity, str] = {"low": "CONFORME", "medium": "CON_RESERVAS", "high": "NO_CONFORME"}
NOT_AUDITED = "NO_AUDITADO"


def media_type(wire_name: str) -> str:
    """Return the media type that a client names in `Accept` to get the envelope."""
    return f"application/vnd.{wire_name.lower()}.nodes+json"


def nodes(result: AnalysisResult) -> dict[str, Any]:
    """Return the envelope of a fresh result (decision 022).

    `certezaScore` (0 to 100) is the percentage of statements that code did not lower and, in mode deep, that
    no finding of node B concerns. `verdict` is `NO_AUDITADO` in mode standard, which has no observations.
    """
    report, audit = result.report, result.answer.get("audit")
    assert report is not None, "only a success has a report"
    statements = sum(report.levels.values())
    attacked = len({one.get("statement") for one in audit["findings"]}) if audit else 0
    standing = max(0, statements - report.lowered - attacked)
    return {
        "sessionId": str(result.analysis_id),
        "jurisdiction": result.answer["jurisdiction"],
        "nodoA": {
            "summary": report.summary,
            "riskSignals": [
                {"level": _LEVELS[severity], "description": text} for severity, text in report.risks
            ],
            "recommendations": list(report.advice),
        },
        "nodoB": {
            "verdict": _VERDICTS[audit["overallSeverity"]] if audit else NOT_AUDITED,
            "certezaScore": round(100 * standing / statements) if statements else 0,
            "observations": [one["description"] for one in audit["findings"]] if audit else [],
        },
    }
