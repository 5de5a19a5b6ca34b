"""Examples shown in the OpenAPI document: a real request and the service's own answer to it.

The answer is written by `make examples`; a test compares it with what the service says now.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ANSWER_FILE = Path(__file__).parents[1] / "data" / "example_answer.json"
SANDBOX_ANSWER_FILE = ANSWER_FILE.with_name("example_sandbox_answer.json")

REQUEST: dict[str, Any] = {
    "text": (
        "CONTRATO DE ARRENDAMIENTO DE VIVIENDA\n\n"
        "En Zaragoza, a 1 de septiembre de 2026.\n\n"
        "REUNIDOS\n"
        "De una parte, D. Tomás Herrero Vidal, con DNI 12345678Z, en adelante el ARRENDADOR.\n"
        "De otra parte, Dña. Lucía Prado Sanz, con NIE X1234567L, en adelante la ARRENDATARIA.\n\n"
        "PRIMERA. Duración. El contrato tendrá una duración de un año.\n\n"
        "SEGUNDA. Renta. La renta será de 900 euros mensuales.\n\n"
        "TERCERA. Fianza. La arrendataria entrega en este acto 1.800 euros en concepto de fianza, "
        "conforme al artículo 36 de la LAU.\n"
    ),
    "jurisdiction": "ES",
    "legalBranch": "civil",
    "language": "es",
    "mode": "standard",
}
ANSWER: dict[str, Any] = json.loads(ANSWER_FILE.read_text("utf-8"))
NODES_ANSWER: dict[str, Any] = {
    "sessionId": "0b9f3c52-7a0e-4c38-9f4b-0f6a4f1f7a11",
    "jurisdiction": "ES",
    "nodoA": {
        "summary": "Se trata de un contrato de arrendamiento de vivienda.",
        "riskSignals": [
            {"level": "MEDIO", "description": "La fianza pactada equivale a 2 mensualidades de renta."}
        ],
        "recommendations": ["Reducir la fianza a una mensualidad."],
    },
    "nodoB": {"verdict": "NO_AUDITADO", "certezaScore": 100, "observations": []},
}
TOO_SHORT: dict[str, Any] = {
    "error": "text: must have 50 to 50000 characters, has 11.",
    "code": "VALIDATION_ERROR",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    "details": {"field": "text", "min": 50, "max": 50000, "got": 11},
}
_UNKNOWN_DOCUMENT = (
    "there is no document with this reference for this API key, or it has expired. Upload the file with POST "
    "/api/v1/documents and use the documentRef of the answer."
)
UNKNOWN_DOCUMENT: dict[str, Any] = {
    "error": f"documentRef: {_UNKNOWN_DOCUMENT}",
    "code": "NOT_FOUND",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    "details": {
        "field": "documentRef",
        "errors": [{"field": "documentRef", "message": _UNKNOWN_DOCUMENT}],
    },
}
NEITHER: dict[str, Any] = {
    "error": "text: is required where documentRef is not given.",
    "code": "VALIDATION_ERROR",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    "details": {
        "field": "text",
        "errors": [
            {"field": "text", "message": "is required where documentRef is not given."},
            {"field": "documentRef", "message": "is required where text is not given."},
        ],
    },
}
BATCH_REQUEST: dict[str, Any] = {
    "documents": [{"id": "lease-17", **REQUEST}, {"id": "note-3", "text": "Too short."}],
    "concurrency": 5,
}
BATCH_ANSWER: dict[str, Any] = {
    "batchId": "0b9f3c52-7a0e-4c38-9f4b-0f6a4f1f7a11",
    "results": [
        {
            "id": "lease-17",
            "status": "success",
            **{name: value for name, value in ANSWER.items() if name != "requestId"},
        },
        {
            "id": "note-3",
            "status": "error",
            "error": "text: must have 50 to 50000 characters, has 10.",
            "code": "VALIDATION_ERROR",
            "httpStatus": 422,
        },
    ],
    "totals": {
        "submitted": 2,
        "succeeded": 1,
        "failed": 1,
        "creditsCharged": 1,
        "processingMs": 24,
        "concurrency": 5,
    },
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
}
TOO_MANY: dict[str, Any] = {
    "error": "documents: must contain at most 50 documents, contains 51. Send several batches.",
    "code": "BATCH_TOO_LARGE",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    "details": {"field": "documents", "min": 1, "max": 50, "got": 51},
}
SANDBOX_REQUEST: dict[str, Any] = {"sample": "contract_es", "language": "en", "mode": "deep"}
SANDBOX_ANSWER: dict[str, Any] = json.loads(SANDBOX_ANSWER_FILE.read_text("utf-8"))
UNKNOWN_SAMPLE: dict[str, Any] = {
    "error": "sample: must be one of contract_es, providencia_aeat, dictamen_teac, demanda_concursal_es, "
    "demand_co, laboral_cl; got 'contract_fr'.",
    "code": "VALIDATION_ERROR",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    "details": {
        "field": "sample",
        "allowed": SANDBOX_ANSWER["available_samples"],
        "got": "contract_fr",
    },
}


def steadied(answer: dict[str, Any]) -> dict[str, Any]:
    """`answer` with what differs each time fixed, so that an example changes only when the analysis does."""
    fixed = answer | {"processingMs": 21, "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11"}
    if "audit" in fixed:
        fixed["audit"] = {**fixed["audit"], "processingMs": 21}
    return fixed
