"""Judge whether a statement restates the words that it quotes from a document. Pure.

Source: decision 013. `[L1]` says that a statement adds nothing to the words quoted: every figure, date,
    party, modality
and polarity stands in them, a value keeps the role that its clause gives it, and the quotation is whole.
What code cannot establish is refused: a reader relies on the lock without reading the document again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from app.analysis.support.denial import Denials, clause_breaks, disagree
from app.analysis.support.figure_checks import FigureChecks
from app.analysis.support.grammar import (
    CONDITIONS,
    EFFORT,
    FREEING,
    MAY,
    OTHER_NAMES,
    OUTSIDERS,
    PROHIBITED,
    PROVISOS,
    REMAINDER,
    bearers_of,
    marks_of,
    modality_of,
    parties_of,
    persons_of,
    polarity_of,
)
from app.analysis.support.one_place import PlaceChecks
from app.analysis.support.quotation import Discrepancy, Document, QuotedSpan, unsound
from app.analysis.support.roles import (
    part_beside,
)
from app.analysis.support.words import (
    Token,
    alike,
    concepts_of,
    is_content,
    read,
    word_set,
)

# A label has no more.
_LABEL_WORDS = 5
# To whom a letter is written: "usted" is one of them.
_GOES_ON = frozenset({"mas", "pero", "but", "sino", "y", "and", "ni", "nor", "or", "o"})
_ADDRESSEES = word_set("addressees")
# Who speaks and who is spoken to in a letter between parties of a kind.
_PERSON = {
    **dict.fromkeys((*_ADDRESSEES, "buyer"), "you"),
    **dict.fromkeys(("lessor", "employer", "lender", "provider", "creditor", "insurer", "seller"), "we"),
}


def discrepancy(statement: str, quoted: Sequence[QuotedSpan], document: Document) -> Discrepancy | None:
    """Return why `statement` does not restate `quoted`, or `None` where it does.

    Args:
        statement: one sentence or label ("Renta: 900 euros") in Spanish or English.
        quoted: where the words stand that it quotes; at least one.
        document: the document that they stand in.
    """
    return unsound(quoted, document) or _Comparison(statement, quoted, document).discrepancy()


def speaks_of(statement: str, quoted: Sequence[QuotedSpan], document: Document) -> bool:
    """Tell whether a statement has anything to do with the words that it quotes.

    A right consequence of a clause that the document does not have rests on words about something else.
    """
    return _Comparison(statement, quoted, document).shares_matter()


class _Comparison(FigureChecks, PlaceChecks):
    """Every check, in the order in which a reader would be misled most."""

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
            if not conditional and behind and CONDITIONS.at(behind, 0):
                return Discrepancy.EXCEPTION  # cut off before "si", "cuando", "if"
            if piece and piece[-1].text in _GOES_ON:
                return Discrepancy.EXCEPTION  # "a las mejoras, mas | no a los muebles"
            inside = [at for at in marks if at < len(piece) + 1]
            if inside:
                return Discrepancy.EXCEPTION
        return None

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
        if not written:
            return None
        if any(not said.count and one.without and one.count and said.demanding for one in written):
            return None  # "may not without consent", "requires consent"
        found = self._denials()
        if found is not None:
            return Discrepancy.POLARITY if found else None
        agreeing = [said.agrees(one) for one in written]
        best = max(range(len(written)), key=lambda at: self._share(self._clauses[at]))
        if all(agreeing) or (any(agreeing) and said.count) or agreeing[best]:
            return None
        return Discrepancy.POLARITY

    def _denials(self) -> bool | None:
        """Tell whether what one denies the other affirms; `None` where their words do not tell."""
        quoted = [
            offset
            for one in self.quoted
            for offset in (
                one.start,
                *clause_breaks(self.document.reading.folded[one.start : one.end], one.start),
            )
        ]
        return disagree(self._said_denials, Denials(self.tokens, quoted))

    def _modality(self) -> Discrepancy | None:
        said = modality_of(self.said.tokens)
        written: set[str] = set()
        for part in self._clauses:
            written |= modality_of(part)
        if "must" in said and "must" not in written:
            if written & {"prohibited", "not"} and "may" not in written and self._binds:
                return None
            if "prohibited" in written and ("not" in said or self._binds):
                return None
            if "may" in written or not written & {"future", "burden"}:
                return Discrepancy.MODALITY
        efforts = any(one.text in EFFORT for part in self._clauses for one in part)
        if efforts and said & {"must", "future"} and not any(one.text in EFFORT for one in self.said.tokens):
            return Discrepancy.MODALITY
        if "prohibited" in said:
            return None if written & {"prohibited", "not"} else Discrepancy.MODALITY
        if "may" in said and "may" not in written and "prohibited" not in written:
            return Discrepancy.MODALITY
        if "future" in said and not said & {"may", "must"} and "may" in written and not written & {"must"}:
            return None if "not" in said else Discrepancy.MODALITY
        if not said & {"may", "must", "future", "prohibited"} and written == {"may"} and self._duty_like:
            return Discrepancy.MODALITY
        return None

    @cached_property
    def _duty_like(self) -> bool:
        return ":" not in self.statement[:60]

    def _parties(self) -> Discrepancy | None:
        said = parties_of(self.said.tokens, self.document.party_terms)
        if self._other_bearer():
            return Discrepancy.PARTY
        if not said:
            return None
        if self._names_in_label:
            return None if {party for party, _ in said} & self._parts_of_name() else Discrepancy.PARTY
        written: dict[str, set[str]] = {}
        for part in self.pieces:
            for party, place in parties_of(part, self.document.party_terms):
                written.setdefault(party, set()).add(place)
        agents = {party for party, places in written.items() if "agent" in places}
        spoken = persons_of(self.tokens)
        for party, place in said:
            party = next((one for one in OTHER_NAMES.get(party, ()) if one in written), party)
            if party == "both":
                if "both" not in written and agents:
                    return Discrepancy.PARTY
                if "both" not in written and f"party:{party}" not in self.around_concepts:
                    return Discrepancy.PARTY
                continue
            if party in written:
                if place == "agent" and (
                    ("agent" not in written[party] and agents) or written[party] == {"to"}
                ):
                    return Discrepancy.PARTY
                if place == "to" and written[party] == {"agent"}:
                    return Discrepancy.PARTY
                continue
            if "both" in written:
                return Discrepancy.PARTY
            if party in OUTSIDERS and place != "agent":
                continue  # compared as any other word
            if self.document.is_letter and (persons := spoken.get(_PERSON.get(party, ""))):
                if place in persons or "any" in persons or place == "of":
                    continue
                return Discrepancy.PARTY
            if party in _ADDRESSEES and any(
                one.text in ("usted", "ustedes", "you", "your", "le") for one in self.tokens
            ):
                continue
            if place == "agent" and agents:
                return Discrepancy.PARTY
            if self._subject() != party and self._nearest_party() != party:
                return Discrepancy.PARTY
        return None

    def _other_bearer(self) -> bool:
        """Return whether the burden is on somebody else: "a cargo de la Propiedad"."""
        said = bearers_of(self.said.tokens)
        written = [one for part in self._clauses for one in bearers_of(part)]
        if not said or not written:
            return False
        return not any(
            alike(first.text, second.text) or concepts_of([first])[0] & concepts_of([second])[0]
            for first in said
            for second in written
        )

    @cached_property
    def _names_in_label(self) -> bool:
        """Whether the statement gives a part to a person: "Parte arrendataria: Berta Casaus Gil"."""
        head, _, rest = self.statement.partition(":")
        tokens = [one for one in self.said.tokens if one.start < len(head)]
        named = any(c.startswith("party:") for found in concepts_of(tokens) for c in found)
        if not named or self._binds or len(tokens) > _LABEL_WORDS:
            return False
        # "Arrendataria: Berta Gil", or the label alone above the name that is quoted.
        return rest.strip()[:1].isupper() or rest.strip().startswith("[") or not rest.strip()

    def _parts_of_name(self) -> set[str]:
        """Return the parts that the document gives to the name quoted, wherever it stands beside one."""
        words = self.document.text[self.quoted[0].start : self.quoted[0].end]
        found: set[str] = set()
        at = self.document.text.find(words)
        while at >= 0 and len(found) < 4:
            found |= part_beside(self.document, at, at + len(words))
            at = self.document.text.find(words, at + len(words))
        return found

    def _subject(self) -> str | None:
        """Return who acts where the quotation has no subject: the last one to act in the paragraph."""
        tokens = [token for token in self.around if token.end <= self.quoted[0].start]
        acting = [party for party, place in parties_of(tokens) if place == "agent"]
        return acting[-1] if acting else None

    def _nearest_party(self) -> str | None:
        """Return the party named last before the first quotation, in its sentence or the heading above it."""
        one = self.quoted[0]
        _start, end = self.document.sentence(one.start, one.end)
        tokens = [token for token in self.around if token.end <= one.start]
        concepts = concepts_of(tokens)
        named = [c for found in concepts for c in sorted(found) if c.startswith("party:")]
        if named:
            return named[-1].removeprefix("party:")
        after = list(self.document.tokens(one.end, end))
        named = [c for found in concepts_of(after) for c in sorted(found) if c.startswith("party:")]
        return named[0].removeprefix("party:") if named else None
