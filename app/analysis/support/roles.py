"""What a clause says that a value or a name is: the price, the end date, at most, the first, the landlord.
Pure.

Source: decisions 13: a role given to a value stands in the same clause with no other candidate between.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from app.analysis.support.grammar import MAY, MUST, Phrases, begins
from app.analysis.support.quotation import Document
from app.analysis.support.words import Token, Value, concepts_of, is_content, word_set

_AT_MOST = Phrases(
    ("hasta",),
    ("up", "to"),
    ("como", "maximo"),
    ("maximo",),
    ("maxima",),
    ("maximum",),
    ("tope",),
    ("no", "mas"),
    ("at", "most"),
    ("not", "more"),
    ("limite",),
    ("capped",),
    ("cap",),
    ("no", "superior"),
    ("superar",),
    ("exceder",),
    ("exceda",),
    ("supere",),
    ("exceed",),
    ("exceeding",),
)
_LEAST_BEHIND = Phrases(
    ("como", "minimo"), ("al", "menos"), ("por", "lo", "menos"), ("minimo",), ("at", "least")
)
_MOST_BEHIND = Phrases(("como", "maximo"), ("a", "lo", "sumo"), ("at", "most"))
_AT_LEAST = Phrases(
    ("al", "menos"),
    ("como", "minimo"),
    ("minimo",),
    ("minima",),
    ("minimum",),
    ("at", "least"),
    ("no", "menos"),
    ("not", "less"),
    ("no", "inferior"),
    ("less", "than"),
)
ROLE_KINDS: dict[str, tuple[str, ...]] = {
    "money": ("money:",),
    "percent": ("money:",),
    "period": ("time:",),
    "date": ("time:",),
    "number": (),
}
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
        return {c for c in concepts[place] if c.startswith(kinds)}

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
        if tokens[place].end <= left:
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
    """Return whether a figure is a ceiling (`most`) or a floor (`least`), by the words beside it."""
    before = [one for one in tokens if one.end <= value.start][-5:]
    for at in range(len(before) - 1, -1, -1):
        if before[at].kind == "number" or before[at].text in (",", ";", "."):
            break
        if _AT_LEAST.at(before, at):
            return "least"
        if _AT_MOST.at(before, at):
            return "" if before[at].text == "hasta" and value.kind == "period" else "most"
    behind = [one for one in tokens if one.start >= value.end][:4]
    for at in range(len(behind)):
        if behind[at].kind == "number":
            break
        if _LEAST_BEHIND.at(behind, at):
            return "least"
        if _MOST_BEHIND.at(behind, at):
            return "most"
    return ""


def contexts_of(tokens: Sequence[Token], values: Sequence[Value]) -> list[tuple[Value, list[Token]]]:
    """Return the words that stand with each value, from one break to the next.

    Between two values of one kind the first comma, semicolon or "and" is the break; where there is none,
    the words belong to the second.
    """
    found: list[tuple[Value, list[Token]]] = []
    for kind in {one.kind for one in values}:
        same = [one for one in values if one.kind == kind]
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
            found.append((value, words))
    return found


def is_dateline(tokens: Sequence[Token], value: Value) -> bool:
    """Whether a sentence is place and day alone: "En Valladolid, a 15 de marzo de 2026"."""
    rest = [one for one in tokens if one.kind == "word" and not value.start <= one.start < value.end]
    return len(rest) <= 6 and all(one.start < value.start for one in rest) and bool(rest)


_BREAKS = frozenset({",", ";", ".", "y", "e", "and", "pero", "but", "mientras", "while"})
_RANKS = {
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


def ranks_of(tokens: Sequence[Token], value: Value, values: Sequence[Value]) -> set[int]:
    """The ranks ("first", "segundo") that belong to a value: none of its kind stands nearer to them."""
    same = [one for one in values if one.kind == value.kind]
    found: set[int] = set()
    for token in tokens:
        if token.text not in _RANKS or value.start <= token.start < value.end:
            continue
        nearest = min(
            same, key=lambda one: min(abs(one.start - token.end), abs(token.start - one.end)), default=None
        )
        if nearest is not None and (nearest.start, nearest.end) == (value.start, value.end):
            found.add(_RANKS[token.text])
    return found


def _range_role(tokens: Sequence[Token], at: int) -> set[str]:
    """The role of a date that a preposition alone gives it: "del 1 de marzo al 30 de abril"."""
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
