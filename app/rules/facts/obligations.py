"""Find obligations: sentences in which a named party to a contract takes on a duty."""

from __future__ import annotations

from dataclasses import dataclass

import re2

from app.rules.document import Document, Span
from app.text import linear
from app.text.bilingual import Bilingual

_PARTS: tuple[tuple[str, str, str], ...] = (
    (r"arrendadora?|parte arrendadora|landlord|lessor", "al arrendador", "the landlord"),
    (r"arrendatari[oa]|parte arrendataria|inquilin[oa]|tenant|lessee", "al arrendatario", "the tenant"),
    (r"vendedora?|parte vendedora|seller|vendor", "al vendedor", "the seller"),
    (r"compradora?|parte compradora|buyer|purchaser", "al comprador", "the buyer"),
    (r"trabajadora?|persona trabajadora|emplead[oa]|employee", "a la persona trabajadora", "the employee"),
    (r"empresa|empleadora?|employer", "a la empresa", "the employer"),
    (r"prestadora?|proveedora?|consultora?|contratista|suministradora?|service provider|provider|"
     r"supplier|consultant|contractor",
     "al prestador o proveedor", "the provider or supplier"),
    (r"cliente|client|customer", "al cliente", "the client"),
    (r"prestamista|lender", "al prestamista", "the lender"),
    (r"prestatari[oa]|parte prestataria|borrower", "al prestatario", "the borrower"),
    (r"fiadora?|avalista|guarantor", "al fiador", "the guarantor"),
    (r"(?:parte )?receptora?|receiving party|recipient", "a la parte receptora", "the receiving party"),
    (r"(?:parte )?(?:reveladora|divulgadora)|disclosing party",
     "a la parte reveladora", "the disclosing party"),
    (r"agente|agent", "al agente", "the agent"),
    (r"empresari[oa]|principal", "al empresario", "the principal"),
    (r"distribuidora?|distributor", "al distribuidor", "the distributor"),
    (r"fabricante|concedente|manufacturer", "al fabricante", "the manufacturer"),
    (r"consumidora?|consumer", "al consumidor", "the consumer"),
    (r"usuari[oa]|user", "al usuario", "the user"),
    (r"(?:ambas |las )?partes|each party|(?:both|the) parties|either party",
     "a ambas partes", "both parties"),
)  # fmt: skip
_SUBJECT = "|".join(f"(?P<p{index}>{words})" for index, (words, _, _) in enumerate(_PARTS))
_DUTY = (
    r"debera|deberan|se obligan?|se comprometen?|(?:esta|queda|viene|estara|quedara|vendra)n? "
    r"obligad[oa]s? a|habra de|habran de|"
    r"abonaran?|pagaran?|satisfaran?|entregaran?|prestaran?|mantendran?|guardaran?|devolveran?|asumiran?|"
    r"facilitaran?|"
    r"indemnizaran?|realizaran?|no podran?|destinara|respondera|"
    r"adquiriran?|compraran?|venderan?|revenderan?|atenderan?|comercializaran?|suministraran?|informaran?|"
    r"comunicaran?|notificaran?|cumpliran?|respetaran?|remitiran?|reembolsaran?|"
    r"restituiran?|constituiran?|abandonaran?|"
    r"shall|must|undertakes?|agrees? to|is obliged to|is required to|will (?:pay|deliver|provide|keep|"
    r"return|perform|maintain)|may not"
)
_OBLIGATION = linear.compile(
    rf"\b(?:el|la|los|las|the)?\s*\"?(?:{_SUBJECT})\b\"?(?:\s*\([^)]{{0,40}}\))?,?(?:\s+[a-z]+){{0,4}}?\s+(?:{_DUTY})\b".encode(
        "ascii"
    )
)
# "Shall mean", "shall be governed": sentences that bind nobody to do anything.
_EMPTY = linear.compile(
    rb"\b(?:shall|will) (?:be (?:governed|deemed|construed|entitled|interpreted)|mean|have the right|not "
    rb"be liable|receive|recover|be (?:paid|reimbursed|free|at liberty)|include|not include"
    rb"|have no (?:[a-z]+ )?(?:right"
    rb"|obligation)|begin|commence|take effect)"
    rb"|debera entenderse|no podran? (?:invocar|alegar|oponer)\b|se obliga[a-z]* "
    rb"mutuamente en los terminos"
)


# "The Client alone shall appoint": a power. "Las partes pactan que el Vendedor responderá": another's duty.
_NO_DUTY_OF_SUBJECT = linear.compile(
    rb"\b(?:alone|solely|whether|si|que|that|exclusivamente|a su arbitrio)\b"
    rb"|\b(?:no|tampoco|nunca) (?:(?:le|les|se) )?(?:(?:esta|queda|viene|estara|quedara|vendra)n? obligad"
    rb"|debera|habra|se oblig|se comprom)"
    # "El Cliente no pagará intereses": what one need not do.
    rb"|\b(?:no|tampoco|nunca) (?:(?:le|les|se) )?(?:abonara|pagara|satisfara|entregara|prestara|mantendra"
    rb"|devolvera|asumira|facilitara|indemnizara|realizara|respondera|suministrara|reembolsara|restituira"
    rb"|constituira|adquirira|comprara|atendera)"
)
# "The Seller shall not provide a guarantee", "shall keep the sums paid", "hará suya la señal": what one need
# not do, and what one takes.
_FREES = linear.compile(
    rb"\b(?:shall|will|need|does|do) not (?:be (?:obliged|bound|required)|have to|need|provide|pay|deliver"
    rb"|give|return|refund|bear|supply|maintain|indemnify|compensate|reimburse|deposit)\b"
    rb"|\b(?:shall|will) (?:keep|retain) (?:all|any|the|every|as)\b|\bharan? suy[oa]s?\b"
)
_FREES_REACH = 30
# "If the Recipient breaches …, it shall pay": a duty under a condition is quoted from the condition on.
_CONDITION = linear.compile(
    rb"\b(?:si|cuando|por cada|for each|mientras|siempre que|salvo que|a menos que|en (?:el )?caso|if|when"
    rb"|whenever|where|unless|should|in (?:the )?(?:case|event)|upon|provided)\b"
)
_OBLIQUE = linear.compile(
    rb"\b(?:por|de|del|al|a|con|para|ante|contra|frente a|by|of|to|for|with|from)"
    rb"\s+(?:(?:el|la|los|las|the)\s*)?$"
)


@dataclass(frozen=True, slots=True)
class Obligation:
    """A duty: whom it binds ("al arrendatario", "the tenant"), and its words, to the end of the sentence."""

    bearer: Bilingual
    span: Span


def find_obligations(document: Document, limit: int = 24) -> tuple[Obligation, ...]:
    """Return at most `limit` obligations, one for each sentence, in order.

    The verbs are those of Spanish and English: "pagará" in Portuguese has another subject before it.
    """
    if document.source.foreign:
        return ()
    found: list[Obligation] = []
    position = 0
    while len(found) < limit:
        match = _OBLIGATION.search(document.folded, position)
        if match is None:
            break
        # "Del deudor principal, la FIADORA responderá": the last one named does it.
        while (
            nearer := _OBLIGATION.search(document.folded, _subject_end(document, match), match.end())
        ) is not None:
            match = nearer
        if _OBLIQUE.search(document.folded[max(match.start() - 16, 0) : match.start()]):
            # "a los precios fijados por el Fabricante y no podrá …": a party named there is not the subject,
            # with its article or without.
            position = _subject_end(document, match)
            continue
        reach = min(match.end() + _FREES_REACH, len(document.folded))
        if (
            _NO_DUTY_OF_SUBJECT.search(document.folded, match.start(), match.end()) is not None
            or _FREES.search(document.folded, match.start(), reach) is not None
        ):
            position = match.start() + 1
            continue
        sentence = document.sentence(Span(match.start(), match.end()))
        position = max(sentence.end, match.end())
        if _EMPTY.search(document.folded, match.start(), sentence.end) is not None:
            continue
        if sentence.end - match.start() < 25:
            continue
        index = _part(match)
        bearer = Bilingual(es=_PARTS[index][1], en=_PARTS[index][2])
        condition = _CONDITION.search(document.folded, sentence.start, match.start())
        start = match.start() if condition is None else condition.start()
        found.append(Obligation(bearer, Span(start, sentence.end)))
    return tuple(found)


def _part(match: re2._Match) -> int:
    """Return which of the parts a match is of."""
    return next(i for i in range(len(_PARTS)) if match.group(f"p{i}".encode()) is not None)


def _subject_end(document: Document, match: re2._Match) -> int:
    subject: bytes = match.group(f"p{_part(match)}".encode())
    return document.folded.index(subject, match.start()) + len(subject)
