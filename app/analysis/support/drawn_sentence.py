"""Tell whether a statement is a sentence of its quotation with whole parts of it left out. Pure.

Source: decision 116. A model is asked to say one fact in the words of the clause that it quotes, in order.
So a statement is drawn from a sentence where each of its words stands there in the same order, and what is
left out between them is a whole part on which nothing else depends: an apposition, another item of a list,
another clause with its own verb. A limit of a noun, a condition, an exception and a denial are no such part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from app.analysis.support.copied_sentence import CopiedSentence, limits, without_ornament
from app.analysis.support.equivalents import in_one_wording
from app.analysis.support.grammar import (
    EXCEPTIONS,
    MAY,
    NEGATIONS,
    is_verb,
    language_of,
    modality_of,
)
from app.analysis.support.sentence_readings import (
    adjunct_last,
    adjunct_last_at_noun,
    begins,
    condition_first,
    conditional,
    denied_half,
    excepting,
    with_adjunct_last,
)
from app.analysis.support.sentence_units import (
    AND,
    ARTICLES,
    DUTIES,
    OR,
    PREPOSITIONS,
    Unit,
    aligned,
    clitic,
    ends_with,
    has_object,
    is_infinitive,
    is_verbal,
    marks_of_all,
    parallel,
    strangers,
    third_person,
)
from app.analysis.support.words import Token, Value, is_content

_SAME: Final = {"del": "de", "al": "a", "e": "y", "u": "o"}
_STOPS: Final = frozenset({",", ";", ":", "(", ")"})
_WHICH: Final = frozenset({"que", "quien", "quienes", "which", "who"})
# Words that claim nothing where they stand alone between the words copied.
_LIGHT: Final = frozenset(
    {"ademas", "asimismo", "igualmente", "also", "shall", "will", "to", "se", "nuestro", "nuestra", "our"}
)
_BESIDES: Final = (("ademas", "de"), ("in", "addition", "to"), ("besides",))
_COUNTED: Final = frozenset({"contado", "contada", "contados", "contadas", "counted"})
_POINTING: Final = frozenset({"este", "estos", "estas", "this", "these"})
_READER: Final = frozenset({"usted", "you"})
# "Los siete primeros días" is one figure: which of them is compared too.
_RANKED: Final = (
    "primer",
    "ultim",
    "first",
    "last",
    "siguient",
    "anterior",
    "next",
    "previ",
    "habil",
    "natural",
)
_ABOVE: Final = frozenset({";", "o", "or"})
_FEWEST, _LONGEST = 3, 110
# So many words of a statement may name what a sentence refers to.
_MOST_NEW: Final = 7


class DrawnSentence(CopiedSentence):
    """A statement beside the sentences that it may be drawn from."""

    # Whether nothing may be left out but words that claim nothing: of a document whose words were translated.
    strict: bool = False

    def is_drawn(self) -> bool:
        """Tell whether the statement is a sentence quoted, in its order, without parts that limit nothing."""
        tokens = in_one_wording(without_ornament(self.said.tokens))
        return any(self._is_told_by_a_sentence(told) for told in with_adjunct_last(tokens))

    def _is_told_by_a_sentence(self, tokens: Sequence[Token]) -> bool:
        said = [one for one in self._parts_of(tokens, self.said.values, said=True) if one.sort != "mark"]
        if not _FEWEST <= len(said) <= _LONGEST or not any(one.sort in ("word", "value") for one in said):
            return False
        for piece in self.pieces:
            for before, written in self._sentences_told(piece):
                sentence = in_one_wording(written)
                for part, lead, adjunct in self._read_as(sentence):
                    if self._is_drawn_from(said, part, [*before, *lead], sentence, to_the_end=adjunct):
                        return True
        return False

    def _read_as(self, sentence: Sequence[Token]) -> Sequence[tuple[list[Unit], Sequence[Token], int]]:
        """Return readings of a sentence, each with what leads it and how much of its end must be told."""
        place = (sentence[0].start, sentence[-1].end)
        if place not in self._read:
            found = [(part, lead, 0) for part, lead in self._readings(sentence)]
            found += [(part, (), adjunct) for part, adjunct in self._adjunct_last(sentence)]
            self._read[place] = [one for one in found if len(one[0]) <= _LONGEST]
        return self._read[place]

    @cached_property
    def _read(self) -> dict[tuple[int, int], Sequence[tuple[list[Unit], Sequence[Token], int]]]:
        return {}

    def _sentences_told(self, piece: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
        yield from self._sentences_of(piece)

    def _readings(self, sentence: Sequence[Token]) -> Iterator[tuple[list[Unit], Sequence[Token]]]:
        """Yield a sentence, its halves, and each with its first adjunct behind; with what leads them."""
        tokens = without_ornament(sentence)
        values = self.document.values(sentence[0].start, sentence[-1].end)
        yield self._parts_of(tokens, values), ()
        cuts = [at for at, one in enumerate(tokens) if one.text == ";"]
        for start, end in zip([0, *(at + 1 for at in cuts)], [*cuts, len(tokens)], strict=True):
            half = tokens[start:end]
            if not half:
                continue
            if cuts:
                yield self._parts_of(half, values), tokens[:start]
            for at, one in enumerate(half[:-1]):
                if one.text == "," and half[at + 1].text in _WHICH:
                    yield self._parts_of(half[at + 1 :], values), [*tokens[:start], *half[:at]]
            denied = denied_half(half)
            if denied:
                yield self._parts_of(denied, values), tokens[:start]
            for moved in (adjunct_last(half), condition_first(half)):
                if moved:
                    yield self._parts_of(moved, values), tokens[:start]

    def _adjunct_last(self, sentence: Sequence[Token]) -> Iterator[tuple[list[Unit], int]]:
        """Yield a sentence with the adjunct that it begins with at its end; of how many units that is."""
        tokens = without_ornament(sentence)
        values = self.document.values(sentence[0].start, sentence[-1].end)
        for moved in adjunct_last_at_noun(tokens):
            part = self._parts_of(moved, values)
            yield part, sum(one.token.start < moved[0].start for one in part)

    def _parts_of(
        self, tokens: Sequence[Token], values: Sequence[Value], *, said: bool = False
    ) -> list[Unit]:
        """Return tokens without articles; a figure with its unit, and a party, are one."""
        found: list[Unit] = []
        covered = range(0)
        spanish = not any(one.text in ("the", "of") for one in tokens)
        for at, token in enumerate(tokens):
            if token.start in covered:
                continue
            value = next((one for one in values if one.start <= token.start < one.end), None)
            if value is not None and value.start == token.start:
                covered = range(value.start, value.end)
                inside = [one.text for one in tokens if value.start <= one.start < value.end]
                ranks = " ".join(one[:5] for one in inside if one.startswith(_RANKED))
                found.append(Unit("value", ranks, token, value))
                continue
            if said and found and found[-1].sort == "party" and token.text in ("'", "s"):
                continue  # "Ms Orchard's salary"
            if token.kind == "mark":
                if token.text in _STOPS:
                    found.append(Unit("mark", token.text, token))
                continue
            following = tokens[at + 1] if at + 1 < len(tokens) else None
            if token.text in ARTICLES or (token.text == "a" and not spanish):
                if token.text in ("la", "los", "las") and following is not None and is_verb(following):
                    found.append(Unit("pronoun", token.text, token))
                continue
            party = self._party_of(token) or self._spoken_of(token, found, said=said)
            if party:
                if found and found[-1].sort == "party" and found[-1].key == party:
                    continue
                found.append(Unit("party", party, token))
                continue
            if token.text in _POINTING:
                continue  # "este tribunal", "the court"
            if token.text in _COUNTED and following is not None and following.text in ("desde", "from", "a"):
                continue  # "en tres días, contados desde la firma"
            key = _SAME.get(token.text, token.text)
            if not spanish:
                key = third_person(token, found, key)
            sort = "word" if is_content(token) or token.kind == "number" else "small"
            led = at > 0 and (tokens[at - 1].text in ARTICLES or (tokens[at - 1].text == "a" and not spanish))
            found.append(Unit(sort, key, token, led=led))
        return found

    def _party_of(self, token: Token) -> str:
        if token.kind != "word":
            return ""
        if token.text in _READER and self.document.is_letter:
            return self.document.parties.person("you")
        return self.document.parties.key(token.text, self.said_concepts_of(token))

    def _spoken_of(self, token: Token, before: Sequence[Unit], *, said: bool) -> str:
        """Return whom a letter calls "your" and a statement about it "she" and "her", or "it" and "its"."""
        if not self.document.is_letter:
            return ""
        reader, writer = self.document.parties.person("you"), self.document.parties.person("we")
        if not said:
            return reader if token.text in ("your", "yours") else ""
        named = {one.key for one in before if one.sort == "party"}
        if token.text in ("she", "he", "her", "his", "him"):
            return reader if reader in named else ""
        return writer if token.text == "it" and writer in named else ""

    def _is_drawn_from(
        self,
        said: Sequence[Unit],
        part: Sequence[Unit],
        before: Sequence[Token],
        sentence: Sequence[Token],
        *,
        to_the_end: int = 0,
    ) -> bool:
        """Tell whether a statement is drawn from a reading of a sentence; its last units must be told."""
        known = {one.key for one in part if one.sort in ("word", "party")}
        crossed = self._is_crossed(part)
        new = strangers(said, part, marks_of_all(part, crossed=crossed), crossed=crossed)
        if new > min(_MOST_NEW, len(said) // 3 + 1):
            return False
        found = aligned(said, part, crossed=crossed, swaps=crossed or self.strict)
        pairs = [(one, other) for one, other in enumerate(found) if other >= 0]
        if len(pairs) < _FEWEST and len(pairs) < len(said):
            return False
        added = [at for at, place in enumerate(found) if place < 0]
        if added and not self._subject_or_reference(added, said, part, found, before):
            return False
        if not known:
            return False
        places = sorted(other for _, other in pairs)
        if not self._same_mode(said, part, places):
            return False
        if any(at not in places for at in range(len(part) - to_the_end, len(part))):
            return False
        return (
            self._opens_well(said, part, places, before)
            and all(
                self._gap_is_whole(said, part, first, second, places)
                for first, second in pairwise(places)
                if second > first + 1
            )
            and self._closes_well(part, places, sentence)
        )

    def _is_crossed(self, part: Sequence[Unit]) -> bool:
        """Tell whether the statement is in Spanish and the sentence in English, or the reverse."""
        if self._language_read[0] is not part:
            self._language_read = (part, language_of([one.token for one in part]))
        return self._language_read[1] != self._said_language

    # The reading of a sentence that was asked for last, and its language.
    _language_read: tuple[Sequence[Unit], str] = ((), "")

    @cached_property
    def _said_language(self) -> str:
        return language_of(self.said.tokens)

    def _subject_or_reference(
        self,
        added: Sequence[int],
        said: Sequence[Unit],
        part: Sequence[Unit],
        found: Sequence[int],
        before: Sequence[Token],
    ) -> bool:
        """Tell whether words that the sentence lacks name its subject, or what a pronoun of it refers to."""
        runs: list[list[int]] = []
        for at in added:
            if said[at].key in ("a", "to", "que") or said[at].key in DUTIES:
                continue
            if runs and all(
                (said[one].sort == "small" and found[one] < 0) or one in added
                for one in range(runs[-1][-1], at)
            ):
                runs[-1].append(at)
            else:
                runs.append([at])
        first = next((place for place in found if place >= 0), 0)
        dropped = {place for place in range(len(part)) if place not in found}
        for run in runs:
            tokens = [said[at].token for at in run]
            if run[0] == 0 and all(said[at].sort == "party" for at in run):
                if (
                    part[0].key in ("she", "he")
                    and first == 1
                    and self._only_person(said[run[0]].key, before)
                ):
                    continue
                if self._lacks_subject(part[first:], said[run[0]].key, before):
                    continue
                return False
            pronouns = [
                part[place].token
                for place in dropped
                if part[place].sort == "pronoun" or part[place].key in _PRONOUNS
            ]
            earlier = [*before, *(one.token for one in part[: max(0, first)])]
            last = max(found[: run[0]], default=-1)
            earlier += [one.token for one in part[: last + 1]]
            between = [part[place].token for place in dropped if place < last]
            enclosed = any(
                clitic(said[at - 1], part, found[at - 1]) for at in run if at and found[at - 1] >= 0
            )
            if not pronouns and not enclosed:
                return False
            if all(said[at].sort == "party" for at in run) and any(
                one.text in ("le", "les") for one in pronouns
            ):
                party = said[run[0]].key
                others = {one.key for one in part if one.sort == "party"} | {
                    self._party_of(one) for one in before
                }
                if (
                    party == self.document.parties.person("you")
                    or others - {""} - {one.key for one in said if one.sort == "party"} == set()
                ):
                    continue
                return False
            if part[0].key in _WHICH:
                # "[una opción de compra], que podrá ejercerse": what stands right before the comma.
                if not ends_with(before, tokens):
                    return False
                continue
            if not self._is_thing_before(tokens, [*earlier, *between]) and not self._stands_together(
                tokens, earlier
            ):
                return False
        return True

    def _stands_together(self, run: Sequence[Token], earlier: Sequence[Token]) -> bool:
        """Tell whether words stand side by side, as they are, among the words before."""
        words = [one.text for one in earlier if one.text not in ARTICLES and one.kind != "mark"]
        wanted = [one.text for one in run]
        return any(words[at : at + len(wanted)] == wanted for at in range(len(words)))

    def _lacks_subject(self, kept: Sequence[Unit], party: str, before: Sequence[Token]) -> bool:
        """Tell whether a clause has no subject of its own, and the party is whom a letter is written to."""
        at = 0
        while at < len(kept) and kept[at].key in ("no", "se", "le"):
            at += 1
        if at == len(kept) or not is_verbal(kept[at]):
            return False
        if self.document.is_letter and party == self.document.parties.person("you"):
            return not any(self._party_of(one) not in ("", party) for one in before)
        named = {self._party_of(one) for one in before} - {""}
        return named == {party}

    def _only_person(self, party: str, before: Sequence[Token]) -> bool:
        """Tell whether a party is the only one of the sentence before that is no company: "she"."""
        named = {self._party_of(one) for one in before} - {""}
        people = [
            one
            for one in named
            if not (one[1:].isdigit() and self.document.parties.all[int(one[1:])].company)
        ]
        return people == [party]

    def _same_mode(self, said: Sequence[Unit], part: Sequence[Unit], places: Sequence[int]) -> bool:
        """Tell whether what must, may and must not be done is the same, and no future became a past."""
        kept = set(places)
        own = [
            one.token
            for at, one in enumerate(part)
            if at in kept or (one.key in _LIGHT and (at - 1 in kept or at + 1 in kept))
        ]
        stated, written = modality_of([one.token for one in said]), modality_of(own)
        for mode in ("may", "prohibited", "not"):
            if (mode in stated) != (mode in written):
                return False
        return not (
            "must" in stated
            and not written & {"must", "future", "burden"}
            and "shall" not in {t.text for t in own}
        )

    def _opens_well(
        self, said: Sequence[Unit], part: Sequence[Unit], places: Sequence[int], before: Sequence[Token]
    ) -> bool:
        """Tell whether the words before the first one copied are a whole part of the sentence."""
        first = places[0]
        lead = list(part[:first])
        while lead and lead[-1].key in _LIGHT | _PRONOUNS:
            lead.pop()
        if not lead:
            return True
        tokens = [one.token for one in lead]
        if lead[-1].key in (";", ":") and lead[-1].key == ";":
            return True
        if begins(tokens, _BESIDES) and lead[-1].key == ",":
            return not limits(tokens[:-1])
        if conditional(tokens):
            return False
        relative = self._relative(part, places)
        if relative:
            return not any(one.text in NEGATIONS for one in tokens)
        if lead[-1].key not in AND:
            return False
        if is_verbal(lead[0]) and is_verbal(part[first]):
            return True  # "Conservará su salario y [perderá el plus]"
        # Another clause with its own verb, before one that names its subject.
        return (
            any(is_verbal(one) for one in lead)
            and part[first].sort in ("party", "word")
            and not is_verbal(part[first])
            and any(is_verbal(part[at]) for at in places)
        )

    def _relative(self, part: Sequence[Unit], places: Sequence[int]) -> bool:
        """Tell whether the words copied are a thing and what ", which …" says of it."""
        for first, second in pairwise(places):
            gap = part[first + 1 : second]
            if len(gap) == 2 and gap[0].key == "," and gap[1].key in _WHICH:
                head = [part[at] for at in places if at <= first]
                return not any(is_verbal(one) for one in head) and places[places.index(first)] - places[
                    0
                ] + 1 == len(head)
        return False

    def _gap_is_whole(
        self, said: Sequence[Unit], part: Sequence[Unit], first: int, second: int, places: Sequence[int]
    ) -> bool:
        """Tell whether what is left out between two words copied is a part on which nothing else depends."""
        gap = list(part[first + 1 : second])
        inner = [
            one for one in gap if one.key not in _LIGHT and one.key not in _PRONOUNS and one.sort != "pronoun"
        ]
        if not inner or all(one.key == "," for one in inner):
            return True
        gap = inner
        tokens = [one.token for one in gap]
        behind = part[second]
        if len(gap) == 2 and gap[0].key == "," and gap[1].key in _WHICH:
            return self._relative(part, places)
        if gap[0].key == "(" and gap[-1].key == ")":
            return not limits(tokens[1:-1])
        if len(gap) > 2 and gap[0].key == "," and gap[-1].key == ",":
            middle = gap[1:-1]
            if not any(one.sort == "mark" for one in middle):
                return not limits(tokens[1:-1]) and not any(is_verbal(one) for one in middle)
            return False
        if len(gap) > 2 and gap[0].key in ("y", "and") and gap[-1].key == ",":
            middle = gap[1:-1]
            if self._gives_another_its_own(part[first], middle):
                return True
            return (
                not any(one.sort == "mark" for one in middle)
                and not limits([one.token for one in middle])
                and not any(is_verbal(one) for one in middle)
            )
        # The first of two or more like parts: "[86.430 euros de principal y] 15.000 euros para costas".
        if gap[-1].key in AND | {","} or (gap[-1].key in OR and self._permissive(part, places)):
            head = gap[:-1]
            while head and head[-1].key in (",", "y", "and"):
                head.pop()
            if not head or any(one.key == ";" for one in head):
                return False
            if conditional(tokens):
                return False
            if parallel(head[0], behind, part, second):
                return True
            kept = [part[at] for at in places if at <= first]
            if gap[-1].key in AND and kept and not any(one.key in _ABOVE for one in head):
                if head[0].led and behind.led and head[0].sort == behind.sort == "word" and len(kept) > 1:
                    return True  # "devolverá [la fianza en un mes y] el aval en diez días"
                if part[first].key in DUTIES | MAY and has_object(part, second):
                    return True  # "shall [review the manual and] train its supervisors"
                if (
                    len(kept) == 1
                    and kept[0].sort == "party"
                    and first == 0
                    and (
                        has_object(part, second)
                        or is_verbal(behind)
                        or behind.key in ("se", "no", "is", "are")
                    )
                ):
                    return True
            return False
        # "La cuota de cada vivienda sube a 102 euros; [la] de cada garaje sigue en 18 euros".
        if gap[0].key == behind.key == "de" and behind.sort == "small":
            marks = [at for at, one in enumerate(gap) if one.sort == "mark"]
            return (
                bool(marks)
                and marks[-1] == len(gap) - 1
                and gap[-1].key == ";"
                and any(is_verbal(one) for one in gap)
                and not conditional(tokens)
            )
        return False

    def _gives_another_its_own(self, kept: Unit, middle: Sequence[Unit]) -> bool:
        """Tell whether "y las bombas, de un año," gives to another thing a figure of its own."""
        figures = [one.value for one in middle if one.value is not None]
        return (
            kept.value is not None
            and len(figures) == 1
            and figures[0].kind == kept.value.kind
            and middle[0].led
            and middle[-1].value is not None
            and not limits([one.token for one in middle])
            and not any(is_verbal(one) for one in middle)
        )

    def _permissive(self, part: Sequence[Unit], places: Sequence[int]) -> bool:
        return any(part[at].key in MAY or part[at].key in NEGATIONS for at in places)

    def _closes_well(self, part: Sequence[Unit], places: Sequence[int], sentence: Sequence[Token]) -> bool:
        """Tell whether nothing behind the last word copied limits what is copied."""
        last = places[-1]
        rest = list(part[last + 1 :])
        _, end = self.document.sentence(sentence[0].start, sentence[-1].end)
        beyond = without_ornament(
            [one for one in self.document.tokens(sentence[-1].end, end) if one.start >= sentence[-1].end]
        )
        tokens = [one.token for one in rest] + beyond
        if not rest and beyond:
            # The quotation ends before its sentence does: what follows is read like the rest of it.
            rest = self._parts_of(beyond, self.document.values(beyond[0].start, end))
        if not tokens or all(one.kind == "mark" for one in tokens):
            return True
        if rest and rest[0].key == ";":
            return not excepting(tokens)
        if self._names_somebody(tokens):
            return True
        start = 1 if rest and rest[0].key == "," else 0
        if (
            len(rest) > start + 2
            and rest[start].key in ("pero", "but")
            and rest[start + 1].key in ("no", "not")
        ):
            other = rest[start + 2]
            return other.key not in PREPOSITIONS and (other.led or start == 0 or is_infinitive(other))
        if start and len(rest) > 2 and rest[1].key in ("y", "and"):
            following = rest[2:]
            if following[0].key in ("se", "no") or is_verbal(following[0]):
                return not any(one.text in EXCEPTIONS for one in tokens)
        if len(rest) > start + 1 and rest[start].key in AND:
            following = rest[start + 1 :]
            at = 0
            while at < len(following) and following[at].key in (
                "no",
                "not",
                "se",
                "le",
                "lo",
                "shall",
                "will",
            ):
                at += 1
            if at < len(following) and (is_verbal(following[at]) or has_object(following, at)):
                return not excepting(tokens)
            if at > 1 and [one.key for one in following[:2]] in (["shall", "not"], ["may", "not"]):
                return True  # "and shall not answer it unless …": the exception is of what must not be
            kept = [part[at] for at in places]
            if following[0].sort == "value" and any(
                one.sort == "value"
                and one.value
                and following[0].value
                and one.value.kind == following[0].value.kind
                for one in kept
            ):
                return not excepting(tokens)
        if rest and rest[0].key == ",":
            return not limits(tokens)
        return False


_PRONOUNS: Final = (
    frozenset({"lo", "le", "les", "it", "them", "him", "her", "she", "he", "ellos", "ellas"}) | _WHICH
)
