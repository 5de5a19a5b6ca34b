"""Number the passages that an objection can name: of the document, and of the law that was told. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.analysis.llm.drafting import document_parts
from app.analysis.support.quote_finder import Evidence, QuoteFinder
from app.rules import Source

# Characters of one passage of the document: a clause, or some paragraphs of it.
_LONGEST: Final = 1_200


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of the document, or of the law. `repr` shows no text.

    Attributes:
        id: by which an objection names it.
        text: its words.
        start: where it begins in the document; `None` for law.
        citation: how a lawyer cites it; empty for the document.
    """

    id: str
    text: str
    start: int | None = None
    citation: str = ""

    def __repr__(self) -> str:
        return f"<Passage {self.id}>"

    def find(self, words: str) -> Evidence | None:
        """Return where `words` stand in this passage; `None` where they do not."""
        return QuoteFinder(self.text).find(words)


def of_document(document: str) -> Iterator[Passage]:
    """Yield the passages of a document; joined they are the document."""
    for number, part in enumerate(document_parts.split(document, _LONGEST), 1):
        yield Passage(f"d{number}", part.text, part.start)


def of_law(sources: Sequence[Source]) -> Iterator[Passage]:
    """Yield what node A was told of the law."""
    for one in sources:
        yield Passage(one.id, one.text, None, one.citation)


def told(passages: Sequence[Passage]) -> str:
    """Return passages as a model is told them, each behind its id."""
    return "\n".join(f"[{one.id}] {one.text.strip()}" for one in passages)
