"""Write the amounts of a document as statements, each by the name that its words bear out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from app.rules.document import Span
from app.rules.draft import Family, Lock, Section, Statement
from app.rules.facts.certainty import has_rivals, is_sure_amount
from app.rules.facts.context import bound_before, of_earlier_relation
from app.rules.facts.document_facts import Facts
from app.rules.facts.money.amounts import Amount
from app.rules.facts.provided import law_says, measures, names_law, of_something_else, row_ending
from app.rules.render import wording
from app.rules.render.stated_facts import of_amount, sum_of
from app.rules.render.telling_words import AWARDED, PAY, VALUED, YEAR_BEHIND, beside_other_sum, rate_period
from app.rules.rulebook.quantities import Quantity
from app.rules.rulebook.schema import Term
from app.text.bilingual import Bilingual, Language, pick

_PLAIN_PURPOSES = frozenset({"claim", "principal", "salary", "compensation", "tax", "expenses"})
_ONCE = frozenset({"deposit", "guarantee"})
_BASES = frozenset({"salary", "rent", "price", "principal"})  # what a percentage is one of
_NEVER_VALUED = frozenset({"principal", "price", "rent", "capital", "claim_value"})
_CLAUSE_QUOTE = 140  # enough to find the clause; the risks quote what matters in full


class AmountWriter:
    """Writer of statements about the amounts of one document in one language."""

    def __init__(self, facts: Facts, language: Language, family: Family) -> None:
        self._facts = facts
        self._language = language
        self._family = family
        self._contract = family in ("contract", "unknown")
        self._abroad = facts.source.jurisdiction[:2] != "ES"

    def write(self, quantities: Mapping[str, Quantity], terms: Iterable[Term]) -> Iterator[Statement]:
        """Yield one statement for each different amount and purpose.

        It is named as the rules name it, if they do.
        """
        names = {term.id: term.name for term in terms}
        # Where two terms name the same sum, the first of the rule files is the one it is known by.
        named = [quantity for quantity in quantities.values() if quantity.term in names]
        known = {quantity.span: quantity.term for quantity in reversed(named)}
        told = list(self._each(names, known))
        # "Importe: 900 €" is no second sum beside "Mínimo garantizado: 900 €".
        sums = {sum_of(facts) for facts in (one.facts for one in told) if facts["role"] != "other"}
        yield from (one for one in told if one.facts["role"] != "other" or sum_of(one.facts) not in sums)

    def _each(self, names: Mapping[str, Bilingual], known: Mapping[Span, str]) -> Iterator[Statement]:
        seen: set[tuple[object, ...]] = set()
        source = self._facts.source
        for item in self._facts.amounts:
            if not item.value or (not source.foreign and self._of_others(item)):
                continue
            if YEAR_BEHIND.search(source.text[item.start : item.end]) is not None:
                continue
            if self._family == "contract" and self._earlier(item.start):
                continue
            sure = is_sure_amount(source, item, contract=self._contract)
            purpose = item.purpose if sure and not self._earlier(item.start) else "other"
            bound = None if purpose == "cap" else bound_before(source, item.start)
            key = (purpose, item.value, item.currency, item.kind, bound)
            if key in seen:
                continue
            if known.get(Span(item.start, item.end)) is None and self._is_of_a_rule(item, purpose, bound):
                continue
            seen.add(key)
            if (item.kind == "money" and purpose == "interest") or self._family not in (
                "contract",
                "unknown",
            ):
                # Outside contracts the words beside an amount mislead: "total a pagar" is no price.
                plain = _PLAIN_PURPOSES - {"tax"} if self._family == "letter" else _PLAIN_PURPOSES
                purpose = purpose if purpose in plain else "other"
            if item.kind == "percentage" and purpose in _BASES and self._abroad:
                purpose = "other"  # "diez por ciento del salario" is a share of it, and none of its own
            label = wording.PURPOSES.get(purpose, wording.PURPOSES["other"]).in_(self._language)
            if purpose == "salary" and PAY.search(source.before(item.start, 60)) is not None:
                label = pick(self._language, "Retribución", "Remuneration")  # not only a worker has one
            term = known.get(Span(item.start, item.end))
            if term is not None and not sure and has_rivals(source, item):
                term = None  # the words that name it stand beside words that name something else
            if self._abroad and beside_other_sum(source, item.start, item.end):
                term, purpose = None, "other"
                label = wording.PURPOSES[purpose].in_(self._language)
            if term in _NEVER_VALUED and VALUED.search(source.before(item.start, 120)) is not None:
                term = None  # "tasada en 240.000 euros" is no capital and no price
            if term == "claim_value" and AWARDED.search(source.before(item.start, 160)) is not None:
                term = None
            if term is not None:
                label = names[term].in_(self._language)
            elif item.kind == "percentage" and purpose != "interest":
                about = f" ({label.lower()})" if purpose != "other" else ""
                label = pick(self._language, "Porcentaje", "Percentage") + about
            limit = f"{wording.BOUNDS[bound].in_(self._language)} " if bound is not None else ""
            if purpose in _ONCE:
                item = replace(item, period=None)  # "a deposit of one month's rent" is paid once
            each = rate_period(source.after(item.end, 40)) if item.kind == "percentage" else None
            said = f"{limit}{wording.amount(item, self._language, each)}"
            unnamed = wording.PURPOSES["other"].in_(self._language)
            if item.kind == "percentage":
                unnamed = pick(self._language, "Porcentaje", "Percentage")
            quote = row_ending(source, item.start, item.end, _CLAUSE_QUOTE) or self._facts.passage(item, 160)
            yield Statement(
                Section.AMOUNTS,
                wording.sentence(f"{label}: {said}"),
                quotes=(quote,),
                proposed=Lock.L1,
                facts=of_amount(item, term or purpose, bound),
                origin="rules",
                plain=wording.sentence(f"{unnamed}: {said}") if label != unnamed else None,
            )

    def _is_of_a_rule(self, item: Amount, purpose: str, bound: str | None) -> bool:
        """Tell whether a figure without a name is one of the law that its sentence names, or a threshold."""
        if self._contract or self._facts.source.foreign or purpose in _PLAIN_PURPOSES:
            return False
        if item.kind == "percentage":
            return names_law(self._facts.source, item.start, item.end)
        return bound in ("below", "above")

    def _of_others(self, item: Amount) -> bool:
        """Tell whether a figure is of a law or of something that the document is not about."""
        source = self._facts.source
        return (
            law_says(source, item.start)
            or measures(source, item.start)
            or of_something_else(source, item.start, item.end)
        )

    def _earlier(self, offset: int) -> bool:
        """Tell whether the amount at `offset` belongs to an earlier relation, and plays no part here."""
        return of_earlier_relation(self._facts.source, offset, contract=self._family == "contract")
