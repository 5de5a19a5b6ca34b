"""Align a statement with its quotation word by word, and refuse what is left unexplained. Pure.

Source: decision 089. Every word of the statement that claims something is placed in the words quoted: the
same word or a form of it, a synonym, the party that it means, or a word of the heading or the sentence
quoted. What has no place is new and refuses. What stands side by side in the statement must stand near in
the quotation, and a figure or name beside the words that the quotation puts there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from app.analysis.support.aligned_words import Item
from app.analysis.support.denial import LACKING
from app.analysis.support.exchanges import ExchangeChecks
from app.analysis.support.grammar import BEING, EXCEPTIONS, MUST, NEGATIONS, PROHIBITED, persons_of
from app.analysis.support.quotation import HONORIFICS, Discrepancy
from app.analysis.support.subject_checks import PREPOSITIONS
from app.analysis.support.words import (
    Token,
    alike,
    is_content,
    word_set,
)

_FIGURES = ("money", "date", "percent", "period", "number")
_TWO = 2
_FEW = 4
_YEARS = (1900, 2100)
_PAST = re.compile(r"[a-z]{2,}(?:aron|ieron|eron)|offered|asked|quoted|mentioned|proposed|claimed|requested")
_NEAR = 3
# The words quoted, and the places among them of all words of a statement, that are compared with each other.
_MOST_TARGETS, _MOST_PLACES = 400, 2_000
_ANDS = frozenset({"y", "e", "and", "o", "u", "or", "pero", "but", "mientras", "while"})
_ARTICLES = HONORIFICS | frozenset(
    {"el", "la", "los", "las", "the", "de", "del", "of", "en", "in", "a", "al"}
)
_PLAIN_DENIALS = NEGATIONS | PROHIBITED
_DEMANDING = word_set("demanding") | MUST
_LIMITING = EXCEPTIONS | LACKING | word_set("only") | word_set("concessions")
_REFUSING = re.compile(
    r"exen|exim|exempt|free|libre|gratu|gratis|im[pm]ag|incumpl|falt|niega|neg[ao]|deneg|rechaz|excl|exclu|veda|renunci|waive"
    r"|refus|declin|reject|unpaid|liber|dispens|releas|evit|avoid|priva|impid|imped|ces[aeo]|dej[ae]|stop|ceas|anul|revoc"
    r"|solo$|aparte$|apart$|quitando|fuera|sino|unless|until|hasta|antes|before|pendient|resto|rest|mas$|inferior|superior"
    r"|minim|maxim|least|most|fewer|less|menos|tope|ningun|neither|never|igual|distint|diferent|otr[oa]s?$|nul[ao]|void"
)
_WEEKDAYS = word_set("weekdays")
_JOINING = frozenset(
    {",", ";", ":", "y", "e", "and", "pero", "but", "o", "or", "ni", "nor", "aunque", "que", "si", "if"}
)


class AlignmentChecks(ExchangeChecks):
    """Checks that every word of a statement has its place in the quotation."""

    def misaligned(self) -> Discrepancy | None:
        """Refuse what the alignment leaves unexplained, or explains only out of place.

        What has so many places that they could not be compared in reasonable time is refused unread.
        """
        if self._is_too_long:
            return Discrepancy.BEYOND
        if self._new or self._party_new():
            return Discrepancy.BEYOND
        if self._used_twice() or self._quoted_alone() or self._in_fragment():
            return Discrepancy.FIGURE
        if self._denied_otherwise() or self._verb_denied():
            return Discrepancy.POLARITY
        if (
            self._other_subject()
            or self._party_exchanged()
            or self._bearer_apart()
            or self._borne_by_another()
        ):
            return Discrepancy.PARTY
        if self._counts_another():
            return Discrepancy.FIGURE
        if self._identified_otherwise() or self._act_untold():
            return Discrepancy.OTHER_MATTER
        if self._fits_elsewhere():
            return Discrepancy.OTHER_MATTER
        if self._exchanges_things() or self._figure_of_another_person() or self._exchanged_in_halves():
            return Discrepancy.ROLE
        if self._of_another() or self._nearer_to_another() or self._apart() or self._crosses():
            return Discrepancy.ROLE
        return None

    def unplaced_words(self) -> tuple[str, ...]:
        """Return the words, figures and parties that have no place in the quotation, in order."""
        if self._is_too_long:
            return ()
        new = {one.at for one in self._new}
        new |= {one.at for one in self._items if one.sort == "party" and not one.places and not one.beside}
        found = []
        for at in sorted(new):
            token = self.said.tokens[at]
            value = next((one for one in self.said.values if one.start <= token.start < one.end), token)
            found.append(self.statement[value.start : value.end])
        return tuple(dict.fromkeys(found))

    @cached_property
    def _is_too_long(self) -> bool:
        return (
            len(self._targets) > _MOST_TARGETS or sum(len(one.places) for one in self._items) > _MOST_PLACES
        )

    @cached_property
    def _new(self) -> list[Item]:
        """The words of the statement that have no place in the quotation, or one that another word has."""
        words = [one for one in self._items if one.sort != "party"]
        found = [one for one in words if not one.places and not one.beside]
        told = [one for one in words if one.beside and not self._may_be_left_out(one.at)]
        if len(told) > 1:
            found += told
        else:
            found += [one for one in told if self._is_predicate(one.at) or one.at == self._main_verb_at]
        for one in words:
            token = self.said.tokens[one.at]
            if (
                one.sort == "word"
                and one.places
                and not any(alike(token.text, self._targets[place].token.text) for place in one.places)
            ):
                taken = {
                    place
                    for other in words
                    if other is not one and other.sort == "word"
                    for place in other.places
                    if self._targets[place].token.text != token.text
                    and alike(self.said.tokens[other.at].text, self._targets[place].token.text)
                }
                if set(one.places) <= taken:
                    found.append(one)
        return found

    def _party_new(self) -> bool:
        """Tell whether the statement names a party of whom the sentences quoted do not speak."""
        parties = self.document.parties
        speaking = (
            {parties.person("we"), parties.person("you")} - {"", None}
            if persons_of(self.sentences)
            else set()
        )
        return any(
            not one.places
            and not one.beside
            and parties.key(self.said.tokens[one.at].text, self.said_concepts[one.at]) not in speaking
            for one in self._items
            if one.sort == "party"
        )

    def _used_twice(self) -> bool:
        """Tell whether two figures of the statement are the one figure of the quotation."""
        for sort in _FIGURES:
            figures = [one for one in self._items if one.sort == sort]
            for first, second in pairwise(figures):
                if first.places == second.places and len(first.places) == 1:
                    return True
        return False

    def _quoted_alone(self) -> bool:
        """Tell whether a figure is quoted without a word of the statement, from a sentence that has none."""
        words = [one for one in self._items if one.sort == "word"]
        if len(self.quoted) < _TWO or len(words) < _TWO:
            return False
        for one in self._items:
            if one.sort not in ("money", "date", "percent") or not one.places:
                continue
            quotes = {self._quote_of[self._targets[place].clause] for place in one.places}
            told = {
                self._quote_of[self._targets[place].clause]
                for word in words
                for place in word.places
                if is_content(self._targets[place].token)
            }
            if quotes & told:
                continue
            spans = [self.quoted[at] for at in quotes]
            around = [
                t
                for span in spans
                for t in self.document.tokens(*self.document.sentence(span.start, span.end))
            ]
            if not any(
                alike(self.said.tokens[word.at].text, token.text) or self._label
                for word in words
                for token in around
                if is_content(token)
            ):
                return True
        return False

    def _in_fragment(self) -> bool:
        """Tell whether a figure is quoted alone from a sentence that has several."""
        words = [one for one in self._items if one.sort == "word"]
        if self._label or not words or any(one.places for one in words):
            return False
        for one in self._items:
            if one.sort not in ("money", "percent") or not one.places:
                continue
            value = self._targets[one.places[0]].value
            span = self.quoted[self._quote_of[self._targets[one.places[0]].clause]]
            around = self.document.values(*self.document.sentence(span.start, span.end))
            if value is not None and any(
                other.kind == value.kind and other.start != value.start for other in around
            ):
                return True
        return False

    def _denied_otherwise(self) -> bool:
        """Tell whether only one of the texts has a word that denies, excepts or limits."""
        said = [one for one in self.said.tokens if _denies(one)]
        best = self._nearest_clauses
        if not best:
            return False
        quoted = [any(_denies(token) for token in self._clause_tokens[clause]) for clause in best]
        if any(one.text in _PLAIN_DENIALS for one in said):
            return not any(_denies(token) for piece in self._clause_tokens for token in piece)
        if said or any(one.text in _DEMANDING for one in self.said.tokens):
            return False
        plain = [any(one.text in _PLAIN_DENIALS for one in self._clause_tokens[clause]) for clause in best]
        return all(quoted) and all(plain)

    @cached_property
    def _nearest_clauses(self) -> list[int]:
        """The clauses of the quotations that have most words of the statement."""
        covered = Counter(
            clause for one in self._items for clause in {self._targets[rank].clause for rank in one.places}
        )
        return [clause for clause in self._clauses_used if covered[clause] == max(covered.values())]

    def _verb_denied(self) -> bool:
        """Tell whether a word that is denied in the quotation is affirmed by the statement."""
        said = self.said.tokens
        affirmed: list[Item] = []
        refused: list[Item] = []
        for one in self._items:
            if one.sort != "word" or not one.places:
                continue
            token = said[one.at]
            exact = [
                rank
                for rank in one.places
                if alike(token.text, self._targets[rank].token.text)
                and self._targets[rank].clause in self._nearest_clauses
            ]
            if not exact:
                continue
            denied = {self._target_denied(rank) for rank in exact}
            if denied == {True} and not _denied_at(said, one.at):
                affirmed.append(one)
            elif denied == {False} and _denied_at(said, one.at):
                refused.append(one)
        if affirmed and refused:
            return True
        # What denies may be the word itself ("waives"): the others count.
        own = [said[one.at] for one in affirmed]
        return bool(affirmed) and not any(
            (_denies(other) or other.text in _DEMANDING) and other not in own for other in said
        )

    def _target_denied(self, rank: int) -> bool:
        target = self._targets[rank]
        tokens = self._clause_tokens[target.clause]
        return _denied_at(tokens, tokens.index(target.token))

    def _other_subject(self) -> bool:
        """Tell whether another party stands before the verb, in the quotation, than in the statement."""
        first = next((one for one in self._items if one.sort == "party"), None)
        if first is None:
            return False
        verb = next((one for one in self._items if one.at > first.at), None)
        if (
            verb is None
            or verb.sort != "word"
            or any(
                one.text in _JOINING or one.text in PREPOSITIONS
                for one in self.said.tokens[first.at + 1 : verb.at]
            )
        ):
            return False
        token = self.said.tokens[verb.at]
        exact = [rank for rank in verb.places if alike(token.text, self._targets[rank].token.text)]
        behind = next((one for one in self._items if one.at > verb.at), None)
        if len(exact) > 1 and behind is not None and len(behind.places) == 1:
            # "A bears the cost unless …, in which case B bears it": the one before what it governs.
            before = [rank for rank in exact if rank < behind.places[0]]
            exact = before[-1:] or exact
        verdicts = []
        for rank in exact:
            clause = self._targets[rank].clause
            before = [
                place
                for place in range(rank)
                if self._targets[place].clause == clause
                and self._target_sort(place) == "party"
                and not self._governed(place)
            ]
            if before and not self._is_passive(rank):
                verdicts.append(before[-1] not in first.places)
        return bool(verdicts) and all(verdicts)

    def _is_passive(self, rank: int) -> bool:
        """Tell whether a verb of the quotation is a participle behind "to be"."""
        target = self._targets[rank]
        tokens = self._clause_tokens[target.clause]
        at = tokens.index(target.token)
        return any(one.text in BEING for one in tokens[max(0, at - 2) : at])

    def _party_exchanged(self) -> bool:
        """Tell whether the statement names a party that is not quoted, and not one that is."""
        named = [one for one in self._items if one.sort == "party"]
        if not any(not one.places for one in named):
            return False
        keys = {
            self.document.parties.key(self.said.tokens[one.at].text, self.said_concepts[one.at])
            for one in named
        }
        told = {place for one in named for place in one.places}
        for rank in range(len(self._targets)):
            if self._target_sort(rank) == "party" and rank not in told:
                target = self._targets[rank]
                key = self.document.parties.key(target.token.text, target.concepts)
                if key and key not in keys:
                    return True
        return False

    def _bearer_apart(self) -> bool:
        """Tell whether the clause with most of the words names another party only."""
        parts: list[list[Item]] = [[]]
        for at in range(len(self.said.tokens)):
            if self.said.tokens[at].text in _ANDS or self.said.tokens[at].text in (",", ";"):
                parts.append([])
            parts[-1].extend(one for one in self._items if one.at == at)
        for part in parts:
            parties = [one for one in part if one.sort == "party"]
            others = [one for one in part if one.sort != "party" and one.places]
            if len(parties) != 1 or not others:
                continue
            counted = {
                clause: sum(
                    any(self._targets[place].clause == clause for place in one.places) for one in others
                )
                for clause in self._clauses_used
            }
            best = [clause for clause, number in counted.items() if number == max(counted.values())]
            verdicts = []
            for clause in best:
                there = [
                    rank
                    for rank, one in enumerate(self._targets)
                    if one.clause == clause and self._target_sort(rank) == "party"
                ]
                spoken = {
                    self.document.parties.person(one) for one in persons_of(self._clause_tokens[clause])
                }
                own = self.said.tokens[parties[0].at]
                key = self.document.parties.key(own.text, self.said_concepts[parties[0].at])
                verdicts.append(
                    bool(there) and key not in spoken and not any(rank in parties[0].places for rank in there)
                )
            if verdicts and all(verdicts):
                return True
        return False

    def _counts_another(self) -> bool:
        """Tell whether a number counts one thing in the statement, and another in the quotation."""
        for one, counted in pairwise(self._items):
            if one.sort != "number" or counted.sort != "word" or not one.places or not counted.places:
                continue
            if any(token.kind == "mark" for token in self.said.tokens[one.at : counted.at]):
                continue
            apart = counted.at - one.at
            if apart <= _TWO and all(not 0 < b - a <= apart for a in one.places for b in counted.places):
                return True
        return False

    def _identified_otherwise(self) -> bool:
        """Tell whether a date tells, in the quotation, which thing has the figure, and is left out."""
        told = {place for one in self._items for place in one.places}
        for one in self._items:
            if one.sort not in ("money", "percent", "period"):
                continue
            for place in one.places:
                words = [
                    rank
                    for other in self._items
                    if other.sort == "word" and other is not one
                    for rank in other.places
                    if rank < place and self._targets[rank].clause == self._targets[place].clause
                ]
                if words and any(
                    self._is_date(rank) and rank not in told for rank in range(max(words), place)
                ):
                    return True
        return False

    def _is_date(self, rank: int) -> bool:
        value = self._targets[rank].value
        return value is not None and (
            value.kind == "date" or (value.kind == "number" and _YEARS[0] <= value.figure <= _YEARS[1])
        )

    def _act_untold(self) -> bool:
        """Tell whether what was done with the figure is not told: it was only offered."""
        told = {place for one in self._items for place in one.places}
        for one in self._items:
            if one.sort not in _FIGURES:
                continue
            for place in one.places:
                for rank in range(max(0, place - _NEAR), place):
                    target = self._targets[rank]
                    written = self.document.text[target.token.start : target.token.end]
                    if (
                        rank not in told
                        and not any(alike(one.text, target.token.text) for one in self.said.tokens)
                        and target.clause == self._targets[place].clause
                        and (written.endswith("ó") or _PAST.fullmatch(target.token.text))
                    ):
                        return True
        return False

    def _crosses(self) -> bool:
        """Tell whether words of two halves are joined, each of which says more than is told."""
        told = {place for one in self._items for place in one.places}
        for clause in self._clauses_used:
            ranks = [rank for rank, one in enumerate(self._targets) if one.clause == clause]
            tokens = self._clause_tokens[clause]
            cuts = [one.start for one in tokens if one.text in _ANDS]
            if not cuts:
                continue
            half = {rank: sum(self._targets[rank].token.start > cut for cut in cuts) for rank in ranks}
            untold = {
                half[rank]
                for rank in ranks
                if rank not in told
                and self._target_sort(rank) != "party"
                and (self._targets[rank].value is not None or is_content(self._targets[rank].token))
            }
            placed = [
                one
                for one in self._items
                if one.sort != "party" and one.places and set(one.places) <= set(ranks)
            ]
            for first, second in pairwise(placed):
                between = {one.text for one in self.said.tokens[first.at + 1 : second.at]}
                if between & (_ANDS | {",", ";", ":"}):
                    continue
                pairs = {(half[a], half[b]) for a in first.places for b in second.places}
                if all(a != b and {a, b} <= untold and max(a, b) > 0 and a > b for a, b in pairs):
                    return True
        return False

    def _governed(self, rank: int) -> bool:
        """Tell whether a preposition stands before a party of the quotation: it is no subject."""
        target = self._targets[rank]
        tokens = self._clause_tokens[target.clause]
        at = tokens.index(target.token)
        before = [
            one.text
            for one in tokens[max(0, at - 2) : at]
            if one.text not in ("el", "la", "los", "las", "the")
        ]
        return bool(before) and before[-1] in PREPOSITIONS

    def _fits_elsewhere(self) -> bool:
        """Tell whether another sentence of the document has more of the statement, with another figure."""
        words = [one for one in self._items if one.sort == "word"]
        if len(self.said.values) != 1 or len(words) > _FEW:
            return False
        own = sum(self._is_near(word) for word in words)
        if own == len(words):
            return False
        value = self.said.values[0]
        if not any(one.sort in ("money", "date", "percent") and one.places for one in self._items):
            return False
        # A table is one sentence with many figures: each sentence is compared once.
        sentences = {
            self.document.sentence(other.start, other.end)
            for other in self.document.values_like(value)
            if not other.is_said_by(value) and not value.is_said_by(other)
        }
        others = [
            (start, end)
            for start, end in sentences
            if not any(quoted.start < end and start < quoted.end for quoted in self.quoted)
        ]
        if not others:
            return False
        written = [self._written(word) for word in words]
        return any(
            sum(bisect_left(places, start) < bisect_left(places, end) for places in written) > own
            for start, end in others
        )

    def _written(self, item: Item) -> list[int]:
        """Return where the document has a word of the statement, in its own form or in other words."""
        token, own = self.said.tokens[item.at], self.said_concepts[item.at]
        same: dict[str, bool] = {}
        found = []
        for one, concepts in zip(self.document.words.tokens, self.document.concepts, strict=True):
            if one.text not in same:
                same[one.text] = self._found(token, frozenset(), [one], frozenset())
            if same[one.text] or not own.isdisjoint(concepts):
                found.append(one.start)
        return found

    def _is_near(self, item: Item) -> bool:
        token, own = self.said.tokens[item.at], self.said_concepts[item.at]
        return (
            bool(item.places)
            or bool(own & self.confirmed)
            or self._found(token, own, self._wide_words, self.around_concepts)
        )

    def takes_of_another(self) -> bool:
        """Tell whether a figure of the statement has words that the quotation gives to another figure."""
        return any(
            self._stray(sort, clause)
            for sort in ("period", "percent")
            for clause in range(len(self._clause_tokens))
        )

    def _of_another(self) -> bool:
        """Tell whether a figure, name or party of the statement has words that the quotation gives another.

        Where a clause has several of one sort, each has the words up to the next.
        """
        return any(
            self._stray(sort, clause)
            for sort in (*_FIGURES, "party", "name")
            for clause in range(len(self._clause_tokens))
        )

    def _stray(self, sort: str, clause: int) -> bool:
        quoted = [rank for rank, one in enumerate(self._targets) if one.clause == clause]
        rivals = [rank for rank in quoted if self._target_sort(rank) == sort]
        own = [
            one
            for one in self._items
            if one.sort == sort and any(self._targets[rank].clause == clause for rank in one.places)
        ]
        if len(rivals) < _TWO or not own:
            return False
        shares = self._chunks(clause, rivals)
        if len(shares) < _TWO:
            return False
        mine = self._said_chunks(own)
        if mine is None:
            order = [one.places[0] for one in own if len(one.places) == 1]
            return sort in ("date", "money") and order != sorted(order)
        for one in own:
            here = [place for place in one.places if place in rivals]
            chunks = [share for share in shares if any(place in share for place in here)]
            if not chunks:
                continue
            strays = [
                other
                for other in mine[one.at]
                if other.at != one.at
                and other.sort != sort
                and other.places
                and all(place in quoted for place in other.places)
                and not any(place in chunk for chunk in chunks for place in other.places)
            ]
            if any(self._specific(stray, shares, chunks) for stray in strays):
                return True
        return False

    def _figure_of_another_person(self) -> bool:
        """Tell whether a figure that is "ours" in the quotation is told of the addressee, or the reverse."""
        parties = self.document.parties
        for sort in ("money", "percent", "period", "date"):
            own = [one for one in self._items if one.sort == sort and len(one.places) == 1]
            clauses = {self._targets[one.places[0]].clause for one in own}
            if not own or len(clauses) != 1:
                continue
            clause = clauses.pop()
            mine = self._said_chunks(own)
            rivals = [
                rank
                for rank, one in enumerate(self._targets)
                if one.clause == clause and self._target_sort(rank) == sort
            ]
            if mine is None or len(rivals) < _TWO:
                continue
            tokens = self._clause_tokens[clause]
            cuts = [one.start for one in tokens if one.text in _ANDS or one.text == ","]
            everybody = {parties.person(one) for one in persons_of(tokens)}
            for one in own:
                at = self._targets[one.places[0]].token.start
                start = max([cut for cut in cuts if cut < at], default=-1)
                end = min([cut for cut in cuts if cut > at], default=10**9)
                spoken = {
                    parties.person(person)
                    for person in persons_of([token for token in tokens if start < token.start < end])
                }
                named = {
                    parties.key(self.said.tokens[item.at].text, self.said_concepts[item.at])
                    for item in mine[one.at]
                    if item.sort == "party"
                } - {""}
                if len(named) == 1 and len(spoken) == 1 and named & everybody and not named & spoken:
                    return True
        return False

    def _exchanged_in_halves(self) -> bool:
        """Tell whether each of two parts of the statement joins what the quotation keeps in two halves."""
        parts: list[list[Item]] = [[]]
        for before, one in pairwise([None, *self._items]):
            between = self.said.tokens[before.at + 1 : one.at] if before and one else ()
            if any(token.text in _ANDS or token.text in (",", ";") for token in between):
                parts.append([])
            if one:
                parts[-1].append(one)
        if len(parts) < _TWO:
            return False
        for clause in self._clauses_used:
            cuts = [one.start for one in self._clause_tokens[clause] if one.text in _ANDS]
            if not cuts:
                continue
            mixed = 0
            for part in parts:
                halves = {
                    sum(self._targets[place].token.start > cut for cut in cuts)
                    for one in part
                    if one.sort in ("word", "name") and len(one.places) == 1
                    for place in one.places
                    if self._targets[place].clause == clause
                }
                mixed += len(halves) > 1
            if mixed > 1:
                return True
        return False

    def _specific(self, stray: Item, shares: Sequence[range], chunks: Sequence[range]) -> bool:
        """Tell whether a word belongs to another figure: not to the words before the first, said of all."""
        if all(place not in shares[0] for place in stray.places):
            return True
        told = {place for one in self._items for place in one.places}
        return any(
            all(
                place in told
                or self._targets[place].value is not None
                or not is_content(self._targets[place].token)
                for place in chunk
            )
            is False
            for chunk in chunks
        )

    def _chunks(self, clause: int, rivals: Sequence[int]) -> list[range]:
        """Return the ranks that belong to each figure of a clause: those up to where the next one begins."""
        tokens = self._clause_tokens[clause]
        bounds = []
        ranks = [rank for rank, one in enumerate(self._targets) if one.clause == clause]
        for first, second in pairwise(rivals):
            start, end = self._targets[first].token.start, self._targets[second].token.start
            between = [one for one in tokens if start < one.start < end]
            cut = next((one for one in between if one.text in _ANDS), None) or next(
                (one for one in between if one.text == "," and self._target_sort(first) != "party"), None
            )
            if cut is not None:
                bounds.append(next(rank for rank in ranks if self._targets[rank].token.start > cut.start))
        edges = [ranks[0], *bounds, ranks[-1] + 1]
        return [range(a, b) for a, b in pairwise(edges) if b > a]

    def _said_chunks(self, own: Sequence[Item]) -> dict[int, list[Item]] | None:
        """Return the words of the statement that go with each of its figures; `None` where none tells."""
        found: dict[int, list[Item]] = {one.at: [] for one in own}
        bounds = [0]
        for first, second in pairwise(own):
            between = range(first.at, second.at)
            cut = next((at for at in between if self.said.tokens[at].text in _ANDS), None) or next(
                (at for at in between if self.said.tokens[at].text == ","), None
            )
            if cut is None:
                return None
            bounds.append(cut)
        bounds.append(len(self.said.tokens))
        for place, one in enumerate(own):
            found[one.at] = [item for item in self._items if bounds[place] <= item.at < bounds[place + 1]]
        return found

    def _nearer_to_another(self) -> bool:
        """Tell whether the word before a figure stands, in the quotation, right before another figure."""
        for before, one in pairwise(self._items):
            if one.sort not in _FIGURES or before.sort != "word" or not before.places or not one.places:
                continue
            near = min(abs(a - b) for a in before.places for b in one.places)
            others = [
                rank
                for rank, target in enumerate(self._targets)
                if target.value is not None
                and target.value.kind == one.sort
                and not any(rank in item.places for item in self._items)
            ]
            if near > _NEAR and any(0 < rank - place <= 1 for rank in others for place in before.places):
                return True
        return False

    def _apart(self) -> bool:
        """Tell whether neighbours of the statement stand in no clause of the quotations together.

        A word of the statement is one word of the quotation: it cannot stand in one clause with the word
        before it and in another with the next.
        """
        placed = [one for one in self._items if one.places and one.sort != "party"]
        reached = set(placed[0].places) if placed else set()
        for first, second in pairwise(placed):
            between = [one.text for one in self.said.tokens[first.at + 1 : second.at]]
            listed = all(one in _ANDS or one in (",", *_ARTICLES) for one in between)
            if set(between) & _JOINING and not listed:
                reached = set(second.places)
                continue
            reached = {
                place
                for place in second.places
                if any(
                    self._linked(first, second, self._targets[before].clause, self._targets[place].clause)
                    for before in reached
                )
            }
            if not reached:
                return True
        return False

    def _linked(self, first: Item, second: Item, one: int, other: int) -> bool:
        """Tell whether what stands in two clauses may be said together: in two that follow."""
        if one == other:
            return True
        if any(self.said.tokens[item.at].text in _WEEKDAYS for item in (first, second)):
            return False  # "Works from Tuesday to Sunday. Rests on Mondays."
        return (
            first.sort == second.sort == "word"
            and abs(one - other) == 1
            and self._quote_of[one] == self._quote_of[other]
            and max(one, other) not in self._halves
        )


def _denied_at(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a negation stands at most three words before `at`, with no comma between."""
    for one in reversed(tokens[max(0, at - 3) : at]):
        if one.text in (",", ";", ":"):
            return False
        if one.text in _PLAIN_DENIALS:
            return True
    return False


def _denies(token: Token) -> bool:
    """Tell whether a word denies, excepts, limits or refuses."""
    return token.text in _PLAIN_DENIALS or token.text in _LIMITING or _REFUSING.match(token.text) is not None
