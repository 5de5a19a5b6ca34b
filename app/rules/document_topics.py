"""Name the topics of a document in its own words: its kind and its headings."""

from __future__ import annotations

from app.rules.document import Document
from app.rules.facts.sections import split_sections
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import rulebook
from app.text.bilingual import Language
from app.text.sentences import FoldedText

_MOST, _LONGEST = 12, 400


def topics(text: str, jurisdiction: str, language: Language) -> str:
    """Return the kind of document and its first headings, to ask a corpus with.

    The text is empty where neither is known.
    """
    recognition = recognise(Document(text), rulebook())
    kind = [recognition.name.in_(language)] if recognition.kind else []
    blocks = split_sections(FoldedText(text, jurisdiction))
    headings = dict.fromkeys(block.heading.casefold() for block in blocks if len(block.heading) > 3)
    return ". ".join([*kind, *list(headings)[:_MOST]])[:_LONGEST]
