"""Tell whether the words beside a fact leave no doubt of what it is. Pure.

A figure or date is always told with the words that it stands in. It gets the name of a part ("rent", "end
date") only where the clause gives it that part and no other; else it is told as an amount, a date or a
period. A wrong name is worse than none: a reader relies on the lock beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.rules.facts.money.amounts import PURPOSE_CUES, TAX_ASIDE, Amount
from app.rules.facts.provided import row_start
from app.rules.facts.sections import Block, block_at
from app.rules.facts.time.dates import DateMention
from app.rules.facts.time.deadlines import Deadline
from app.rules.facts.time.purposes import PURPOSES
from app.text.expressions import compiled
from app.text.sentences import FoldedText, fold

_BACK: Final = 160
_HEADING_BACK: Final = 90

# Amounts

# Between the word and its figure nothing but what joins them: "pena de", "renta mensual será de", "price:".
_JOINED: Final = compiled(
    r"^(?: (?:anual|mensual|trimestral|total|fij[oa]|pactad[oa]|base|unic[oa]|neto|net|bruto|gross|annual"
    r"|monthly|fixed|equivalente a|equal to|por importe|por la cantidad|por cuantia|in the amount|in the sum"
    r"|minim[oa]|adicional|legal|complementari[oa]|inicial))*"
    r"(?:,? (?:es|son|sera|seran|asciende a|asciende a la cantidad|se fija en|queda fijad[oa] en|is"
    r"|are|shall be|will be|amounts to"
    r"|consiste en|se establece en))?"
    r"(?: de| del| of| la cantidad de| la suma de| the sum of| un importe de| por| for| hasta"
    r"| al menos| at least| up to)* *[$€£(:]* ?$"
)
_LABEL: Final = compiled(r"^[a-z ,'()-]{0,40}: *[$€£]?$")
# "2.300 euros en concepto de fianza", "900 euros de renta", "500 euros as a deposit".
_NAMED_BEHIND: Final = compiled(
    r"^[)., ]{0,4}(?:mas iva,? )?(?:al mes |mensuales |anuales |al ano |a month |per month |per year )?"
    r"(?:en concepto de|por concepto de|a titulo de|como|de|as(?: an?)?|by way of|for|of) "
    r"(?:la |el |the |an? |una? )?$"
)
_BEHIND: Final = 40
_LIMIT: Final = compiled(
    r"\b(?:exced\w*|super(?:a|e|ar|ara|en|an)|superior\w*|mas de|inferior\w*|menos de|limite|tope|maxim[oa]"
    r"|capped|cap|limit(?:ed)?|exceed\w*|more than|less than|above|below|over)\b"
)
_LABEL_AT: Final = 25
# "Un local cuyo precio es": of another thing than the contract is about.
_OF_ANOTHER: Final = compiled(
    r"\b(?:cuy[oa]s?|whose|(?:parte|cuenta|resto|pago) del?|part (?:of|payment of) the|part of) $"
)
# "3.250 euros corresponden a la nave", "4.200 euros, valor que se atribuye al coche".
_SHARED_OUT: Final = compiled(
    r"\b(?:correspond\w*|se imputan?|atribu\w*|valor (?:que|del?)|allocat\w*"
    r"|attribut\w*)"
)
# "Como contraprestación": of whatever stands before it, not of the contract.
_IN_RETURN: Final = frozenset({"contraprestacion", "consideration"})
# A word that names a purpose in one kind of paper and another thing elsewhere: an instalment is no fee, a
# debt that is told is not what is claimed.
_OTHER_SENSES: Final = {
    "fee": compiled(r"^(?:cuotas?|tarifas?)$"),
    "claim": compiled(r"^(?:deuda|adeuda\w*|saldo|owed|debt)$"),
}
# "El doble de los honorarios, es decir, el doce por ciento".
_SHARE_OF: Final = compiled(
    r"\b(?:doble|triple|mitad|tercio|cuarta parte|twice|double|half)(?: the| del?| of)?(?: l[ao]s?| the)* ?$"
)
_ACTS: Final = compiled(
    r"\b(?:que|pagara[n]?|abonara[n]?|satisfara[n]?|which|that|correspond\w*|of which|shall pay"
    r"|will pay|must pay)\b"
)
_OWED: Final = frozenset({"claim"})

# Dates

_TELLS_OF_CONTRACT: Final = compiled(
    r"\b(?:contrato|acuerdo|convenio|arrendamiento|arriendo|relacion laboral|licencia|prestamo|franquicia"
    r"|agencia|suministro|duracion|durara|vigencia|(?:plazo|periodo) (?:de duracion|inicial|pactado"
    r"|de vigencia)"
    r"|services? shall|agreement|lease|tenancy|employment|appointment|licence|term|(?:los"
    r"|sus) servicios|la prestacion"
    r"|relacion|prestara|trabajara|se extendera|se celebra|se concierta|se pacta por)\b"
)
_BEGINS_WORK: Final = compiled(
    r"\b(?:presta(?:ndo)? (?:sus )?servicios|trabaja|trabajos|la obra|ocupa el puesto|effective date"
    r"|con efectos?)\b"
)
_HEADS_TERM: Final = compiled(
    r"\b(?:duracion|vigencia|plazo|termino|term|duration|commencement|inicio|comienzo|entrada en vigor)\b"
)
_TELLS_OF_ELSE: Final = compiled(
    r"\b(?:seguros?|poliza|insurance|policy|aval(?:es)?|actas?|poder(?:es)?|obras|replanteo|interes(?:es)?"
    r"|permanencia|confidencial\w*|confidentiality|secreto|competencia|compete|indemnity|evaluation|reserva"
    r"|tasacion|pasa a ser|marchar\w*|desist\w*|retraso|suma[n]?|anade|garantia|warranty|facturas?"
    r"|invoices?|cuotas?"
    r"|instal?ments?|plazos|pagos|prohibicion|excedencia|ese|aquel|dicho|that|anterior|former"
    r"|hasta ahora|(?:se|quedo|que) (?:extinguio|termino|vencio|resuelto"
    r"|extinguido)|extinguid[oa]s?|resuelt[oa]s?|ended|expired"
    r"|renta|rent|fee|precio|price|preaviso|notice|prorroga|ensayo|pruebas)\b"
)
_DUE: Final = compiled(
    r"\b(?:antes del?(?: dia)?|a mas tardar(?: el| el dia)?|no later than|on or before|by) $"
)
# What is read as a day of the month may begin within "del": "antes d|el día 5".
_BEFORE_DAY: Final = compiled(r"\b(?:antes d(?:el? )?|no later than |on or before |by )$")
_SIGNS_THIS: Final = compiled(
    r"\b(?:this|the present) (?:agreement|contract|lease|deed|letter)\b[^.;]{0,60}$"
    r"|\b(?:presente|este) (?:contrato|documento|acuerdo|escrito|escritura)\b[^.;]{0,80}$"
    r"|\bfecha del? (?:presente )?(?:contrato|documento|escrito|firma)\b[^.;]{0,20}$"
    r"|^\W*dated ?$|\bfecha de firma[ .:_]{0,20}$|\bse (?:firma|suscribe|otorga)n?\b[^.;]{0,100}$"
    r"|\bdate(?: of (?:this )?(?:agreement|contract|signature))? ?:? ?$"
    r"|^\W*(?:en|at|in) [a-z .'-]{2,50}?,? ?(?:a|el|on|the|,)?(?: los| dia)? ?$"
    r"|^\W*[a-z][a-z .'-]{2,40}, ?(?:a )?$"
)
_SERVED_THEN: Final = compiled(
    r"^,? ?(?:y |and )?(?:notificad|recibid|entregad|publicad)\w* (?:el|al|a los|en)\b"
)
# "En Zaragoza, a 15 de junio, siendo las 19:30 horas": a meeting is opened, nothing is signed.
_SITTING: Final = compiled(r"^,? ?(?:siendo |a |at )(?:las |la )?\d")
_SENIORITY: Final = compiled(r"\b(?:antiguedad|seniority)\b[^.;]{0,25}$")
_MAY_FROM: Final = compiled(r"\b(?:podran?|pueden?|may|can)\b")
# Received is a letter or an act, not money or goods.
_ROLE_BACK: Final = 90
_SERVED: Final = compiled(
    r"\b(?:notif\w+|serv(?:ed|ice)|acuse|acceso|comparecencia|recibi)\b"
    r"|\b(?:carta|escrito|acuerdo|resoluci\w+|comunicaci\w+|burofax|requerimiento|providencia|liquidaci\w+"
    r"|sancion|denuncia|sentencia|letter|notice|decision)\b[^.;]{0,60}\b(?:recib\w+|received)\b"
    r"|\b(?:fecha de (?:la )?recepcion|recibid[oa] (?:la |el |esta |este )?(?:carta|escrito|acuerdo"
    r"|resolucion|comunicacion|burofax|requerimiento|notificacion)|date of receipt)\b"
)
_NOT_OF_ROLE: Final = {
    # The day on which a ruling was notified or published is not its own.
    "judgment": compiled(r"\b(?:notif\w+|publicad\w+|boletin|recib\w+|presentad\w+)\b"),
    # "Fecha de ingreso", "ingresos acumulados": when one was hired, what was earned.
    "payment": compiled(
        r"\bfecha de ingreso\b|\bingresos\b|\bingreso (?:en (?:la|el|esta) )?(?:empresa|centro)\b"
    ),
}
_KINDS: Final = frozenset(
    {"licencia", "licence", "prestamo", "lease", "tenancy", "arrendamiento", "franquicia", "agencia"}
)
_TITLE: Final = 200
_OWN_DATES: Final = frozenset({"start", "end"})

# Periods

# "Desde la entrega", "within 14 days of delivery": what a period is counted from is not what it is for.
_COUNTED_FROM: Final = compiled(
    r"(?:\b(?:desde|tras|after|following|from|since|upon|siguientes? a|posteriores? a|a partir de"
    r"|contados? de"
    r"|contados? desde|a contar de|a contar desde|antes de|before|of)(?: la| el| l[ao]s| the| su| its"
    r"| dicha)?) $"
)
_ELAPSED: Final = compiled(
    r"\b(?:transcurrid[oa]s?|pasad[oa]s?|once|cada|every|each)(?: (?:un|el|los|the|de))* ?$"
)
_ATTACHED: Final = compiled(r"^'?s?'? ?(?:de |in |por )?(?:previo |previa |prior |written |escrito )?(?:$)")
_GIVES_NOTICE: Final = compiled(
    r"\b(?:preavis\w*|avis\w*|notific\w*|comunic\w*|desist\w*|resol\w*|rescin\w*|termin\w*|convoc\w*"
    r"|notice|notif\w*"
    r"|prorrog\w*|renov\w*|renew\w*)\b"
)
_UNPAID: Final = compiled(
    r"\b(?:impag\w*|vencid\w*|unpaid|overdue|default|not (?:been )?paid|no (?:(?:se|le|lo) )?pag[ao]\w*)\b"
)
# "No podrá pagar durante los primeros doce meses": a time in which nothing is paid.
_FOR_A_TIME: Final = compiled(r"\b(?:durante|during|for)(?: los| the)?(?: primer[oa]s| first)? ?$")
# "Doce meses adicionales": beside the period that has the name.
_FURTHER: Final = compiled(r"^ (?:adicionales|mas|additional|more|further|extra)\b")
_AS_SECURITY: Final = compiled(r"\ben garantia$")
# Behind these another thing is spoken of: "si se retrasa la entrega, se guardarán diez días".
_PARTS_PERIOD: Final = compiled(
    r"[,;:]|\b(?:y|e|and|o|or|si|if|que|that|which|cuando|when|salvo|unless|except|pero|but)\b"
)
_PERIOD_NEAR: Final = 70
# Words that name a purpose in one sense only: to tell something is no notice that a relation ends, "el abono"
# is what a member holds, consent is withdrawn without withdrawing from a contract, and who leaves a home
# delivers none.
_TELLS: Final = compiled(r"^(?:comunica\w*|notify)$")
_HOLDS: Final = compiled(r"\b(?:el|su|del|al|cada|un|este|dicho) $")
_SUBSCRIPTION: Final = compiled(r"^(?:abonos?|abonad[oa]s?)$")
_OF_CONSENT: Final = compiled(
    r"^ (?:this |that |the |your |any |su |el |dicho )?(?:consent\w*|offer|oferta)\b"
)
_LEAVES: Final = compiled(r"^(?:desaloj\w*|vacate)$")
_NOT_IN_CONTRACTS: Final = frozenset({"answer", "filing", "appeal"})


def is_sure_amount(source: FoldedText, amount: Amount, *, contract: bool) -> bool:
    """Tell whether the clause gives an amount its purpose and no other."""
    purpose = amount.purpose
    if purpose == "other" or (contract and purpose in _OWED):
        return False
    _, end = source.window(amount.start, amount.end, 0, _BEHIND)
    before = _before(source, amount)
    cues = PURPOSE_CUES.find(before)
    limited = _LIMIT.search(before) is not None and purpose != "cap"
    behind = source.folded[amount.end : end]
    if _SHARED_OUT.search(behind):
        return False
    named = PURPOSE_CUES.find(behind)
    if named.keys and named.keys[0] == purpose and _NAMED_BEHIND.search(behind[: named.starts[0]]):
        return True
    if not cues.keys:
        return False  # a heading names what its clause is about, not each sum in it
    if _OF_ANOTHER.search(before[: cues.starts[-1]]):
        return False
    if before[cues.starts[-1] : cues.ends[-1]] in _IN_RETURN:
        return False
    word = before[cues.starts[-1] : cues.ends[-1]]
    if purpose in _OTHER_SENSES and _OTHER_SENSES[purpose].match(word):
        return False
    if _SHARE_OF.search(before[: cues.starts[-1]]):
        return False
    between = before[cues.ends[-1] :]
    rivals = set(cues.keys) != {purpose}
    if rivals and between.startswith(","):
        return False  # "los honorarios de quien gestionó este alquiler, de 900 euros"
    if ":" in between and cues.starts[-1] > _LABEL_AT:
        return False  # "el calendario para el principal: 12.000 euros el día 1"
    if cues.keys[-1] == purpose and (_JOINED.search(between) or _LABEL.search(between)):
        return not limited or purpose in ("penalty", "deposit", "guarantee", "insurance")
    return not limited and set(cues.keys) == {purpose} and _ACTS.search(between) is None


def has_rivals(source: FoldedText, amount: Amount) -> bool:
    """Tell whether words for several purposes stand before an amount in its clause."""
    return len(set(PURPOSE_CUES.find(_before(source, amount)).keys)) > 1


def _before(source: FoldedText, amount: Amount) -> str:
    """Return the words of the clause before an amount, without "plus VAT", which names none."""
    start, _ = source.window(amount.start, amount.end, _BACK, 0)
    start = max(start, source.folded.rfind("; ", start, amount.start) + 1, row_start(source, amount.start))
    words: str = TAX_ASIDE.sub(lambda found: "." * len(found.group()), source.folded[start : amount.start])
    return words


def is_sure_date(source: FoldedText, blocks: Sequence[Block], item: DateMention) -> bool:
    """Tell whether a date is that of this document's signature, or of its own first or last day."""
    after = source.after(item.end, _BEHIND)
    if item.role == "notification" and _SERVED_THEN.match(after) is not None:
        return False  # "de 10 de junio de 2025, notificado el día 12 siguiente"
    near = source.before(item.start, _ROLE_BACK)
    if item.role == "notification" and not source.foreign and _SERVED.search(near + after) is None:
        return False
    if item.role in _NOT_OF_ROLE and _NOT_OF_ROLE[item.role].search(near) is not None:
        return False
    if item.role not in (*_OWN_DATES, "signature"):
        return item.role != "other"
    first, _ = source.sentence(item.start)
    line = source.folded.rfind("\n", 0, item.start) + 1
    before = source.folded[max(first, line, item.start - 200) : item.start]
    if item.role == "signature":
        return _SIGNS_THIS.search(before) is not None and _SITTING.match(after) is None
    if item.role == "start" and _SENIORITY.search(before) is not None:
        return False
    heading = _heading(source, blocks, item.start)
    if _TELLS_OF_ELSE.search(before) or (item.role == "end" and _DUE.search(before)):
        return False
    if item.role == "start" and _MAY_FROM.search(before + source.after(item.end, _BEHIND)):
        return False  # "a partir del 1 de mayo podrá resolverse"
    if item.role == "start" and _BEGINS_WORK.search(before):
        return True
    told = _TELLS_OF_CONTRACT.search(before)
    if told is not None and told.group() in _KINDS and told.group() not in source.folded[:_TITLE]:
        return False  # a licence that a lease tells of
    return told is not None or _HEADS_TERM.search(heading) is not None


def _heading(source: FoldedText, blocks: Sequence[Block], offset: int) -> str:
    block = block_at(tuple(blocks), offset)
    if block is None:
        return ""
    return fold(block.heading) or source.folded[block.start : min(block.start + _HEADING_BACK, offset)]


def is_before(source: FoldedText, offset: int) -> bool:
    """Tell whether "before" stands right before what begins at `offset`: "antes del día 5"."""
    return _BEFORE_DAY.search(source.before(offset, 30)) is not None


def _another_sense(purpose: str, before: str, start: int, end: int) -> bool:
    """Tell whether the word at `start:end` has another sense than the purpose that it may stand for."""
    word = before[start:end]
    if purpose == "notice":
        return _TELLS.match(word) is not None
    if purpose == "payment":
        return _SUBSCRIPTION.match(word) is not None and _HOLDS.search(before[:start]) is not None
    if purpose == "withdrawal":
        return _OF_CONSENT.match(before[end:]) is not None
    return purpose == "delivery" and _LEAVES.match(word) is not None


def is_sure_period(source: FoldedText, blocks: Sequence[Block], item: Deadline, *, contract: bool) -> bool:
    """Tell whether the clause says what a period is for, and not only from when it runs."""
    purpose = item.purpose
    if purpose == "other" or (contract and purpose in _NOT_IN_CONTRACTS):
        return False
    start, end = source.window(item.start, item.end, _BACK, _BEHIND)
    before, behind = source.folded[start : item.start], source.folded[item.end : end]
    if _ELAPSED.search(before) or _FURTHER.search(behind):
        return False
    if purpose == "payment" and (_UNPAID.search(before) or _FOR_A_TIME.search(before)):
        return False
    named = PURPOSES.find(behind)
    if named.keys and named.keys[0] == purpose and _ATTACHED.search(behind[: named.starts[0]]):
        if purpose == "payment":
            return False  # "seis días pagados"
        return purpose != "notice" or _GIVES_NOTICE.search(before + behind) is not None
    cues = PURPOSES.find(before)
    own = [
        (key, at)
        for key, begins, at in zip(cues.keys, cues.starts, cues.ends, strict=True)
        if not _COUNTED_FROM.search(before[:begins])
        and not _AS_SECURITY.search(before[:at])
        and not _another_sense(key, before, begins, at)
    ]
    if not own or own[-1][0] != purpose:
        return False
    between = before[own[-1][1] :]
    return len(between) <= _PERIOD_NEAR and _PARTS_PERIOD.search(between) is None
