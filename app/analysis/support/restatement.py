"""Judge whether a statement restates the words that it quotes from a document. Pure.

Source: decision 013. `[L1]` says that a statement adds nothing to the words quoted: every figure, date,
    party, modality
and polarity stands in them, a value keeps the role that its clause gives it, and the quotation is whole.
What code cannot establish is refused: a reader relies on the lock without reading the document again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from app.analysis.support.alignment import AlignmentChecks
from app.analysis.support.cut_off import CutOffLimits
from app.analysis.support.denial import disagree
from app.analysis.support.edited_sentence import EditedSentence
from app.analysis.support.exception_checks import ExceptionChecks
from app.analysis.support.figure_checks import FigureChecks
from app.analysis.support.glosses import gloss_names
from app.analysis.support.governing import GoverningChecks
from app.analysis.support.grammar import (
    CONDITIONS,
    EFFORT,
    FREEING,
    MAY,
    MUST,
    OBLIGED,
    PROHIBITED,
    PROVISOS,
    REMAINDER,
    Phrases,
    marks_of,
    modality_of,
    polarity_of,
)
from app.analysis.support.one_place import PlaceChecks
from app.analysis.support.opposites import OppositeWords
from app.analysis.support.party_checks import PartyChecks
from app.analysis.support.quotation import Discrepancy, Document, QuotedSpan, unsound
from app.analysis.support.tale_checks import TaleChecks
from app.analysis.support.turned_words import TurnedWords
from app.analysis.support.who_acts import WhoActs
from app.analysis.support.words import (
    Token,
    alike,
    concepts_of,
    is_content,
    read,
)

_TURNING = frozenset(
    {"pero", "but", "aunque", "although", "though", "si", "if", "before", "antes", "condicion", "salvedad"}
)
# A statement is one sentence: what is longer is not read.
_LONGEST = 1_200
_ONCE = Phrases(("once",), ("una", "vez"), ("only", "after"), ("solo", "despues"))
# So many words make a clause of what stands before an exception.
_OWN_CLAUSE = 2
_GOES_ON = frozenset({"mas", "pero", "but", "sino", "y", "and", "ni", "nor", "or", "o"})


def discrepancy(
    statement: str, quoted: Sequence[QuotedSpan], document: Document, *, aligned: bool = True
) -> Discrepancy | None:
    """Return why `statement` does not restate `quoted`, or `None` where it does.

    Args:
        statement: one sentence or label ("Renta: 900 euros") in Spanish or English.
        quoted: where the words stand that it quotes; at least one.
        document: the document that they stand in.
        aligned: whether every word must have its place in the quotation. The built-in engine's sentences are
            written by the author of a rule, who knows what the words say that the rule finds.
    """
    if len(statement) > _LONGEST:
        return Discrepancy.BEYOND
    found = unsound(quoted, document)
    if found:
        return found
    comparison = _Comparison(statement, quoted, document)
    if governed := comparison.governed(conditions=aligned):
        return governed
    if aligned and comparison.copies():
        return comparison.cut_off() or comparison.of_another_matter()
    found = comparison.discrepancy() or (comparison.misaligned() if aligned else None)
    if not aligned:
        return found
    turned = None if found else comparison.turned()
    if not (found or turned):
        return comparison.cut_off()
    if not comparison.is_drawn():
        told = _told_in_spanish(statement, quoted, document)
        return None if told else found or comparison.cut_off() or turned
    return comparison.cut_off() or (comparison.of_another_matter() if found else None)


def _told_in_spanish(statement: str, quoted: Sequence[QuotedSpan], document: Document) -> bool:
    """Tell whether a statement is the sentence that it quotes of a document in another language.

    The whole sentence, in Spanish word for word: what the lists do not have may deny or limit.
    """
    gloss, other = document.gloss, document.in_spanish
    if gloss is None or other is None:
        return False
    spans = [gloss.span(one.start, one.end) for one in quoted]
    told = [QuotedSpan(*one) for one in spans if one is not None]
    if len(told) < len(quoted):
        return False
    comparison = _Comparison(gloss_names(statement, document.text), told, other)
    comparison.strict = True
    return comparison.governed() is None and comparison.is_drawn() and comparison.cut_off() is None


def is_literal(statement: str, quoted: Sequence[QuotedSpan], document: Document) -> bool:
    """Tell whether a statement copies a sentence that it quotes, or leaves out whole parts of it.

    The arguments are those of `discrepancy`.
    """
    comparison = _Comparison(statement, quoted, document)
    return comparison.copies() or comparison.is_drawn()


def speaks_of(statement: str, quoted: Sequence[QuotedSpan], document: Document) -> bool:
    """Tell whether a statement has anything to do with the words that it quotes.

    A right consequence of a clause that the document does not have rests on words about something else.
    """
    return _Comparison(statement, quoted, document).shares_matter()


def takes_of_another(statement: str, document: Document) -> bool:
    """Tell whether a statement gives a figure of a text to another of those that have figures there."""
    return _Comparison(statement, [QuotedSpan(0, len(document.text))], document).takes_of_another()


def denies(statement: str, other: str) -> bool:
    """Tell whether `statement` affirms what `other` denies, or is about another contract, time or thing."""
    comparison = _Comparison(statement, [QuotedSpan(0, len(other))], Document(other))
    if comparison.denies() and not comparison.denies_in_other_words():
        return True
    return comparison.discrepancy() is Discrepancy.OTHER_MATTER


def unplaced_words(statement: str, quoted: Sequence[QuotedSpan], document: Document) -> tuple[str, ...]:
    """Return the words, figures and parties of `statement` that have no place in `quoted`, as it writes them.

    Empty where it is too long to be compared. The arguments are those of `discrepancy`.
    """
    if len(statement) > _LONGEST:
        return ()
    return _Comparison(statement, quoted, document).unplaced_words()


def left_out(statement: str, quoted: Sequence[QuotedSpan], document: Document) -> tuple[str, ...]:
    """Return the words of `quoted` that limit what `statement` tells and that it leaves out.

    The arguments are those of `discrepancy`.
    """
    if len(statement) > _LONGEST:
        return ()
    places = _Comparison(statement, quoted, document).left_out
    return tuple(dict.fromkeys(document.text[start:end] for start, end in places))


def governor(statement: str, quoted: Sequence[QuotedSpan], document: Document) -> QuotedSpan | None:
    """Return where the words stand that govern `quoted` and that `statement` does not tell, or `None`.

    The arguments are those of `discrepancy`.
    """
    comparison = _Comparison(statement, quoted, document)
    comparison.governed()
    return comparison.governor


class _Comparison(
    AlignmentChecks,
    CutOffLimits,
    EditedSentence,
    FigureChecks,
    GoverningChecks,
    ExceptionChecks,
    OppositeWords,
    PartyChecks,
    PlaceChecks,
    TaleChecks,
    TurnedWords,
    WhoActs,
):
    """Every check, in the order in which a reader would be misled most."""

    def turned(self) -> Discrepancy | None:
        """Return why words that all stand in the quotation mislead: turned round, or short of a limit."""
        if self._widens():
            return Discrepancy.BEYOND
        if self.ceiling_untold():
            return Discrepancy.LIMIT
        if self._turns_words() or self.tells_opposite():
            return Discrepancy.ROLE
        if self.names_another():
            return Discrepancy.PARTY
        return Discrepancy.LIMIT if self.left_out else None

    def of_another_matter(self) -> Discrepancy | None:
        """Return why a statement that copies a sentence misleads: it tells of another contract or time."""
        return self._matter() if self._of_earlier_relation() or self._of_the_past() else None

    def denies(self) -> bool:
        """Return whether the quotation denies what the statement affirms, or the reverse."""
        return self._polarity() is not None or (not self._is_too_long and self._verb_denied())

    def denies_in_other_words(self) -> bool:
        """Tell whether both texts deny, and neither affirms what the other denies: "indefinite", "no end"."""
        said, quoted = self._said_denials, self._quoted_denials
        if not said.denying or not quoted.denying or self._opposed():
            return False
        return not any(
            mine.says(other, [place], mine.affirmed)
            for mine, other in ((said, quoted), (quoted, said))
            for one in other.found
            for place in one.focus
        )

    def shares_matter(self) -> bool:
        """Return whether the statement has a word or figure of the quotations, or two of their sentences."""
        if any(
            value.is_said_by(other)
            for value in self.said.values
            for one in self.quoted
            for other in self.document.values(one.start, one.end)
        ):
            return True
        named = {one.text for one in read(self.statement).tokens if is_content(one)}

        def shared(tokens: Sequence[Token]) -> int:
            return len(
                {
                    one.text
                    for one in tokens
                    if is_content(one) and (one.text in named or self._stated_says(one))
                }
            )

        return shared(self.tokens) > 0 or shared(self.sentences) > 1

    def discrepancy(self) -> Discrepancy | None:
        """Compare in the order in which a reader would be misled most."""
        if self._bare:
            return self._figures() or self._bounds() or self._how_often()
        for check in (
            self._figures,
            self._exceptions,
            self._rule_exchanged,
            self._concedes,
            self._polarity,
            self._modality,
            self._parties,
            self._roles,
            self._bounds,
            self._rates,
            self._counted_days,
            self._ranks,
            self._contexts,
            self._matter,
            self._beyond,
            self._one_place,
            self._untold,
        ):
            found = check()
            if found:
                return found
        return None

    def _exceptions(self) -> Discrepancy | None:
        if (
            list(marks_of(self.said.tokens, exceptions=True))
            or PROVISOS.places(self.said.tokens)
            or REMAINDER.places(self.said.tokens)
        ):
            return None
        conditional = bool(CONDITIONS.places(self.said.tokens))
        for one, piece in zip(self.quoted, self.pieces, strict=True):
            _, end = self.document.sentence(one.start, one.end)
            behind = self.document.tokens(one.end, min(end, one.end + 40))
            behind = [token for token in behind if token.text not in (",", ")", "”", '"')][:3]
            ahead = [*piece, *behind]
            marks = list(marks_of(ahead, exceptions=True))
            if not conditional:
                marks += PROVISOS.places(ahead)
            if self._contrasts:
                marks = [at for at in marks if at >= len(piece) or not self._restates_behind(piece, at)]
            if not conditional and behind and (CONDITIONS.at(behind, 0) or _ONCE.at(behind, 0)):
                return Discrepancy.EXCEPTION  # cut off before "si", "cuando", "if", "once"
            if piece and piece[-1].text in _GOES_ON:
                return Discrepancy.EXCEPTION  # "a las mejoras, mas | no a los muebles"
            marks = [at for at in marks if at >= len(piece) or not self._in_other_half(piece, at)]
            inside = [at for at in marks if at < len(piece) + 1]
            if inside:
                return Discrepancy.EXCEPTION
        return None

    def _in_other_half(self, piece: Sequence[Token], at: int) -> bool:
        """Tell whether a semicolon parts an exception, with a clause of its own, from all that is stated."""
        halves: list[list[Token]] = [[]]
        own = 0
        for place, one in enumerate(piece):
            if one.text == ";":
                halves.append([])
            own = len(halves) - 1 if place == at else own
            halves[-1].append(one)
        if own == 0 or sum(is_content(one) for one in piece[:at] if one in halves[own]) < _OWN_CLAUSE:
            return False
        told = [
            sum(self._stated_says(one) for one in half if is_content(one) or one.figure is not None)
            for half in halves
        ]
        return max(told[:own]) > 1 and not any(told[own:])

    @cached_property
    def _contrasts(self) -> bool:
        """Whether the statement denies, limits or makes a condition: it may tell an exception so."""
        return (
            bool(self._said_denials.denying)
            or self._said_denials.demanding
            or "must" in modality_of(self.said.tokens)
            or any(one.text in _TURNING for one in self.said.tokens)
        )

    def _polarity(self) -> Discrepancy | None:
        said = polarity_of(self.said.tokens)
        if self._binds:
            # "Binds the tenant": a duty or a prohibition, never the denial of a duty.
            for part in self._clauses:
                denied = polarity_of(part).count and not any(
                    one.text in MAY or one.text in PROHIBITED for one in part
                )
                if denied and any(FREEING.match(one.text) for one in part):
                    return Discrepancy.POLARITY
            return None
        written = [polarity_of(part) for part in self._clauses]
        if any(not said.count and one.without and one.count and said.demanding for one in written):
            return None  # "may not without consent", "requires consent"
        found = self._denials()
        if found is not None or not written:
            return Discrepancy.POLARITY if found else None
        agreeing = [said.agrees(one) for one in written]
        best = max(range(len(written)), key=lambda at: self._share(self._clauses[at]))
        if all(agreeing) or (any(agreeing) and said.count) or agreeing[best]:
            return None
        return Discrepancy.POLARITY

    def _denials(self) -> bool | None:
        """Tell whether what one denies the other affirms; `None` where their words do not tell."""
        return disagree(self._said_denials, self._quoted_denials)

    def _modality(self) -> Discrepancy | None:
        said = modality_of(self.said.tokens)
        written: set[str] = set()
        for part in self._clauses:
            written |= modality_of(part)
        if "must" in said and "must" not in written and self._unbound(said, written):
            return Discrepancy.MODALITY
        efforts = any(one.text in EFFORT for part in self._clauses for one in part)
        if efforts and said & {"must", "future"} and not any(one.text in EFFORT for one in self.said.tokens):
            return Discrepancy.MODALITY
        if "prohibited" in said:
            return None if written & {"prohibited", "not"} else Discrepancy.MODALITY
        if "may" in said and "may" not in written and "prohibited" not in written:
            # "Is not obliged to": "does not undertake to".
            freed = any(one.text.startswith(("oblig", "bound", "required")) for one in self.said.tokens)
            unbound = freed and "not" in said and "not" in written
            return None if unbound or "may" in self._modes else Discrepancy.MODALITY
        if "future" in said and not said & {"may", "must"} and "may" in written and not written & {"must"}:
            return None if "not" in said else Discrepancy.MODALITY
        plain = not said & {"may", "must", "future", "prohibited"} and not self._said_denials.demanding
        if plain and written == {"may"} and self._duty_like:
            return Discrepancy.MODALITY
        return None

    @cached_property
    def _modes(self) -> set[str]:
        """How the clauses bind that have what the statement says one must or may do."""
        found: set[str] = set()
        wanted = self._bound_words
        for piece in self.pieces:
            for part in self._parts(piece):
                if any(alike(one.text, other.text) for one in wanted for other in part if is_content(other)):
                    found |= modality_of(part)
        return found

    @cached_property
    def _bound_words(self) -> list[Token]:
        """The words of the statement that follow "must", "may", "hay que" at once."""
        tokens = self.said.tokens
        found = []
        for at, token in enumerate(tokens):
            if token.text in MUST | MAY or OBLIGED.at(tokens, at):
                ahead = [one for one in tokens[at + 1 : at + 6] if is_content(one)]
                found += [one for one in ahead if one.text not in MUST | MAY][:1]
        return found

    def _unbound(self, said: set[str], written: set[str]) -> bool:
        """Tell whether a duty of the statement is none by the words quoted."""
        if written & {"prohibited", "not"} and "may" not in written and self._binds:
            return False
        if "prohibited" in written and ("not" in said or self._binds):
            return False
        if self._modes & {"must", "burden"} and "may" not in self._modes:
            return False
        if not written and self.said.values and all(one[:1] and one[0].kind != "word" for one in self.pieces):
            return False  # "40.260 euros, within five days of signature"
        if any(self._needed(one) for one in self._bound_words):
            return False
        return "may" in written or not written & {"future", "burden"}

    def _needed(self, word: Token) -> bool:
        """Tell whether the quotation makes a condition of what the word says: "siempre que lo notifique"."""
        for piece in self.pieces:
            for at in range(len(piece)):
                if not (
                    PROVISOS.at(piece, at) or CONDITIONS.at(piece, at) or piece[at].text in ("sin", "without")
                ):
                    continue
                for one in piece[at + 1 : at + 9]:
                    if one.text in MAY or one.kind == "mark":
                        break
                    if is_content(one) and (
                        alike(one.text, word.text) or concepts_of([one])[0] & concepts_of([word])[0]
                    ):
                        return True
        return False

    @cached_property
    def _duty_like(self) -> bool:
        return ":" not in self.statement[:60]
