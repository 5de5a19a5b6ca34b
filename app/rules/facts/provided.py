"""Tell whether a figure is what the document itself provides, or what it says that others do. Pure.

"El artículo 20, que admite tres años" states no term of the contract; "ha trabajado diecinueve meses" sets no
limit; "no estará obligada a preavisar con quince días" gives no notice. A figure of which the words leave
that open is not told as a fact of the document: its absence does less harm.
"""

from __future__ import annotations

import re
from typing import Final

from app.text.expressions import compiled
from app.text.sentences import FoldedText

_BACK: Final = 260
_BEHIND: Final = 120

_LAW: Final = (
    r"\b(?:art\.|arts\.|articulos?|ley|leyes|real decreto|codigo|estatuto|reglamento|texto refundido|decreto"
    r"|disposicion|jurisprudencia|sentencia|trlgdcu|lau|lec|lgt|articles?|act|law|regulation|sections?"
    r"|directive|statute|code)\b"
)
_SAYS: Final = (
    r"(?:exig\w+|permit\w+|dispon\w+|establec\w+|orden[ae]\w*|fij[ae]\w*|prev[ei]\w*|admit\w*|senal[ae]\w*"
    r"|reconoc\w+|conced\w+|da|dan|autoriz\w+|consider\w+|mand[ae]\w*|impon\w+|requier\w+|grants?|requires?"
    r"|allows?|provides?|permits?|gives?|sets?|states?|says|lays down|demands?|entitles?|fixes)"
)
# "La Ley 12/1992, que admite «una duración máxima de tres años"; "article 83, which grants fourteen days".
_LAW_SAYS: Final = compiled(
    rf"{_LAW}[^;]*?(?:\b(?:que|which|that|y|and|donde|:)\W{{1,2}}(?:\w+ ){{0,3}}?{_SAYS}\b"
    rf"|[^;]{{0,90}}\b(?:sancionad|castigad|penad)\w+ con\b|\bsegun el cual\b|\bunder which\b"
    rf"|[^;]{{0,90}} {_SAYS} (?:un|una|el|la|los|las|an?|the|at|al|de)\b"
    rf"|[\"'«][^\"»]{{0,120}}$)"
)
# "Según el artículo 9.8, los contratos de menos de doce meses no dan derecho a prórroga".
_BY_LAW: Final = compiled(rf"^\W*(?:segun|conforme al?|de acuerdo con|under|pursuant to)\b[^;]{{0,20}}{_LAW}")
# "Superior a cuarenta mil euros", "una merma de al menos el 33 por ciento": the measure of a rule.
_MEASURE: Final = compiled(
    r"\b(?:superior(?:es)? a|mas de|inferior(?:es)? a|menos de|mayor(?:es)? de|al menos|como minimo"
    r"|no menos de|exced\w+ de|at least|more than|less than|over|below|above|exceeding)(?: (?:el|los"
    r"|las|un|una|the))* ?$"
)
_EXACTS: Final = compiled(r"\b(?:exig\w+|requier\w+|requires?|demands?)\b")
# "Diecinueve meses ha trabajado", "el promedio de los ciento ochenta meses anteriores": told, not set.
_TOLD: Final = compiled(
    r"\b(?:ha|han|habia|habian|he|hemos|lleva|llevan|llevaba|has|have|had) (?:\w+ ){0,2}?"
    r"(?:trabajad\w+|cotizad\w+|prestad\w+|permanecid\w+|residid\w+|estado|vivid\w+|worked|been|lived|served)"
    r"[^.;]{0,30}$"
    r"|\bse (?:curso|convoco|remitio|envio|notifico|comunico|firmo|hizo|dicto|pago) [^.;]{0,60}$"
    r"|\b(?:was|were) (?:called|sent|given|served|notified|convened)[^.;]{0,60}$"
)
_PRECEDING: Final = compiled(
    r"^ (?:inmediatamente )?(?:anteriores|anterior|precedentes|previous|preceding)\b"
)
# "Como permite el artículo 1826, la Fiadora responderá de": what the document itself provides.
_OWN_CLAUSE: Final = compiled(
    r", (?:la|el|los|las|ambas|cada|the|both|each) [a-z ]{3,40}?(?:\w+ra|\w+ran|debe|deben|puede|pueden"
    r"|se obliga\w*"
    r"|shall|will|must|may) "
)
_NAMES_LAW: Final = compiled(_LAW)
_LAST_ONES: Final = compiled(r"\b(?:ultim[oa]s|anteriores|previous|last|preceding) $")
# "A las veinte horas" is a time of day.
_AT_HOUR: Final = compiled(r"\b(?:a|de|desde|hasta|entre|y|siendo) (?:el |la |las )(?:\d{1,2}[.:]\d\d )?$")
# "No estará obligada a preavisar", "sin que valga ningún preaviso", "no se acompaña".
_DENIED: Final = compiled(
    r"\b(?:no|tampoco|nunca) (?:le |les |se |lo )?(?:estara|estaran|esta|estan|sera|es|son|seran|tendra"
    r"|tendran"
    r"|tiene|tienen|habra|vendra|quedara|queda|existe|existira|cabe|cabra|procede|rige|hay)n?\b"
    r"(?: (?:\w+ ){0,4}?(?:obligad\w+|necesari\w+|precis\w+|exigible|que|preaviso|aviso|plazo|obligacion))?"
    r"[^.;:]{0,70}$"
    r"|\b(?:sin|without) (?:que |necesidad |obligacion |any |the need )[^.;:]{0,70}$"
    r"|\b(?:is|are|shall|will) (?:be )?not (?:be )?(?:obliged|bound|required|entitled)[^.;:]{0,70}$"
)
_LIMITED: Final = compiled(
    r"(?:\ben (?:el|un|los|las)(?: improrrogable)? ?(?:plazo|termino)?(?: maximo| improrrogable"
    r"| comun)?(?: de)?"
    r"|\bdentro de(?:l plazo(?: maximo)? de)?|\ba mas tardar(?: en| a)?|\ben menos de|\bno mas tarde de"
    r"|\b(?:se (?:le |les )?(?:conced|otorg|dan?\b)\w*|dispon\w+(?: usted)? de|se abr\w+)"
    r"|\bplazo(?: maximo| improrrogable)? de|\bwithin(?: a period of)?|\bno later than|\bnot later than)"
    r"(?: los| las| un| una| the| a| an)? ?$"
)
_GRANTED: Final = compiled(
    r"\b(?:conced\w+|otorg\w+|dispon\w+ (?:usted )?de|se (?:le |les )?(?:da|dan|abre|requiere\w*)"
    r"|tiene (?:usted )?(?:un )?plazo"
    r"|is (?:given|granted|allowed)|are (?:given|granted|allowed)|you have)\b[^.;]{0,70}$"
)
# A term after which a claim is lost: whether it holds is for the law to say.
_LOSES: Final = compiled(
    r"\b(?:caduc\w+|prescri\w+|impugn\w+|time-barred|forfeit\w*|extinguid\w+|decae\w*|lapse[sd]?)\b"
)


# Given for comparison, or of somebody or something else.
_OF_ELSE: Final = compiled(
    r"\b(?:datos? (?:meramente )?(?:informativ\w+|de comparacion|comparativ\w+|orientativ\w+)"
    r"|a (?:titulo|efectos|modo)"
    r" (?:meramente )?(?:comparativ\w+|de ejemplo|ilustrativ\w+)|no guarda relacion"
    r"|ajen[oa] a este|otro expediente|(?:anterior agente|agente anterior|anterior (?:inquilin"
    r"|arrendatari|propietari)[oa])"
    r"|(?:el|la) anterior [a-z]+ (?:cobr|percib|pag|factur|abon)\w+|por ejemplo"
    r"|(?:paid|pays|charged) (?:another|the (?:former|previous))|at another|comparable"
    r"|for comparison|by way of (?:example|illustration)|for example"
    r"|former (?:agent|tenant|employee|owner)|unrelated)\b"
)
_ROW: Final = re.compile(r"\.{3,}|\||_{3,}|\t|\S {3,}\S")


def row_start(source: FoldedText, start: int) -> int:
    """Return where the row of a table that `start` stands in begins; 0 where it stands in no table."""
    first = source.text.rfind("\n", 0, start) + 1
    last = source.text.find("\n", start)
    line = source.text[first : last if last >= 0 else len(source.text)]
    return first if _ROW.search(line) is not None else 0


def row_ending(source: FoldedText, start: int, end: int, limit: int) -> str:
    """Return the row of a table that a figure ends, with what it is for; "" where there is none."""
    first = row_start(source, start)
    last = source.text.find("\n", end)
    row = source.text[first : last if last >= 0 else len(source.text)].strip()
    ends = row.rstrip(" .|").endswith(source.text[start:end])
    return row if first and ends and len(row) <= limit and row[:1].isupper() else ""


def of_something_else(source: FoldedText, start: int, end: int) -> bool:
    """Tell whether a figure is told of another thing than the document is about, or for comparison."""
    first, last = source.sentence(start)
    row = row_start(source, start)
    if row:
        stop = source.text.find("\n", end)
        first, last = row, stop if stop >= 0 else last
    words = source.folded[max(first, start - _BACK) : min(last, end + _BEHIND)]
    return _OF_ELSE.search(words) is not None


def names_law(source: FoldedText, start: int, end: int) -> bool:
    """Tell whether a law is named in the sentence of a figure, before or behind it."""
    first, last = source.sentence(start)
    words = source.folded[max(first, start - _BACK) : min(last, end + _BEHIND)]
    return _NAMES_LAW.search(words) is not None


def granted(source: FoldedText, start: int) -> bool:
    """Tell whether a length of time is given to somebody: "se le concede un plazo de", "dispone de"."""
    return _GRANTED.search(_before(source, start)) is not None


def measures(source: FoldedText, start: int) -> bool:
    """Tell whether a figure is the measure of a rule of law: "por ser superior a cuarenta mil euros"."""
    before = _before(source, start)
    return _MEASURE.search(before) is not None and _NAMES_LAW.search(before) is not None


def of_law(source: FoldedText, start: int) -> bool:
    """Tell whether the figure at `start` is what the document says that a law, or a ruling, provides."""
    before = _before(source, start)
    if law_says(source, start) or _BY_LAW.search(before) is not None:
        return True
    return _MEASURE.search(before) is not None and _EXACTS.search(before) is not None


def law_says(source: FoldedText, start: int) -> bool:
    """Tell whether the words at `start` are what the document lets a law say: "la Ley, que considera …"."""
    before = _before(source, start)
    said = _LAW_SAYS.search(before)
    return said is not None and _OWN_CLAUSE.search(before[said.end() :]) is None


def merely_told(source: FoldedText, start: int, end: int) -> bool:
    """Tell whether a length of time recounts what has been, or is a time of day, and limits nothing."""
    before = _before(source, start)
    return (
        _TOLD.search(before) is not None
        or _LAST_ONES.search(before) is not None
        or _PRECEDING.search(source.after(end, 40)) is not None
    )


def time_of_day(source: FoldedText, start: int) -> bool:
    """Tell whether hours at `start` are those of a clock: "hasta el domingo a las veinte horas"."""
    return _AT_HOUR.search(_before(source, start)) is not None


def is_denied(source: FoldedText, start: int) -> bool:
    """Tell whether the words before `start` in its sentence deny what it would say."""
    return _DENIED.search(_before(source, start)) is not None


def limits(source: FoldedText, start: int, end: int) -> bool:
    """Tell whether the words beside a length of time set it as the time within which something is done."""
    first, last = source.sentence(start)
    sentence = source.folded[max(first, start - _BACK) : min(last, end + _BEHIND)]
    return _LIMITED.search(_before(source, start)) is not None and _LOSES.search(sentence) is None


def _before(source: FoldedText, start: int) -> str:
    first, _ = source.sentence(start)
    words: str = source.folded[max(first, start - _BACK) : start]
    return words
