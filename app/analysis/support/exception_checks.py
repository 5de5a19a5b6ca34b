"""Check that a statement does not exchange a rule with its exception. Pure.

Source: decision 013. What stands behind "salvo", "pero no", "but not" has the opposite polarity of what
stands before, in whatever order a statement tells the two; "unless" told by "if" turns one of the two parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.analysis.support.denial import Denials
from app.analysis.support.grammar import CONDITIONS, DETERMINERS, PROHIBITED, marks_of
from app.analysis.support.quotation import Discrepancy
from app.analysis.support.quoted_statement import QuotedStatement
from app.analysis.support.words import Token, alike, concepts_of, is_content, word_set

_ONLY = word_set("only")
_STOPS = frozenset({";", ".", ":"})
_TURNS = frozenset({"pero", "aunque", "mas", "sino", "but", "although", "though"})
_JOINS = _TURNS | {"y", "e", "and", ","}
_NOT = frozenset({"no", "not"})
# "Salvo que", "except if": what follows is a condition.
_CLAUSAL = frozenset({"que", "si", "cuando", "if", "where", "when", "that", "ser"})
_EXCEPTING = frozenset({"excepcion", "exclusion"})


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a text: its words, and whether it denies them; `None` where that is not sure."""

    words: Sequence[Token]
    denies: bool | None


class ExceptionChecks(QuotedStatement):
    """The check of rules and exceptions."""

    def _rule_exchanged(self) -> Discrepancy | None:
        """Compare what each text says of the rule and what it says of the exception."""
        told = self._told
        for piece in self.pieces:
            for main, behind, clausal in self._ruled(piece):
                if clausal:
                    wrong = self._turned_wrongly(main, behind)
                else:
                    wrong = _denied_otherwise(_part(main), behind, told)
                if wrong:
                    return Discrepancy.EXCEPTION
        return None

    def _ruled(self, piece: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Sequence[Token], bool]]:
        """Yield each rule of a quotation, what it does not hold for, and whether that is a condition."""
        excepting = set(marks_of(piece, exceptions=True))
        for at in range(len(piece)):
            turn = at not in excepting and _turns(piece, at, self.document.text)
            if at not in excepting and not turn:
                continue
            first = max((place for place in range(at) if piece[place].text in _STOPS), default=-1) + 1
            main = piece[first:at]
            clausal = not turn and (
                piece[at].text == "unless" or any(one.text in _CLAUSAL for one in piece[at + 1 : at + 4])
            )
            stops = _STOPS if clausal and main else _STOPS | {","}
            last = next(
                (place for place in range(at + 2, len(piece)) if piece[place].text in stops), len(piece)
            )
            behind = piece[at + 1 + turn : last]
            if not any(is_content(one) for one in main):  # "Salvo los domingos, la empresa paga"
                main = _until(piece[last + 1 :])
            yield main, [one for one in behind if one.text not in _EXCEPTING], clausal

    @property
    def _told(self) -> list[_Part]:
        """The parts of the statement."""
        tokens = self.said.tokens
        excepting = set(marks_of(tokens, exceptions=True))
        cuts = [
            at
            for at in range(len(tokens))
            if at in excepting or tokens[at].text in _STOPS | _TURNS or _turns(tokens, at, self.statement)
        ]
        parts: list[_Part] = []
        for start, end in zip([-1, *cuts], [*cuts, len(tokens)], strict=True):
            part = _part(tokens[start + 1 : end])
            if start in excepting:
                main = parts[-1].denies if parts else None
                part = _Part(part.words, None if main is None or part.denies is not False else not main)
            if any(is_content(one) for one in part.words):
                parts.append(part)
        return parts

    def _turned_wrongly(self, main: Sequence[Token], behind: Sequence[Token]) -> bool:
        """Tell whether "unless" is told by "if" with both parts as they were, or with both turned."""
        tokens = self.said.tokens
        if not CONDITIONS.places(tokens) or list(marks_of(tokens, exceptions=True)):
            return False
        if any(one.text in _TURNS for one in tokens):
            return False
        return (_denials(main) + _denials(behind) - _denials(tokens)) % 2 == 0


def _turns(tokens: Sequence[Token], at: int, text: str) -> bool:
    """Tell whether "but not", "and not", "pero sí" or ", no el" stands at a place."""
    if tokens[at].text not in _JOINS or at + 2 >= len(tokens):
        return False
    following = tokens[at + 1]
    if following.text in _NOT:
        return tokens[at].text != "," or following.text == "not" or tokens[at + 2].text in DETERMINERS
    return tokens[at].text in _TURNS and text[following.start : following.end].casefold() == "sí"


def _until(tokens: Sequence[Token]) -> Sequence[Token]:
    last = next((at for at, one in enumerate(tokens) if one.text in _STOPS), len(tokens))
    return tokens[:last]


def _denials(tokens: Sequence[Token]) -> int:
    return len(list(marks_of(tokens, negations=True))) + sum(one.text in PROHIBITED for one in tokens)


def _part(tokens: Sequence[Token]) -> _Part:
    denials = Denials(tokens, ())
    negations = set(marks_of(tokens, negations=True))
    # "No cubre" denies once, though what is not counted in is also left out.
    denying = [at for at in denials.denying if at in negations or not (at in denials.counted and negations)]
    if not denying:
        return _Part(tokens, denies=False)
    if any(one.text in _ONLY for one in tokens) or len(denying) > 1 or not negations:
        return _Part(tokens, None)
    return _Part(tokens, denies=True)


def _denied_otherwise(rule: _Part, behind: Sequence[Token], told: Sequence[_Part]) -> bool:
    """Tell whether a statement says of the exception what holds for the rule, or the reverse."""
    if rule.denies is None:
        return False
    main = [one for one in rule.words if is_content(one)]
    excepted = [one for one in behind if is_content(one) and not _named(one, main, akin=False)]
    if not main or not excepted:
        return False
    # "Animals, except dogs": where the two are akin, only the word itself tells which is meant.
    akin = not any(_named(one, main) for one in excepted)
    for part in told:
        if part.denies is None:
            continue
        words = [one for one in part.words if is_content(one)]
        named = sum(_named(one, words, akin=akin) for one in excepted)
        if 2 * named >= len(excepted):
            if part.denies == rule.denies and (len(told) > 1 or any(_named(one, words) for one in main)):
                return True
        elif _named(main[-1], words, akin=akin) and part.denies != rule.denies:
            return True
    return False


def _named(token: Token, words: Sequence[Token], *, akin: bool = True) -> bool:
    """Tell whether `words` have a word, or also one that means the same."""
    own = concepts_of([token])[0] if akin else frozenset()
    return any(alike(token.text, one.text) or own & concepts_of([one])[0] for one in words)
