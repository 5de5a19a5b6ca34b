"""Name the topics of a document in its own words: its kind and its headings."""

from __future__ import annotations

from app.rules.reading import Reading
from app.text.bilingual import Language

_MOST, _LONGEST = 12, 400


def topics(reading: Reading, language: Language) -> str:
    """Return the kind of document and its first headings, to ask a corpus with.

    The text is empty where neither is known.
    """
    recognition = reading.recognition
    kind = [recognition.name.in_(language)] if recognition.kind else []
    headings = dict.fromkeys(
        block.heading.casefold() for block in reading.facts.sections if len(block.heading) > 3
    )
    return ". ".join([*kind, *list(headings)[:_MOST]])[:_LONGEST]
