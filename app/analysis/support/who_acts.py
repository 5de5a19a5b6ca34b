"""Check who acts where a sentence names nobody, at whose cost, and whose a thing is. Pure.

Source: decision 126. A sentence without a subject has that of the sentence before, "its visit" is of whom
that sentence names, and "at the Hirer's expense" is not at anybody's own. Where two may be meant, none is
proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.analysis.support.aligned_words import AlignedWords, Item
from app.analysis.support.grammar import BEING
from app.analysis.support.quotation import HONORIFICS
from app.analysis.support.words import Token, alike, is_content, word_set

_ARTICLES: Final = frozenset({"el", "la", "los", "las", "the"})
_PREPOSITIONS: Final = word_set("prepositions")
# What may stand before the verb of a sentence without a subject.
_BEFORE_VERB: Final = frozenset(
    {
        "no",
        "se",
        "le",
        "les",
        "lo",
        "la",
        "los",
        "las",
        "ademas",
        "asimismo",
        "tambien",
        "igualmente",
        ",",
        "y",
    }
)
_HERS: Final = frozenset({"su", "sus", "its", "her", "his", "their"})
_OWN: Final = frozenset({"own", "propia", "propio"}) | _HERS
_READER: Final = frozenset({"usted", "ustedes", "you", "your"})
_OF: Final = frozenset({"de", "del", "of"})
_COST: Final = frozenset({"costa", "cargo", "cuenta", "expense", "cost"})
_BY: Final = frozenset({"por", "by"})
_PARTICIPLES: Final = (
    "ado",
    "ada",
    "ados",
    "adas",
    "ido",
    "ida",
    "idos",
    "idas",
    "estas",
    "estos",
    "ed",
    "en",
)
_STOPS: Final = frozenset({",", ";", ":", "."})
_REACH = 6


class WhoActs(AlignedWords):
    """A statement beside a quotation that may leave to the reader who acts, pays or owns."""

    def names_another(self) -> bool:
        """Tell whether the statement names somebody else than the quotation leaves to be understood."""
        if self._label:
            return False
        return (
            self._subject_understood()
            or self._cost_of_another()
            or self._owner_understood()
            or self._agent_acts()
        )

    def _subject_understood(self) -> bool:
        """Tell whether a sentence without a subject is told of another than the one before names."""
        if self.document.is_letter:
            return False
        for party, verb in zip(self._items, self._items[1:], strict=False):
            if party.sort != "party" or verb.sort != "word" or len(verb.places) != 1:
                continue
            between = self.said.tokens[party.at + 1 : verb.at]
            if any(one.kind == "mark" or one.text in _PREPOSITIONS for one in between) or self._is_governed(
                self.said.tokens, party.at
            ):
                continue
            target = self._targets[verb.places[0]]
            tokens = self._clause_tokens[target.clause]
            lead = tokens[: tokens.index(target.token)]
            if any(one.text not in _BEFORE_VERB and one.kind != "number" for one in lead):
                continue
            if tokens[tokens.index(target.token) - 1].text in BEING if lead else False:
                continue
            subject = self._acts_before(tokens[0].start)
            if subject and subject != self._key_of(party):
                return True
        return False

    def _acts_before(self, start: int) -> str:
        """Return the party that acts in the last sentence before `start`, on its line, that names one."""
        line = self.document.text.rfind("\n", 0, start) + 1
        tokens = self.document.tokens(line, start)
        while tokens:
            begin, _ = self.document.sentence(tokens[-1].start, tokens[-1].end)
            sentence = [one for one in tokens if one.start >= begin]
            tokens = [one for one in tokens if one.start < begin]
            if not sentence:
                break
            for at, one in enumerate(sentence):
                key = self._who(one)
                if key and not self._is_governed(sentence, at):
                    return key
        return ""

    def _is_governed(self, tokens: Sequence[Token], at: int) -> bool:
        before = [one.text for one in tokens[max(0, at - 3) : at] if one.text not in _ARTICLES | HONORIFICS]
        return bool(before) and (before[-1] in _PREPOSITIONS or before[-1] in ("al", "del"))

    def _who(self, token: Token) -> str:
        if token.kind != "word":
            return ""
        return self.document.parties.key(token.text, self.said_concepts_of(token))

    def _key_of(self, item: Item) -> str:
        return self.document.parties.key(self.said.tokens[item.at].text, self.said_concepts[item.at])

    def _cost_of_another(self) -> bool:
        """Tell whether "at A's expense" became "at B's" or "at its own"."""
        said = self._payers(self.said.tokens)
        written = [one for tokens in self._clause_tokens for one in self._payers(tokens)]
        return bool(said and written) and not said & set(written)

    def _payers(self, tokens: Sequence[Token]) -> set[str]:
        """Return who bears what by "a costa de", "at the expense of": a party, or who acts first."""
        found: set[str] = set()
        first = next((key for at, one in enumerate(tokens) if (key := self._who(one))), "")
        for at, token in enumerate(tokens):
            if token.text not in _COST:
                continue
            near = tokens[max(0, at - 6) : at]
            behind = tokens[at + 1 : at + 4]
            if not any(one.text in ("a", "at", "por") for one in near):
                continue
            if any(one.text in _OWN for one in near[-2:]):
                found.add(first)
            elif behind and behind[0].text in _OF:
                found |= {self._who(one) for one in behind}
            elif any(one.text == "s" for one in near):
                found |= {self._who(one) for one in near}
        return found - {""}

    def _owner_understood(self) -> bool:
        """Tell whether "her visit" is told as that of one of two who may be meant, or of neither."""
        if any(one.text in _READER for one in self.document.words.tokens):
            return False  # "sus datos": yours
        for item in self._items:
            if item.sort != "word" or len(item.places) != 1:
                continue
            behind = self.said.tokens[item.at + 1 : item.at + 4]
            if not behind or behind[0].text not in _OF:
                continue
            owner = next((one for one in behind[1:] if one.text not in _ARTICLES), None)
            key = self._who(owner) if owner is not None else ""
            if not key:
                continue
            target = self._targets[item.places[0]]
            tokens = self._clause_tokens[target.clause]
            at = tokens.index(target.token)
            if at == 0 or tokens[at - 1].text not in _HERS:
                continue
            if self._may_be_of(tokens[at - 1].start, key):
                continue
            return True
        return False

    def _may_be_of(self, start: int, key: str) -> bool:
        """Tell whether a possessive at `start` is of a party: named in its sentence, or alone before it."""
        begin, _ = self.document.sentence(start, start + 1)
        found = self._people(self.document.tokens(begin, start))
        if found:
            return key in found
        line = self.document.text.rfind("\n", 0, begin) + 1
        ahead = self.document.tokens(line, begin)
        if not ahead:
            return False
        before, _ = self.document.sentence(ahead[-1].start, ahead[-1].end)
        return self._people([one for one in ahead if one.start >= before]) == {key}

    def _people(self, tokens: Sequence[Token]) -> set[str]:
        found = {self._who(one) for one in tokens} - {""}
        for at, one in enumerate(tokens[:-1]):
            following = tokens[at + 1]
            if one.text in HONORIFICS and following.kind == "word" and not self._who(following):
                found.add(following.text)
        return found

    def _agent_acts(self) -> bool:
        """Tell whether who does one thing ("imposed by the council") is told as doing another."""
        first = self._items[0] if self._items else None
        if first is None or first.sort not in ("word", "party") or len(first.places) != 1 or not first.at:
            return False
        if self._is_governed(self.said.tokens, first.at):
            return False
        target = self._targets[first.places[0]]
        tokens = self._clause_tokens[target.clause]
        at = tokens.index(target.token)
        ahead = [one for one in tokens[max(0, at - 3) : at] if one.text not in _ARTICLES]
        if not ahead or ahead[-1].text not in _BY or self.said.tokens[first.at - 1].text not in _ARTICLES:
            return False
        if not any(one.text.endswith(_PARTICIPLES) for one in tokens[max(0, at - _REACH) : at]):
            return False
        verb = next((one for one in self._items[1:] if one.sort == "word"), None)
        if (
            verb is None
            or verb.at - first.at > _REACH
            or any(
                one.text in _STOPS or one.text in _PREPOSITIONS
                for one in self.said.tokens[first.at + 1 : verb.at]
            )
        ):
            return False
        own = self.said.tokens[verb.at]
        acted = [one for one in tokens[:at] if is_content(one)]
        done = [one for one in acted[-_REACH:] if alike(one.text, own.text)]
        return not done and any(alike(one.text, own.text) for one in tokens[at + 1 :])
