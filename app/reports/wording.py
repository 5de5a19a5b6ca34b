"""Words of reports in Spanish and English, and names of codes in them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from babel.dates import format_datetime

from app import corpus
from app.text.bilingual import Bilingual, Language, pick

TITLE = Bilingual("Informe de análisis", "Analysis report")
TITLE_OF_SEVERAL = Bilingual(
    "Informe de análisis de {n} documentos", "Report on the analysis of {n} documents"
)
DESCRIPTION = Bilingual(
    "Análisis jurídico de un documento, con sus grados de certeza",
    "Legal analysis of a document, with its certainty locks",
)
PAGE = Bilingual("Página", "Page")
OF = Bilingual("de", "of")
ISSUED = Bilingual("Análisis de", "Analysed")

KIND = Bilingual("Documento", "Document")
UNKNOWN_KIND = Bilingual("Documento", "Document")
OWN_ID = Bilingual("Identificador propio", "Your id")
JURISDICTION = Bilingual("Derecho aplicado", "Law applied")
ASSESSMENT = Bilingual("Alcance jurídico", "Legal assessment")
ASSESSMENTS: Mapping[str, Bilingual] = {
    "full": Bilingual("completo", "full"),
    "partial": Bilingual("parcial", "partial"),
    "none": Bilingual("ninguno: solo inventario", "none: inventory only"),
}
DATE = Bilingual("Fecha del análisis", "Date of the analysis")
ENGINE = Bilingual("Motor y modo", "Engine and mode")
MODES: Mapping[str, Bilingual] = {
    "standard": Bilingual("estándar", "standard"),
    "deep": Bilingual("profundo, con auditoría del nodo B", "deep, with an audit by node B"),
}
REVIEWED = Bilingual("Revisión humana", "Review by a person")
REVIEWED_YES = Bilingual("consta", "recorded")
REVIEWED_NO = Bilingual("no consta", "none recorded")
CERTAINTY = Bilingual("Grados de certeza", "Certainty locks")
BRANCHES: Mapping[str, Bilingual] = {
    "civil": Bilingual("civil", "civil law"),
    "penal": Bilingual("penal", "criminal law"),
    "laboral": Bilingual("laboral", "employment law"),
    "mercantil": Bilingual("mercantil", "commercial law"),
    "contencioso": Bilingual("contencioso-administrativo", "administrative litigation"),
    "constitucional": Bilingual("constitucional", "constitutional law"),
    "familia": Bilingual("familia", "family law"),
    "internacional": Bilingual("internacional", "international law"),
}
LOCKS: Mapping[str, Bilingual] = {
    "L5-C": Bilingual("riesgo crítico confirmado", "confirmed critical risk"),
    "L1": Bilingual("repite lo citado", "restates what it quotes"),
    "L2-J-V": Bilingual("con sentencia vigente que la apoya", "supported by a judgment, still good law"),
    "L2-J": Bilingual("con sentencia que la apoya", "supported by a judgment"),
    "L4": Bilingual("inferencia, debe revisarse", "inference, needs review"),
}
LOCK_MEANINGS: Mapping[str, Bilingual] = {
    "L5-C": Bilingual(
        "Riesgo crítico: las palabras citadas constan en el documento y la norma citada lo apoya.",
        "Critical risk: the quoted words stand in the document and the authority cited supports it.",
    ),
    "L1": Bilingual(
        "La afirmación solo repite palabras que constan en el documento o en un artículo cargado.",
        "The statement only restates words that stand in the document or in a loaded article.",
    ),
    "L2-J-V": Bilingual(
        "La apoya un pasaje de una sentencia cargada que sigue vigente como doctrina.",
        "A passage of a loaded judgment supports it, and the judgment is still good law.",
    ),
    "L2-J": Bilingual(
        "La apoya un pasaje de una sentencia cargada.", "A passage of a loaded judgment supports it."
    ),
    "L4": Bilingual(
        "Inferencia razonada que no se ha confirmado: un profesional debe revisarla.",
        "Reasoned inference that has not been confirmed: a lawyer has to review it.",
    ),
}
SEVERITIES: Mapping[str, Bilingual] = {
    "high": Bilingual("alta", "high"),
    "medium": Bilingual("media", "medium"),
    "low": Bilingual("baja", "low"),
}
RISK_LABELS: Mapping[str, Bilingual] = {
    "high": Bilingual("Riesgo alto", "High risk"),
    "medium": Bilingual("Riesgo medio", "Medium risk"),
    "low": Bilingual("Riesgo bajo", "Low risk"),
}
IMPORTANCE: Mapping[str, Bilingual] = {
    "high": Bilingual("Importancia alta", "High importance"),
    "medium": Bilingual("Importancia media", "Medium importance"),
    "low": Bilingual("Importancia baja", "Low importance"),
}
SECTIONS: Mapping[str, Bilingual] = {
    "risks": Bilingual("Riesgos", "Risks"),
    "deadlines": Bilingual("Plazos", "Time limits"),
    "amounts": Bilingual("Importes", "Amounts"),
    "recommendations": Bilingual("Otras recomendaciones", "Further recommendations"),
    "clauses_missing": Bilingual("Cláusulas que faltan", "Clauses missing"),
    "reasoning": Bilingual("Razonamiento", "Reasoning"),
    "citations": Bilingual("Citas del documento", "Citations of the document"),
    "obligations": Bilingual("Obligaciones", "Obligations"),
    "parties": Bilingual("Partes", "Parties"),
    "dates": Bilingual("Fechas", "Dates"),
    "clauses_present": Bilingual("Cláusulas presentes", "Clauses present"),
}
DEADLINES_AND_SUMS = Bilingual("Plazos e importes", "Time limits and amounts")
NO_RISKS = Bilingual(
    "No se señala ningún riesgo. Eso no prueba que no lo haya: véanse los límites de este análisis.",
    "No risk is reported. That does not prove that there is none: see the limits of this analysis.",
)
INVENTORY = Bilingual("Inventario del documento", "Inventory of the document")
PARTS: Mapping[str, Bilingual] = {
    "rule": Bilingual("Regla", "Rule"),
    "application": Bilingual("En este documento", "In this document"),
    "missing_fact": Bilingual("Falta saber", "Missing fact"),
    "recommendation": Bilingual("Qué hacer", "What to do"),
}
BASIS = Bilingual("Base", "Basis")
REASON = Bilingual("Motivo", "Reason")
DISPUTED = Bilingual("Discutida", "Disputed")
PASSAGE = Bilingual("Dice la norma", "The law says")
SUPPORT: Mapping[str, Bilingual] = {
    "silent": Bilingual("no dice nada de esto", "says nothing of this"),
    "contradicted": Bilingual("dice lo contrario", "says the contrary"),
}
PLACE_PAGE = Bilingual("pág. {n}", "p. {n}")
PLACE_PARAGRAPH = Bilingual("párr. {n}", "para. {n}")
PLACE_CHARACTERS = Bilingual("caracteres {start}–{end}", "characters {start}–{end}")

STATEMENT = Bilingual("Afirmación", "Statement")
WORDS = Bilingual("Palabras del documento", "Words of the document")
LOCK = Bilingual("Certeza", "Certainty")
CITATION = Bilingual("Cita", "Citation")
CITATIONS = Bilingual("Comprobación de las citas", "Citations checked")
NO_CITATIONS = Bilingual(
    "Ni el documento ni el análisis citan normas o sentencias.",
    "Neither the document nor the analysis cites law.",
)
VERDICT = Bilingual("Resultado", "Verdict")
NOTE = Bilingual("Qué se comprobó", "What was checked")
STATUTE = Bilingual("norma", "statute")
JUDGMENT = Bilingual("sentencia", "judgment")
DEPTHS: Mapping[str, Bilingual] = {
    "norm": Bilingual("comprobada: la norma", "checked: the norm"),
    "article": Bilingual("comprobada hasta el artículo", "checked down to the article"),
    "paragraph": Bilingual("comprobada hasta el apartado", "checked down to the paragraph"),
    "words": Bilingual("cotejadas sus palabras", "its words were compared"),
}
UNCHECKED = Bilingual("sin comprobar", "not checked")
MISMATCHES: Mapping[str, Bilingual] = {
    "meaning": Bilingual("otro sentido", "another meaning"),
    "stitched": Bilingual("palabras unidas de varios lugares", "words joined from several places"),
    "lexical": Bilingual("otras palabras", "other words"),
}

AUDIT = Bilingual("Auditoría del nodo B", "Audit by node B")
AUDITED_BY = Bilingual("Auditor: {name}.", "Auditor: {name}.")
NO_VERDICT = Bilingual("El nodo B no llegó a dar un veredicto.", "Node B did not return a verdict.")
WORST = Bilingual("Gravedad conjunta: {severity}.", "Overall severity: {severity}.")
FINDING = Bilingual("Objeción", "Finding")
WHAT = Bilingual("De qué se trata", "What it is about")
NO_FINDINGS = Bilingual("Sin objeciones.", "No findings.")
RESOLVED = Bilingual("Objeciones resueltas por el nodo A", "Findings that node A resolved")
DISPUTED_POINTS = Bilingual("Puntos discutidos", "Disputed points")
FINDINGS: Mapping[str, Bilingual] = {
    "hallucination": Bilingual("Sin apoyo", "Unsupported"),
    "missing_clause": Bilingual("Cláusula que falta", "Missing clause"),
    "weak_reasoning": Bilingual("Razonamiento débil", "Weak reasoning"),
    "citation_error": Bilingual("Cita errónea", "Wrong citation"),
    "other": Bilingual("Otra", "Other"),
}
OUTCOMES: Mapping[str, Bilingual] = {
    "amended": Bilingual("el nodo A la corrigió", "node A amended it"),
    "lowered": Bilingual("el nodo A rebajó su certeza", "node A lowered its lock"),
    "withdrawn": Bilingual("el nodo A la retiró", "node A withdrew it"),
    "disputed": Bilingual("sin resolver: se mantiene discutida", "unresolved: it stays disputed"),
    "stood_by": Bilingual("el nodo A la mantiene", "node A stands by it"),
}
ANSWER = Bilingual("Respuesta del nodo A", "Node A's answer")
RECOMMENDED = Bilingual("Recomendación", "Recommendation")

FLAGS = Bilingual("Avisos para revisar", "Flags for review")
NO_FLAGS = Bilingual("Ninguno.", "None.")
SCOPE = Bilingual("Límites de este análisis", "Limits of this analysis")
WARNINGS = Bilingual("Antes de leer", "Before you read")
ANOTHER_LAW = Bilingual(
    "El documento apunta al Derecho de {found}; se ha analizado bajo el de {applied}.",
    "The document points to the law of {found}; it was analysed under that of {applied}.",
)
BROKEN = Bilingual(
    "Hay {n} citas que no se sostienen; están las primeras en la comprobación de las citas.",
    "{n} citations do not hold; they come first among the citations checked.",
)
BROKEN_ONE = Bilingual(
    "Hay una cita que no se sostiene; está la primera en la comprobación de las citas.",
    "One citation does not hold; it comes first among the citations checked.",
)
COUNTS: Mapping[str, tuple[Bilingual, Bilingual]] = {
    "risks": (Bilingual("riesgo", "risk"), Bilingual("riesgos", "risks")),
    "high": (Bilingual("alto", "high"), Bilingual("altos", "high")),
    "deadlines": (Bilingual("plazo", "time limit"), Bilingual("plazos", "time limits")),
    "citations": (
        Bilingual("cita comprobada", "citation checked"),
        Bilingual("citas comprobadas", "citations checked"),
    ),
    "broken": (
        Bilingual("cita que falla", "broken citation"),
        Bilingual("citas que fallan", "broken citations"),
    ),
    "findings": (
        Bilingual("objeción del nodo B", "finding of node B"),
        Bilingual("objeciones del nodo B", "findings of node B"),
    ),
    "flags": (
        Bilingual("aviso para revisar", "flag for review"),
        Bilingual("avisos para revisar", "flags for review"),
    ),
    "documents": (
        Bilingual("documento analizado", "document analysed"),
        Bilingual("documentos analizados", "documents analysed"),
    ),
    "failures": (
        Bilingual("sin análisis", "without an analysis"),
        Bilingual("sin análisis", "without an analysis"),
    ),
}

CONTENTS = Bilingual("Documentos", "Documents")
FAILURES = Bilingual("Documentos sin análisis", "Documents without an analysis")
WHY = Bilingual("Motivo", "Why")
POSITION = Bilingual("N.º", "No.")

ABOUT = Bilingual("Sobre este informe", "About this report")
BY_RULES = Bilingual(
    "Texto generado por un programa de reglas ({engine}).", "Text generated by a program of rules ({engine})."
)
BY_MODEL = Bilingual(
    "Texto generado con inteligencia artificial ({engine}).",
    "Text generated with artificial intelligence ({engine}).",
)
LOCKS_MEAN = Bilingual("Qué atestiguan los grados de certeza", "What certainty locks attest")
HELP = Bilingual(
    "Los grados de certeza los asigna código que ha comprobado cada afirmación. El informe es una ayuda de "
    "trabajo y no sustituye el criterio de un profesional del Derecho.",
    "Certainty locks are assigned by code that checked each statement. The report supports a lawyer's work "
    "and does not replace their judgement.",
)
ORIGIN = Bilingual("Origen del texto", "Origin of the text")
REQUEST = Bilingual("Petición", "Request")
JOB = Bilingual("Trabajo", "Job")
HASH = Bilingual("Huella del análisis (SHA-256)", "Hash of the analysis (SHA-256)")
GENERATED = Bilingual("Generado por un programa", "Generated by a program")

_LOCALES = Bilingual("es", "en_GB")


def counted(name: str, number: int, language: Language) -> str:
    """Return the words of a count, singular or plural, without the number."""
    one, several = COUNTS[name]
    return (one if number == 1 else several).in_(language)


def figure(number: int, language: Language) -> str:
    """Return a number with its thousands grouped as the language does."""
    grouped = f"{number:,}"
    spanish = str(number) if abs(number) < 10_000 else grouped.replace(",", "\u00a0")
    return pick(language, spanish, grouped)


def place(code: str, language: Language) -> str:
    """Return the name of a jurisdiction and its code."""
    found = corpus.jurisdiction(code)
    if found is None:
        return code
    return f"{Bilingual(found.name_es, found.name).in_(language)} ({code})"


def moment(when: datetime, language: Language) -> str:
    """Return a moment in words, in UTC."""
    form = Bilingual("d 'de' MMMM 'de' y, HH:mm", "d MMMM y, HH:mm").in_(language)
    return format_datetime(when, form, tzinfo=UTC, locale=_LOCALES.in_(language)) + " UTC"


def named(names: Mapping[str, Bilingual], code: Any, language: Language) -> str:
    """Return the name of a code, the code itself where it has none."""
    return names[code].in_(language) if code in names else str(code)
