"""Read a document once for all parts of an analysis: its facts, its sentences and its kind."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from app.rules.document import Document
from app.rules.draft import Statement
from app.rules.facts.document_facts import Facts, extract_facts
from app.rules.rulebook.kinds import Recognition, recognise
from app.rules.rulebook.loader import rulebook, states
from app.rules.rulebook.papers import Paper, main_kind, papers
from app.rules.rulebook.schema import Rulebook
from app.rules.rulebook.states import state_of
from app.text.ocr import repair


class Reading:
    """What is read of a text whoever asks, each part when it is first asked for.

    Words that scanning broke are read whole; `as_written` leads from what was read back to `text`.

    It lives as long as the analysis that made it: no text is kept between requests.
    """

    def __init__(self, text: str, jurisdiction: str, rules: Rulebook | None = None) -> None:
        self.text = text
        self.jurisdiction = jurisdiction
        self._repaired = repair(text)
        self.rules = rules if rules is not None else rulebook(self._law())

    def as_written(self, statement: Statement) -> Statement:
        """Return a statement with its quotations as `text` has them."""
        if not self._repaired.changed or not statement.quotes:
            return statement
        return replace(
            statement, quotes=tuple(self._repaired.as_written(words) for words in statement.quotes)
        )

    def _law(self) -> str:
        """Return whose law is applied: in a federation, that of the state that the text names, if known."""
        laws = states(self.jurisdiction)
        return (state_of(self.document, laws) if laws else None) or self.jurisdiction

    @cached_property
    def facts(self) -> Facts:
        """The parties, dates, amounts, deadlines and sections that the text states."""
        return extract_facts(self._repaired.text, self.jurisdiction)

    @cached_property
    def document(self) -> Document:
        """The text as the patterns of the rules read it."""
        return Document(self._repaired.text, self.facts.source)

    @cached_property
    def recognition(self) -> Recognition:
        """The kind of the document under `rules`."""
        return main_kind(self._by_all_words, self.papers)

    @cached_property
    def papers(self) -> tuple[Paper, ...]:
        """The papers of the text, where it holds more than one."""
        return papers(self.document, self.rules, self._by_all_words)

    @property
    def enclosed(self) -> tuple[Paper, ...]:
        """The papers that are of another kind than the document."""
        return tuple(paper for paper in self.papers if paper.kind.id != self.recognition.id)

    @cached_property
    def _by_all_words(self) -> Recognition:
        return recognise(self.document, self.rules)
