"""Tell from the words around a fact whether it belongs to this contract and whether it is a bound. Pure."""

from __future__ import annotations

from typing import Any, Final, Literal

from app.text.expressions import compiled
from app.text.sentences import FoldedText

Bound = Literal["at_most", "at_least", "below", "above"]

# "trabajó antes para la Empresa", "her former employment": an earlier relation, in any document.
_EARLIER: Final = compiled(
    r"\b(?:otro (?:prestamo|contrato|arrendamiento)|existio un|(?:hoy|ya|integramente) "
    r"(?:devuelto|pagado|cancelado|extinguido)|another (?:loan|lease|agreement)"
    r"|(?:lo|la|los|las) (?:tiene|tienen|tenia|tenian) (?:ya )?(?:alquilad|arrendad)[oa]s? a"
    r"|ese (?:contrato|arrendamiento|alquiler)|aquel (?:contrato|arrendamiento|alquiler|acuerdo)"
    r"|(?:trabajo|laboro|colaboro|lo hizo) antes,? (?:para|en|como|con|por)"
    r"|antes,? (?:trabajo|trabajaba|laboro|laboraba|colaboro|colaboraba|lo hizo|la hizo)"
    r"|(?:contrato|empleo|relacion|arrendamiento|arrendatari[oa]|empleador[a]?|empresa) anterior"
    r"|anterior (?:contrato|empleo|relacion|arrendamiento|arrendatari[oa]|empleador[a]?|empresa)"
    r"|(?:former|previous|earlier|prior) (?:employment|employer|contract|agreement|tenant|tenancy|lease"
    r"|landlord|engagement|position)"
    r"|(?:previously|formerly) (?:worked|employed|engaged|let|leased))\b"
)
# "Laboró para Frutas del Sur hasta …": a contract tells what is to come, so its past is another relation's.
# No bare "trabajó": folded, it is the noun.
_PAST: Final = compiled(
    r"\b(?:laboro|colaboro|haber (?:trabajado|laborado|colaborado|prestado)"
    r"|presto (?:sus )?servicios|trabajaba|laboraba|prestaba (?:sus )?servicios|percibia"
    r"|estuvo (?:arrendad|alquilad|contratad|emplead)[oa]"
    r"|worked (?:for|as|at)|was (?:employed|engaged|let|leased)|had been (?:employed|engaged|let|leased))\b"
)
_NEVER_A_BOUND: Final = r"(?: (?:un|una|el|la|los|las|a|an|the|de|of|total de|sum of|importe de))*[ $£€]*$"
# "The rent goes up to £1,500", "la renta sube hasta 980 euros": where it arrives, not a limit.
_ARRIVES: Final = compiled(
    r"\b(?:go(?:es|ing)?|went|gone|moves?|rises?|rising|rose|increas(?:es|ed|ing)|put|raised?"
    r"|sub(?:e|ir|ira|irla|imos|io)|aument(?:a|ar|ara|o)|increment(?:a|ar|ara|o)|eleva(?:r|ra)?)"
    r" (?:up to|hasta(?: los)?)" + _NEVER_A_BOUND
)
_BOUNDS: Final[tuple[tuple[Bound, Any], ...]] = (
    (
        "at_most",
        compiled(
            r"\b(?:hasta|como maximo|a lo sumo|maximo de|(?:no|nunca|jamas|ni) (?:mas"
            r"|superior(?:es)?) (?:de|a)|up to|at most"
            r"|no more than|never more than|not more than|maximum of)" + _NEVER_A_BOUND
        ),
    ),
    (
        "at_least",
        compiled(
            r"\b(?:al menos|por lo menos|como minimo|minimo de|no (?:menos de|inferior(?:es)? a)|at least"
            r"|no less than|not less than|minimum of)" + _NEVER_A_BOUND
        ),
    ),
    (
        "below",
        compiled(r"\b(?:inferior(?:es)? a|menos de|menor(?:es)? de|less than|below|under)" + _NEVER_A_BOUND),
    ),
    (
        "above",
        compiled(
            r"\b(?:superior(?:es)? a|mas de|mayor(?:es)? de|more than|above|exceeding|over)" + _NEVER_A_BOUND
        ),
    ),
)
_BACK: Final = 40


def of_earlier_relation(source: FoldedText, start: int, *, contract: bool) -> bool:
    """Tell whether the sentence at offset `start` tells of a relation before the one the document is about.

    In a contract (`contract`) the past tense alone says so; a letter or a claim tells its own story in it.
    """
    first, last = source.sentence(start)
    sentence = source.folded[first:last]
    return _EARLIER.search(sentence) is not None or (contract and _PAST.search(sentence) is not None)


def bound_before(source: FoldedText, start: int) -> Bound | None:
    """Return what the words right before the figure at offset `start` make of it.

    It may be a most ("max"), a least ("min"), or None.
    """
    before = source.before(start, _BACK)
    if _ARRIVES.search(before):
        return None
    return next((bound for bound, words in _BOUNDS if words.search(before)), None)
