"""Examples for the OpenAPI document: a fictional law of ZZ, so that nobody takes them for advice."""

from __future__ import annotations

from typing import Any

STATUTE_SEARCH = {"query": "plazo para reclamar", "jurisdiccion": "ZZ", "top_k": 1}
STATUTE_SEARCH_ANSWER: dict[str, Any] = {
    "data": [
        {
            "articulo_id": "0f7d3f1e-7a52-5c1a-9a0e-2f0c6d3b8e11",
            "norma_id": "5b0c9d24-6a7e-5f0f-8f63-7d2a1c4e9b22",
            "boe_id": "ZZ-A-2001-7",
            "numero": "12",
            "rubrica": "Plazo para reclamar",
            "texto_literal": "La reclamación se presentará en el plazo de un mes.",
            "highlights": [{"start": 3, "end": 14}, {"start": 33, "end": 38}],
            "url_boe": "https://example.com/zz/2001/7",
            "similarity": 0.9423,
            "alias": None,
            "norma_titulo": "Ley 7/2001, de demostración",
            "tipo": "ley",
        }
    ],
    "query": "plazo para reclamar",
    "jurisdiccion": "ZZ",
    "fecha": "2026-11-21",
    "top_k": 1,
    "vigencia_filtrada": "consulta",
}
JUDGMENT_SEARCH = {"query": "buena fe en el contrato", "jurisdiction": "ZZ", "top_k": 1}
JUDGMENT_SEARCH_ANSWER: dict[str, Any] = {
    "query": "buena fe en el contrato",
    "jurisdiction": "ZZ",
    "intent": "semantic",
    "count": 1,
    "chunks": [
        {
            "id": "2c9e5b70-4d1f-5b8a-a5f0-9d3c7e6f1a33",
            "source": "Tribunal de Demostración",
            "titulo": "Sentencia 3/2020",
            "texto": "La buena fe obliga a las partes también a lo que no está escrito.",
            "highlights": [{"start": 3, "end": 11}],
            "url": "https://example.com/zz/sentencias/3-2020",
        }
    ],
}
STATUTE_CHECK = {
    "citation": "art. 1902 CC",
    "jurisdiccion": "ES",
    "claim_text": "está obligado a reparar el daño causado",
}
STATUTE_CHECK_ANSWER: dict[str, Any] = {
    "status": "verified",
    "mismatch_kind": None,
    "citation": {
        "alias": "CC",
        "articulo": "1902",
        "norma_id": "5b0c9d24-6a7e-5f0f-8f63-7d2a1c4e9b22",
        "norma_titulo": "Código Civil",
    },
    "canonical_text": "(el texto del artículo)",
    "url": "https://www.boe.es/buscar/act.php?id=BOE-A-1889-4763#a1902",
    "similarity": 1.0,
    "text_match": "literal",
    "depth": "words",
    "consultado_a_fecha": "2026-11-21",
    "vigente_a_fecha": "2026-11-21",
    "vigencia_status": "in_force",
    "note": "Las palabras citadas figuran literalmente en el artículo 1902 de Código Civil, "
    "según el texto cargado.",
}
JUDGMENT_CHECK = {"citation": "STC 76/2019"}
JUDGMENT_CHECK_ANSWER: dict[str, Any] = {
    "status": "not_verifiable",
    "mismatch_kind": None,
    "citation": {
        "type": None,
        "ecli": None,
        "roj": None,
        "tribunal": "Tribunal Constitucional",
        "anio": 2019,
    },
    "canonical_text": None,
    "url": None,
    "similarity": None,
    "depth": None,
    "note": "No hay corpus de jurisprudencia cargado con el que comprobarla.",
}
