"""Tell how far a document's law was assessed, and what is said of it before anything else. Pure.

Source: decision 018: `assessment` is `full`, `partial` or `none`; its note says what was not assessed and
why, and is the first sentence of the analysis where it is not `full`. A document that is plainly of another
country than the one it was analysed under is flagged in the first line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from app import corpus
from app.analysis.jurisdiction.detection import PLAIN_CONFIDENCE, Detection, detect
from app.analysis.request import AUTO, AnalysisRequest
from app.rules import Draft, coverage
from app.text.bilingual import Language, pick

Level = Literal["full", "partial", "none"]

LEVELS: tuple[Level, ...] = get_args(Level)
# Less than this is a hint, which `auto` follows where the document says of something that it is in a place of
# the country: a message that names Bogotá alone is likelier of Colombia than of Spain.
SURE_ENOUGH = 0.5
# Under what law a document is analysed that names none and whose words point to none (decision 018).
DEFAULT_JURISDICTION = "ES"
NOTHING_DETECTED = Detection(None, 0.0, ())


@dataclass(frozen=True, slots=True)
class Assessment:
    """The law that a document is assessed under.

    `note` says what was not and why, empty at `full`; `warning` that the document is plainly of another
    country or that no country was detected, empty otherwise; `detected` is what its words point to.
    """

    level: Level
    note: str = ""
    warning: str = ""
    detected: Detection = NOTHING_DETECTED

    @property
    def opening(self) -> str:
        """The first sentences of the analysis; empty where nothing needs to be said."""
        return " ".join(one for one in (self.warning, self.note) if one)


WHOLE = Assessment("full")


def assess(request: AnalysisRequest, draft: Draft, detected: Detection, *, asked: str) -> Assessment:
    """Tell how far `draft` assessed the law of `request.jurisdiction`.

    Args:
        request: what was analysed, under the jurisdiction that was applied.
        draft: what the engine drafted.
        detected: the jurisdiction that the document's words point to.
        asked: the jurisdiction as the caller gave it, `auto` included.
    """
    level, note = _level(request, draft)
    warning = _warning(request.jurisdiction, request.language, detected, asked)
    return Assessment(level, note, warning, detected)


def choose_jurisdiction(asked: str, detected: Detection) -> str:
    """Return the jurisdiction to analyse under: what was asked for or, at `auto`, what was detected."""
    if asked != AUTO:
        return asked
    found = detected.confidence >= SURE_ENOUGH or detected.located
    return detected.code if found and detected.code else DEFAULT_JURISDICTION


@dataclass(frozen=True, slots=True)
class Preview:
    """Assessment of a text before it is analysed: under which law, how far, and with which warnings."""

    code: str
    level: Level
    warning: str
    detected: Detection


def preview(text: str, asked: str, language: Language, engine: str) -> Preview:
    """Tell what `engine` would assess of `text` under the jurisdiction `asked` (`auto` included)."""
    detected = detect(text)
    code = choose_jurisdiction(asked, detected)
    return Preview(code, corpus.assessment(code, engine), _warning(code, language, detected, asked), detected)


def _level(request: AnalysisRequest, draft: Draft) -> tuple[Level, str]:
    language = request.language
    name = _name(request.jurisdiction, request.language)
    level: Level = corpus.assessment(request.jurisdiction, draft.engine)
    if level == "none":
        return level, pick(
            language,
            f"No se ha evaluado el Derecho de {name}: este motor no tiene reglas de esa "
            f"jurisdicción, y lo que sigue es un "
            "inventario de lo que dice el documento con sus citas comprobadas.",
            f"The law of {name} was not assessed: this engine has no rules for that jurisdiction, "
            f"and what follows is an "
            "inventory of what the document says, with its citations checked.",
        )
    if draft.analysed < draft.total:
        return "partial", pick(
            language,
            f"Evaluación parcial: se han leído {draft.analysed} de {draft.total} caracteres.",
            f"Partial assessment: {draft.analysed} of {draft.total} characters were read.",
        )
    if not draft.kind_known:
        return "partial", pick(
            language,
            "Evaluación parcial: no se ha reconocido la clase de documento, y solo se han "
            "buscado los riesgos comunes a "
            "todos.",
            "Partial assessment: the kind of document was not recognised, and only the risks "
            "common to all were looked "
            "for.",
        )
    if level == "partial" and draft.engine == "rules":
        rules = coverage(request.jurisdiction).rules
        return level, pick(
            language,
            f"Evaluación parcial: de Derecho de {name} hay {rules} reglas, que no cubren todo lo que un "
            "documento así puede plantear.",
            f"Partial assessment: there are {rules} rules of the law of {name}, which do not cover all that "
            "such a document may raise.",
        )
    if level == "partial":
        return level, pick(
            language,
            f"Evaluación parcial: no hay Derecho de {name} cargado con que comprobar las "
            f"autoridades que se invocan.",
            f"Partial assessment: no law of {name} is loaded against which the authorities relied "
            f"on could be checked.",
        )
    return "full", ""


def _warning(code: str, language: Language, detected: Detection, asked: str) -> str:
    applied = _name(code, language)
    if asked == AUTO and detected.located and detected.confidence < SURE_ENOUGH:
        return pick(
            language,
            f"Pocas palabras del documento dicen de qué país es: parece de {applied} y se ha analizado "
            f"según su Derecho. Si es de otro, indíquelo.",
            f"Few words of the document tell its country: it seems to be of {applied} and was analysed "
            f"under its law. If it is of another, say which.",
        )
    if asked == AUTO and detected.confidence < SURE_ENOUGH:
        return pick(
            language,
            f"Las palabras del documento no dicen de qué país es: se ha analizado según el "
            f"Derecho de {applied}.",
            f"The words of the document do not tell its country: it was analysed under the law of {applied}.",
        )
    other = detected.code
    if other is None or other in (code, "EU") or detected.confidence < PLAIN_CONFIDENCE:
        return ""
    return pick(
        language,
        f"El documento parece regirse por el Derecho de {_name(other, language)}; se aplica el de {applied}.",
        f"The document appears to be governed by the law of {_name(other, language)}; that of {applied} is "
        "applied.",
    )


def _name(code: str, language: Language) -> str:
    found = corpus.jurisdiction(code)
    return code if found is None else f"{pick(language, found.name_es, found.name)} ({code})"
