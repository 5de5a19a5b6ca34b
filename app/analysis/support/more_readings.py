"""Read what is ordered, and the second of two like parts, as a sentence of its own. Pure.

Source: decision 130. "Requerir a A para que acredite X" is a duty of A; "ten days in the first year and
fifteen in the second" is also a sentence about the second year.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from app.analysis.support.grammar import begins, is_verb
from app.analysis.support.sentence_units import ARTICLES, COMPANY_FORMS, PREPOSITIONS
from app.analysis.support.words import Token, Value

_ORDERING: Final = frozenset(
    {
        "requerir",
        "requiere",
        "requerira",
        "se_requiere",
        "requerimos",
        "ordenar",
        "ordena",
        "condenar",
        "condena",
        "condenamos",
    }
)
_SO_THAT: Final = ("para", "que")
_LONGEST_NAME: Final = 8
_FAR: Final = 12
_BEHALF: Final = (
    ("en", "nombre", "de"), ("en", "nombre", "y", "representacion", "de"), ("en", "representacion", "de"),
    ("on", "behalf", "of"),
)  # fmt: skip
_AND: Final = frozenset({"y", "and"})


def ordered(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield "Requerir a A para que (, P,) haga X" as "A debe haga X P" and "A debe haga P X"."""
    if len(tokens) < _LONGEST_NAME or tokens[0].text not in _ORDERING or tokens[1].text not in ("a", "al"):
        return
    stop = next(
        (
            at
            for at in range(2, min(len(tokens) - 2, _LONGEST_NAME + 2))
            if (tokens[at].text, tokens[at + 1].text) == _SO_THAT
        ),
        None,
    )
    if stop is None:
        return
    duty = tokens[0]._replace(text="debe")
    rest = list(tokens[stop + 2 :])
    name = list(tokens[2:stop])
    adjunct: list[Token] = []
    if rest and rest[0].text == ",":
        end = next((at for at in range(1, len(rest)) if rest[at].text == ","), None)
        if end is None:
            return
        adjunct, rest = rest[1:end], rest[end + 1 :]
    yield [*name, duty, *rest, *adjunct]
    for at in range(1, min(len(rest), _LONGEST_NAME)):
        if rest[at].text in ("el", "la", "los", "las") and adjunct:
            yield [*name, duty, *rest[:at], *adjunct, *rest[at:]]


def in_the_name_of(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield "A, en nombre de B, hace X" as "B hace X"."""
    for at in range(1, min(len(tokens) - 4, _FAR)):
        length = next((len(one) for one in _BEHALF if begins(tokens, at + 1, one)), 0)
        if tokens[at].text != "," or not length or any(is_verb(one) for one in tokens[:at]):
            continue
        start = at + 1 + length
        comma = next(
            (
                place
                for place in range(start + 1, len(tokens) - 1)
                if tokens[place].text == "," and tokens[place + 1].text not in COMPANY_FORMS
            ),
            None,
        )
        if comma is None or comma - start > _FAR:
            return
        yield [*tokens[start:comma], *tokens[comma + 1 :]]
        return


def thing_first(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield "Se aprueban las cuentas con X" as "las cuentas se aprueban con X", as English has it."""
    start = next((at for at, one in enumerate(tokens[: 2 * _FAR]) if one.text == "se"), None)
    if (
        start is None
        or start + 2 >= len(tokens)
        or (start and tokens[start - 1].text not in (",", "le", "no"))
    ):
        return
    while start and tokens[start - 1].text in ("le", "no"):
        start -= 1
    verb = start + next(place for place, one in enumerate(tokens[start:]) if one.text == "se") + 1
    while tokens[verb].text in ("le", "les", "lo", "la") and verb + 2 < len(tokens):
        verb += 1
    if verb + 1 < len(tokens) and tokens[verb + 1].text not in ARTICLES and tokens[verb + 1].figure is None:
        return
    for end in range(verb + 2, len(tokens) + 1):
        if end < len(tokens) and tokens[end].text not in PREPOSITIONS - {"de", "del"} | {","}:
            continue
        yield [*tokens[:start], *tokens[verb + 1 : end], *tokens[start : verb + 1], *tokens[end:]]
        if end < len(tokens) and tokens[end].text == ",":
            return


def of_second(tokens: Sequence[Token], values: Sequence[Value]) -> Iterator[list[Token]]:
    """Yield "V ten days of N in A and fifteen in B" as "V fifteen days of N in B"."""
    for at, one in enumerate(tokens[:-2]):
        if one.text not in _AND:
            continue
        second = next((value for value in values if value.start == tokens[at + 1].start), None)
        if second is None:
            continue
        first = next(
            (
                value
                for value in reversed(values)
                if value.end <= one.start and value.kind == second.kind and value.unit == second.unit
            ),
            None,
        )
        if first is None:
            continue
        lead = [other for other in tokens if other.end <= first.start]
        middle = [other for other in tokens if first.end <= other.start < one.start]
        behind = [other for other in tokens if other.start >= second.end]
        own = [other for other in tokens if second.start <= other.start < second.end]
        if not lead or not behind or behind[0].text not in PREPOSITIONS:
            continue
        places = [place for place, other in enumerate(middle) if other.text == behind[0].text]
        if len(places) != 1 or any(other.kind == "mark" or is_verb(other) for other in middle):
            continue
        if any(other.kind == "mark" or is_verb(other) for other in behind):
            continue
        yield [*lead, *own, *middle[: places[0]], *behind]
