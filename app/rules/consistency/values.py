"""Find clauses of one contract that say different things of the same matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.rules.consistency.fault import Fault
from app.rules.document import Document, Span, compile_pattern
from app.rules.facts.context import of_earlier_relation
from app.rules.facts.money.amounts import Amount
from app.rules.render import wording
from app.rules.rulebook.quantities import Quantity, find_quantities
from app.rules.rulebook.schema import Term
from app.text.bilingual import Bilingual
from app.text.sentences import FoldedText

# A value that holds for a time, a case or a part is no rival of another.
_QUALIFIED = compile_pattern(
    "\\b(a partir del?|desde el (primer|segund|tercer)|primer(a|os)?|segund[oa]s?|tercer[oa]?|hasta|si|"
    "cuando|salvo|excepto|"
    "en caso|caso de|durante (los|las|el)|maxim[oa]|minim[oa]|adicional(es)?|anterior(es)?|cada|"
    "prorroga(s|do)?|parcial|"
    "actualiza[a-z]*|incremento|sustituid[oa]s?|sin efecto|sin valor|provisional(es)?|orientativ[oa]|"
    "anunci[a-z]*|"
    "desde el [0-9]|pasa(ra)? a ser|(se )?extingui[a-z]*|finaliz[a-z]*|jornada completa|"
    "tiempo completo|contrato de [0-9]|con un salario|evaluation|trial|de referencia|valor contractual|"
    "oferta|superseded|quotation|from the|after|if|when|unless|except|in "
    "case|during|maximum|minimum|"
    "additional|previous|"
    "each|renew[a-z]*|extension|first|second|third|up to)\\b"
)
_BESIDE = 30  # characters


def find_contradictions(
    document: Document, source: FoldedText, amounts: Sequence[Amount], terms: Sequence[Term], kind: str
) -> Iterator[Fault]:
    """Yield matters of which two clauses state different values."""
    yield from _rivals(
        document, source, amounts, [term for term in terms if term.single and kind in term.kinds], kind
    )


def _rivals(
    document: Document, source: FoldedText, amounts: Sequence[Amount], terms: Sequence[Term], kind: str
) -> Iterator[Fault]:
    for term in terms:
        stated: list[Quantity] = []
        for clause in _clauses_of(document, term):
            earlier = of_earlier_relation(source, clause.start, contract=True)
            if earlier or document.find(_QUALIFIED, clause.start, clause.end) is not None:
                continue
            part = Document(document.text[clause.start : clause.end])
            inside = [
                _moved(item, clause.start) for item in amounts if clause.start <= item.start < clause.end
            ]
            found = find_quantities(part, inside, [term], kind).get(term.id)
            if found is None or not _beside(part, term, found.span):
                continue
            if not any(_same(found, other) for other in stated):
                stated.append(_placed(found, clause.start))
        if len(stated) == 2 and not _far_apart(*stated):
            one, other = stated
            named = Bilingual(*(wording.sentence(name).rstrip(".") for name in (term.name.es, term.name.en)))
            yield Fault(
                "rival",
                "medium",
                Bilingual(
                    es=f"{named.es}: una cláusula dice {wording.quantity(one, 'es')} y otra, "
                    f"{wording.quantity(other, 'es')}.",
                    en=f"{named.en}: one clause says {wording.quantity(one, 'en')} and another "
                    f"{wording.quantity(other, 'en')}.",
                ),
                Bilingual(
                    es="Aclarar cuál prevalece; la oscuridad no favorece a quien la causó (art. 1288 CC).",
                    en="Settle which prevails; obscurity does not favour the party who caused it.",
                ),
                (one.span, other.span),
            )


def _clauses_of(document: Document, term: Term) -> list[Span]:
    """Return the sentences in which a term is named, each once."""
    found = dict.fromkeys(
        document.sentence(span)
        for label in term.labels
        for span in document.find_all(label.compiled, limit=8)
    )
    return [
        one
        for one in found
        if not any(document.find(pattern.compiled, one.start, one.end) for pattern in term.unless)
    ]


def _beside(part: Document, term: Term, value: Span) -> bool:
    """Return whether a value stands beside the words that name it: what is far from them may be another's."""
    labels = (span for label in term.labels for span in part.find_all(label.compiled, limit=4))
    return any(value.start - _BESIDE <= one.end and one.start <= value.end + _BESIDE for one in labels)


def _same(one: Quantity, other: Quantity) -> bool:
    """Return whether two values are the same, or cannot be compared."""
    if one.currency != other.currency or one.period != other.period or one.working != other.working:
        return True
    if one.number is not None and other.number is not None:
        return (
            one.months == other.months
            if {one.unit, other.unit} <= {"month", "year"}
            else one.value == other.value
        )
    return one.value == other.value


def _far_apart(one: Quantity, other: Quantity) -> bool:
    """Return whether two values are so different that they must be of different things."""
    return max(one.value, other.value) > 3 * min(one.value, other.value)


def _moved(item: Amount, start: int) -> Amount:
    return replace(item, start=item.start - start, end=item.end - start)


def _placed(item: Quantity, start: int) -> Quantity:
    return replace(item, span=Span(item.span.start + start, item.span.end + start))
