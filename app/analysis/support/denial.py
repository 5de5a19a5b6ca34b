"""Compare what two texts deny, negation by negation. Pure.

Source: decision 013: every modality of a statement stands in the quoted words with the same polarity. A
negation is compared with the words that it governs, so that order, voice and the part of speech may differ:
"no devenga intereses", "sin intereses" and "exento de intereses" deny the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from app.analysis.support.grammar import (
    CLAUSE_END,
    EXCEPTIONS,
    LIGHT_VERBS,
    MAY,
    MUST,
    NEGATIONS,
    PROHIBITED,
    REMAINDER,
    Phrases,
    begins,
    marks_of,
    of_participle,
)
from app.analysis.support.words import Token, alike, concepts_of, is_content, word_set

# Words that deny without "no": what follows or precedes them is lacking or forbidden.
LACKING = word_set("lacking")
_LACKING_PHRASES = Phrases(("free", "of"), ("free", "from"), ("libre", "de"), ("libres", "de"))
_DEMANDING = word_set("demanding")
_WITHOUT = frozenset({"sin", "without"})
_NOR = frozenset({"ni", "nor"})
# What is counted in, and what is left out.
_INCLUDED = word_set("included")
_EXCLUDED = word_set("excluded")
_LEFT_OUT = Phrases(
    ("queda", "fuera"),
    ("quedan", "fuera"),
    ("queda", "al", "margen"),
    ("quedan", "al", "margen"),
    ("deja", "fuera"),
    ("dejan", "fuera"),
    ("left", "out"),
    ("exclusive", "of"),
    ("falls", "outside"),
    ("fall", "outside"),
    ("sin", "contar"),
    ("before", "vat"),
    ("before", "tax"),
    ("antes", "de", "iva"),
    ("antes", "de", "impuestos"),
    ("mas", "iva"),
    ("mas", "el", "iva"),
    ("plus", "vat"),
    ("sin", "iva"),
    ("without", "vat"),
    ("iva", "aparte"),
    ("anadira", "el", "iva"),
    ("sumara", "el", "iva"),
    ("suma", "el", "iva"),
    ("anade", "el", "iva"),
    ("incrementara", "con", "el", "iva"),
)
_PART_OF = Phrases(
    ("queda", "dentro"),
    ("quedan", "dentro"),
    ("esta", "dentro"),
    ("estan", "dentro"),
    ("forma", "parte"),
    ("forman", "parte"),
    ("forms", "part"),
    ("form", "part"),
)
# What is not paid is unpaid.
_UNPAID = word_set("unpaid")
_ONLY = word_set("only")
_DENYING = LACKING | PROHIBITED | EXCEPTIONS | _ONLY | _EXCLUDED
# "Más IVA", "plus VAT": what is added, not what follows.
_ADDING = frozenset(
    {"mas", "plus", "sin", "without", "iva", "vat", "el", "anadira", "sumara", "suma", "anade", "aparte"}
)
# Verbs and nouns that deny by their meaning.
_REFUSING = re.compile(
    r"(?:renunci|rechaz|deneg|denieg|nieg|negat|negar|excl|exent|exoner|carec|impid|impedir|silenc|call[ae]|pierd|perd|"
    r"gratis|gratuit|aparte|fuera|indefinid|voluntari|opcional|libre|ilimit|salv[oa]|falt|incumpl|revoc|anul|cancel|"
    r"perdon|condon|evit|dej[ae]|refus|reject|declin|prevent|fail|waiv|free|congel|invariab|inalterab|frozen|lose|lost|lapse|apart|aside|besides|"
    r"optional|indefinit|unlimited|silent|barr|unable|instead|otherwise|demas$|resto$|restan|salved)"
)
_TURNS = frozenset({"pero", "aunque", "mas", "but", "although", "though"})
_STOPS = frozenset({";", ".", ":"})
# How many words that claim something a negation governs at once, and how many it reaches.
_BEING = word_set("being")
_FOCUS, _REACH, _SHORT_REACH = 2, 8, 3
_EMPTY = LIGHT_VERBS | MAY | MUST | _BEING | word_set("existing")
ENCLITIC = re.compile(r"([a-z]{2,}[aei]r)(?:l[aeo]s?|se|sel[ao]s?)")


@dataclass(frozen=True, slots=True)
class Denial:
    """A negation: the places of the words that it governs at once, and of those that it may reach."""

    at: int
    focus: tuple[int, ...]
    reach: tuple[int, ...]
    without: bool = False
    local: bool = False


class Denials:
    """A denial in a text."""

    def __init__(self, tokens: Sequence[Token], breaks: Sequence[int]) -> None:
        """Read the denials of `tokens`; `breaks` are offsets at which a new clause begins."""
        self.tokens = tokens
        self.concepts = concepts_of(tokens)
        self.counted = dict(self._counted())
        self.found = tuple(self._read(breaks))
        self.reached = frozenset(place for one in self.found for place in (*one.focus, *one.reach))
        self.demanding = any(one.text in _DEMANDING for one in tokens)
        self.limiting = any(one.text in _ONLY for one in tokens) or bool(REMAINDER.places(tokens))
        self.excepting = bool(list(marks_of(tokens, exceptions=True)))
        # "Si calla, se entiende aceptado": what the condition denies is not what follows.
        self.conditional = bool(tokens) and tokens[0].text in ("si", "if", "should")
        self.unpaid = any(one.text in _UNPAID for one in tokens)
        # What is left out by "does not include", "queda excluido".
        self.left_out = [
            place
            for at, counted_in in self.counted.items()
            if not counted_in and tokens[at].text not in _ADDING
            for place in self._claiming(at + 1, len(tokens))[:_REACH]
            if not any(one.text in (";", ".") for one in tokens[at:place])
        ]

    def _read(self, breaks: Sequence[int]) -> Iterator[Denial]:
        tokens = self.tokens
        for at, lacking in sorted(self._marks()):
            before = max((one for one in breaks if one <= tokens[at].start), default=0)
            after = min((one for one in breaks if one > tokens[at].start), default=10**9)
            ahead = [
                place
                for place in self._claiming(at + 1, len(tokens))
                if tokens[place].start < after and not self._parted(at, place)
            ][:_REACH]
            behind = [place for place in reversed(self._claiming(0, at)) if tokens[place].start >= before][
                :_REACH
            ]
            local = of_participle(tokens, at) or tokens[at].text == "non"
            if local:
                ahead, behind = ahead[:1], []
            if tokens[at].text in _WITHOUT:
                ahead = ahead[:_SHORT_REACH]
            if lacking:
                yield Denial(at, (*ahead[:1], *behind[:1]), (*ahead, *behind))
            elif ahead:
                without = tokens[at].text in _WITHOUT
                # In the passive the subject stands before: "el trabajo en sábado no podrá exigirse".
                subject = () if without or not self._passive(at) else behind
                yield Denial(at, tuple(ahead[:_FOCUS]), (*ahead, *subject), without, local)
            elif at + 1 < len(tokens) and tokens[at + 1].kind == "word" and tokens[at + 1].start < after:
                # "no está obligada a ello": nothing but a modal verb and what stands for the matter
                yield Denial(at, (), ())
            else:
                # "la fontanería, no"
                yield Denial(at, tuple(behind[:_FOCUS]), tuple(behind[:_FOCUS]))

    def _passive(self, at: int) -> bool:
        """Tell whether the verb denied has its object before it: "no podrá ser exigida", "no se incluye"."""
        near = [one.text for one in self.tokens[at + 1 : at + 5]]
        return any(text in _BEING or text == "se" or (len(text) > 5 and text.endswith("se")) for text in near)

    def _marks(self) -> Iterator[tuple[int, bool]]:
        tokens = self.tokens
        seen = False
        for at in marks_of(tokens, negations=True):
            if tokens[at].text in _NOR and seen:
                continue  # goes on with what was denied before
            seen = True
            if not any(place in self.counted for place in range(at, at + 4)):
                yield at, False
        for at, token in enumerate(tokens):
            if _LACKING_PHRASES.at(tokens, at) and begins(tokens, at + 2, ("charge",)):
                continue
            if token.text in PROHIBITED or token.text in LACKING or _LACKING_PHRASES.at(tokens, at):
                yield at, True

    def _counted(self) -> Iterator[tuple[int, bool]]:
        """Return where something is counted in (`True`) or left out."""
        negated = {
            place
            for at in marks_of(self.tokens, negations=True)
            for place in range(at + 1, at + (12 if self.tokens[at].text in _NOR else 4))
        }
        for at, token in enumerate(self.tokens):
            if length := _LEFT_OUT.at(self.tokens, at):
                for place in range(at, at + length):
                    yield place, False
            elif token.text in _INCLUDED or _PART_OF.at(self.tokens, at):
                yield at, at not in negated
            elif token.text in _EXCLUDED:
                yield at, at in negated

    @cached_property
    def _claiming_places(self) -> list[int]:
        return [place for place, token in enumerate(self.tokens) if _claims(token)]

    def _claiming(self, start: int, end: int) -> list[int]:
        """Return the places of words that claim something by themselves: no modal, no "hay"."""
        return self._claiming_places[
            bisect_left(self._claiming_places, start) : bisect_left(self._claiming_places, end)
        ]

    def _parted(self, at: int, place: int) -> bool:
        stops = (";", ".", ",", "tambien", "also") if self.tokens[at].text in _WITHOUT else (";", ".")
        return any(one.text in stops for one in self.tokens[at:place])

    def says(self, other: Denials, places: Sequence[int], own: Sequence[int]) -> bool:
        """Tell whether one of `own` places of this text names what one of `places` in `other` names."""
        return any(
            alike(self.tokens[mine].text, other.tokens[place].text)
            or self.concepts[mine] & other.concepts[place]
            for mine in own
            for place in places
        )

    def speaks_of_payment(self, denial: Denial) -> bool:
        """Tell whether a denial is of payment: "sin pagar", "not paid"."""
        return any("general:pay" in self.concepts[place] for place in denial.focus)

    @cached_property
    def denying(self) -> list[int]:
        """The places of all words that deny, leave out, refuse or limit, whatever they are called."""
        found = {at for at, counted_in in self.counted.items() if not counted_in}
        found |= set(marks_of(self.tokens, negations=True, exceptions=True))
        for at, token in enumerate(self.tokens):
            if (
                token.text in _DENYING
                or _REFUSING.match(token.text)
                or REMAINDER.at(self.tokens, at)
                or _LACKING_PHRASES.at(self.tokens, at)
            ):
                found.add(at)
        return sorted(found)

    def unshared(self, other: Denials) -> list[int]:
        """Return the places of words that deny, but for those whose like stands in `other`.

        A negation is never left out: what it governs may be another thing in each text.
        """
        shared = [(one, _kind(one)) for one in (other.tokens[at].text for at in other.denying)]
        left = []
        for at in self.denying:
            text = self.tokens[at].text
            kind = _kind(text)
            match = next(
                (
                    one
                    for one in shared
                    if kind and one[1] == kind and (kind != "word" or alike(one[0], text))
                ),
                None,
            )
            if match is None:
                left.append(at)
            else:
                shared.remove(match)
        return left

    def denied(self, place: int) -> bool:
        """Tell whether a negation reaches a word in its own clause: no comma behind "if" stands between."""
        return any(
            place in (*one.focus, *one.reach)
            and not (self.conditional and any(token.text == "," for token in self.tokens[one.at : place]))
            for one in self.found
        )

    def plain(self, place: int, denying: Sequence[int]) -> bool:
        """Tell whether none of `denying` stands in the clause of the word at `place`."""
        stops = _STOPS | {","} if self.conditional else _STOPS
        first = max((at for at in range(place) if self.tokens[at].text in stops), default=-1)
        last = next(
            (at for at in range(place, len(self.tokens)) if self.tokens[at].text in stops), len(self.tokens)
        )
        return place not in self.reached and not any(first < at < last for at in denying)

    def apart(self, denying: Sequence[int]) -> set[int]:
        """Return those of `denying` that do not leave out what is counted."""
        near = {place for at in self.counted for place in range(at - 3, at + 2)}
        return set(denying) - near

    def where(self, other: Denials, places: Sequence[int]) -> list[list[int]]:
        """Return, for each of `places` of `other` that is named here, where."""
        found = [
            [own for own in self._claiming_places if self.says(other, [place], [own])] for place in places
        ]
        return [one for one in found if one]

    def has_plain(self, named: Sequence[Sequence[int]], denying: Sequence[int]) -> bool:
        """Tell whether the first word named here is affirmed wherever it is."""
        return any(all(self.plain(place, denying) for place in places) for places in named[:1])

    def in_clause(self, denial: Denial, place: int) -> bool:
        """Tell whether no "but" or "although" stands between a denial and a word behind it."""
        return not any(one.text in _TURNS for one in self.tokens[denial.at : place])

    @cached_property
    def contrasted(self) -> list[int]:
        """The places of words that a text affirms against what it denies before: "pero sí los gastos"."""
        found = []
        for at in range(1, len(self.tokens)):
            if self.tokens[at].text == "si" and self.tokens[at - 1].text in ("pero", "aunque", "mas"):
                found += self._claiming(at + 1, at + 5)[:1]
        return found

    @cached_property
    def affirmed(self) -> list[int]:
        """The places of words that claim something and that no negation reaches; of one word, the first."""
        found: dict[tuple[str, frozenset[str]], int] = {}
        for place in self._claiming_places:
            if place not in self.reached:
                found.setdefault((self.tokens[place].text, self.concepts[place]), place)
        return list(found.values())


def _claims(token: Token) -> bool:
    """Tell whether a word claims something: no function word, no modal or light verb, "hacerlo" neither."""
    if not is_content(token) or token.text in _EMPTY:
        return False
    enclitic = ENCLITIC.fullmatch(token.text)
    return not (enclitic and enclitic[1] in _EMPTY)


def disagree(said: Denials, written: Denials) -> bool | None:
    """Tell whether one text denies what the other affirms; `None` where their words do not tell.

    What is denied in one text and stands in the other counts as affirmed there only where nothing in its
    clause may deny it in other words: "free of charge" for "costs nothing", "unless" for "not if".

    Args:
        said: the statement.
        written: the words that it quotes.
    """
    ours, theirs = _unshared(said, written), _unshared(written, said)
    if not said.found and (said.limiting or said.demanding) and written.excepting:
        return False  # "only if", "not, except if"
    if _counted_otherwise(said, written, ours, theirs):
        return True
    doubtful = False
    for one in said.found:
        if written.unpaid and said.speaks_of_payment(one):
            continue
        if written.says(said, (*one.focus, *one.reach), written.left_out):
            continue  # "no paga", "queda fuera del pago"
        if not one.focus and not theirs and not written.found:
            return True  # "no es voluntario" of "es voluntario"
        if not one.focus or any(
            not other.focus or written.says(said, one.focus, (*other.focus, *other.reach))
            for other in written.found
        ):
            continue
        there = written.where(said, one.focus)
        if written.has_plain(there, theirs):
            return True
        if not there and not written.denying:
            return True
        doubtful = doubtful or not there
    if not (said.counted or said.found or ours) and any(
        said.has_plain([places], ours) for places in said.where(written, written.left_out)
    ):
        return True
    denied = [place for one in said.found for place in (*one.focus, *one.reach) if said.in_clause(one, place)]
    if written.says(said, denied, written.contrasted):
        return True  # "ni renta ni gastos" of "no se paga renta, pero sí los gastos"
    for other in written.found:
        if said.unpaid and written.speaks_of_payment(other):
            continue
        if other.without and said.demanding and any(not one.without for one in written.found):
            continue  # "may not without consent", "requires consent"
        if not other.focus:
            if not ours and not said.found:
                return True
            doubtful = doubtful or not ours
            continue
        places = [place for place in other.focus if not written.says(written, [place], written.affirmed)]
        there = said.where(written, places)
        if said.has_plain(there, ours):
            return True
        doubtful = doubtful or not (there or said.denying or other.without or other.local)
    return None if doubtful else False


def _unshared(text: Denials, other: Denials) -> list[int]:
    """Return what denies in `text` alone; "only" does where the other has an exception or a condition."""
    limited = other.excepting or other.conditional or any(one.without for one in other.found)
    return [at for at in text.unshared(other) if limited or text.tokens[at].text not in _ONLY]


def _kind(text: str) -> str:
    """Return what a word that denies can be paired with: nothing, for a negation."""
    if text in EXCEPTIONS:
        return "exception"
    if text in _ONLY:
        return "only"
    return "word" if text in _WITHOUT or text not in NEGATIONS else ""


def _counted_otherwise(said: Denials, written: Denials, ours: Sequence[int], theirs: Sequence[int]) -> bool:
    """Tell whether one text counts in what the other leaves out."""
    stated, counted = set(said.counted.values()), set(written.counted.values())
    if not stated or stated <= counted:
        return False
    if counted:
        return not (said.apart(ours) and written.apart(theirs))
    return False in stated and not theirs


def clause_breaks(folded: str, start: int = 0) -> list[int]:
    """Return the offsets at which a clause of `folded` begins, counted from `start`."""
    return [match.end() + start for match in CLAUSE_END.finditer(folded)]
