"""Examples for the OpenAPI document."""

from __future__ import annotations

from typing import Any

_ID = "4b6f8a52-0f7e-4c4a-9a55-6f1d2f7c3e10"
_REQUEST_ID = "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11"
_BEFORE = (
    "CONTRATO DE ARRENDAMIENTO DE VIVIENDA. PRIMERA. Duración. El contrato tendrá una duración de cinco "
    "años. SEGUNDA. Penalización. El retraso en la entrega de la vivienda se sanciona con 1.000 euros."
)
_AFTER = _BEFORE.replace("1.000 euros", "5.000 euros")

REQUEST: dict[str, Any] = {"before": {"text": _BEFORE}, "after": {"text": _AFTER}, "jurisdiction": "ES"}

_QUOTE = "El retraso en la entrega de la vivienda se sanciona con 5.000 euros"
_START = _AFTER.index(_QUOTE)
_SECOND = _AFTER.index("SEGUNDA")
_FIRST = _AFTER.index("PRIMERA")
_RISK: dict[str, Any] = {
    "id": "s1",
    "section": "risks",
    "text": "La penalización es muy alta frente a la renta. El juez puede moderarla.",
    "lock": "L4",
    "severity": "medium",
    "quotes": [{"text": _QUOTE, "start": _START, "end": _START + len(_QUOTE)}],
    "authorities": [
        {"citation": "art. 1154 CC", "status": "verified", "depth": "article", "support": "supported"}
    ],
    "clause": 2,
}


def _place(start: int, end: int, number: str = "", heading: str = "") -> dict[str, Any]:
    named = {"number": number, "heading": heading} if number else {}
    return {**named, "start": start, "end": end}


def _same(place: dict[str, Any]) -> dict[str, Any]:
    return {
        "change": "unchanged",
        "before": place,
        "after": place,
        "similarity": 1.0,
        "renumbered": False,
        "words": [{"op": "equal", "text": _AFTER[place["start"] : place["end"]]}],
    }


_CHANGED = _place(_SECOND, len(_AFTER), "2", "Penalización")
ANSWER: dict[str, Any] = {
    "comparisonId": _ID,
    "requestId": _REQUEST_ID,
    "clauses": [
        _same(_place(0, _FIRST)),
        _same(_place(_FIRST, _SECOND, "1", "Duración")),
        {
            "change": "changed",
            "before": _CHANGED,
            "after": _CHANGED,
            "similarity": 0.94,
            "renumbered": False,
            "words": [
                {"op": "equal", "text": _AFTER[_SECOND : _AFTER.index("5.000")]},
                {"op": "delete", "text": "1.000"},
                {"op": "insert", "text": "5.000"},
                {"op": "equal", "text": " euros."},
            ],
        },
    ],
    "counts": {"added": 0, "removed": 0, "changed": 1, "moved": 0, "unchanged": 2, "renumbered": 0},
    "values": [
        {
            "kind": "money",
            "role": "penalty",
            "before": {"text": "1.000 euros", "value": "1000", "unit": "EUR"},
            "after": {"text": "5.000 euros", "value": "5000", "unit": "EUR"},
            "clause": 2,
        }
    ],
    "risks": {"appeared": [_RISK], "went": [], "stayed": []},
    "summary": [
        "Cambia 1 cláusula y quedan igual 2.",
        "La penalización pasa de 1.000 € a 5.000 € (cláusula 2).",
        "Riesgos: 1 nuevo, 0 que ya no están y 0 que siguen.",
    ],
    "analysis": "# Comparación de dos versiones\n\n## Qué cambia\n\n- Cambia 1 cláusula y quedan igual 2.\n…",
    "creditsCharged": 2,
    "processingMs": 412,
    "model": "rules",
    "contentOrigin": {"generated": True, "by": "Candado", "engine": "rules", "reviewed": False},
    "jurisdiction": "ES",
    "legalBranch": "civil",
    "detectedJurisdiction": {"code": "ES", "confidence": 0.6, "evidence": ["1.000 euros"]},
    "assessment": "full",
    "reportUrl": f"https://api.example.com/api/v1/compare/{_ID}/report",
    "expiresAt": "2026-11-22T10:15:34.882Z",
}
EQUAL: dict[str, Any] = {
    "error": "after: has the same words as before, so there is nothing to compare; you were not charged. "
    "Send two versions that differ.",
    "code": "VERSIONS_EQUAL",
    "requestId": _REQUEST_ID,
    "details": {"field": "after", "expected": "a text that differs from before"},
}
UNKNOWN: dict[str, Any] = {
    "error": "There is no comparison with this id for this API key, or it has expired. Compare the two "
    "versions again with POST /api/v1/compare.",
    "code": "NOT_FOUND",
    "requestId": _REQUEST_ID,
}
