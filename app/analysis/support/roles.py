"""Find what a clause says that a value or a name is: the price, at most, the first, the landlord. Pure.

Source: decision 013: a role given to a value stands in the same clause with no other candidate between.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from app.analysis.support.grammar import MAY, MUST, NEGATIONS, Phrases, begins
from app.analysis.support.quotation import Document
from app.analysis.support.words import Token, Value, concepts_of, is_content, word_set

_AT_MOST = Phrases(
    ("hasta",), ("up", "to"), ("como", "maximo"), ("como", "mucho"),
    ("a", "lo", "sumo"), ("maximo",), ("maxima",), ("maximum",), ("tope",),
    ("at", "most"), ("limite",), ("limita",), ("limitada",), ("limitado",), ("limited", "to"), ("capped",),
    ("cap",), ("ceiling",), ("techo",),
)  # fmt: skip
_MORE_THAN = Phrases(
    ("superar",), ("supera",), ("superan",), ("supere",), ("superara",), ("superior",), ("superiores",),
    ("exceder",), ("exceda",), ("excede",), ("excedan",), ("excedera",), ("excedido",), ("exceed",),
    ("exceeds",), ("exceeding",), ("mas", "de"), ("mas", "del"), ("beyond",), ("more", "than"),
    ("above",), ("over",), ("pasa", "de"),
    ("pase", "del"), ("pasara", "de"), ("pasara", "del"), ("pasa", "del"), ("pasar", "del"),
    ("pase", "de"), ("pasar", "de"), ("mayor",), ("mayores",), ("greater",), ("higher",), ("longer",),
    ("rebase",), ("rebasar",), ("mas", "alla"), ("por", "encima"), ("not", "more"), ("no", "mas"),
)  # fmt: skip
_LESS_THAN = Phrases(
    ("menos", "de"), ("less", "than"), ("fewer",), ("inferior",), ("inferiores",), ("below",), ("menor",),
    ("menores",), ("under",), ("por", "debajo"), ("bajar", "de"), ("baja", "de"), ("lower",), ("shorter",),
    ("no", "menos"), ("not", "less"), ("no", "less"),
)  # fmt: skip
_AT_LEAST = Phrases(
    ("al", "menos"), ("como", "minimo"), ("minimo",), ("minima",), ("minimum",), ("at", "least"),
    ("cuando", "menos"), ("por", "lo", "menos"),
)  # fmt: skip
_LEAST_BEHIND = Phrases(
    ("como", "minimo"), ("al", "menos"), ("por", "lo", "menos"), ("minimo",), ("at", "least"),
    ("o", "mas"), ("or", "more"), ("as", "a", "minimum"),
)  # fmt: skip
_MOST_BEHIND = Phrases(
    ("como", "maximo"), ("a", "lo", "sumo"), ("at", "most"), ("como", "mucho"), ("maximo",),
    ("as", "a", "maximum"),     ("or", "less"), ("o", "menos"),
)  # fmt: skip
_BEFORE = frozenset({"antes", "before", "antelacion", "anticipacion", "advance", "ahead"})
ROLE_KINDS: dict[str, tuple[str, ...]] = {
    "money": ("money:",),
    "percent": ("money:",),
    "period": ("time:",),
    "date": ("time:",),
    "number": (),
}
# A figure is repeated in words within so many signs.
_REPEATED_WITHIN = 14
# What a period may be for; other marks of time beside it say what it is counted from.
_PERIOD_ROLES = frozenset(f"time:{name}" for name in word_set("names_of_periods"))
# So many words before it, a word no longer says what a period is for.
_PERIOD_NEAR = 8
# Words of a bound, which is compared with the figure that they stand beside.
BOUND_RATES = frozenset({"rate:at_most", "rate:at_least"})
_NEUTRAL_ROLES = frozenset({"money:cap", "money:balance_due", "money:share"})


def governing_roles(
    tokens: Sequence[Token],
    concepts: Sequence[frozenset[str]],
    at: int,
    value: Value,
    values: Sequence[Value],
) -> set[str]:
    """Return the roles that the words nearest to a value give it."""
    kinds = ROLE_KINDS[value.kind]
    if not kinds:
        return set()
    last = at
    while last + 1 < len(tokens) and tokens[last + 1].start < value.end:
        last += 1
    others = [
        one
        for one in values
        if one.kind == value.kind
        and (one.end <= value.start or one.start >= value.end)
        and not (one.figure == value.figure and one.days == value.days)
    ]
    left = max((one.end for one in others if one.end <= value.start), default=-1)
    right = min((one.start for one in others if one.start >= value.end), default=10**9)

    def roles(place: int) -> set[str]:
        if tokens[place].text == "principal" and concepts[place] & {"party:principal_party"}:
            before = tokens[place - 1].text if place else ""
            if before in ("the", "el", "la", "del", "al"):
                return set()  # a party is called so
        if tokens[place].text in ("cost", "costs") and place + 1 < len(tokens):
            following = tokens[place + 1]
            if place + 1 == at or following.text in ("the", "a", "an", "eur", "gbp", "usd"):
                return set()  # "costs 95 euros"
        named = {c for c in concepts[place] if c.startswith(kinds)}
        return named & _PERIOD_ROLES if value.kind == "period" else named

    # "815 euros en concepto de fianza", "1,200 euros as a deposit"
    ahead = [place for place in range(last + 1, len(tokens)) if tokens[place].start < right][:18]
    strong = [
        place
        for place in ahead
        if begins(tokens, place, ("en", "concepto"))
        or begins(tokens, place, ("a", "titulo"))
        or tokens[place].text in ("como", "as")
    ]
    if strong and strong[0] - last <= 12 and value.kind in ("money", "percent"):
        for place in ahead:
            if place > strong[0] and roles(place):
                return roles(place)
    if (
        value.kind == "money"
        and ahead
        and tokens[ahead[0]].text in ("de", "of", "por", "for")
        and len(ahead) > 1
    ):
        for place in ahead[1:3]:
            if roles(place) and not roles(place) <= {"money:tax"}:
                return roles(place)
    if value.kind == "period":
        # "siete días de antelación", "four months' written notice"
        for place in ahead[:4]:
            if tokens[place].text in (",", ";", ".", "(") or tokens[place].text in MUST | MAY:
                break
            if roles(place) & {
                "time:notice",
                "time:renewal",
                "time:probation",
                "time:vacation",
                "time:warranty",
            }:
                return roles(place)
    if value.kind == "date":
        ranged = _range_role(tokens, at)
        if ranged:
            return ranged
    behind: set[str] = set()
    for place in range(at - 1, -1, -1):
        if tokens[place].end <= left or (value.kind == "period" and at - place > _PERIOD_NEAR):
            break
        if tokens[place].text == ";":
            break
        found = roles(place)
        if found - _NEUTRAL_ROLES - {"money:tax"}:
            behind |= found
            break
        behind |= found
    if behind:
        return behind
    for place in ahead[:8] if value.kind != "period" else ():
        if tokens[place].text in ("del", "of", "sobre") and value.kind == "percent":
            break  # what a percentage is of is not what it is for
        if tokens[place].text in ("con", "with", "unless", "salvo"):
            break
        if roles(place) - {"money:tax"}:  # "plus VAT" names no amount
            return roles(place)
    return set()


_CALLED = word_set("called")
_AS = frozenset(["como", "as", "calidad", "condicion", "capacity", "parte"])


def part_beside(document: Document, start: int, end: int) -> set[str]:
    """Return the part given to a name: "como arrendadora, doña A", "A (en adelante, la Arrendadora)"."""
    first, last = document.sentence(start, end)
    last = min(max(last, end), end + 400)
    ahead = [one for one in document.tokens(end, last) if one.start >= end][:45]
    for at, one in enumerate(ahead):
        opened = (
            one.text in ('"', "“", "«", "(")
            and at + 2 < len(ahead)
            and ahead[at + 1].text in ("the", "el", "la", '"', "“")
        )
        if one.text in _CALLED or opened:
            for place in range(at, min(at + 8, len(ahead))):
                parts = _party_concepts(ahead[place])
                if parts:
                    return parts
        if one.text in ("otra", "other") or (one.text in ("don", "dona") and at):
            break
    before = [one for one in document.tokens(max(first - 80, 0), start) if one.end <= start][-14:]
    for place in range(len(before) - 1, -1, -1):
        parts = _party_concepts(before[place])
        if parts:
            adjacent = (
                len(before) - place <= 4
                or before[place + 1].text in (":", ".")
                or any(one.text in _AS for one in before[max(0, place - 3) : place])
            )
            return parts if adjacent else set()
    for at, one in enumerate(ahead[:4]):
        if _party_concepts(one) and any(other.text in _AS or other.text == "," for other in ahead[:at]):
            return _party_concepts(one)
    return set()


def _party_concepts(token: Token) -> set[str]:
    return {c.removeprefix("party:") for c in concepts_of([token])[0] if c.startswith("party:")} - {
        "both",
        "third",
    }


def bound_of(tokens: Sequence[Token], value: Value) -> str:
    """Return what the words beside a figure make of it: `most`, `least`, `more`, `less`, or nothing.

    A period within which something is to be done is a ceiling whether or not that is said.
    """
    before = [one for one in tokens if one.end <= value.start][-9:]
    behind = [one for one in tokens if one.start >= value.end][:4]
    found = _bound_before(before)
    if not found:
        for at in range(len(behind)):
            if behind[at].kind == "number" or (
                behind[at].text == ","
                and not (at + 1 < len(behind) and behind[at + 1].text in ("como", "as", "at"))
            ):
                break
            if _LEAST_BEHIND.at(behind, at):
                found = "least"
                break
            if _MOST_BEHIND.at(behind, at):
                found = "most"
                break
    if value.kind == "period" and found == "most":
        return ""
    if value.kind == "period" and not found and _NO_LATER.places(before[-4:]):
        return "least" if any(one.text in _BEFORE for one in behind) else ""
    return found


_BOUND_NEAR = 7
_PAID = re.compile(r"pag|abon|paid|pay")
_BESIDE_ONLY = frozenset({"over", "above", "under", "below"})
# "Pero no si supera los 500": the negation is not of the comparison.
_OPENS_CONDITION = frozenset({"si", "if", "cuando", "when", "que", "that"})
_NO_LATER = Phrases(("no", "later"), ("not", "later"), ("a", "mas", "tardar"), ("no", "mas", "tarde"))


def _bound_before(before: Sequence[Token]) -> str:
    near = len(before) - _BOUND_NEAR
    for at in range(len(before) - 1, -1, -1):
        if before[at].text in (";", "."):
            break
        if before[at].kind == "number":
            if not any(one.text in ("y", "and") for one in before[at:]):
                break
            near = at - _BOUND_NEAR  # "al menos 140.000 el primer año y 165.000 el segundo": of both
        if before[at].text == "," and len(before) - at > 2:
            break
        if at < near and not _MORE_THAN.at(before, at):
            continue
        opened = max(
            (
                place
                for place in range(at)
                if before[place].text in _OPENS_CONDITION and not (place and before[place - 1].text == "sin")
            ),
            default=0,
        )
        if before[at].text in _BESIDE_ONLY and len(before) - at > 2:
            continue  # "hand over a guarantee of 900 euros"
        negated = any(
            before[place].text in NEGATIONS
            and not (
                before[place].text in ("sin", "without")
                and place + 2 < at
                and before[place + 1].text != "que"
            )
            and not (
                place + 1 < at
                and before[place].text in ("sin", "without")
                and _PAID.match(before[place + 1].text)
            )
            for place in range(opened, at + 1)
        )
        if _AT_LEAST.at(before, at):
            return "least"
        if _MORE_THAN.at(before, at):
            return "most" if negated else "more"
        if _LESS_THAN.at(before, at) and not any(one.text == "lo" for one in before[at : at + 4]):
            return "least" if negated else "less"
        if _AT_MOST.at(before, at):
            return "most"
    return ""


def without_repeats(values: Sequence[Value]) -> list[Value]:
    """Leave out a value that repeats the one before in other signs: "900 euros (nine hundred)"."""
    found: list[Value] = []
    for one in values:
        last = found[-1] if found else None
        if (
            last is not None
            and one.start - last.end <= _REPEATED_WITHIN
            and one.kind == last.kind
            and (one.figure, one.days) == (last.figure, last.days)
        ):
            continue
        found.append(one)
    return found


def without_equivalents(values: Sequence[Value], tokens: Sequence[Token]) -> list[Value]:
    """Leave out a value that reckons the one before otherwise: "es decir, 624 euros al año"."""
    marks = [tokens[at].start for at in _THAT_IS.places(tokens)]
    found: list[Value] = []
    for one in values:
        last = found[-1] if found else None
        if last is not None and any(last.end <= mark < one.start for mark in marks) and one.kind == last.kind:
            continue
        found.append(one)
    return found


_THAT_IS = Phrases(
    ("es", "decir"), ("esto", "es"), ("o", "sea"), ("that", "is"), ("i", ".", "e"), ("equivalente", "a"),
    ("equivalentes", "a"), ("lo", "que", "supone"), ("lo", "que", "hace"), ("equivalent", "to"),
)  # fmt: skip


def contexts_of(tokens: Sequence[Token], values: Sequence[Value]) -> list[tuple[Value, list[Token]]]:
    """Return the words that stand with each value, from one break to the next.

    Between two values of one kind the first comma, semicolon or "and" is the break; where there is none,
    the words belong to the second.
    """
    found: list[tuple[Value, list[Token]]] = []
    for kind in {one.kind for one in values}:
        same = without_equivalents(without_repeats([one for one in values if one.kind == kind]), tokens)
        breaks = [-1]
        for first, second in pairwise(same):
            between = [one for one in tokens if first.end <= one.start < second.start]
            cut = next((one.start for one in between if one.text in _BREAKS), first.end)
            breaks.append(cut)
        breaks.append(10**9)
        for at, value in enumerate(same):
            words = [
                one
                for one in tokens
                if breaks[at] <= one.start < breaks[at + 1]
                and is_content(one)
                and not any(other.start <= one.start < other.end for other in values)
            ]
            if at and found[-1][0] is same[at - 1] and not any(one.end <= value.start for one in words):
                # "por A y por B": what stands before the first is said of both.
                words = [*(one for one in found[-1][1] if one.end <= same[at - 1].start), *words]
            words.sort(key=lambda one: min(abs(one.start - value.end), abs(value.start - one.end)))
            found.append((value, words[:_NEAREST]))
    return found


def is_dateline(tokens: Sequence[Token], value: Value) -> bool:
    """Tell whether a sentence is place and day alone: "En Valladolid, a 15 de marzo de 2026"."""
    rest = [one for one in tokens if one.kind == "word" and not value.start <= one.start < value.end]
    return len(rest) <= 6 and all(one.start < value.start for one in rest) and bool(rest)


# So many words beside a value say what it is.
_NEAREST = 5
_BREAKS = frozenset({",", ";", ".", "y", "e", "and", "pero", "but", "mientras", "while"})
RANKS = {
    word: number
    for number, words in enumerate(
        (
            "primer primera primero first inicial initial",
            "segundo segunda second",
            "tercer tercera tercero third",
            "cuarto cuarta fourth",
            "quinto quinta fifth",
            "sexto sexta sixth",
            "ultimo ultima last final",
        ),
        1,
    )
    for word in words.split()
}


LAST = RANKS["last"]


def ranks_of(tokens: Sequence[Token], value: Value, values: Sequence[Value]) -> set[int]:
    """Return the ranks ("first", "segundo") of a value: none of its kind stands nearer to them."""
    same = [one for one in values if one.kind == value.kind]
    found: set[int] = set()
    for token in tokens:
        if token.text not in RANKS or value.start <= token.start < value.end:
            continue
        nearest = min(
            same, key=lambda one: min(abs(one.start - token.end), abs(token.start - one.end)), default=None
        )
        if nearest is not None and (nearest.start, nearest.end) == (value.start, value.end):
            found.add(RANKS[token.text])
    return found


def _range_role(tokens: Sequence[Token], at: int) -> set[str]:
    """Return the role of a date that a preposition alone gives it: "del 1 de marzo al 30 de abril"."""
    place = at - 1
    while place >= 0 and tokens[place].text in ("el", "dia", "the", "and", "including"):
        place -= 1
    word = tokens[place].text if place >= 0 else ""
    if word in ("hasta", "until", "till", "through") or (
        word in ("al", "to", "a")
        and any(one.text in ("del", "desde", "from", "de") for one in tokens[max(0, place - 10) : place])
    ):
        return {"time:end"}
    if word in ("desde", "from") or (
        word == "del" and any(one.text in ("al", "hasta") for one in tokens[at : at + 10])
    ):
        return {"time:start"}
    return set()
