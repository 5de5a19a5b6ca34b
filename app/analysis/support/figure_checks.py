"""Check that figures of a statement stand in its quotation, in the same role, bound and rank. Pure.

Source: decision 013: a role given to a value stands in the same clause with no other candidate between.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from app.analysis.support.called_values import called_otherwise
from app.analysis.support.denial import clause_breaks
from app.analysis.support.grammar import is_verb
from app.analysis.support.quotation import Discrepancy, QuotedSpan
from app.analysis.support.quoted_statement import QuotedStatement
from app.analysis.support.roles import (
    BOUND_RATES,
    LAST,
    RANKS,
    ROLE_KINDS,
    bound_of,
    contexts_of,
    governing_roles,
    is_dateline,
    ranks_of,
    without_repeats,
)
from app.analysis.support.words import (
    CALENDAR_DAYS,
    MONTHS,
    WORKING_DAYS,
    Token,
    Value,
    alike,
    concepts_of,
    currency_of,
    is_content,
    is_unit,
    word_set,
)
from app.text.sentences import fold

# A cell of a table or a line of a form has no more words beside its value.
_CELL_WORDS = 6
# All forms of one person's name share its number: "[PERSON_1]", "[PERSON_1b]".
_PLACEHOLDER = re.compile(r"\[([A-Z]+(?:_[A-Z]+)*_\d+)[a-z]?\]")
# A list that is counted in a statement has no more items.
_FEW_ITEMS = 5
_PERSONS = frozenset(
    {"personas", "firmantes", "testigos", "hermanos", "hermanas", "hijos", "hijas", "socios", "socias"}
    | {"people", "persons", "signatories", "witnesses", "siblings", "partners", "children"}
)
# What is said of a period that lasts, not of months that are listed.
_LASTING = frozenset({"retraso", "demora", "plazo", "cada", "delay", "late", "every", "each", "term"})
_LISTING = frozenset({",", "y", "e", "and", "the", "el", "la", "los", "de", "del", "of"})
_TOLD_BY_VERBS = word_set("told_by_verbs")
_OPPOSED = {"time:start": "time:end", "time:end": "time:start"}
_BOUND_WORDS = frozenset({"money:cap"})
_COUNTED_BY = frozenset({"cada", "per", "each", "every"})
# A service's price is its fee.
_ONE_ROLE = (
    {"money:price", "money:fee"},
    {"money:claim", "money:debt", "money:balance_due"},
    {"money:fee", "money:commission"},
    {"time:start", "time:hire"},
)


class FigureChecks(QuotedStatement):
    """The checks of values."""

    def _figures(self) -> Discrepancy | None:
        written = [value for one in self.quoted for value in self.document.values(one.start, one.end)]
        for value in self.said.values:
            if not any(value.is_said_by(other) for other in written) and not self._said_otherwise(
                value, written
            ):
                return Discrepancy.FIGURE
        beside = [self.document.sentence(one.start, one.end) for one in self.quoted]
        for name in _PLACEHOLDER.findall(self.statement):
            # An identifier stands in the words quoted, or with them: another's is another figure.
            if not any(name in _PLACEHOLDER.findall(self.document.text[start:end]) for start, end in beside):
                return Discrepancy.FIGURE
        return None

    def _said_otherwise(self, value: Value, written: Sequence[Value]) -> bool:
        """Tell whether a figure is one that the quotation has in another form.

        The day of a month named before, an hour of the afternoon, a number of a table whose head has the
        currency, the number of the months or names that are listed.
        """
        behind = [one.text for one in self.said.tokens if one.start >= value.end][:4]
        if value.kind == "money":
            currencies = {other.unit for other in written if other.kind == "money"}
            headed = value.unit in currencies or any(
                currency_of(one.text) == value.unit for one in self.sentences
            )
            return headed and any(
                other.kind == "number" and other.figure == value.figure and other.figure % 1
                for other in written
            )
        if value.kind != "number":
            return self._counted(value)
        if behind[:2] in (["de", "ese"], ["de", "dicho"], ["of", "that"]):
            return any(day.day == value.figure for other in written for day in other.days)
        if behind[:3] in (["de", "la", "tarde"], ["de", "la", "noche"]):
            hour = value.figure + 12
            return any(other.figure == hour for other in written)
        if behind[:3] == ["de", "la", "manana"]:
            return any(other.figure == value.figure for other in written)
        return self._counted(value)

    def _counted(self, value: Value) -> bool:
        """Tell whether a small number counts what the quotation lists: "dos meses, marzo y abril"."""
        number = value.bare or value.figure
        if not 2 <= number <= _FEW_ITEMS or not self._counts_items(value):
            return False
        months = value.kind == "period"
        for piece in self.pieces:
            listed: list[Token] = []
            for token in [*piece, None]:
                if (
                    token is not None
                    and token.kind == "word"
                    and (token.text in MONTHS or (not months and self.document.text[token.start].isupper()))
                ):
                    listed.append(token)
                elif token is not None and token.text in _LISTING:
                    continue
                else:
                    items = _items(listed, self.document.text)
                    if items == number:
                        return True
                    listed = []
        return False

    def _counts_items(self, value: Value) -> bool:
        """Tell whether a number may count a list: of months, or of persons where it has a noun at all."""
        behind = [one for one in self.said.tokens if one.start >= value.end][:4]
        if value.kind == "period":
            near = [*[one for one in self.said.tokens if one.end <= value.start][-2:], *behind]
            in_months = value.unit == "month" and value.bare in (0, value.figure)
            return in_months and not any(one.text in _LASTING for one in near)
        if value.kind != "number" or not behind or behind[0].kind != "word":
            return value.kind == "number"
        noun = behind[0]
        return (
            not is_content(noun)
            or is_verb(noun)
            or noun.text in _PERSONS
            or any(concept.startswith("party:") for concept in concepts_of([noun])[0])
        )

    def _roles(self) -> Discrepancy | None:
        for value in self.said.values:
            wanted = self._role_in_statement(value)
            if self._called_otherwise(value, wanted):
                return Discrepancy.ROLE
            if wanted - _BOUND_WORDS or bound_of(self.said.tokens, value):
                wanted -= _BOUND_WORDS  # "como máximo" says how much, and is compared as such
            if not self._label:
                wanted -= _TOLD_BY_VERBS
            if not wanted:
                continue
            self._wanted_ranks = ranks_of(self.said.tokens, value, self.said.values)
            places = [
                other
                for one in self.quoted
                for other in self.document.values(one.start, one.end)
                if value.is_said_by(other)
            ]
            if not any(
                self._has_role(other, wanted) or self._named_beside(other, wanted) for other in places
            ) and (self._label or self._taken(value, wanted) or not self._named_around(wanted, places)):
                return Discrepancy.ROLE
            # "Date of end or of effects" calls a beginning an end, whatever role stands nearest.
            for role in self._opposed_roles(value, wanted) if self._label else ():
                if not any(self._has_role(other, {role}) for other in places):
                    return Discrepancy.ROLE
            self.confirmed |= wanted
        return None

    def _called_otherwise(self, value: Value, wanted: set[str]) -> bool:
        """Tell whether the words beside a value, wherever it is quoted, call it something else."""
        places = [
            other
            for one in self.quoted
            for other in self.document.values(one.start, one.end)
            if value.is_said_by(other)
        ]
        folded = fold(self.statement)
        return bool(places) and all(
            called_otherwise(self.document, other, wanted, self.said.tokens, folded) for other in places
        )

    def _taken(self, value: Value, wanted: set[str]) -> bool:
        """Tell whether the words quoted give one of the roles `wanted` to another value of this kind."""
        return any(
            other.kind == value.kind and not value.is_said_by(other) and self._has_role(other, wanted)
            for one in self.quoted
            for other in self.document.values(*self.document.sentence(one.start, one.end))
        )

    def _named_around(self, wanted: set[str], places: Sequence[Value]) -> bool:
        """Tell whether the role is named where the value stands, or the role that stands there is stated."""
        said = {c for found in self.said_concepts for c in found}
        given = [roles for value in places if (roles := self._given_roles(value))]
        if given:
            return any(all(_same_role(role, said) for role in roles) for roles in given)
        for value in places:
            named = self._clause_concepts(value)
            if any(_same_role(role, named) for role in wanted):
                return True
            if wanted == {"time:term"} and value.kind == "period":
                # A period and its two dates need no word for a term; a sum in months' rent is none.
                return not any(concept.startswith("money:") for concept in named)
        return False

    def _clause_concepts(self, value: Value) -> set[str]:
        """Return the concepts of the words in a value's own clause."""
        start, end = self.document.sentence(value.start, value.end)
        cuts = clause_breaks(self.document.reading.folded[start:end], start)
        first = max((cut for cut in cuts if cut <= value.start), default=start)
        last = min((cut for cut in cuts if cut >= value.end), default=end)
        return {c for found in concepts_of(self.document.tokens(first, last)) for c in found}

    def _given_roles(self, value: Value) -> set[str]:
        """Return the roles that the words beside a value of the document give it."""
        start, end = self.document.sentence(value.start, value.end)
        tokens = self.document.tokens(start, end)
        at = next((place for place, one in enumerate(tokens) if one.start >= value.start), None)
        if at is None:
            return set()
        return governing_roles(tokens, concepts_of(tokens), at, value, self.document.values(start, end))

    def _opposed_roles(self, value: Value, wanted: set[str]) -> set[str]:
        """Return what the statement calls a value beside its role and what excludes that role."""
        before = max((one.end for one in self.said.values if one.end <= value.start), default=-1)
        named = {
            concept
            for token, found in zip(self.said.tokens, self.said_concepts, strict=True)
            if before < token.start < value.start
            for concept in found
        }
        return {other for role, other in _OPPOSED.items() if role in wanted and other in named - wanted}

    def _bounds(self) -> Discrepancy | None:
        """Compare bounds: "up to 600 euros" is not "600 euros", nor is "at least"."""
        for value in self.said.values:
            if value.kind == "date" or (value.kind == "number" and _is_year(value)):
                continue
            own = bound_of(self.said.tokens, value)
            places = [
                (one, other)
                for one in self.quoted
                for other in self.document.values(one.start, one.end)
                if value.is_said_by(other)
            ]
            first = {other.start for other in without_repeats([other for _, other in places])}
            bounds = {self._bound_quoted(one, other) for one, other in places if other.start in first}
            if places and own not in bounds and (bounds - {""} or own):
                return Discrepancy.FIGURE
        return None

    def _bound_quoted(self, quoted: QuotedSpan, value: Value) -> str:
        """Return the bound of a value of the document, read once."""
        place = (quoted.start, quoted.end, value.start, value.end)
        if place not in self._bounds_quoted:
            start, end = self.document.sentence(quoted.start, quoted.end)
            self._bounds_quoted[place] = bound_of(self.document.tokens(start, end), value)
        return self._bounds_quoted[place]

    @cached_property
    def _bounds_quoted(self) -> dict[tuple[int, int, int, int], str]:
        return {}

    def _rates(self) -> Discrepancy | None:
        """Return what a sum is counted by ("por cada día hábil") stands in the quotation."""
        written = {one.text for one in self.tokens}
        said = {one.text for one in self.said.tokens}
        for own, other in ((CALENDAR_DAYS, WORKING_DAYS), (WORKING_DAYS, CALENDAR_DAYS)):
            if said & own and not written & own and written & other:
                return Discrepancy.FIGURE
        quoted_words = [one for one in self.tokens if one.kind == "word"]
        for value in self.said.values:
            if value.kind not in ("money", "percent"):
                continue
            behind = [at for at, one in enumerate(self.said.tokens) if one.start >= value.end][:5]
            for at in behind:
                token = self.said.tokens[at]
                if token.text in (",", ".", ";") or token.kind == "number":
                    break
                if token.text in _COUNTED_BY and at + 1 < len(self.said.tokens):
                    unit = self.said.tokens[at + 1]
                    if is_content(unit) and not self._found(
                        unit, self.said_concepts[at + 1], quoted_words, self.quoted_all
                    ):
                        return Discrepancy.FIGURE
        return None

    def _counted_days(self) -> Discrepancy | None:
        """Which day or month in a row is meant ("the third day") stands in the quotation."""
        tokens = self.said.tokens
        for first, second in pairwise(tokens):
            if (
                first.text in RANKS
                and is_unit(second)
                and not any(RANKS.get(one.text) == RANKS[first.text] for one in self.sentences)
            ):
                return Discrepancy.FIGURE
        return None

    def _how_often(self) -> Discrepancy | None:
        """Return how often a sum falls due ("al año", "monthly") stands in the quotation."""
        said = {c for found in self.said_concepts for c in found if c.startswith("rate:")} - BOUND_RATES
        return None if said <= self.quoted_all else Discrepancy.FIGURE

    def _contexts(self) -> Discrepancy | None:
        """Values of one kind are not exchanged: each keeps the words that stand with it."""
        written = [
            pair
            for one in self.quoted
            for pair in contexts_of(
                self.document.tokens(*self.document.sentence(one.start, one.end)),
                self.document.values(*self.document.sentence(one.start, one.end)),
            )
        ]
        stated = contexts_of(self.said.tokens, self.said.values)
        for value, said in stated:
            if not said:
                continue
            mine = [self._shared(said, words) for other, words in written if value.is_said_by(other)]
            if not mine:
                continue
            for other, words in written:
                if other.kind != value.kind or value.is_said_by(other):
                    continue
                if self._shared(said, words) <= max(mine):
                    continue
                # Where the statement gives both values, they are exchanged or they are not.
                partner = next((own for one, own in stated if one.is_said_by(other)), None)
                if partner is None or self._shared(partner, words) < max(
                    self._shared(partner, own) for one, own in written if value.is_said_by(one)
                ):
                    return Discrepancy.ROLE
        return None

    @staticmethod
    def _shared(said: Sequence[Token], words: Sequence[Token]) -> int:
        named = [concepts_of([one])[0] for one in words]
        return sum(
            # A name says whose a figure is; a word that has others beside it says less.
            (1 if concepts_of([one])[0] else 2)
            * any(
                alike(one.text, other.text) or concepts_of([one])[0] & own
                for other, own in zip(words, named, strict=True)
            )
            for one in said
        )

    def _ranks(self) -> Discrepancy | None:
        """Compare ranks: "the first year" and "the second year" beside values are not exchanged."""
        for value in self.said.values:
            ranks = ranks_of(self.said.tokens, value, self.said.values)
            if not ranks:
                continue
            for one in self.quoted:
                start, end = self.document.sentence(one.start, one.end)
                tokens, values = self.document.tokens(start, end), self.document.values(start, end)
                same = without_repeats([other for other in values if other.kind == value.kind])
                if any(
                    value.is_said_by(other)
                    and (ranks & ranks_of(tokens, other, values) or ranks & _place_in_list(other, same))
                    for other in values
                ):
                    break
            else:
                return Discrepancy.ROLE
        return None

    def _role_in_statement(self, value: Value) -> set[str]:
        """Return what the statement says that a value is: the nearest concept of a role before it."""
        tokens, concepts = self.said.tokens, self.said_concepts
        at = next(place for place, one in enumerate(tokens) if one.start >= value.start)
        return governing_roles(tokens, concepts, at, value, self.said.values)

    def _has_role(self, value: Value, wanted: set[str]) -> bool:
        """Tell whether the value's own clause gives it one of the roles `wanted`."""
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
        if "money:balance_due" in found - wanted:
            said = {c for names in self.said_concepts for c in names}
            if "money:principal" in wanted and not said & {"money:balance_due", "money:debt", "money:claim"}:
                return False  # what is left of a sum is not the sum
        if not found and sum(one.kind == "word" for one in tokens) <= _CELL_WORDS:
            # A cell of a table or a line of a form: the heading above names the value.
            line = self.document.text.rfind("\n", 0, start)
            above = self.document.tokens(max(0, min(line + 1, start) - 200), start)
            found = {
                c for names in concepts_of(above)[-16:] for c in names if c.startswith(ROLE_KINDS[value.kind])
            }
        ranks = ranks_of(tokens, value, values)
        listed = _place_in_list(value, [one for one in values if one.kind == value.kind])
        if listed & self._wanted_ranks and wanted & {c for one in concepts for c in one}:
            return True  # "the second instalment": the second sum of a list of instalments
        if not found and ranks & self._wanted_ranks:
            return True  # "la última el 31 de enero"
        if value.kind == "date" and (
            (1 in ranks and "time:start" in wanted) or (LAST in ranks and "time:end" in wanted)
        ):
            return True  # "desde el 5 de agosto": "la primera el 5 de agosto"
        return any(_same_role(role, found) for role in wanted)

    def _named_beside(self, value: Value, wanted: set[str]) -> bool:
        """Tell whether the clause names the role, with no other candidate between, and no role left unsaid.

        Where two roles stand beside a value, the nearest may differ between two right wordings.
        """
        start, end = self.document.sentence(value.start, value.end)
        tokens, values = self.document.tokens(start, end), self.document.values(start, end)
        concepts = concepts_of(tokens)
        at = next((place for place, one in enumerate(tokens) if one.start >= value.start), None)
        if at is None:
            return False
        given = governing_roles(tokens, concepts, at, value, values)
        said = {c for found in self.said_concepts for c in found}
        if given and not all(_same_role(role, said) for role in given):
            return False
        others = [
            one
            for one in values
            if one.kind == value.kind and (one.figure, one.days) != (value.figure, value.days)
        ]
        return any(
            concepts[place] & wanted
            and not any(
                min(one.end, value.end) <= other.start and other.end <= max(one.start, value.start)
                for other in others
            )
            for place, one in enumerate(tokens)
        )

    def _heading_role(self, start: int, value: Value) -> set[str]:
        """Return the role that the heading on the same line gives: "COMISIÓN. El 6 por ciento"."""
        line = self.document.text.rfind("\n", 0, start) + 1
        if not 0 < start - line <= 60:
            return set()
        names = concepts_of(self.document.tokens(line, start))
        return {c for found in names for c in found if c.startswith(ROLE_KINDS[value.kind])}


def _place_in_list(value: Value, values: Sequence[Value]) -> set[int]:
    """Return the rank of a value by its place among three or more: "EUR 1 on signature, EUR 2 on …"."""
    places = [at for at, one in enumerate(values, 1) if one.start == value.start]
    return set(places) if len(values) > 2 else set()


def _same_role(role: str, roles: set[str]) -> bool:
    return role in roles or any(role in group and group & roles for group in _ONE_ROLE)


def _is_year(value: Value) -> bool:
    return value.figure % 1 == 0 and 1900 <= value.figure <= 2100


def _items(listed: Sequence[Token], text: str) -> int:
    """Return how many names or months a list has; words with only a blank between are one name."""
    count = 0
    for at, token in enumerate(listed):
        before = text[listed[at - 1].end : token.start] if at else ","
        count += before.strip() != ""
    return count
