"""Check that who acts, bears or receives by a statement is who does by its quotation. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from app.analysis.support.grammar import (
    BEING,
    OUTSIDERS,
    bearers_of,
    begins,
    mentions_of,
    persons_of,
    speaker_of,
)
from app.analysis.support.parties import ANY_COMPANY
from app.analysis.support.quotation import Discrepancy
from app.analysis.support.quoted_statement import QuotedStatement
from app.analysis.support.roles import part_beside
from app.analysis.support.words import Token, alike, concepts_of, is_content

# A label has no more.
_LABEL_WORDS = 5
_OTHERS = frozenset({"otros", "otras", "otro", "otra", "other", "another"})
_STATUTE = ("estatuto", "de", "los")
# What both do: "borne equally", "por mitad".
_SHARED = frozenset({"equally", "mitad", "mitades", "medias", "iguales", "half", "halves", "cada", "each"})
# Who acts by these receives what another gives.
_RECEIVING = re.compile(
    r"recib|percib|percep|cobr|recuper|obten|obtien|conserv|receiv|gets?$|recover|collect|earn|obtain|holds?$|keeps?$|entitled"
)
GETTING = re.compile(r"recib|percib|cobr|ganan?$|earns?$|receiv|gets?$|collect")
GIVING = re.compile(
    r"pagar|paga[n]?$|abon[ae]|entreg|devol|devuel|reembols|reintegr|pays?$|repay|refund|reimburs|gives?$"
)
_ENABLING = re.compile(
    r"permit|facult|autoriz|correspond|conced|otorg|allow|enabl|entitl|reconoc|oblig|requier|impon"
)
_PARTICIPLE = re.compile(r"[a-z]{2,}(?:[aeiou]d[oa]s?|ed|en)")
# A clause is the one that a statement tells where it has so many of its words, and so many times more.
_FEWEST_SHARED, _FAR_MORE = 2, 2
_BOTH = "both"


class _Named(NamedTuple):
    """A party named: which one, its part, and where among the tokens."""

    party: str
    place: str
    at: int


class PartyChecks(QuotedStatement):
    """The checks of parties."""

    def _parties(self) -> Discrepancy | None:
        if self._other_bearer():
            return Discrepancy.PARTY
        said = self._named(self.said.tokens, self.statement)
        if not said:
            return None
        if self._names_in_label:
            parts = {one.party for one in mentions_of(self.said.tokens, lambda _: False)}
            return None if parts & self._parts_of_name() else Discrepancy.PARTY
        written = [one for piece in self.pieces for one in self._named(piece, self.document.text)]
        spoken_of = [one for part in self._clauses for one in self._named(part, self.document.text)]
        for one in said:
            told = any(other.party == one.party or other.place == "agent" for other in spoken_of)
            there = spoken_of if told else written
            if self._exchanged_party(one, said, there) or self._other_agent(one):
                return Discrepancy.PARTY
            if one.place == "agent" and self._speaks_of_another(one):
                return Discrepancy.PARTY
        return None

    def _speaks_of_another(self, one: _Named) -> bool:
        """Tell whether "we" or "you" does by the quotation what a party, which is the other, does here."""
        parties = self.document.parties
        speaking = {parties.person("we"): "we", parties.person("you"): "you"}
        if not one.party or one.party not in speaking:
            return False
        ahead = self.said.tokens[one.at + 1 : one.at + 8]
        verb = next((t for t in ahead if is_content(t) and parties.key(t.text, ()) != one.party), None)
        if verb is None:
            return False
        acting = {
            speaker_of(piece, at)
            for piece in self.pieces
            for at, other in enumerate(piece)
            if alike(verb.text, other.text)
        }
        return bool(acting) and not acting & {"", speaking[one.party]}

    def _other_agent(self, one: _Named) -> bool:
        """Tell whether the one clause that the statement tells has another party act, and not this one."""
        if one.place != "agent" or len(self._clauses) < 2 or self._flipped:
            return False
        shares = sorted((self._telling(part), at) for at, part in enumerate(self._clauses))
        if shares[-1][0] < _FAR_MORE * shares[-2][0] or shares[-1][0] < _FEWEST_SHARED:
            return False
        having = [self._clauses[shares[-1][1]]]
        named = self._named(having[0], self.document.text)
        agents = {other.party for other in named if other.place == "agent"} - OUTSIDERS
        return bool(agents) and one.party not in agents and _BOTH not in agents

    def _telling(self, part: Sequence[Token]) -> int:
        """Return how many words of a clause, but for names of parties, the statement has."""
        return sum(
            self._stated_says(one)
            for one, own in zip(part, concepts_of(part), strict=True)
            if (is_content(one) and not any(c.startswith("party:") for c in own)) or one.kind == "number"
        )

    def _exchanged_party(self, one: _Named, said: Sequence[_Named], written: Sequence[_Named]) -> bool:
        """Tell whether the words quoted say of another what the statement says of `one`."""
        agents = {other.party for other in written if other.place == "agent"} - OUTSIDERS - {_BOTH}
        places = {other.place for other in written if other.party == one.party}
        everyone = any(other.party == _BOTH for other in written)
        if one.party == _BOTH:
            if everyone or any(other.text in _SHARED for other in self.tokens):
                return False
            return bool(agents) or "party:both" not in self.around_concepts
        if places:
            return self._other_place(one, places, agents, said)
        if everyone:
            return one.party.startswith("#")
        if one.party in OUTSIDERS or (not one.party.startswith("#") and self.document.parties.known):
            # A person outside the contract, whose word is compared as any other.
            return one.place == "agent" and bool(agents) and not self._flipped
        if self._flipped:
            return False
        if one.place == "agent":
            if agents:
                return True
            acting = self._subject_before
            if acting:
                return acting not in (one.party, _BOTH)
            acted_upon = {other.party for other in written if other.place == "of"}
            if acted_upon and acted_upon <= {other.party for other in said if other.place != "agent"}:
                return False  # "the Director may be asked to travel": the company may ask
            if one.party == self.document.parties.person("we") and self.document.is_letter:
                return False  # what a letter states is stated by its writer
            return bool(self._near) and one.party not in self._near and _BOTH not in self._near
        near = self._beside if any(other.party.startswith("#") for other in written) else self._near
        return one.party not in near and bool(near)

    def _other_place(self, one: _Named, places: set[str], agents: set[str], said: Sequence[_Named]) -> bool:
        """Tell whether who acts by the statement is who is acted upon by the quotation, or the reverse."""
        if self._flipped:
            return (
                self._reversed(one.at)
                and one.place == "agent"
                and places == {"agent"}
                and agents == {one.party}
            )
        if one.place == "agent" and "agent" not in places and agents:
            acting = {other.party for other in said if other.place == "agent"}
            rivals = agents - acting
            return bool(rivals) and (
                any(other.party in rivals for other in said) or self._same_predicate(one.at)
            )
        if one.place == "agent" and places == {"to"} and self._enabling and self._required:
            return self._required != one.party
        if one.place == "agent" and places == {"to"} and not self._enabling:
            return any(other.place == "to" and other.party != one.party for other in said)
        if one.place == "to" and places == {"agent"}:
            return any(other.place == "agent" and other.party != one.party for other in said)
        return False

    @cached_property
    def _subject_before(self) -> str:
        """Who acts in the sentence of the first quotation, before it; nothing where nobody does."""
        start, _ = self.document.sentence(self.quoted[0].start, self.quoted[0].end)
        before = self.document.tokens(start, self.quoted[0].start)
        named = self._named(before, self.document.text)
        acting = [one.party for one in named if one.place == "agent" and one.party not in OUTSIDERS]
        return acting[-1] if acting else ""

    @cached_property
    def _beside(self) -> set[str]:
        """The parties named in the sentences of the quotations, up to their ends."""
        found: set[str] = set()
        for one in self.quoted:
            start, _ = self.document.sentence(one.start, one.end)
            tokens = self.document.tokens(start, one.end)
            found |= {each.party for each in self._named(tokens, self.document.text)}
        return found - OUTSIDERS

    @cached_property
    def _near(self) -> set[str]:
        """The parties named in the paragraph of the quotations up to them, and in their sentences."""
        return {one.party for one in self._named(self.around, self.document.text)} - OUTSIDERS

    @cached_property
    def _flipped(self) -> bool:
        """Whether one text says who receives and the other who gives."""

        def receives(tokens: Sequence[Token]) -> bool:
            return any(_RECEIVING.match(one.text) for one in tokens)

        return receives(self.said.tokens) != receives(self.tokens)

    @cached_property
    def _required(self) -> str:
        """Who is let act or made to by the quotation: the party named first behind that verb."""
        for piece in self.pieces:
            for at, token in enumerate(piece):
                if _ENABLING.match(token.text):
                    named = self._named(piece[at + 1 : at + 7], self.document.text)
                    if named:
                        return named[0].party
        return ""

    @cached_property
    def _enabling(self) -> bool:
        """Whether the quotation lets somebody act: "permitirá a la Clínica exigir"."""
        return any(_ENABLING.match(one.text) for one in self.tokens)

    def _reversed(self, at: int) -> bool:
        """Tell whether who is named at `at` receives by the statement what they give by the quotation."""
        verb = next((one for one in self.said.tokens[at + 1 : at + 4] if is_content(one)), None)
        if verb is None:
            return False
        receives, gives = GETTING.match(verb.text), GIVING.match(verb.text)
        quoted = {
            way
            for one in self.tokens
            for way, words in (("in", GETTING), ("out", GIVING))
            if words.match(one.text)
        }
        return (bool(receives) and quoted == {"out"}) or (bool(gives) and quoted == {"in"})

    def _same_predicate(self, at: int) -> bool:
        """Tell whether the verb behind a party of the statement stands in the quotation."""
        ahead = [one for one in self.said.tokens[at + 1 : at + 7] if is_content(one)][:2]
        return any(alike(one.text, other.text) for one in ahead for other in self.tokens if is_content(other))

    def _named(self, tokens: Sequence[Token], text: str) -> list[_Named]:
        """Return the parties named among `tokens` of `text`, pronouns included."""
        parties = self.document.parties

        def is_term(token: Token) -> bool:
            if token.text in self.document.party_terms:
                return True
            named = parties.key(token.text, ())
            return bool(named) and (text[token.start].isupper() or parties.is_term(token.text))

        concepts = concepts_of(tokens)
        found: list[_Named] = []
        for one in mentions_of(tokens, is_term):
            token = tokens[one.at]
            before = tokens[one.at - 1] if one.at else None
            if before is not None and (before.text in _OTHERS or before.kind == "number"):
                continue  # "other clients", "sixty-four workers": nobody in particular
            if one.at >= len(_STATUTE) and begins(tokens, one.at - len(_STATUTE), _STATUTE):
                continue
            if one.party == "administration" and text[token.start].islower():
                continue  # an inspection, no authority
            party = one.party
            if party != _BOTH or token.text in ANY_COMPANY:
                party = parties.key(token.text, concepts[one.at]) or party
            place = one.place
            if place == "agent" and self._passive(tokens, one.at):
                place = "of"
            if place == "agent" and before is not None and before.text == "," and not concepts[one.at]:
                place = "of"  # "its attorney, Iker Bastida"
            found.append(_Named(party, place, one.at))
        if text is not self.statement:
            for person, where in persons_of(tokens).items():
                if spoken := parties.person(person):
                    for place in where:
                        places = ("agent", "to", "of") if place == "any" else (place,)
                        found.extend(_Named(spoken, each, 0) for each in places)
        return found

    @staticmethod
    def _passive(tokens: Sequence[Token], at: int) -> bool:
        """Tell whether what stands at `at` is acted upon: "every customer has to be seen"."""
        for place in range(at + 1, min(at + 6, len(tokens) - 1)):
            if tokens[place].text in BEING and _PARTICIPLE.fullmatch(tokens[place + 1].text):
                return True
            if tokens[place].kind != "word":
                return False
        return False

    def _other_bearer(self) -> bool:
        """Return whether the burden is on somebody else: "a cargo de la Propiedad"."""
        said = bearers_of(self.said.tokens)
        written = [one for part in self._clauses for one in bearers_of(part)]
        if not said or not written:
            return False
        return not any(
            alike(first.text, second.text)
            or concepts_of([first])[0] & concepts_of([second])[0]
            or (self._key(first) and self._key(first) == self._key(second))
            for first in said
            for second in written
        )

    def _key(self, token: Token) -> str:
        return self.document.parties.key(token.text, concepts_of([token])[0])

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
