"""Read a clause in another order, or with its denial in front, that says the same. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from app.analysis.support.grammar import CONDITIONS, EXCEPTIONS, MAY, PROVISOS, is_verb
from app.analysis.support.sentence_units import AND, ARTICLES, OR, PREPOSITIONS
from app.analysis.support.words import Token, is_content, is_unit

_TIMES: Final = frozenset({"durante", "during", "tras", "after", "before", "antes", "hasta", "until"})
_OPENING: Final = frozenset({"si", "if", "que"})
# So far on an adjunct may end that a clause begins with.
_LEAD: Final = 16
_SUBJECT_ENDS: Final = 2


def adjunct_last_at_noun(half: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield a clause with the adjunct that it begins with, without a comma, at its end.

    "Desde el tercer año la cuota sube": the adjunct ends where a noun with its article follows a noun.
    """
    if not half or half[0].text not in (PREPOSITIONS | _TIMES) - _OPENING:
        return
    for at in range(2, min(len(half) - 1, _LEAD)):
        before = half[at - 1]
        if before.text in (",", ";", ":") or is_verb(before):
            return
        if half[at].text in ARTICLES and (is_content(before) or before.kind != "word" or is_unit(before)):
            yield [*half[at:], *half[:at]]


def with_adjunct_last(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield a statement as it is, and with its first adjunct at its end where it says one thing."""
    yield list(tokens)
    if any(one.text in AND or one.text in OR for one in tokens):
        return
    for moved in (adjunct_last(tokens), *adjunct_last_at_noun(tokens)):
        if moved:
            yield moved


def denied_half(half: Sequence[Token]) -> list[Token]:
    """Return "A may do X, but not Y" as "A may not do X, and Y"; empty for another clause."""
    at = next(
        (
            place
            for place in range(1, len(half) - 2)
            if half[place].text in ("pero", "but") and half[place + 1].text in ("no", "not")
        ),
        None,
    )
    if at is None or is_verb(half[at + 2]):
        return []
    verb = next((place for place in range(at) if half[place].text in MAY or is_verb(half[place])), None)
    if verb is None:
        # "La cuota incluye los filtros, pero no el gasóleo": a word between two nouns with articles.
        verb = next(
            (
                place
                for place in range(1, at - 1)
                if half[0].text in ARTICLES
                and place == _SUBJECT_ENDS
                and half[place].kind == "word"
                and half[place].text not in PREPOSITIONS | AND | OR
                and half[place + 1].text in ARTICLES
            ),
            None,
        )
    if verb is None:
        return []
    denial, joint = half[at + 1], half[at]._replace(text="y" if half[at].text == "pero" else "and")
    before = list(half[:at])
    while before and before[-1].text == ",":
        before.pop()
    cut = verb if denial.text == "no" else verb + 1
    return [*before[:cut], denial, *before[cut:], joint, *half[at + 2 :]]


def conditional(tokens: Sequence[Token]) -> bool:
    """Tell whether words set a condition or make an exception."""
    return bool(CONDITIONS.places(tokens)) or excepting(tokens)


def excepting(tokens: Sequence[Token]) -> bool:
    """Tell whether words except something, or hold only on a condition."""
    return (
        any(one.text in EXCEPTIONS for one in tokens)
        or bool(PROVISOS.places(tokens))
        or bool(CONDITIONS.places(tokens))
    )


def begins(tokens: Sequence[Token], phrases: Sequence[Sequence[str]]) -> bool:
    """Tell whether tokens begin with one of the phrases."""
    return any(tuple(one.text for one in tokens[: len(phrase)]) == tuple(phrase) for phrase in phrases)


def condition_first(half: Sequence[Token]) -> list[Token]:
    """Return a clause with the condition or exception that it ends with before it: "Unless …, A shall"."""
    last = next((at for at in range(len(half) - 1, 0, -1) if half[at].text == ","), None)
    if last is None:
        return []
    behind = half[last + 1 :]
    if not behind or not (behind[0].text in EXCEPTIONS or CONDITIONS.at(behind, 0) or PROVISOS.at(behind, 0)):
        return []
    return [*behind, half[last], *half[:last]]


def adjunct_last(half: Sequence[Token]) -> list[Token]:
    """Return a clause with the adjunct that it begins with at its end; empty where it begins otherwise."""
    if not half or half[0].text not in PREPOSITIONS | {"si", "if", "salvo", "unless", "excepto", "except"}:
        return []
    comma = next((at for at, one in enumerate(half) if one.text == ","), None)
    verb = next((at for at, one in enumerate(half) if is_verb(one)), None)
    cut = comma if comma is not None else verb
    if comma is not None and verb is not None and verb < comma and half[0].text in PREPOSITIONS:
        cut = verb
    if cut is None or cut == 0:
        return []
    rest = list(half[cut + 1 :] if half[cut].text == "," else half[cut:])
    return [*rest, *half[:cut]]
