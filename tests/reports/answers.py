"""Answers as jobs store them, with everything that a report has to show."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

from app.reports.composition import Occasion

OCCASION = Occasion(
    job_id="8d3f4c0e-2f56-4b0e-9f4d-6b1a5c7e9d10",
    request_id="req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    completed_at=datetime(2026, 11, 28, 9, 30, tzinfo=UTC),
    name="Arregui Lex",
    contact=("Arregui y Soto Abogados, S.L.P.", "soporte@arregui.example"),
)


def statement(number: int, section: str, text: str, lock: str = "L4", **more: Any) -> dict[str, Any]:
    return {
        "id": f"s{number}",
        "section": section,
        "text": text,
        "lock": lock,
        "severity": None,
        "quotes": [],
        "authorities": [],
        **more,
    }


_ANSWER: dict[str, Any] = {
    "analysis": "# Análisis: contrato\n\n- Algo. [L4]\n",
    "jurisdiction": "ES",
    "legalBranch": "civil",
    "model": "rules-1+audit-1",
    "processingMs": 12,
    "mode": "deep",
    "creditsCharged": 2,
    "certaintyLocks": ["L5-C", "L4", "L1"],
    "citationChecks": {
        "checks": [
            {
                "citation": "art. 36 LAU",
                "kind": "L4-N",
                "status": "verified",
                "similarity": None,
                "semantic": None,
                "url": "https://www.boe.es/eli/es/l/1994/11/24/29",
                "depth": "article",
                "note": "La norma está en vigor.",
            },
            {
                "citation": "STS 999/2030",
                "kind": "L2-J",
                "status": "not_found",
                "similarity": None,
                "semantic": None,
                "url": "javascript:alert(1)",
                "depth": None,
                "note": "Su año no ha llegado.",
            },
        ],
        "counts": {"verified": 1, "not_found": 1},
        "anyBroken": True,
        "total": 2,
    },
    "statements": [
        statement(1, "risks", "La fianza es poca. Es de media mensualidad.", severity="low"),
        statement(
            2,
            "risks",
            "Se excluye la prórroga legal. La estipulación es nula.",
            "L5-C",
            severity="high",
            reason="La prórroga es obligatoria.",
            quotes=[
                {"text": "sin que quepa prórroga alguna", "start": 10, "end": 39, "page": 3, "paragraph": 12}
            ],
            authorities=[
                {
                    "citation": "art. 9.1 LAU",
                    "status": "verified",
                    "depth": "article",
                    "support": "supported",
                    "passage": "Si la duración fuera inferior a cinco años",
                },
                {"citation": "STS 999/2030", "status": "not_found", "depth": None, "support": "silent"},
            ],
            disputed="El nodo B no ve la exclusión.",
        ),
        statement(3, "deadlines", "Fin del plazo: 31 de enero de 2027."),
        statement(
            4, "amounts", "Renta: 950 € al mes.", "L1", quotes=[{"text": "950 euros", "start": 5, "end": 14}]
        ),
        statement(5, "recommendations", "Suprimir la exclusión.", part="recommendation", about="s2"),
        statement(6, "risks", "La prórroga es forzosa.", part="rule", about="s2"),
        statement(7, "recommendations", "Pedir la cédula de habitabilidad."),
        statement(8, "clauses_missing", "Falta la cláusula de obras.", severity="medium"),
        statement(9, "reasoning", "Por comprobar: la zona tensionada."),
        statement(10, "citations", "No consta la STS 999/2030.", severity="high"),
        statement(11, "obligations", "La arrendataria paga la renta."),
        statement(12, "parties", "Arrendadora: Pilar Lanuza.", "L1"),
        statement(13, "dates", "Firma: 15 de enero de 2026.", "L1"),
        statement(14, "clauses_present", "Objeto: cláusula primera."),
        statement(15, "annexes", "Una sección que esta versión no conoce."),
    ],
    "assessment": "partial",
    "assessmentNote": "No toda autoridad pudo comprobarse.",
    "detectedJurisdiction": {"code": "CO", "confidence": 0.9, "evidence": ["Código Sustantivo"]},
    "language": "es",
    "documentKind": "contrato de arrendamiento de vivienda",
    "summary": "Se trata de un contrato de arrendamiento.",
    "scope": ["Lo ha hecho un motor de reglas."],
    "reviewFlags": ["El documento parece de otro país.", "Una cita no se sostiene."],
    "documentWarnings": [{"code": "LOW_OCR_CONFIDENCE", "message": "La página se leyó mal.", "page": 2}],
    "audit": {
        "auditor": "audit-1",
        "text": "El auditor ha cotejado quince afirmaciones.",
        "findings": [
            {
                "type": "citation_error",
                "severity": "high",
                "description": "La sentencia no existe.",
                "statement": 2,
                "passage": {"source": "law", "words": "palabras de la ley", "citation": "art. 9 LAU"},
                "outcome": "stood_by",
                "answer": "Se mantiene por prudencia.",
            },
        ],
        "resolved": [
            {"type": "other", "severity": "low", "description": "Una fecha errónea.", "outcome": "amended"}
        ],
        "overallSeverity": "high",
        "recommendations": "Comprobar la sentencia.",
        "processingMs": 5,
        "audited": False,
    },
    "contentOrigin": {"generated": True, "by": "Arregui Lex", "engine": "rules-1+audit-1", "reviewed": False},
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
}

# Every sentence of the answer that a reader must meet in a report, in whatever format.
SAID = (
    *(one["text"].split(". ")[0].rstrip(".") for one in _ANSWER["statements"]),
    "Es de media mensualidad",
    "La prórroga es obligatoria",
    "sin que quepa prórroga alguna",
    "pág. 3, párr. 12",
    "Si la duración fuera inferior a cinco años",
    "El nodo B no ve la exclusión",
    "no dice nada de esto",
    "Su año no ha llegado",
    "La norma está en vigor",
    "No toda autoridad pudo comprobarse",
    "Colombia (CO)",
    "La página se leyó mal. (pág. 2)",
    "El documento parece de otro país",
    "Una cita no se sostiene",
    "Lo ha hecho un motor de reglas",
    "La sentencia no existe",
    "palabras de la ley",
    "el nodo A la mantiene",
    "Se mantiene por prudencia",
    "Una fecha errónea",
    "el nodo A la corrigió",
    "Comprobar la sentencia",
    "El nodo B no llegó a dar un veredicto",
    "Gravedad conjunta: alta",
    "Se trata de un contrato de arrendamiento",
    "España (ES), civil",
    "28 de noviembre de 2026, 09:30 UTC",
    "rules-1+audit-1",
    OCCASION.request_id,
    "inferencia, debe revisarse",
    "Arregui Lex",
    "soporte@arregui.example",
)


def answer(**changed: Any) -> dict[str, Any]:
    return {**deepcopy(_ANSWER), **changed}


def failure(**changed: Any) -> dict[str, Any]:
    return {
        "id": "b-2",
        "status": "error",
        "error": "text: must have 50 to 50000 characters, has 3.",
        "code": "VALIDATION_ERROR",
        "httpStatus": 422,
        **changed,
    }
