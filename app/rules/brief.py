"""Define what an engine is given, and the port behind which engines stand."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from app.rules.draft import Draft, Source, Statement
from app.rules.reading import Reading
from app.rules.rulebook.schema import Rulebook
from app.text.bilingual import Language


@dataclass(frozen=True, slots=True)
class Brief:
    """The input of an engine. `text` is anonymised: identifiers are placeholders such as `[ES_DNI_1]`.

    `sources` are facts or passages of law that code found for this document, each with the id by which a
    statement may refer to it; `deadline` is in monotonic seconds. `reading` is what was read of `text`
    before, so that it is read once (`app.rules.brief.reading_of`). `asked_on` is the day of the request: a
    document that states no day is judged by the law of that one (decision 122); without it, by the latest.

    For a model alone: `role` is whose side it takes, a key of `ROLES` or ""; `findings` are what the rules
    found, which stand in the answer in any case; `days` are that of the document, where it is known, and that
    of the request.
    """

    text: str
    jurisdiction: str
    branch: str
    language: Language
    sources: tuple[Source, ...] = ()
    deadline: float = math.inf
    reading: Reading | None = field(default=None, repr=False, compare=False)
    role: str = ""
    findings: tuple[Statement, ...] = field(default=(), repr=False, compare=False)
    days: tuple[date, ...] = ()
    asked_on: date | None = None


class Engine(Protocol):
    """The port behind node A. Implementations are chosen by the setting `NODE_A_ENGINE`."""

    name: str
    # True where `analyse` computes in this process, False where it waits for a model elsewhere.
    local: bool

    def analyse(self, brief: Brief) -> Draft:
        """Draft an analysis of `brief.text` before `brief.deadline`.

        Raises `ModelFailed` or `ModelUnavailable` of `app.analysis.errors` when it cannot.
        """
        ...


def reading_of(brief: Brief, rules: Rulebook | None = None) -> Reading:
    """Return the reading that a brief carries, or a new one where it has none of its text under `rules`.

    Without `rules`, it is read under those of its jurisdiction.
    """
    kept = brief.reading
    if (
        kept is not None
        and (rules is None or kept.rules is rules)
        and (kept.text, kept.jurisdiction) == (brief.text, brief.jurisdiction)
    ):
        return kept
    return Reading(brief.text, brief.jurisdiction, rules)
