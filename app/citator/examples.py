"""Examples for the OpenAPI document. Those of Colombia are facts of public decisions."""

from __future__ import annotations

from typing import Any

_C355 = {
    "kind": "judgment",
    "canonical": "CO:CC:C-355/06",
    "id": "6a0e4c38-9f4b-5f6a-8f1f-7a113f0d6c52",
    "title": "Sentencia C-355 de 2006",
    "article": None,
    "jurisdiction": "CO",
    "date": "2006-05-10",
    "url": "https://www.corteconstitucional.gov.co/relatoria/2006/C-355-06.htm",
}
_ARTICLE = {
    "kind": "norm",
    "canonical": "CO:ley:599/2000:art124",
    "id": "2f56b0e9-f4d6-5b1a-9c7e-9d108d3f4c0e",
    "title": "Código Penal",
    "article": "124",
    "jurisdiction": "CO",
    "date": "2000-07-24",
    "url": None,
}
VALIDITY: dict[str, Any] = {
    "citation": "artículo 124 de la Ley 599 de 2000",
    "resolved": _ARTICLE,
    "validity": "annulled",
    "since": "2006-05-10",
    "because": [
        {
            "by": "Sentencia C-355 de 2006",
            "treatment": "declares_unconstitutional",
            "date": "2006-05-10",
            "url": "https://www.corteconstitucional.gov.co/relatoria/2006/C-355-06.htm",
            "partial": False,
            "article": "124",
            "line": "Quinto. Declarar INEXEQUIBLE el artículo 124 de la Ley 599 de 2000.",
            "source": "text",
        }
    ],
    "wording": {"inForceFrom": None, "inForceTo": None, "amendedBy": None},
    "note": None,
    "checkedAt": "2026-11-21T10:15:30.125Z",
}
CITATIONS: dict[str, Any] = {
    "id": "C-355 de 2006",
    "resolved": _C355,
    "count": 1,
    "data": [
        {
            **_ARTICLE,
            "treatment": "declares_unconstitutional",
            "partial": False,
            "citedArticle": "124",
            "count": 1,
            "source": "text",
        }
    ],
    "has_more": False,
    "next_cursor": None,
}
CITED_BY: dict[str, Any] = {
    "id": "artículo 124 de la Ley 599 de 2000",
    "resolved": _ARTICLE,
    "count": 1,
    "data": [
        {
            **_C355,
            "treatment": "declares_unconstitutional",
            "partial": False,
            "citedArticle": "124",
            "count": 1,
            "source": "text",
        }
    ],
    "has_more": False,
    "next_cursor": None,
}
TIMELINE: dict[str, Any] = {
    "id": "artículo 124 de la Ley 599 de 2000",
    "resolved": _ARTICLE,
    "data": [
        {
            "date": "2000-07-24",
            "kind": "publication",
            "treatment": None,
            "by": None,
            "detail": "Código Penal",
            "url": None,
            "partial": False,
            "line": None,
        },
        {
            "date": "2006-05-10",
            "kind": "treatment",
            "treatment": "declares_unconstitutional",
            "by": "Sentencia C-355 de 2006",
            "detail": "124",
            "url": "https://www.corteconstitucional.gov.co/relatoria/2006/C-355-06.htm",
            "partial": False,
            "line": "Quinto. Declarar INEXEQUIBLE el artículo 124 de la Ley 599 de 2000.",
        },
    ],
}
COVERAGE: dict[str, Any] = {
    "totalEdges": 2312,
    "totalDocuments": 2,
    "jurisdictions": [{"jurisdiction": "CO", "edges": 2312, "documents": 2, "newest": "2008-07-31"}],
}
JUDGMENTS: dict[str, Any] = {
    "norma_id": "Ley 599 de 2000",
    "norma_alias": "Código Penal",
    "articulo": "124",
    "top": 20,
    "sentencias": [
        {
            "jurisprudencia_id": _C355["id"],
            "tribunal": "Corte Constitucional",
            "sala": "Sala Plena",
            "fecha": "2006-05-10",
            "ecli": None,
            "roj": None,
            "url_cendoj": _C355["url"],
            "resumen": "Sentencia C-355 de 2006",
            "count_citas": 41,
        }
    ],
}
ARTICLES: dict[str, Any] = {
    "jurisprudencia_id": _C355["id"],
    "articulos": [
        {
            "norma_alias": "Código Penal",
            "norma_id": "Ley 599 de 2000",
            "norma_titulo": "Código Penal (Ley 599 de 2000)",
            "norma_url": None,
            "articulo_numero": "124",
            "articulo": "art. 124 Código Penal",
            "veces": 41,
        }
    ],
}
WATCH: dict[str, Any] = {
    "id": "0c8f2a57-3d1e-4b7a-9a55-1f0a6c2e7b90",
    "kind": "article",
    "subject": "ES:CC:art1902",
    "title": "Código Civil",
    "article": "1902",
    "jurisdiction": "ES",
    "url": "https://www.boe.es/buscar/act.php?id=BOE-A-1889-4763#art1902",
    "mail": True,
    "createdAt": "2026-11-21T10:15:30.125Z",
}
WATCHES: dict[str, Any] = {"watches": [WATCH], "count": 1, "limit": 500}
WATCH_REMOVED: dict[str, Any] = {"removed_watch_id": "0c8f2a57-3d1e-4b7a-9a55-1f0a6c2e7b90"}
