"""Find the law that a document calls for, so that a model argues from it and not from memory.

Rules are the floor: the articles that their findings rest on are always told, by number. Every clause,
finding and item of the checklist then asks the loaded law a question of its own. Planning and packing are
pure; the store is read in between, in a number of statements that no document changes (decision 068).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import psycopg
import sqlalchemy as sa

from app.analysis.retrieval import packing, plan, store
from app.analysis.retrieval.cited import covered, verdicts
from app.analysis.retrieval.packing import Passage
from app.citations import Citation
from app.platform import log
from app.platform.postgres import db
from app.rules import Reading, Source, Statement
from app.text.bilingual import Language, pick

__all__ = ["Grounds", "Passage", "covered", "ground", "verdicts"]

_logger = log.logger("analysis")


@dataclass(frozen=True, slots=True)
class Grounds:
    """Passages of law for one document, and for the reader what could not be looked up.

    `verdicts` are those on the citations of the document, `days` that of the document and of the request.
    """

    passages: tuple[Passage, ...] = ()
    notes: tuple[str, ...] = ()
    verdicts: tuple[Source, ...] = ()
    days: tuple[date, ...] = ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """What an engine is told: the verdicts, then the passages."""
        return (*self.verdicts, *(one.source for one in self.passages))


def ground(
    reading: Reading,
    statements: Sequence[Statement],
    cited: Sequence[Citation],
    language: Language,
    on: date,
    *,
    branch: str = "",
    with_rules: bool = True,
) -> Grounds:
    """Return the passages of law that a document calls for, those in force on its day before others.

    A store that does not answer makes the answer poorer, and a note says so; it raises nothing.

    Args:
        reading: what was read of the document.
        statements: what the rules found in it.
        cited: the citations of the document.
        language: that of notes.
        on: the day of the request.
        branch: the branch of law that was asked for.
        with_rules: whether the rules take part; without, clauses and citations alone ask.
    """
    asked = plan.make(reading, statements, cited, language, branch=branch, with_rules=with_rules)
    days = days_of(reading, on)
    try:
        with db.reading() as session:
            found = store.read(session, asked, days)
    except (sa.exc.SQLAlchemyError, psycopg.Error) as error:
        _logger.warning("law not retrieved", error=type(error).__name__)
        return Grounds((), (_not_read(language),), days=days)
    own, *above = asked.jurisdictions
    notes = (
        *([_not_searched(own, language)] if own in found.unindexed else ()),
        *(_above_not_searched(code, own, language) for code in above if code in found.unindexed),
    )
    return Grounds(packing.pack(asked, found, days, language), notes, days=days)


def days_of(reading: Reading, on: date) -> tuple[date, ...]:
    """Return the day of the document, where it states one that has come, and the day of the request."""
    stated = reading.facts.dated(reading.recognition.family)
    try:
        day = date.fromisoformat(stated) if stated else on
    except ValueError:
        day = on
    return (day, on) if day < on else (on,)


def _not_read(language: Language) -> str:
    return pick(
        language,
        "No se pudo consultar la ley cargada: el modelo redactó sin sus textos.",
        "The loaded law could not be read: the model drafted without its texts.",
    )


def _not_searched(code: str, language: Language) -> str:
    return pick(
        language,
        f"La ley de {code} no está indexada: el modelo solo recibió los artículos en que se fundan las "
        "reglas y los que cita el documento.",
        f"The law of {code} is not indexed: the model was given only the articles that the rules rest on and "
        "those that the document cites.",
    )


def _above_not_searched(code: str, own: str, language: Language) -> str:
    return pick(
        language,
        f"La ley de {code}, que está por encima de la de {own}, no está indexada: de ella el modelo solo "
        "recibió los artículos en que se fundan las reglas y los que cita el documento, si están cargados.",
        f"The law of {code}, which stands above that of {own}, is not indexed: of it the model was given "
        "only the articles that the rules rest on and those that the document cites, if they are loaded.",
    )
