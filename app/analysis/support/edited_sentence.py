"""Tell whether a statement is its quoted sentence with edits that keep the meaning. Pure.

Source: decision 130. What a statement may do to the sentence that it is drawn from is one of a closed
number of edits: name the subject that the sentence takes from the one before, or whom "su" means; give a
label its verb; make a finite verb of the infinitive of a ruling, and a duty of what somebody is ordered;
leave out how a sum is paid; take the second of two like parts; say it in the other language; say two
sentences, each so edited, in one. Any other difference is no edit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from app.analysis.support.copied_sentence import without_ornament
from app.analysis.support.drawn_sentence import DrawnSentence
from app.analysis.support.equivalents import in_one_wording
from app.analysis.support.grammar import BEING, MAY, NEGATIONS, is_verb, language_of
from app.analysis.support.more_readings import in_the_name_of, of_second, ordered, thing_first
from app.analysis.support.sentence_readings import conditional, excepting, with_adjunct_last
from app.analysis.support.sentence_units import (
    AND,
    ARTICLES,
    COMPANY_FORMS,
    DUTIES,
    POSSESSIVES,
    PREPOSITIONS,
    Unit,
    are_same,
    has_object,
    is_infinitive,
    is_verbal,
)
from app.analysis.support.words import Token, word_set

# What a decision calls itself, and who makes it.
_RULINGS: Final = word_set("rulings")
_LABEL_VERBS: Final = {
    "money": frozenset({"es", "son", "asciende", "ascienden", "is", "are"}),
    "percent": frozenset({"es", "son", "asciende", "is", "are"}),
    "period": frozenset({"es", "son", "dura", "is", "lasts"}),
    "date": frozenset({"es", "is"}),
    "number": frozenset({"es", "son", "is", "are"}),
}
# What falls due on the date beside it.
_DUE: Final = frozenset({"cuota", "plazo", "pago", "vencimiento", "instalment", "installment", "payment"})
_FALLS_DUE: Final = frozenset({"vence", "vencera", "due"})
_MEANS: Final = frozenset({"transferencia", "ingreso", "cheque", "domiciliacion", "giro", "recibo"})
_JOINTS: Final = frozenset({";", "y", "e", "and", ",", "pero", "but"})
_OWN_OPENING: Final = ARTICLES | PREPOSITIONS | {"si", "if", "cada", "each", "every", "todo", "toda", "all"}
_REFERRING: Final = POSSESSIVES | {
    "le", "les", "lo", "it", "they", "them", "him", "her", "he", "she", "ella", "ello", "ellos", "ellas",
    "dicho", "dicha", "ese", "esa", "esos", "esas", "that", "those", "such", "aquel", "aquella",
}  # fmt: skip
# Verbs that with "se" are of a person: "se obliga".
_OF_PERSONS: Final = ("oblig", "comprom", "reserv", "encarg", "hace", "hara", "abst", "neg", "nieg")
_NONE: Final = frozenset({"ningun", "ninguna"})
_RANKED: Final = frozenset(
    {"primera", "primer", "ultima", "ultimo", "segunda", "segundo", "first", "last", "second"}
)
# Small words that one language has and the other has not, and that claim nothing.
_INERT: Final = frozenset(
    {"will", "on", "be", "been", "do", "does", "se", "le", "les", "lo", "de", "en", "a"}
)
_EXCEEDING: Final = ("exced", "super")
_SUBJECT: Final = 7
_MOST_BACK: Final = 4
_TITLE: Final = 4
_FEWEST: Final = 3
_PARTS: Final = 3


class EditedSentence(DrawnSentence):
    """A statement beside the sentences of which it may be an edit."""

    # Where the words quoted begin of the sentence in hand.
    _from: int = 0

    def is_drawn(self) -> bool:
        """Tell whether the statement is a sentence quoted with edits that keep its meaning, or several."""
        tokens = in_one_wording(without_ornament(self.said.tokens))
        return self._is_told(tokens) or self._is_told_in_parts(tokens, _PARTS)

    def _is_told(self, tokens: Sequence[Token]) -> bool:
        return any(self._is_told_by_a_sentence(told) for told in with_adjunct_last(tokens))

    def _is_told_in_parts(self, tokens: Sequence[Token], most: int) -> bool:
        """Tell whether a statement says several sentences, each as it may be told, one after the other."""
        if conditional(tokens[:1]) or conditional(tokens[:2]):
            return False
        for cut in range(_FEWEST, len(tokens) - 1):
            if tokens[cut].text not in _JOINTS:
                continue
            first, second = _trimmed(tokens[:cut]), _trimmed(tokens[cut + 1 :])
            if len(first) < _FEWEST or len(second) < _FEWEST - 1:
                continue
            if any(one.text in _REFERRING for one in second):
                continue
            if not self._is_told(first):
                continue
            for whole in self._with_subject(first, second):
                if self._is_told(whole) or (most > 2 and self._is_told_in_parts(whole, most - 1)):
                    return True
        return False

    def _with_subject(self, first: Sequence[Token], second: Sequence[Token]) -> Iterator[Sequence[Token]]:
        """Yield a part of a statement with the subject that it has of itself or shares with the first."""
        opening = second[0]
        gapped = self._gapped(first, second)
        if gapped:
            yield gapped
            return
        if opening.text in _OWN_OPENING or self._party_of(opening) or opening.figure is not None:
            yield second
            return
        verb = next((one for one in second if one.text not in NEGATIONS), opening)
        if verb.text == "se" and not any(one.text.startswith(_OF_PERSONS) for one in second[:3]):
            yield second
            return
        for end in range(1, min(_SUBJECT, len(first) - 1)):
            subject = first[:end]
            if subject[-1].text in ARTICLES | PREPOSITIONS or subject[-1].kind == "mark":
                continue
            if self._is_subject(first, end):
                yield [*subject, *second]

    def _gapped(self, first: Sequence[Token], second: Sequence[Token]) -> Sequence[Token]:
        """Return a part without a verb with that of the first: "la última el 1 de mayo"."""
        if opening_none := second[0].text in _NONE:
            end = next((at for at in range(1, min(_SUBJECT, len(first))) if self._is_subject(first, at)), 0)
            no = second[0]._replace(text="no")
            return [*first[:end], no, first[end], *second[1:]] if end and opening_none else ()
        if len(second) < _FEWEST or second[0].text not in ARTICLES or second[1].text not in _RANKED:
            return ()
        value = next((one for one in self.said.values if one.start > second[1].end), None)
        other = next((one for one in self.said.values if one.start > first[0].start), None)
        if value is None or other is None or value.kind != other.kind or first[1].text not in _RANKED:
            return ()
        lead = [one for one in second[2:] if one.end <= value.start]
        middle = [one for one in first[2:] if one.end <= other.start]
        if any(one.text not in ARTICLES | PREPOSITIONS for one in lead) or any(
            one.start >= other.end for one in first
        ):
            return ()
        return [*second[:2], *middle, *(one for one in second if one.start >= value.start)]

    def _is_subject(self, first: Sequence[Token], end: int) -> bool:
        """Tell whether the words before `end` are all that stands before a verb, or a party and its name."""
        following = first[end]
        if is_verb(following) or following.text in NEGATIONS | {"se"}:
            return not any(is_verb(one) for one in first[:end])
        party = self._party_of(first[end - 1])
        return bool(party) and not any(is_verb(one) for one in first[:end]) and not self._party_of(following)

    # What a sentence may be read as

    def _sentences_told(self, piece: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
        """Yield the sentences of a quotation, the first also where its beginning is not quoted."""
        self._from = 0
        found = self._sentences_of(piece)
        yield from found
        if not piece or any(one.start == piece[0].start for _, whole in found for one in whole[:1]):
            return
        start, end = self.document.sentence(piece[0].start, piece[0].end)
        tokens = [one for one in self.document.tokens(start, min(end, piece[-1].end)) if one.start >= start]
        if tokens and tokens[0].start < piece[0].start:
            self._from = piece[0].start
            yield (), tokens
            self._from = 0

    def _readings(self, sentence: Sequence[Token]) -> Iterator[tuple[list[Unit], Sequence[Token]]]:
        yield from super()._readings(sentence)
        tokens = without_ornament(sentence)
        values = self.document.values(sentence[0].start, sentence[-1].end)
        for read in (*ordered(tokens), *in_the_name_of(tokens), *of_second(tokens, values)):
            yield self._parts_of(read, values), ()
        if self._said_language == "en" and language_of(tokens) == "es":
            for half in _halves(tokens):
                for read in thing_first(half):
                    yield self._parts_of(read, values), ()

    def _is_drawn_from(
        self,
        said: Sequence[Unit],
        part: Sequence[Unit],
        before: Sequence[Token],
        sentence: Sequence[Token],
        *,
        to_the_end: int = 0,
    ) -> bool:
        said, part = _without_forms(said), _without_forms(part)
        return super()._is_drawn_from(said, part, before, sentence, to_the_end=to_the_end)

    def _same_mode(self, said: Sequence[Unit], part: Sequence[Unit], places: Sequence[int]) -> bool:
        kept = [part[at] for at in places]
        if _below(said) and _below(kept):
            # "No excederá" and "no excede": a ceiling in both.
            said = [one for one in said if one.key != "no"]
            places = [at for at in places if part[at].key != "no"]
        return super()._same_mode(said, part, places)

    def _opens_well(
        self, said: Sequence[Unit], part: Sequence[Unit], places: Sequence[int], before: Sequence[Token]
    ) -> bool:
        if self._from and any(
            part[at].token.start < self._from and part[at].sort in ("word", "value") for at in places
        ):
            return False
        if self.strict:
            return self._begins_anew(part, places[0])
        if [one.key for one in part[: places[0]]] in _OWNED:
            return True
        return super()._opens_well(said, part, places, before)

    def _begins_anew(self, part: Sequence[Unit], first: int) -> bool:
        """Tell whether a place is where a line, a sentence or its half begins."""
        while first and part[first - 1].key in _INERT:
            first -= 1
        if not first or part[first - 1].key == ";":
            return True
        return "\n" in self.document.text[part[first - 1].token.end : part[first].token.start]

    # What a statement may have that the sentence has not

    def _subject_or_reference(
        self,
        added: Sequence[int],
        said: Sequence[Unit],
        part: Sequence[Unit],
        found: Sequence[int],
        before: Sequence[Token],
    ) -> bool:
        added = [at for at in added if not _is_passive_se(at, said, part, found)]
        if self._is_crossed(part) or self.strict:
            added = [at for at in added if said[at].key not in _INERT and not _is_passive(at, part, found)]
        if not added:
            return True
        left = [at for at in added if not self._gives_label_its_verb(at, said, part, found)]
        first = next((place for place in found if place >= 0), 0)
        lead: list[int] = []
        for at in left:
            if at != len(lead) or (said[at].key in DUTIES and lead):
                break
            lead.append(at)
        if lead and (self._rules(lead, said, part, first) or self._continues(lead, said, part, first)):
            left = left[len(lead) :]
        left = self._without_owner(left, said, part, found)
        left = self._without_complement(left, said, part, found, before)
        return not left or super()._subject_or_reference(left, said, part, found, before)

    def _gives_label_its_verb(
        self, at: int, said: Sequence[Unit], part: Sequence[Unit], found: Sequence[int]
    ) -> bool:
        """Tell whether a word is the verb between a label and its value: "Primera cuota: 1 de junio"."""
        ahead = next((one for one in range(at + 1, len(said)) if found[one] >= 0), None)
        if not at or found[at - 1] < 0 or ahead is None:
            return False
        value = part[found[ahead]].value
        between = part[found[at - 1] + 1 : found[ahead]]
        if value is None or [one.key for one in between] != [":"]:
            return False
        label = [one.key for one in part[: found[at - 1] + 1]]
        if any(is_verbal(one) for one in part[: found[at - 1] + 1]):
            return False
        if said[at].key in _LABEL_VERBS[value.kind]:
            return True
        return value.kind == "date" and said[at].key in _FALLS_DUE and any(one in _DUE for one in label)

    def _rules(self, lead: Sequence[int], said: Sequence[Unit], part: Sequence[Unit], first: int) -> bool:
        """Tell whether the words before the infinitive of a ruling name the ruling that the document is."""
        nouns = [said[at].key for at in lead]
        return (
            len(nouns) == 1
            and nouns[0] in _RULINGS
            and first == 0
            and is_infinitive(part[0])
            and any(one.text == nouns[0] for one in self.document.tokens(0, _HEAD))
        )

    def _continues(self, lead: Sequence[int], said: Sequence[Unit], part: Sequence[Unit], first: int) -> bool:
        """Tell whether words name the subject that a sentence without one takes from those before it."""
        at = 1 if part and part[0].key in ("it", "they") else 0
        if first > at or not part:
            return False
        while at < len(part) and part[at].key in ("no", "se", "le", "les"):
            at += 1
        if at == len(part) or not (is_verbal(part[at]) or has_object(part, at)):
            return False
        start = min(one.token.start for one in part)
        if any(said[at].sort != "party" for at in lead):
            return [said[at].key for at in lead] == self._continued_thing(start)
        return part[at].key not in BEING and said[lead[0]].key == self._continued_subject(start, part)

    def _may_be_another(self, unit: Unit) -> bool:
        """Tell whether a word is written like the name of somebody who is no party."""
        return (
            unit.sort == "word"
            and unit.token.kind == "word"
            and self.document.text[unit.token.start].isupper()
        )

    def _continued_thing(self, start: int) -> list[str]:
        """Return what is the subject of the sentence before, or of the one before that names it."""
        for first, units in self._sentences_before(start):
            if units[0].key in ("it", "they") or is_verbal(units[0]):
                continue
            verb = next((at for at, one in enumerate(units) if is_verbal(one)), 0)
            subject = [one.key for one in units[:verb]]
            return subject if units[0].sort == "word" and "," not in subject and first < start else []
        return []

    def _sentences_before(self, start: int) -> Iterator[tuple[int, list[Unit]]]:
        """Yield the sentences of the paragraph before a place, the nearest first, headings apart."""
        document = self.document
        begin = document.paragraphs.span(document.paragraphs.at(start))[0]
        at = document.sentence(start, start + 1)[0]
        for _ in range(_MOST_BACK):
            end = len(document.text[begin:at].rstrip()) + begin
            if end <= begin:
                return
            first, last = document.sentence(end - 1, end)
            first = max(first, begin)
            tokens = [one for one in document.tokens(first, last) if first <= one.start < at]
            units = self._parts_of(in_one_wording(without_ornament(tokens)), document.values(first, last))
            at = first
            while units and (units[0].sort in ("mark", "value") or units[0].token.kind == "number"):
                units = units[1:]
            if units and (len(units) > _TITLE or any(is_verbal(one) for one in units)):
                yield first, units

    def _without_owner(
        self, left: Sequence[int], said: Sequence[Unit], part: Sequence[Unit], found: Sequence[int]
    ) -> list[int]:
        """Return words added without "del Fabricante", where the sentence has "su" and means that party."""
        dropped = [one for at, one in enumerate(part) if at not in found and one.key in POSSESSIVES]
        owners = [at for at in left if said[at].sort == "party"]
        if len(dropped) != 1 or len(owners) != 1:
            return list(left)
        at = owners[0]
        if said[at].key != self._continued_subject(min(one.token.start for one in part), part):
            return list(left)
        return [one for one in left if one != at and not (one == at - 1 and said[one].key in ("de", "of"))]

    def _without_complement(
        self,
        left: Sequence[int],
        said: Sequence[Unit],
        part: Sequence[Unit],
        found: Sequence[int],
        before: Sequence[Token],
    ) -> list[int]:
        """Return words added without "de la tarifa", where "la subida" is of what was spoken of before."""
        if not left or said[left[0]].key not in ("de", "of") or not left[0]:
            return list(left)
        run = [left[0]]
        while run[-1] + 1 in left and len(run) < _FEWEST:
            run.append(run[-1] + 1)
        of = [said[at].token for at in run[1:]]
        place = found[left[0] - 1]
        if len(of) != 1 or place < 0 or part[place].sort != "word" or not part[place].led:
            return list(left)
        if place + 1 < len(part) and part[place + 1].key in ("de", "of"):
            return list(left)
        earlier = [*before, *(one.token for one in part[:place])]
        if not self._is_thing_before(of, _last_sentence(earlier)):
            return list(left)
        return list(left[len(run) :])

    def _continued_subject(self, start: int, part: Sequence[Unit]) -> str:
        """Return the one party that a sentence without a subject can have as its subject; "" for none.

        It is the subject of the sentence before it in the paragraph, or of the one before that has one; no
        other party may be named there that is not named in the sentence itself.
        """
        named = {one.key for one in part if one.sort == "party"}
        for _, units in self._sentences_before(start):
            if any(self._may_be_another(one) for one in units[1:]):
                return ""
            if units[0].sort == "party":
                others = {one.key for one in units if one.sort == "party"} - {units[0].key} - named
                behind = units[1].key if len(units) > 1 else ""
                return "" if others or behind in ("de", "y", "o", "of", "and", "or") else units[0].key
            if not (is_verbal(units[0]) or (units[0].key in ("no", "se") and is_verbal(units[1]))):
                return ""
            named |= {one.key for one in units if one.sort == "party"}
        return ""

    # What a statement may leave out

    def _gap_is_whole(
        self, said: Sequence[Unit], part: Sequence[Unit], first: int, second: int, places: Sequence[int]
    ) -> bool:
        gap = part[first + 1 : second]
        if [one.key for one in gap] == [":"]:
            return True
        if (self.strict or self._is_crossed(part)) and all(one.key in _INERT for one in gap):
            return True
        if _are_passives(said, part, first, second):
            return True
        if self.strict:
            return all(one.key in _INERT or one.sort == "mark" for one in gap)
        if (
            len(gap) > _FEWEST
            and gap[0].key == gap[-1].key == ","
            and gap[1].key in ("mediante", "por", "by")
            and gap[2].key in _MEANS
            and not any(one.key in NEGATIONS or one.value for one in gap)
            and not any(one.sort == "mark" for one in gap[1:-1])
            and not conditional([one.token for one in gap])
        ):
            return True
        if len(gap) == 1 and gap[0].key in POSSESSIVES:
            return True
        if [one.sort for one in gap[-1:]] == ["party"] and [one.key for one in gap[:-1]] == ["a"]:
            # "Conceder a D. X la exoneración": to the only person of whom the sentence speaks.
            return all(one.sort != "party" for one in said) and len(_parties(part)) == 1
        return super()._gap_is_whole(said, part, first, second, places)

    def _closes_well(self, part: Sequence[Unit], places: Sequence[int], sentence: Sequence[Token]) -> bool:
        if self.strict:
            rest = part[places[-1] + 1 :]
            return not rest or (rest[0].key == ";" and not excepting([one.token for one in rest]))
        if super()._closes_well(part, places, sentence):
            return True
        rest = list(part[places[-1] + 1 :])
        if [one.key for one in rest] in (["alguna"], ["alguno"]) and any(
            part[at].key == "no" for at in places
        ):
            return True
        while rest and rest[0].key == ",":
            rest.pop(0)
        return (
            len(rest) > 2
            and rest[0].key in AND
            and rest[1].key in DUTIES | MAY
            and not excepting([one.token for one in rest])
        )


_HEAD: Final = 400
_OWNED: Final = tuple([one] for one in sorted(POSSESSIVES))


def _is_passive(at: int, part: Sequence[Unit], found: Sequence[int]) -> bool:
    """Tell whether a word stands before a verb that has "se": "are approved", "se aprueban"."""
    place = found[at + 1] if at + 1 < len(found) else -1
    return place > 0 and "se" in {one.key for one in part[max(0, place - 2) : place]}


def _is_passive_se(at: int, said: Sequence[Unit], part: Sequence[Unit], found: Sequence[int]) -> bool:
    """Tell whether "se" stands before a verb that the sentence has as a participle behind "to be"."""
    place = found[at + 1] if at + 1 < len(found) else -1
    return said[at].key == "se" and place > 0 and part[place - 1].key in BEING


def _are_passives(said: Sequence[Unit], part: Sequence[Unit], first: int, second: int) -> bool:
    """Tell whether what is left out is the "to be" of a passive that the statement says with "se"."""
    gap = part[first + 1 : second]
    verb = part[second]
    return (
        len(gap) == 1
        and gap[0].key in BEING
        and any(one.key == "se" and are_same(other, verb) for one, other in pairwise(said))
    )


def _parties(units: Sequence[Unit]) -> set[str]:
    return {one.key for one in units if one.sort == "party"}


def _last_sentence(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return tokens up to the last semicolon or stop."""
    cut = max((at for at, one in enumerate(tokens) if one.text in (";", ".")), default=len(tokens))
    return tokens[:cut]


def _below(units: Sequence[Unit]) -> bool:
    """Tell whether the one denial of a sentence is that a ceiling is exceeded."""
    denied = [at for at, one in enumerate(units) if one.key in NEGATIONS]
    return (
        len(denied) == 1
        and units[denied[0]].key == "no"
        and denied[0] + 1 < len(units)
        and units[denied[0] + 1].key.startswith(_EXCEEDING)
    )


def _halves(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield tokens, and each part of them that a semicolon ends or begins."""
    yield tokens
    cuts = [at for at, one in enumerate(tokens) if one.text == ";"]
    if cuts:
        for start, end in zip([0, *(at + 1 for at in cuts)], [*cuts, len(tokens)], strict=True):
            yield tokens[start:end]


def _trimmed(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return tokens without the marks and joints that they begin or end with."""
    while tokens and tokens[0].text in _JOINTS:
        tokens = tokens[1:]
    while tokens and tokens[-1].text in _JOINTS:
        tokens = tokens[:-1]
    return tokens


def _without_forms(units: Sequence[Unit]) -> list[Unit]:
    """Return units without "S.L.", "Inc." and the "s" of a possessive behind a party."""
    found: list[Unit] = []
    for at, one in enumerate(units):
        if one.sort in ("small", "word") and one.key in COMPANY_FORMS and found:
            before = next((other for other in reversed(found) if other.key != ","), None)
            named = before is not None and (before.sort == "party" or units[at - 1].key in COMPANY_FORMS)
            if named and (one.key != "a" or units[at - 1].key == "s"):
                while found and found[-1].key == ",":
                    found.pop()
                continue
        found.append(one)
    return found
