"""Whether a statement restates the words that it quotes from a document. Pure.

Source: decisions 13. `[L1]` says that a statement adds nothing to the words quoted: every figure, date,
    party, modality
and polarity stands in them, a value keeps the role that its clause gives it, and the quotation is whole.
What code cannot establish is refused: a reader relies on the lock without reading the document again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from app.analysis.support.grammar import (
    CLAUSE_END,
    CONDITIONS,
    EFFORT,
    FREEING,
    LIGHT_VERBS,
    MAY,
    MUST,
    NEGATIONS,
    NO_LONGER,
    PAST,
    PROHIBITED,
    PROVISOS,
    bearers_of,
    language_of,
    marks_of,
    modality_of,
    parties_of,
    polarity_of,
    without_places,
)
from app.analysis.support.quotation import Departure, Document, Quoted, last_break, unsound
from app.analysis.support.roles import (
    ROLE_KINDS,
    bound_of,
    contexts_of,
    governing_roles,
    is_dateline,
    part_beside,
    ranks_of,
)
from app.analysis.support.words import Token, Value, alike, concepts_of, is_content, read, word_set

# A cell of a table or a line of a form has no more words beside its value.
_CELL_WORDS = 6
# A label has no more.
_LABEL_WORDS = 5
_CLAUSE_WORDS = 8
# Of the words of a statement that claim something, so many must be found in the words quoted.
_COVERED, _COVERED_ACROSS = 0.65, 0.5


def departure(statement: str, quoted: Sequence[Quoted], document: Document) -> Departure | None:
    """Return why `statement` does not restate `quoted`, or `None` where it does.

    Args:
        statement: one sentence or label ("Renta: 900 euros") in Spanish or English.
        quoted: where the words stand that it quotes; at least one.
        document: the document that they stand in.
    """
    return unsound(quoted, document) or _Comparison(statement, quoted, document).departure()


class _Comparison:
    def __init__(self, statement: str, quoted: Sequence[Quoted], document: Document) -> None:
        self.document, self.quoted, self.statement = document, quoted, statement
        masked = without_places(statement)
        self.said = read(masked)
        self.said_concepts = concepts_of(self.said.tokens)
        self.stated = [one for one in self.said.tokens if is_content(one)]
        self.pieces = [document.tokens(one.start, one.end) for one in quoted]
        self.tokens = [token for piece in self.pieces for token in piece]
        self.concepts = concepts_of(self.tokens)
        self.quoted_all = frozenset(c for found in self.concepts for c in found)
        # The document's title names its subject matter.
        title = document.tokens(0, min(len(document.text), 160))
        # The words around: the sentences of the quotations, and the heading that they stand under.
        self.around = [token for one in quoted for token in self._around(one)]
        self.around_concepts = frozenset(c for found in concepts_of(self.around) for c in found)
        self.sentences = [
            token for one in quoted for token in document.tokens(*document.sentence(one.start, one.end))
        ]
        # Roles that the clause was found to give to a value.
        self.confirmed: set[str] = set()
        self.title = [one for one in title if is_content(one)]
        self.title_concepts = frozenset(
            c for found in concepts_of(self.title) for c in found if c.startswith("general:")
        )

    def _around(self, quoted: Quoted) -> Sequence[Token]:
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

    def departure(self) -> Departure | None:
        """Compare in the order in which a reader would be misled most."""
        if self._bare:
            return self._figures()
        for check in (
            self._figures,
            self._exceptions,
            self._polarity,
            self._modality,
            self._parties,
            self._roles,
            self._bounds,
            self._ranks,
            self._contexts,
            self._matter,
            self._beyond,
        ):
            found = check()
            if found:
                return found
        return None

    # Figures

    def _figures(self) -> Departure | None:
        written = [value for one in self.quoted for value in self.document.values(one.start, one.end)]
        for value in self.said.values:
            if not any(value.is_said_by(other) for other in written):
                return Departure.FIGURE
        return None

    # Exceptions, conditions

    def _exceptions(self) -> Departure | None:
        if list(marks_of(self.said.tokens, exceptions=True)) or PROVISOS.places(self.said.tokens):
            return None
        for one, piece in zip(self.quoted, self.pieces, strict=True):
            _, end = self.document.sentence(one.start, one.end)
            behind = self.document.tokens(one.end, min(end, one.end + 40))
            behind = [token for token in behind if token.text not in (",", ")", "”", '"')][:3]
            ahead = [*piece, *behind]
            marks = [*marks_of(ahead, exceptions=True), *PROVISOS.places(ahead)]
            inside = [at for at in marks if at < len(piece) + 1]
            if inside:
                return Departure.EXCEPTION
        return None

    def _condition(self) -> bool:
        """Whether the quotation or its sentence before it sets a condition that the statement leaves out."""
        if CONDITIONS.places(self.said.tokens):
            return False
        for one, piece in zip(self.quoted, self.pieces, strict=True):
            start, _ = self.document.sentence(one.start, one.end)
            before = [token for token in self.document.tokens(start, one.start) if token.end <= one.start]
            if CONDITIONS.places([*before[last_break(before, self.document) :], *piece]):
                return True
        return False

    # Polarity and modality

    @cached_property
    def _clauses(self) -> list[Sequence[Token]]:
        """The clauses of the quotations that the statement speaks of."""
        found: list[Sequence[Token]] = []
        for piece in self.pieces:
            if not piece:
                continue
            start = piece[0].start
            folded = self.document.reading.folded[start : piece[-1].end]
            cuts = [match.end() + start for match in CLAUSE_END.finditer(folded)]
            last = 0
            for cut in [*cuts, piece[-1].end + 1]:
                part = [token for token in piece[last:] if token.start < cut]
                last += len(part)
                if part:
                    found.append(part)
        if len(found) < 2:
            return found
        shares = [self._share(part) for part in found]
        best = max(shares)
        return [part for part, share in zip(found, shares, strict=True) if share >= max(0.6 * best, 0.01)]

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

    def _polarity(self) -> Departure | None:
        said = polarity_of(self.said.tokens)
        if self._binds:
            # "Binds the tenant": a duty or a prohibition, never the denial of a duty.
            for part in self._clauses:
                denied = polarity_of(part).count and not any(
                    one.text in MAY or one.text in PROHIBITED for one in part
                )
                if denied and any(FREEING.match(one.text) for one in part):
                    return Departure.POLARITY
            return None
        written = [polarity_of(part) for part in self._clauses]
        if not written:
            return None
        agreeing = [said.agrees(one) for one in written]
        if all(agreeing) or (any(agreeing) and said.count):
            return None
        return Departure.POLARITY

    @cached_property
    def _binds(self) -> bool:
        first = [one.text for one in self.said.tokens[:2]]
        return len(self.said.tokens) <= 8 and first[:1] in (["obliga"], ["binds"])

    def _modality(self) -> Departure | None:
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
                return Departure.MODALITY
        efforts = any(one.text in EFFORT for part in self._clauses for one in part)
        if efforts and said & {"must", "future"} and not any(one.text in EFFORT for one in self.said.tokens):
            return Departure.MODALITY
        if "prohibited" in said:
            return None if written & {"prohibited", "not"} else Departure.MODALITY
        if "may" in said and "may" not in written and "prohibited" not in written:
            return Departure.MODALITY
        if "future" in said and not said & {"may", "must"} and "may" in written and not written & {"must"}:
            return None if "not" in said else Departure.MODALITY
        if not said & {"may", "must", "future", "prohibited"} and written == {"may"} and self._duty_like:
            return Departure.MODALITY
        return None

    @cached_property
    def _duty_like(self) -> bool:
        return ":" not in self.statement[:60]

    # Parties

    def _parties(self) -> Departure | None:
        said = parties_of(self.said.tokens)
        if self._other_bearer():
            return Departure.PARTY
        if not said:
            return None
        if self._names_in_label:
            return None if {party for party, _ in said} & self._parts_of_name() else Departure.PARTY
        written: dict[str, set[str]] = {}
        for part in self.pieces:
            for party, place in parties_of(part):
                written.setdefault(party, set()).add(place)
        agents = {party for party, places in written.items() if "agent" in places}
        for party, place in said:
            if party == "both":
                if "both" not in written and agents:
                    return Departure.PARTY
                if "both" not in written and f"party:{party}" not in self.around_concepts:
                    return Departure.PARTY
                continue
            if party in written:
                if place == "agent" and (
                    ("agent" not in written[party] and agents) or written[party] == {"to"}
                ):
                    return Departure.PARTY
                if place == "to" and written[party] == {"agent"}:
                    return Departure.PARTY
                continue
            if "both" in written:
                return Departure.PARTY
            if party in _ADDRESSEES and any(
                one.text in ("usted", "ustedes", "you", "your", "le") for one in self.tokens
            ):
                continue
            if place == "agent" and agents:
                return Departure.PARTY
            if self._subject() != party and self._nearest_party() != party:
                return Departure.PARTY
        return None

    def _other_bearer(self) -> bool:
        """Whether the burden is on somebody else: "a cargo de la Propiedad", "corresponde a la Empresa"."""
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
        """The parts that the document gives to the name quoted, wherever it stands beside one."""
        words = self.document.text[self.quoted[0].start : self.quoted[0].end]
        found: set[str] = set()
        at = self.document.text.find(words)
        while at >= 0 and len(found) < 4:
            found |= part_beside(self.document, at, at + len(words))
            at = self.document.text.find(words, at + len(words))
        return found

    def _subject(self) -> str | None:
        """Who acts, where the quotation leaves its subject out: the one who acted last in the paragraph."""
        tokens = [token for token in self.around if token.end <= self.quoted[0].start]
        acting = [party for party, place in parties_of(tokens) if place == "agent"]
        return acting[-1] if acting else None

    def _nearest_party(self) -> str | None:
        """The party named last before the first quotation, in its sentence or the heading above it."""
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

    # Roles of values

    def _roles(self) -> Departure | None:
        for value in self.said.values:
            wanted = self._role_in_statement(value)
            if not wanted:
                continue
            self._wanted_ranks = ranks_of(self.said.tokens, value, self.said.values)
            places = [
                other
                for one in self.quoted
                for other in self.document.values(one.start, one.end)
                if value.is_said_by(other)
            ]
            if not any(self._has_role(other, wanted) for other in places):
                return Departure.ROLE
            self.confirmed |= wanted
        return None

    def _bounds(self) -> Departure | None:
        """ "Up to 600 euros" is not "600 euros", nor is "at least"."""
        for value in self.said.values:
            if value.kind == "date":
                continue
            own = bound_of(self.said.tokens, value)
            places = [
                (one, other)
                for one in self.quoted
                for other in self.document.values(one.start, one.end)
                if value.is_said_by(other)
            ]
            bounds = {
                bound_of(self.document.tokens(*self.document.sentence(one.start, one.end)), other)
                for one, other in places
            }
            if places and own not in bounds and (bounds - {""} or own):
                return Departure.FIGURE
        return None

    def _contexts(self) -> Departure | None:
        """Values of one kind are not exchanged: each keeps the words that stand with it."""
        written = [
            pair
            for one in self.quoted
            for pair in contexts_of(
                self.document.tokens(*self.document.sentence(one.start, one.end)),
                self.document.values(*self.document.sentence(one.start, one.end)),
            )
        ]
        for value, said in contexts_of(self.said.tokens, self.said.values):
            if not said or ranks_of(self.said.tokens, value, self.said.values):
                continue
            mine = [self._shared(said, words) for other, words in written if value.is_said_by(other)]
            others = [
                self._shared(said, words)
                for other, words in written
                if other.kind == value.kind and not value.is_said_by(other)
            ]
            if mine and others and max(others) > max(mine):
                return Departure.ROLE
        return None

    @staticmethod
    def _shared(said: Sequence[Token], words: Sequence[Token]) -> int:
        named = [concepts_of([one])[0] for one in words]
        return sum(
            any(
                alike(one.text, other.text) or concepts_of([one])[0] & own
                for other, own in zip(words, named, strict=True)
            )
            for one in said
        )

    def _ranks(self) -> Departure | None:
        """ "The first year" and "the second year" beside values are not exchanged."""
        for value in self.said.values:
            ranks = ranks_of(self.said.tokens, value, self.said.values)
            if not ranks:
                continue
            for one in self.quoted:
                start, end = self.document.sentence(one.start, one.end)
                tokens, values = self.document.tokens(start, end), self.document.values(start, end)
                if any(
                    value.is_said_by(other) and ranks & ranks_of(tokens, other, values) for other in values
                ):
                    break
            else:
                return Departure.ROLE
        return None

    def _role_in_statement(self, value: Value) -> set[str]:
        """What the statement says that a value is: the concept of a role that stands nearest before it."""
        tokens, concepts = self.said.tokens, self.said_concepts
        at = next(place for place, one in enumerate(tokens) if one.start >= value.start)
        return governing_roles(tokens, concepts, at, value, self.said.values)

    def _has_role(self, value: Value, wanted: set[str]) -> bool:
        """Whether the value's own clause gives it one of the roles `wanted`."""
        start, end = self.document.sentence(value.start, value.end)
        tokens = self.document.tokens(start, end)
        concepts = concepts_of(tokens)
        at = next((place for place, one in enumerate(tokens) if one.start >= value.start), None)
        if at is None:
            return False
        values = self.document.values(start, end)
        found = governing_roles(tokens, concepts, at, value, values)
        if not found and value.kind == "date" and is_dateline(tokens, value):
            found = {"time:signature"}
        if not found:
            found = self._heading_role(start, value)
        if not found and sum(one.kind == "word" for one in tokens) <= _CELL_WORDS:
            # A cell of a table or a line of a form: the heading above names the value.
            line = self.document.text.rfind("\n", 0, start)
            above = self.document.tokens(max(0, min(line + 1, start) - 200), start)
            found = {
                c for names in concepts_of(above)[-16:] for c in names if c.startswith(ROLE_KINDS[value.kind])
            }
        if not found and ranks_of(tokens, value, values) & self._wanted_ranks:
            return True  # "la última el 31 de enero"
        return bool(found & wanted)

    def _heading_role(self, start: int, value: Value) -> set[str]:
        """The role that the heading on the same line gives: "COMISIÓN. El 6 por ciento"."""
        line = self.document.text.rfind("\n", 0, start) + 1
        if not 0 < start - line <= 60:
            return set()
        names = concepts_of(self.document.tokens(line, start))
        return {c for found in names for c in found if c.startswith(ROLE_KINDS[value.kind])}

    # Another matter, and more than was said

    def _matter(self) -> Departure | None:
        said = {c for found in self.said_concepts for c in found}
        for mark in ("elsewhere:earlier", "elsewhere:draft_of", "elsewhere:hypothetical"):
            if mark in said:
                continue
            for one, piece in zip(self.quoted, self.pieces, strict=True):
                start, _ = self.document.sentence(one.start, one.end)
                before = self.document.tokens(start, one.start)
                scope = [*before, *piece]
                places = [at for at, found in enumerate(concepts_of(scope)) if mark in found]
                if any(not _points_back(scope, at) for at in places):
                    return Departure.OTHER_MATTER
        if self._of_the_past():
            return Departure.OTHER_MATTER
        if CONDITIONS.places(self.said.tokens) and not self._conditional():
            return Departure.BEYOND
        if (
            self.said.values
            and not self._label
            and self._condition()
            and modality_of(self.said.tokens) & {"must", "future"}
        ):
            return Departure.EXCEPTION
        if (
            not self.said.values
            and not self._label
            and self._condition()
            and modality_of(self.said.tokens) & {"must", "may", "future", "prohibited"}
        ):
            return Departure.EXCEPTION
        return None

    def _conditional(self) -> bool:
        """Whether the sentences quoted set any condition, exception or proviso."""
        return any(
            CONDITIONS.places(tokens)
            or PROVISOS.places(tokens)
            or list(marks_of(tokens, exceptions=True, negations=True))
            or any(one.text in ("tal", "cada", "such", "each", "every") for one in tokens)
            for tokens in (
                self.document.tokens(*self.document.sentence(one.start, one.end)) for one in self.quoted
            )
        )

    def _of_the_past(self) -> bool:
        """Whether a figure comes from a sentence about what was, which the statement does not say."""
        figures = [one for one in self.said.values if one.kind != "date"]
        if not figures or self._is_past(self.said.tokens):
            return False
        return any(
            self._is_past(self.document.tokens(*self.document.sentence(one.start, one.end)))
            for one in self.quoted
        )

    def _is_past(self, tokens: Sequence[Token]) -> bool:
        return any(one.text in PAST for one in tokens) or bool(NO_LONGER.places(tokens))

    @cached_property
    def _label(self) -> bool:
        """Whether the statement is a label and a value ("Renta: 900 euros")."""
        return ":" in self.statement[:60]

    def _beyond(self) -> Departure | None:
        quoted_words = [one for one in self.tokens if one.kind == "word"]
        wide_words = [one for one in self.around if one.kind == "word"]
        found, total = 0, 0
        across = False
        for at, token in enumerate(self.said.tokens):
            own = self.said_concepts[at]
            if any(value.start <= token.start < value.end for value in self.said.values):
                continue  # the month of a date, the kind of a day: compared with the value
            if self._alternative_found(at, quoted_words):
                continue  # "Vacaciones o permiso", "Gastos e impuestos": one of the two is said
            modal = token.text in MAY or token.text in MUST or token.text in PROHIBITED
            must = (
                set()
                if modal
                else {c for c in own if c.split(":")[0] in _MANDATORY or c == "elsewhere:earlier"}
            )
            if self._is_predicate(at) and not self._found(token, own, quoted_words, self.quoted_all):
                return Departure.BEYOND
            if (
                must
                and not must & self.quoted_all
                and not any(token.text == one.text for one in quoted_words)
            ) and not (must & self.around_concepts and all(c.startswith(("money:", "time:")) for c in must)):
                return Departure.BEYOND
            if (
                not is_content(token)
                or any(c.startswith("party:") for c in own)
                or token.text in MUST | MAY | PROHIBITED | NEGATIONS
            ):
                continue
            there = bool(own & self.confirmed) or self._found(token, own, quoted_words, self.quoted_all)
            if (
                not there
                and self._is_name(token)
                and (self._whole_clause or not self._found(token, own, self.sentences, frozenset()))
            ):
                return Departure.BEYOND
            if not there and (beside := self._denied_beside(token, own)) is not None and beside:
                return Departure.POLARITY
            there = there or self._found(token, own, wide_words, self.around_concepts)
            if not there and self._found(token, own & self.title_concepts, self.title, self.title_concepts):
                continue
            total += 1
            found += there
        if total == 0:
            return None
        across = language_of(self.said.tokens) != language_of(self.tokens)
        return None if found / total >= (_COVERED_ACROSS if across else _COVERED) else Departure.BEYOND

    @cached_property
    def _whole_clause(self) -> bool:
        """Whether the quotation is long enough to hold the names that the statement speaks of."""
        return sum(one.kind == "word" for one in self.tokens) >= _CLAUSE_WORDS

    def _is_predicate(self, at: int) -> bool:
        """Whether a word of the statement is what one may, must or must not do."""
        tokens = self.said.tokens
        place = at - 1
        while place >= 0 and tokens[place].text in (
            "no",
            "not",
            "se",
            "be",
            "ser",
            "only",
            "also",
            "solo",
            "a",
            "to",
            "que",
        ):
            place -= 1
        if place < 0 or not is_content(tokens[at]) or tokens[at].text in LIGHT_VERBS:
            return False
        modal = tokens[place].text
        return modal in (
            "may",
            "must",
            "shall",
            "can",
            "cannot",
            "will",
            "puede",
            "pueden",
            "podra",
            "podran",
            "debe",
            "deben",
            "debera",
            "deberan",
            "obligado",
            "obligada",
            "prohibido",
        )

    def _denied_beside(self, token: Token, own: frozenset[str]) -> bool | None:
        """Whether a negation stands before a word found only around the quotation; `None` if not found."""
        found = None
        for at, one in enumerate(self.sentences):
            if is_content(one) and (alike(token.text, one.text) or own & concepts_of([one])[0]):
                denied = any(self.sentences[place].text in NEGATIONS for place in range(max(0, at - 2), at))
                found = denied if found is None else found and denied
        return found

    def _alternative_found(self, at: int, words: Sequence[Token]) -> bool:
        """Whether a word of a label stands beside another with "o" or "y" between them that was quoted."""
        tokens = self.said.tokens
        if not self._label:
            return False
        for step in (-1, 1):
            place = at + 2 * step
            if 0 <= place < len(tokens) and tokens[at + step].text in ("o", "u", "or", "y", "e", "and"):
                other = self.said_concepts[place]
                if self._found(tokens[place], other, words, self.quoted_all):
                    return True
        return False

    def _is_name(self, token: Token) -> bool:
        """Whether a word of the statement is a proper name: a capital letter within the sentence."""
        if token.text.startswith("["):
            return True  # a person or a number that was masked
        before = self.statement[: token.start].rstrip()
        return (
            bool(before)
            and before[-1] not in ".:!?"
            and self.statement[token.start].isupper()
            and not self.said_concepts_of(token)
        )

    def said_concepts_of(self, token: Token) -> frozenset[str]:
        return concepts_of([token])[0]

    @staticmethod
    def _found(token: Token, own: frozenset[str], words: Sequence[Token], concepts: frozenset[str]) -> bool:
        return bool(own & concepts) or any(
            alike(token.text, one.text) for one in words if is_content(one) or one.text == token.text
        )


# To whom a letter is written: "usted" is one of them.
_ADDRESSEES = word_set("addressees")
_MANDATORY = frozenset({"consequence", "scope_word", "rate", "money"})


def _points_back(tokens: Sequence[Token], at: int) -> bool:
    """Whether "anterior", "previous" speaks of a person, a clause or a month and not of another contract."""
    text = tokens[at].text
    before = tokens[at - 1].text if at else ""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if text in ("previa", "previo", "prior", "previamente") and (
        after
        in (
            "autorizacion",
            "consentimiento",
            "aviso",
            "notificacion",
            "comunicacion",
            "requerimiento",
            "written",
            "notice",
            "consent",
            "approval",
            "acuerdo",
            "to",
            "a",
            "al",
        )
        or before
        in (
            "consentimiento",
            "autorizacion",
            "sin",
            "aviso",
            "the",
            "acuerdo",
            "without",
            "escrito",
            "fehaciente",
        )
    ):
        return True
    if text.startswith("anterior") and after in ("a", "al"):
        return True  # a comparison: "before that day"
    return before in ("del", "al", "lo", "clausula", "apartado", "parrafo", "mes", "ano", "dia") or after in (
        "clausula",
        "apartado",
        "parrafo",
        "clause",
        "paragraph",
        "month",
        "year",
        "day",
    )
