"""Read a statement beside the words that it quotes, for every comparison of the two. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from app.analysis.support.denial import Denials, clause_breaks
from app.analysis.support.grammar import (
    ACKNOWLEDGED,
    CLAUSE_END,
    CONDITIONS,
    is_verb,
    without_places,
)
from app.analysis.support.quotation import Document, QuotedSpan, last_break
from app.analysis.support.words import (
    Token,
    alike,
    concepts_of,
    is_content,
    read,
    word_set,
)
from app.text.sentences import fold

# What a title may say that a document is: a statement may call it so.
_CONTRACTS = frozenset(f"general:{name}" for name in word_set("kinds_of_contract"))


# What is made a condition or an exception counts as told where so many of its words are.
_STATING = word_set("stating")
_RESTATED = 0.5
_BEHIND = 8
# Not that of a time of day: "18:00".
_COLON = re.compile(r":(?!\d)")
_CLAUSE_STOPS = frozenset({",", ";", ".", ":"})


class QuotedStatement:
    """A statement, its quotations, and the words that these stand among."""

    def __init__(self, statement: str, quoted: Sequence[QuotedSpan], document: Document) -> None:
        self.document, self.quoted, self.statement = document, quoted, statement
        masked = without_places(statement)
        self.said = read(masked)
        self.said_concepts = concepts_of(self.said.tokens)
        self.stated = [one for one in self.said.tokens if is_content(one)]
        self.pieces = [document.tokens(one.start, one.end) for one in quoted]
        self.tokens = [token for piece in self.pieces for token in piece]
        self.concepts = concepts_of(self.tokens)
        self.quoted_all = frozenset(c for found in self.concepts for c in found)
        # The words around: the sentences of the quotations, and the heading that they stand under.
        self.around = [token for one in quoted for token in self._around(one)]
        self.around_concepts = frozenset(c for found in concepts_of(self.around) for c in found)
        self.sentences = [
            token for one in quoted for token in document.tokens(*document.sentence(one.start, one.end))
        ]
        # Roles that the clause was found to give to a value.
        self.confirmed: set[str] = set()
        self.title = document.title
        self.title_concepts = _CONTRACTS & document.title_concepts

    def _around(self, quoted: QuotedSpan) -> Sequence[Token]:
        start, end = self.document.sentence(quoted.start, quoted.end)
        # The line above, and the beginning of the own one: a heading, a label, the paragraph's first words.
        line = self.document.text.rfind("\n", 0, start)
        return self.document.tokens(max(line + 1, start - 400), end)

    @cached_property
    def _bare(self) -> bool:
        """Whether the statement is a value whose label gives it no role: "Fecha: 1 de enero de 2013"."""
        return (
            self._label
            and bool(self.said.values)
            and not any(
                is_content(one)
                and not any(value.start <= one.start < value.end for value in self.said.values)
                for one in self.said.tokens
            )
        )

    @cached_property
    def _clauses(self) -> list[Sequence[Token]]:
        """The clauses of the quotations that the statement speaks of."""
        found = [part for piece in self.pieces for part in self._parts(piece)]
        if len(found) < 2:
            return found
        shares = [self._share(part) for part in found]
        best = max(shares)
        return [part for part, share in zip(found, shares, strict=True) if share >= max(0.6 * best, 0.01)]

    def _parts(self, piece: Sequence[Token]) -> list[Sequence[Token]]:
        """Return the clauses of the tokens of a quotation."""
        if not piece:
            return []
        found: list[Sequence[Token]] = []
        start = piece[0].start
        folded = self.document.reading.folded[start : piece[-1].end]
        cuts = [match.end() + start for match in CLAUSE_END.finditer(folded)]
        last = 0
        for cut in [*cuts, piece[-1].end + 1]:
            part = [token for token in piece[last:] if token.start < cut]
            last += len(part)
            if part:
                found.append(part)
        return found

    def _share(self, part: Sequence[Token]) -> float:
        content = [one for one in part if is_content(one) or one.kind in ("number", "date")]
        if not content:
            return 0.0
        return sum(self._stated_says(one) for one in content) / len(content) * (1 + 0.02 * len(content))

    def _stated_says(self, token: Token) -> bool:
        if token.kind != "word":
            return any(token.text == one.text for one in self.said.tokens)
        own = set(concepts_of([token])[0])
        return any(
            token.text == one.text or own & self.said_concepts[at] or alike(token.text, one.text)
            for at, one in enumerate(self.said.tokens)
            if is_content(one)
        )

    @cached_property
    def _label(self) -> bool:
        """Whether the statement is a label and a value ("Renta: 900 euros")."""
        colon = _COLON.search(self.statement[:60])
        if colon is None:
            return False
        before = [one for one in self.said.tokens if one.start < colon.start()]
        # "El arriendo dura diez años: …" is a sentence.
        return not any(is_verb(one) or one.text in _STATING for one in before)

    @cached_property
    def _binds(self) -> bool:
        first = [one.text for one in self.said.tokens[:2]]
        return len(self.said.tokens) <= 8 and first[:1] in (["obliga"], ["binds"])

    @cached_property
    def _said_denials(self) -> Denials:
        return Denials(self.said.tokens, clause_breaks(fold(self.statement)))

    @cached_property
    def _quoted_denials(self) -> Denials:
        quoted = [
            offset
            for one in self.quoted
            for offset in (
                one.start,
                *clause_breaks(self.document.reading.folded[one.start : one.end], one.start),
            )
        ]
        return Denials(self.tokens, quoted)

    def _condition(self) -> bool:
        """Return whether the quotation or the words before it set a condition the statement lacks."""
        if CONDITIONS.places(self.said.tokens) or ACKNOWLEDGED.places(self.said.tokens):
            return False
        for one, _piece in zip(self.quoted, self.pieces, strict=True):
            start, _ = self.document.sentence(one.start, one.end)
            before = [token for token in self.document.tokens(start, one.start) if token.end <= one.start]
            before = before[last_break(before, self.document) :]
            spoken = [token for part in self._clauses for token in part if one.start <= token.start < one.end]
            for tokens in (before, spoken):
                if any(not self._restates_behind(tokens, at) for at in CONDITIONS.places(tokens)):
                    return True
        return False

    def _restates_behind(self, tokens: Sequence[Token], at: int) -> bool:
        """Tell whether the statement says what stands behind `at`, up to where that clause ends."""
        behind: list[Token] = []
        for one in tokens[at + 1 :]:
            if one.text in _CLAUSE_STOPS and (behind or one.text in (";", ".")):
                break
            if is_content(one) or one.kind in ("number", "date"):
                behind.append(one)
            if len(behind) == _BEHIND:
                break
        if any(one.kind != "word" and not self._stated_says(one) for one in behind):
            return False
        return bool(behind) and sum(map(self._stated_says, behind)) >= _RESTATED * len(behind)

    def said_concepts_of(self, token: Token) -> frozenset[str]:
        """Return the concepts of one word of the statement."""
        return concepts_of([token])[0]

    def _heading(self, quoted: QuotedSpan) -> Sequence[Token]:
        """Return the words before the quoted sentence on its line; where there are none, the line above."""
        start, _ = self.document.sentence(quoted.start, quoted.end)
        line = self.document.text.rfind("\n", 0, start) + 1
        if self.document.text[line:start].strip():
            return self.document.tokens(line, start)
        above = self.document.text[:line].rstrip()
        return self.document.tokens(above.rfind("\n") + 1, len(above))

    @staticmethod
    def _found(token: Token, own: frozenset[str], words: Sequence[Token], concepts: frozenset[str]) -> bool:
        return bool(own & concepts) or any(
            alike(token.text, one.text) for one in words if is_content(one) or one.text == token.text
        )
