"""Examples for the OpenAPI document: shapes with facts, and no words that others wrote."""

from __future__ import annotations

from typing import Any

ARTICLE: dict[str, Any] = {
    "norma": {
        "boe_id": "ZZ-2026-1",
        "titulo": "Ley de Demostración",
        "url": "https://law.example.com/zz/2026/1",
    },
    "articulo": {
        "numero": "4",
        "rubrica": "Plazo",
        "texto_literal": "El plazo será de diez días.",
        "version": {"vigencia_desde": "2026-12-01", "vigencia_hasta": None},
    },
    "consultado_a_fecha": "2026-12-15",
    "vigente_a_fecha": "2026-12-15",
    "vigencia_status": "in_force",
    "jurisdiccion": "ZZ",
}
NO_ARTICLE: dict[str, Any] = {
    "norma": {"boe_id": "ZZ-2026-1", "titulo": "Ley de Demostración", "url": None},
    "articulo": None,
    "consultado_a_fecha": "2026-12-15",
    "vigente_a_fecha": None,
    "vigencia_status": "unknown",
    "jurisdiccion": "ZZ",
    "note": "Ley de Demostración: no existe el artículo 40.",
}
VERSIONS: dict[str, Any] = {
    "norma": {
        "boe_id": "ZZ-2026-1",
        "titulo_corto": "Ley de Demostración",
        "titulo_oficial": "Ley 1/2026, de Demostración",
        "url_boe": "https://law.example.com/zz/2026/1",
        "fecha_publicacion": "2026-11-01",
        "fecha_derogacion": None,
    },
    "versiones": [
        {
            "version_numero": 1,
            "vigencia_desde": "2026-11-21",
            "vigencia_hasta": None,
            "modificada_por": None,
            "hash_texto": "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
            "url_snapshot": None,
        }
    ],
}
LAW: dict[str, Any] = {
    "jurisdicciones": ["CO", "ES", "EU"],
    "total_normas": 12255,
    "total_versiones": 24061,
    "total_articulos": 24061,
    "ultima_actualizacion": "2026-04-25",
    "lag_dias": 5,
    "status": "active",
}
COVERAGE: dict[str, Any] = {
    "generatedAt": "2026-11-21T10:15:30.125Z",
    "cacheTtlSeconds": 300,
    "totalDocs": 29210,
    "totalTables": 1,
    "tables": [
        {
            "table": "corpus_judgments_co",
            "inferredJurisdiction": "CO",
            "totalDocs": 29210,
            "oldestDoc": "1992-02-25",
            "newestDoc": "2026-01-30",
            "topSources": [{"source": "index", "count": 29208}, {"source": "markdown", "count": 2}],
            "sourceColumn": "source",
        }
    ],
}
