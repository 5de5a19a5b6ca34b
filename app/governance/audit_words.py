"""The words of the audit document, Spanish and English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_BRANCHES: Mapping[str, tuple[str, str]] = {
    "civil": ("Civil", "Civil law"),
    "penal": ("Penal", "Criminal law"),
    "laboral": ("Laboral", "Employment law"),
    "mercantil": ("Mercantil", "Commercial law"),
    "contencioso": ("Contencioso-administrativo", "Administrative litigation"),
    "constitucional": ("Constitucional", "Constitutional law"),
    "familia": ("Familia", "Family law"),
    "internacional": ("Internacional", "International law"),
}

WORDS: Mapping[str, Mapping[str, Any]] = {
    "es": {
        "title": "Registro de auditoría",
        "of_one": "Registro de auditoría de un análisis",
        "description": "Metadatos de análisis jurídicos, encadenados por sus huellas",
        "page": "Página",
        "account": "Cuenta",
        "legal_name": "Razón social",
        "period": "Período (UTC)",
        "made": "Expedido (UTC)",
        "analyses": "Análisis",
        "credits": "Créditos",
        "masked": "Identificadores ocultados",
        "cited": "Citas",
        "broken": "Citas fallidas",
        "findings": "Objeciones del nodo B",
        "chain": "Cadena de registros",
        "whole": "Íntegra: se han recalculado {n} huellas y todas coinciden.",
        "torn": "Rota: el primer registro que no coincide es {id}.",
        "head": "Última huella",
        "when": "Cuándo (UTC)",
        "key": "Clave",
        "law": "Derecho",
        "mode": "Modo",
        "locks": "Candados",
        "citations": "Citas por veredicto",
        "redactions": "Ocultado, por tipo",
        "models": "Modelos",
        "versions": "Versiones",
        "request": "Petición",
        "document": "Huella del documento (SHA-256)",
        "characters": "caracteres",
        "analysis": "Huella del análisis (SHA-256)",
        "hash": "Huella del registro",
        "previous": "Huella del anterior",
        "position": "Posición en la cadena",
        "none": "ninguno",
        "empty": "No hubo análisis en este período.",
        "verify": "Cómo comprobarlo",
        "how": (
            "Este documento lleva adjuntos los registros (audit_records.json). La huella de cada uno es "
            "SHA-256 de la huella anterior, dos puntos, la posición, dos puntos y el contenido en forma "
            "canónica (RFC 8785). La huella del análisis es SHA-256 de su texto en NFC y sin blancos "
            "alrededor; la del documento, de su texto en UTF-8. Quien conserve el texto puede recalcularlas."
        ),
        "kept": (
            "Ni los documentos ni los análisis se conservan; aquí constan solo sus metadatos. El texto de "
            "cada cita forma parte del análisis y no se conserva: constan los veredictos por número."
        ),
        "attachment": "Los registros tal como están guardados",
        "verdicts": {
            "verified": "verificada", "mismatch": "no coincide", "not_found": "no encontrada",
            "derogated": "derogada", "not_verifiable": "no verificable", "pending": "pendiente",
        },
        "modes": {"standard": "Estándar", "deep": "Profundo"},
    },
    "en": {
        "title": "Audit trail",
        "of_one": "Audit trail of an analysis",
        "description": "Metadata of legal analyses, chained by their hashes",
        "page": "Page",
        "account": "Account",
        "legal_name": "Legal name",
        "period": "Period (UTC)",
        "made": "Issued (UTC)",
        "analyses": "Analyses",
        "credits": "Credits",
        "masked": "Identifiers masked",
        "cited": "Citations",
        "broken": "Broken citations",
        "findings": "Findings of node B",
        "chain": "Chain of records",
        "whole": "Whole: {n} hashes were recomputed and all of them match.",
        "torn": "Broken: the first record that does not match is {id}.",
        "head": "Last hash",
        "when": "When (UTC)",
        "key": "Key",
        "law": "Law",
        "mode": "Mode",
        "locks": "Locks",
        "citations": "Citations by verdict",
        "redactions": "Masked, by type",
        "models": "Models",
        "versions": "Versions",
        "request": "Request",
        "document": "Hash of the document (SHA-256)",
        "characters": "characters",
        "analysis": "Hash of the analysis (SHA-256)",
        "hash": "Hash of the record",
        "previous": "Hash of the one before",
        "position": "Position in the chain",
        "none": "none",
        "empty": "There was no analysis in this period.",
        "verify": "How to verify it",
        "how": (
            "The records are attached to this document (audit_records.json). The hash of each is SHA-256 of "
            "the hash before it, a colon, the position, a colon and the content in canonical form "
            "(RFC 8785). The hash of the analysis is SHA-256 of its text, NFC and trimmed; that of the "
            "document, of its text in UTF-8. Whoever kept the text can recompute them."
        ),
        "kept": (
            "Neither documents nor analyses are kept; only their metadata stand here. The words of each "
            "citation are part of the analysis and are not kept: verdicts are given by number."
        ),
        "attachment": "The records as they are stored",
        "verdicts": {
            "verified": "verified", "mismatch": "mismatch", "not_found": "not found",
            "derogated": "repealed", "not_verifiable": "not verifiable", "pending": "pending",
        },
        "modes": {"standard": "Standard", "deep": "Deep"},
    },
}  # fmt: skip


def branch_words(branch: str, language: str) -> str:
    """The name of a branch of law."""
    spanish, english = _BRANCHES.get(branch, (branch, branch))
    return spanish if language == "es" else english
