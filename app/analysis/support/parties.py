"""Find who the parties of a document are, and which of them a word means. Pure.

A contract calls its parties by terms of its own ("the Company", "la Usuaria", "we"), and who writes about it
calls them by what they do ("the tenant", "the employer") or by their names. Both are the same person where
the document leaves no other choice; where it does, they stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from app.analysis.support.correspondents import readers_of, writer_of
from app.analysis.support.words import Token, Words, concepts_of, word_set

# What a party does in a contract of exchange: it gives the thing or the service, or takes it.
_GIVING = frozenset(f"party:{one}" for one in word_set("giving_parties"))
_TAKING = frozenset(f"party:{one}" for one in word_set("taking_parties"))
# Whose opposite is not found by giving and taking.
_OPPOSITE = {"party:employee": "party:employer", "party:agent": "party:principal_party"}
_NO_PARTY = frozenset({"party:both", "party:third", "party:court", "party:notary", "party:administration"})
# Words that may mean any party that is a company.
ANY_COMPANY = word_set("any_company")
_THINGS = word_set("defined_things")
_TERM = re.compile(
    r"(?:\ben (?:adelante|lo sucesivo)\b[^\"«“:;.\n]{0,60}|\bdesignad[oa] como\b|\bdenominad[oa]s?\b|"
    r"\bl[oa]s? llama(?:mos|remos)\b|\bhereinafter\b[^\"“\n]{0,40}"
    r"|\bjointly\b|\bconjuntamente\b|[(,])[ ,:(]{0,3}"
    r"(?:(?:el|la|los|las|the) )?[\"'«“]?(?:(?:el|la|los|las|the) )?[\"'«“]?"
    r"(parte )?([a-zA-Z]{3,20})[\"'»”]"
    r"|\ben (?:adelante|lo sucesivo),? (?:conjuntamente,? )?(?:el|la|los|las) (parte )?([a-z]{4,20})\b"
)
_ALSO = re.compile(
    r",? ?(?:o|or|y|and|/)? ?(?:(?:el|la|the) )?[\"'«“]?(?:(?:el|la|the) )?([a-z]{2,20})[\"'»”]"
)
# "Prestamista: don Federico Alcázar", "Usted: doña Noelia Barreiro", "Remitente: …".
_LABELLED = re.compile(
    r"(?:^|\n)[ \t]*(?:[-•*]|\d+[.)])?[ \t]*(?:Por )?(?:(?:El|La|The|EL|LA|THE|el|la) )?"
    r"([A-Za-zÁÉÍÓÚáéíóúñ]{4,20})(?: [a-záéíóúñ]{3,16})?:[ \t]*"
    r"(?=[A-ZÁÉÍÓÚÑ]|don |doña |D\. |la mercantil )"
)
_QUOTED_LABEL = re.compile(
    r"(?:^|\n)[ \t]*[-•*]?[ \t]*[«“\"]([^»”\"\n]{2,24})[»”\"]"
    r"(?: (?:o|or|y) [«“\"]([^»”\"\n]{2,24})[»”\"])?(?: |:)"
)
_AS_PART = re.compile(
    r"(?:,? (?:como|as|en calidad de) (?:the |parte )?|\((?:el |la |the |EL |LA |THE )?)([A-ZÁÉÍÓÚÑ]{5,20})\b"
)
_NAME = re.compile(
    r"(?:\b[A-ZÁÉÍÓÚÑÀÈ][\wÁÉÍÓÚÑáéíóúñüç'’.-]+(?:,? (?:de |del |al |la |las |los |y |e |& |and )*)?){2,}"
)
_JOINED = re.compile(r" (?:y|e|&|and) |, ")
_ON_BEHALF = re.compile(
    r"\b(?:representacion|nombre y representacion|behalf|apoderad[oa]|"
    r"administrador[a]?(?: unic[oa]| solidari[oa])?),? (?:de|of) "
)
_ADDRESS = re.compile(
    r"\b(?:calle|avenida|avda\.?|plaza|paseo|carretera|carrer|poligono|vecin[oa]|domicilio(?: social)?|c/|"
    r"en|of|in|at|de la|de los|from|nif|cif) ?(?:en |de |at )?(?:la |el )?$"
)
_OPENING = re.compile(r"(?:De otra|De una|Y de|Que |NIF|CIF|Calle|Avenida|En )")
_COMPANY = re.compile(
    r"\b(?:S\.\s?[ALC]|S\.L\.|S\.A\.|Limited|Ltd|B\.V\.|GmbH|Inc|S\.Coop|Mutua|sociedad|company)\b"
)
_HONORIFIC = re.compile(r"(?:don |doña |la mercantil |D\. |D\.ª )")
# Who the parties are stands at the head; no expression here reads more than this.
_HEAD = 6_000
_NEAR = 420
# Labels before a name: "Vende: …", "Remitente: …".
_LABELS = {"vende": "seller", "compra": "buyer", "arrienda": "lessor", "presta": "lender"}
# «"Rueda Maya" o "nosotros"», "usted («el Cliente»)": a name or a term beside who speaks or is spoken to.
_NAMED_SPEAKER = re.compile(
    r"[«“\"](?:(?:el|la|the) )?([^»”\"\n]{2,40})[»”\"],? (?:o|u|or|y|and|/) "
    r"[«“\"](nosotros|nosotras|we|us|usted|you)[»”\"]"
)
_SPEAKER_NAMED = re.compile(
    r"\b(nosotros|nosotras|we|us|usted|you) ?\([^«“\"()\n]{0,24}"
    r"[«“\"](?:(?:el|la|the) )?([a-z]{3,20})[»”\"]\)"
)
_SPEAKING = {"remitente": "nosotros", "destinatario": "usted", "destinataria": "usted"}
# "A la atención de doña Leocadia Prendes", "Dear Ms Hale": who a letter is written to.
_ADDRESSED = re.compile(
    r"(?:^|\n)[ \t]*(?:A la atención de|Att\.?:?|At\.?:|To:|A/A:?|Para:|Estimad[oa]|Dear"
    r"|For the attention of)"
    r"[ \t]+(?:(?:señora?|doña|don|Sra?\.|Mrs?|Ms|Miss|Dra?\.?|D\.ª?|Sr\. D\.|Sra\. D\.ª)\.?[ \t]+){0,2}"
    r"((?:[A-ZÁÉÍÓÚÑ][\wáéíóúñü'’-]+[ \t]?(?:de |del |la )?){1,5})"
)
_WE = frozenset({"nosotros", "nosotras", "we", "us"})
_YOU = frozenset({"tu", "usted", "you"})


@dataclass(slots=True)
class Party:
    """A party of the document: what it is called, what it does in the contract, and its name's words."""

    terms: set[str] = field(default_factory=set)
    concepts: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    people: list[set[str]] = field(default_factory=list)
    company: bool = False


class Parties:
    """The parties of one document. `key` tells which of them a word means."""

    def __init__(
        self, text: str, folded: str, words: Words, *, letter: bool, known_sides: bool = True
    ) -> None:
        """Read the parties.

        Args:
            text: the document.
            folded: the document folded, at the same offsets.
            words: its tokens.
            letter: whether it speaks of its writer and to its reader.
            known_sides: whether the writer is the one who gives or employs, as in most letters.
        """
        self._text, self._folded = text, folded
        self.all: list[Party] = []
        after = 0
        for terms, start in sorted(self._terms(), key=lambda one: one[1]):
            self._enter(terms, start, after)
            after = start
        self._speakers()
        if letter:
            self._speaking(known_sides)
        self._opposites()

    def _terms(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """Yield what one party is called, and where that is said."""
        head = self._folded[:_HEAD]
        for match in _TERM.finditer(head):
            terms, at = [match[2] or match[4]], match.end()
            while also := _ALSO.match(head, at):
                terms.append(also[1])
                at = also.end()
            yield tuple(terms), match.start()
        for match in _LABELLED.finditer(self._text[:_HEAD]):
            yield (self._folded[match.start(1) : match.end(1)].strip(),), match.end()
        for match in _QUOTED_LABEL.finditer(self._text[:_HEAD]):
            called = [
                self._folded[match.start(group) : match.end(group)].split()[-1]
                for group in (1, 2)
                if match[group]
            ]
            if any(one in _WE | _YOU for one in called):
                yield tuple(called), match.end()
        for match in _AS_PART.finditer(self._text[:_HEAD]):
            yield (self._folded[match.start(1) : match.end(1)],), match.start()

    def _enter(self, terms: Sequence[str], start: int, after: int) -> None:
        if terms[0] in _THINGS:
            return
        called = {_SPEAKING.get(one, one) for one in terms}
        concepts = {f"party:{_LABELS[one]}" for one in terms if one in _LABELS}
        for one in called:
            token = Token("word", one, 0, len(one))
            concepts |= {found for found in concepts_of([token])[0] if found.startswith("party:")} - _NO_PARTY
        name, company = self._name_beside(start, after)
        if not name and not concepts and not called & (_WE | _YOU):
            return
        known = next(
            (
                one
                for one in self.all
                if called & one.terms
                or (len(name) > 1 and name == one.names and not (concepts and one.concepts))
                or (len(name) > 1 and name == one.names and _one_side(concepts, one.concepts))
            ),
            None,
        )
        party = known or Party()
        party.terms |= called
        party.concepts |= concepts
        party.names |= name
        if not company:
            self._part(party)
        party.company = party.company or company
        if known is None:
            self.all.append(party)

    def _part(self, party: Party) -> None:
        """Part the name of a party of several people: "Aurelio Sotaquirá y Maribel Cely"."""
        for match in _NAME.finditer(self._text[:_HEAD]):
            if not self._words(match.start(), match.end()) <= party.names:
                continue
            people = [self._words(*span) for span in _parted(match)]
            if len(people) > 1 and all(len(one) > 1 for one in people):
                party.people = people

    def _name_beside(self, at: int, after: int) -> tuple[set[str], bool]:
        """Return the words of the name at `at`, or first behind `after`, and whether it is a company's."""
        behind = _NAME.match(self._text, at + self._honorific(at))
        if behind:
            return self._words(behind.start(), behind.end()), self._is_company(behind)
        first = max(after, at - _NEAR, self._text.rfind("\n\n", 0, at) + 1)
        for match in _ON_BEHALF.finditer(self._folded, first, at):
            first = match.end()
        for match in _NAME.finditer(self._text, first, at):
            before = self._folded[max(0, match.start() - 24) : match.start()]
            if len(match[0].split()) > 1 and not _ADDRESS.search(before) and not _OPENING.match(match[0]):
                return self._words(match.start(), match.end()), self._is_company(match)
        return set(), False

    def _is_company(self, name: re.Match[str]) -> bool:
        near = self._text[max(0, name.start() - 14) : name.end() + 8]
        return _COMPANY.search(near) is not None

    def _honorific(self, at: int) -> int:
        match = _HONORIFIC.match(self._text, at)
        return len(match[0]) if match else 0

    def _words(self, start: int, end: int) -> set[str]:
        found = re.findall(r"[a-z]{3,}", self._folded[start:end])
        return {one for one in found if one not in ("don", "dona", "del", "las", "los", "and", "con")}

    def _addressee(self) -> set[str]:
        """Return the words of the name that a letter is addressed to, at its head."""
        found = {
            word
            for match in _ADDRESSED.finditer(self._text[:_HEAD])
            for word in self._words(match.start(1), match.end(1))
        }
        for start, end in readers_of(self._text):
            found |= self._words(start, end)
        # What names the writer too (a family, a firm) tells nobody apart.
        return found - {word for party in self.all for word in party.names}

    def _speakers(self) -> None:
        """Enter what a definition says beside "we" or "you": the name of a party, or its term."""
        head = self._folded[:_HEAD]
        for match in _NAMED_SPEAKER.finditer(head):
            party = self._having(set(re.findall(r"[a-z]{3,}", match[1])))
            party.terms.add(match[2])
        for match in _SPEAKER_NAMED.finditer(head):
            party = self._having({match[2]})
            party.terms |= {match[1], match[2]}

    def _having(self, words: set[str]) -> Party:
        """Return the party of which all words are names or terms; a new one with these names otherwise."""
        for party in self.all:
            if words <= party.names | party.terms:
                return party
        party = Party(names=words)
        self.all.append(party)
        return party

    def _speaking(self, known_sides: bool) -> None:
        """Enter who writes and who is written to, where the document has not named them."""
        writer = _GIVING | {"party:employer", "party:creditor", "party:principal_party"}
        reader = _TAKING | {"party:employee", "party:debtor", "party:agent"}
        we = next((one for one in self.all if one.terms & _WE), None)
        you = next((one for one in self.all if one.terms & _YOU), None)
        if known_sides:
            we = we or next((one for one in self.all if one.concepts & writer), None)
            you = you or next((one for one in self.all if one.concepts & reader and one is not we), None)
        for party, words, side in ((we, _WE, writer), (you, _YOU, reader)):
            if party is None:
                party = Party(company=words is _WE and known_sides)
                self.all.append(party)
            party.terms |= words
            if words is _WE and not party.names and (paper := writer_of(self._text)):
                party.names = self._words(*paper)
            if words is _YOU and not party.names:
                party.names = self._addressee()
            taken = {one for other in self.all if other is not party for one in other.concepts}
            if known_sides and not party.concepts:
                party.concepts |= side - taken

    def _opposites(self) -> None:
        """Give the second of two parties the part that is left."""
        main = [one for one in self.all if one.terms]
        known = {concept for one in main for concept in one.concepts}
        for part, opposite_part in _OPPOSITE.items():
            if part in known and opposite_part not in known:
                for party in main:
                    if not party.concepts and party.company:
                        party.concepts.add(opposite_part)
                        break
        exchanging = [one for one in main if not one.concepts <= {"party:guarantor"} or not one.concepts]
        if len(exchanging) != 2:
            return
        for party, other in (exchanging, exchanging[::-1]):
            for side, opposite in ((_GIVING, _TAKING), (_TAKING, _GIVING)):
                if other.concepts & side and not party.concepts & (_GIVING | _TAKING | _OPPOSITE.keys()):
                    party.concepts |= {f"side:{sorted(opposite)[0]}"}

    def key(self, word: str, concepts: Collection[str]) -> str:
        """Return which party a word means: the same for every word that means it, or the word's own concept.

        Args:
            word: folded.
            concepts: its concepts.
        """
        for at, one in enumerate(self.all):
            if word in one.terms:
                return f"#{at}"
        named = [at for at, one in enumerate(self.all) if word in one.names]
        if len(named) == 1 and not concepts:
            return f"#{named[0]}"
        own = {one for one in concepts if one.startswith("party:")} - _NO_PARTY
        found = [at for at, one in enumerate(self.all) if own & one.concepts]
        if len(found) == 1:
            return f"#{found[0]}"
        if not found and own:
            for side in (_GIVING, _TAKING):
                if own & side:
                    mark = f"side:{sorted(side)[0]}"
                    found = [
                        at for at, one in enumerate(self.all) if one.concepts & side or mark in one.concepts
                    ]
                    if len(found) == 1:
                        return f"#{found[0]}"
        if word in ANY_COMPANY:
            found = [at for at, one in enumerate(self.all) if one.terms & _WE]
            found = found or [at for at, one in enumerate(self.all) if one.company]
            if len(found) == 1:
                return f"#{found[0]}"
        return ""

    @property
    def known(self) -> bool:
        """Whether the document was found to name two parties."""
        return len(self.all) > 1

    def are_two_people(self, word: str, other: str) -> bool:
        """Tell whether two words are names of two people who are one party."""
        return any(
            not any({word, other} <= one for one in party.people)
            and {word, other} <= set().union(*party.people)
            for party in self.all
            if party.people
        )

    def is_term(self, word: str) -> bool:
        """Tell whether a party is called by a word that is no name."""
        return any(word in one.terms for one in self.all)

    def person(self, person: str) -> str:
        """Return who speaks (`we`) or is spoken to (`you`)."""
        terms = _WE if person == "we" else _YOU
        return next((f"#{at}" for at, one in enumerate(self.all) if one.terms & terms), "")


def _parted(name: re.Match[str]) -> list[tuple[int, int]]:
    """Return where each of the names joined by "and" or a comma stands."""
    found, start = [], name.start()
    for joint in _JOINED.finditer(name[0]):
        found.append((start, name.start() + joint.start()))
        start = name.start() + joint.end()
    return [*found, (start, name.end())]


def _one_side(one: Collection[str], other: Collection[str]) -> bool:
    return any(not side.isdisjoint(one) and not side.isdisjoint(other) for side in (_GIVING, _TAKING))


def is_thing(term: str) -> bool:
    """Tell whether a defined term is of a thing, not of a person."""
    return term in _THINGS
