"""Hold the words by which the periods of a contract are read, and how their days are named. Pure."""

from __future__ import annotations

from typing import Final

from app.text.bilingual import Bilingual
from app.text.expressions import compiled

LONGEST_YEARS: Final = 45
NO_CONTRACT: Final = frozenset({"company_minutes", "bylaws"})
LOANS: Final = frozenset({"loan", "suretyship", "debt_acknowledgement", "nda"})
LENT: Final = LOANS - {"nda"}
# The contract's own first and last day.
STARTS: Final = compiled(
    r"(?:entra\w* en vigor|(?:contrato|acuerdo|arrendamiento|arriendo|alquiler|relacion|agreement"
    r"|lease|term"
    r"|vigencia|duracion|servicios?|trabajo)[^.;]{0,40}(?:comienz\w+|comenz\w+|empiez\w+|empez\w+"
    r"|inici\w+"
    r"|surt\w+ (?:sus )?efectos?|commenc\w+|starts?|begins?|runs? from|effective)|^\W*(?:empieza"
    r"|comienza|se inicia"
    r"|comenzara|empezara)|fecha de (?:inicio|entrada en vigor|efectos)|\n? ?inicio ?[:.|_ ]{1,40}"
    r"|(?:start|commencement"
    r"|effective) date"
    r"|effective (?:from|as of|on)|vigencia desde|(?:in force|effect) (?:from|on)|mes(?:es)? desde"
    r"|anos? desde"
    r"|ese dia se empieza)[^.;]{0,24}$"
)
START_BEHIND: Final = compiled(
    r"^[^.;]{0,30}(?:\(?the [\"']?(?:effective|start|commencement) date"
    r"|y ese dia se empieza a contar|fecha de (?:inicio|efectos))"
)
ENDS: Final = compiled(
    r"(?:\b(?:termina\w*|finaliz\w+|conclu\w+|venc\w+|expir\w+|acaba\w*|ends?|expires?"
    r"|terminates?)[^.;]{0,25}"
    r"|\b(?:hasta|until|through|ending)(?: el)?(?: dia)?(?: on)? ?|, to ?)$"
)
# When what was lent is to be given back.
RETURNED: Final = compiled(
    r"\b(?:devol\w+|restitu\w+|reembols\w+|amortiz\w+|reintegr\w+|pagar\w*|satisf\w+|repa(?:y|id)\w*"
    r"|return\w*)\b[^.;]{0,80}"
    r"\b(?:el|dia|on|by|antes del|fecha)(?: dia| el)? $"
)
RETURNED_AFTER: Final = compiled(
    r"\b(?:(?:prestamo|credito|capital|loan)[^.;]{0,20} (?:ven[cz]\w+|matur\w+)|devol\w+|restitu\w+"
    r"|reembols\w+|amortiz\w+|reintegr\w+|pagar\w*|satisf\w+|repa(?:y|id)\w*"
    r"|return\w*)\b[^.;]{0,80}"
    r"\b(?:al cumplirse(?: los| el)?|a los|al cabo de(?: los)?|en el plazo de|dentro de(?: los)?|en|within)"
    r"(?: un)? $"
)
# What is given back in parts, or is interest, does not end the loan on that day.
IN_PARTS: Final = compiled(
    r"\b(?:primer[oa]?|first|cuotas?|mensual\w*|instal\w+|cada|each|interes\w*|parcial\w*)\b"
)
OF_SIGNING: Final = compiled(
    r"^,? ?(?:\(?naturales\)?,? )?(?:de|desde|from|after|of|siguientes a|a contar desde|contados desde)"
    r"(?: the| la| su| hoy)?(?: fecha de(?: la)?)?(?: firma| presente contrato| date of signature"
    r"| signature| signing)"
)
END_OF_CONTRACT: Final = compiled(
    r"\b(?:contrato|acuerdo|arrendamiento|arriendo|alquiler|convenio|duracion|vigencia|plazo"
    r"|periodo inicial|dura\w*"
    r"|termino|agreement|lease|term|runs?|empieza|comienza|relacion laboral|prestamo)\b"
)
NOT_THE_END: Final = compiled(
    r"\b(?:renta|aval|garantia|seguro|poliza|cuota|pago|pagar\w*|oferta|presupuesto|prueba"
    r"|confidencial\w*|competencia"
    r"|antes|before|marchar\w*|desist\w*|excedencia|ingres\w+|recurso|pruebas|licencia de obras"
    r"|obras|guarantee|fee|offer"
    r"|exclusiv\w+|anterior\w*|prorrog\w+ hasta|impag\w+|desempleo|baja|vacaciones)\b"
)
# The length of the contract.
TERM_BEFORE: Final = compiled(
    r"(?:\bpor (?:un |el )?(?:plazo|periodo|tiempo|termino)(?: inicial| cierto| improrrogable)? de"
    r"|\bdura(?:ra|n)?|\bduracion(?: inicial| pactada"
    r"| total)?(?: del? [a-z]+(?: [a-z]+)?)?(?: sera| es|[ .:_-]+)?(?: de)?"
    r"|\bvigencia(?: inicial)?(?: del? [a-z]+)?(?: sera| es|[ .:_-]+)?(?: de)?"
    r"|\b(?:el |su )?plazo (?:sera|es)(?: de)?"
    r"|\bplazo(?: inicial| de duracion| de vigencia| del contrato)(?: sera| es|[ .:_-]+)?(?: de)?"
    r"|\bse (?:concierta|pacta|celebra|establece|conviene|arrienda)(?: por)?"
    r"|\bes por|\bruns? for|\b(?:for|of) (?:an? |the )?(?:initial |fixed |minimum )?(?:term"
    r"|period) of|\b(?:initial |fixed )?(?:term|period)[ .:_]{1,40}"
    r"|\b(?:initial |fixed )?(?:term|period) (?:is|of|shall be|will be)|\b(?:remain in force"
    r"|continue|valid|lasts?) for|\blasts?|\bestara (?:vigente|en vigor) (?:durante )?"
    r"|\btendra una duracion de"
    r"|\btiene una duracion de)(?: an?| un| el| los| de)? ?$"
)
TERM_BEHIND: Final = compiled(
    r"^,? ?(?:(?:de|como) (?:duracion|vigencia)\b|(?:desde|a contar desde|contad[oa]s desde"
    r"|a partir de|from) (?:el |la |the |hoy|su |this )|, del? \d|, desde hoy)"
)
NOT_A_TERM: Final = compiled(
    r"\b(?:prorrog\w*|renov\w*|renew\w*|successive|prueba|trial|probation\w*|confidencial\w*"
    r"|confidential\w*|secret\w*|garantia|warranty|fianza"
    r"|preaviso|notice|antelacion|carencia|compet\w+|concurr\w+|tras|despues|after\w*|thereafter"
    r"|posterior\w*|permanencia|aval\w*|mora|interes\w*"
    r"|obras?|entrega|edad|experiencia|antiguedad|oferta|offer|pausa|suspen\w+|maxim[oa]|up to"
    r"|hasta|survi\w+|exclusiv\w+|fijo|formacion|non-?solicit\w*"
    r"|cada|each|every|jornada|seguro|poliza|sancion\w*|curso|vacaciones|devol\w+|conserv\w+"
    r"|retain\w*|clausula penal|anteriores|siguientes?|ultim[oa]s)\b"
)
FROM_SIGNING: Final = compiled(
    r"\b(?:desde hoy|(?:dias|meses|anos) de (?:la|su) firma|desde (?:la|su) firma"
    r"|a partir de (?:hoy|la firma|la fecha de (?:la )?firma)"
    r"|desde la fecha (?:de este|del presente|de la firma)|from (?:today|signature"
    r"|the date (?:of this|hereof))|a contar desde (?:hoy|la firma))"
)
# Notices counted back from the end of the contract.
NOTICE_BEFORE: Final = compiled(
    r"\b(?:preaviso|antelacion|anticipacion|avis\w+|notice|in advance)(?: minim[oa]| escrito"
    r"| previo| por escrito)*(?: (?:de|of|not less than|at least|con|al menos|como minimo"
    r"|no inferior a|un minimo de))*(?: un| una)? ?$"
)
NOTICE: Final = compiled(
    r"\b(?:antelacion|anticipacion|preaviso|antes|previ[oa]s?|before|prior|notice|aviso|avis\w+)\b"
)
RENEWAL: Final = compiled(
    r"\b(?:prorrog\w+|renov\w+|renew\w*|renuev\w+|tacita|reconduc\w+|continu\w+ (?:de ano en ano"
    r"|from year)|year to year|non-renewal|not to (?:extend|renew)|no continu\w+|roll\w* over"
    r"|se alarg\w+|alargando)\b"
)
AT_END: Final = compiled(
    r"\b(?:vencimiento|finalizacion|terminacion|termino|expiracion|conclusion|fin(?:al)?(?: del?"
    r"| de la)?|expiry|expiration|end of|final de|(?:before|prior to) (?:the |its )?(?:end|expiry"
    r"|expiration|term)|caduque|venza|termine|finalice)\b"
)
OTHER_NOTICE: Final = compiled(
    r"\b(?:desist\w+|resolv\w+|resol(?:ucion|ver)|rescind\w+|rescision|marchar\w*|vend\w+|vent[ae]"
    r"|transmi\w+|visit\w*|acceso|vacaciones|en cualquier momento|at any time|for convenience"
    r"|price|precio|tarifas?|cuota|anticip\w+ (?:en|el|la|total)"
    r"|modific\w+|obras|junta|reunion|auditor\w*|turno\w*|terminate\w*|end the agreement"
    r"|ponerle fin|poner fin|irte|baja|baj\w+)\b"
)
# Periods that run from a day of the contract.
FROM: Final = compiled(
    r"^,? ?\(?(?:naturales |habiles |calendar |working |,? ?como (?:maximo"
    r"|mucho),? )?(?:siguientes?|posterior(?:es)?|desde|a contar desde|a contar de|contad[oa]s?"
    r"|a partir de|computad[oa]s?|from|after|following|of|tras|despues)"
    r"(?: (?:a|de|desde|al|del|from|a partir de|the|date of|of))*(?: el| la"
    r"| los)?(?: mismo)?(?: dia)?(?: siguiente)?(?: a| al| de)?(?: la| el)?(?: fecha de| dia de"
    r"| date of)?(?: la| el| the| su| su misma| its)? "
)
SIGNING: Final = compiled(
    r"^,?[^.;,]{0,45}?\b(?:hoy|firma|otorgamiento|suscripcion|formalizacion|este (?:contrato"
    r"|documento|pacto|acuerdo|convenio|acto)|esta escritura|presente (?:contrato|documento|pacto|acuerdo"
    r"|convenio|acto|escritura)|today|signature|signing|execution|date (?:hereof|above|of this)|(?:fecha|dia)"
    r" (?:de(?:l)? encabezamiento|arriba|indicad[oa]s? arriba)|this (?:agreement|deed|contract|lease))\b"
)
OF_ELSE: Final = compiled(
    r"\b(?:(?:firma|otorgamiento|formalizacion|suscripcion|signature|signing"
    r"|execution) (?:de la (?:escritura|hipoteca|compraventa)|del (?:acta|prestamo|anexo)"
    r"|de (?:cada|los|las|escritura)|ante notario|of the (?:deed|order|sow))"
    r"|recepcion|factura|notificacion|requerimiento|solicitud|terminacion|extincion|finalizacion"
    r"|finaliz\w+|vencimiento|incumplimiento|aprobacion|invoice|receipt|notice|request|termination"
    r"|expiry|breach|fallecimiento|sentencia|cobro|venta)\b"
)
# What a period may run from that the document dates elsewhere, by words that mean the same.
EVENTS: Final = tuple(
    compiled(rf"\b(?:{one})")
    for one in (
        r"solicit|requerimient|requer|peticion|request",
        r"factur|invoice",
        r"notific|comunicacion|served|notice (?:of|was)",
        r"recepcion|recib|receipt|received",
        r"fallec|muerte|defuncion|death|died",
        r"sentencia|judgment",
    )
)
# What comes again and again runs from no one day: "fees are due thirty days after the invoice date".
EACH_TIME: Final = compiled(
    r"\b(?:cada|facturas|cuotas|mensualidades|pedidos|honorarios|each|every|any|invoices|fees|charges|orders)\b"
)
STARTING: Final = compiled(
    r"^,?[^.;,]{0,40}?\b(?:inicio|comienzo|entrada en vigor|efectos|start date|effective date"
    r"|commencement(?: date)?|puesta en marcha)\b"
)
HANDING: Final = compiled(
    r"^,?[^.;,]{0,40}?\b(?:entrega de (?:las )?llaves|entrega de la posesion|puesta a disposicion"
    r"|handover)\b"
)
ON_ANNIVERSARY: Final = compiled(
    r"\b(?P<count>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|primer|segundo"
    r"|tercer|cuarto|quinto|decimo) (?:anniversary|aniversario) (?:of|de|desde) (?:the |la |el "
    r"|su )?(?P<of>[a-z ]{4,40})"
)
ORDINALS: Final = (
    "first primer",
    "second segundo",
    "third tercer",
    "fourth cuarto",
    "fifth quinto",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth decimo",
)
AFTER_END: Final = compiled(
    r"\b(?:tras|despues de|a partir de|desde|siguientes? a|posterior\w* a|extinguid\w+|terminad\w+"
    r"|finalizad\w+|after|following|from|al marcharse"
    r"|despues de marcharse)\b[^.;]{0,45}\b(?:extin\w+|termin\w+|finaliz\w+|conclu\w+|fin"
    r"|vencimiento|expir\w+|cese|end|marcharse|relacion|contrato|agreement)"
    r"|\b(?:thereafter|afterwards|despues de terminar)\b|\bvigencia\b[^.;]{0,40}\by (?:los |las "
    r"|durante )?$|\bafter (?:it|the agreement|that) (?:ends|terminates)"
)
AFTER_WHAT: Final = (
    (
        compiled(
            r"\b(?:compet\w+|concurr\w+|dedicar\w*|ejercer|emplear\w*|abstend\w+|promover|vender aparatos"
            r"|trabajar|non-?compete|sell or|selling)\b"
        ),
        Bilingual("fin de la prohibición de competir", "end of the non-compete"),
    ),
    (
        compiled(r"\b(?:confidencial\w*|secret\w*|reserva|confidential\w*|disclos\w+)\b"),
        Bilingual("fin del deber de confidencialidad", "end of the duty of confidence"),
    ),
    (
        compiled(
            r"\b(?:captar|captacion|non-?solicit\w*|solicit|"
            r"approach\w*|contratar (?:a|emplead)\w*)\b"
        ),
        Bilingual("fin de la prohibición de captar personal o clientes", "end of the non-solicitation"),
    ),
)
DUTIES: Final = Bilingual("fin de los deberes pactados", "end of the duties agreed")
FROM_DATE_WHAT: Final = (
    (
        compiled(r"\b(?:apartarse|desist\w+|withdraw\w*|arrepent\w+)\b"),
        Bilingual("último día para desistir según el contrato", "last day to withdraw under the contract"),
    ),
    *AFTER_WHAT,
    (
        # Not "in thirty days from the deed": the deed is what is done within them.
        compiled(
            r"\b(?:otorg(?:ar|ara|aran|ue|uen|arse|amiento)|elev(?:ar|ara|aran|arse)|formaliz(?:ar|ara|aran|arse)"
            r"|comparec\w+|complet(?:e|ion)|executed?)\b[^.;]{0,60}\b(?:escritura|notari\w+|deed)\b"
        ),
        Bilingual("último día para otorgar la escritura", "last day for the deed"),
    ),
    (
        compiled(r"\b(?:copia basica)\b"),
        Bilingual("último día para entregar la copia básica", "last day to hand over the basic copy"),
    ),
    (
        compiled(
            r"\b(?:pag\w+|abon\w+|entregara[^.;]{0,60}(?:euros|importe|cantidad|suma|precio)|desembols\w+"
            r"|ingres\w+|tramo|pay\w*)\b"
        ),
        Bilingual("último día de pago", "last day to pay"),
    ),
    (
        compiled(r"\b(?:transmi\w+|vender|enajen\w+|transfer\w*)\b"),
        Bilingual("fin de la prohibición de transmitir", "end of the prohibition to transfer"),
    ),
    (compiled(r"\b(?:consolid\w+|vest\w+)\b"), Bilingual("consolidación", "vesting")),
    (
        compiled(r"\b(?:obras?|terminara\w*|construccion|works)\b"),
        Bilingual("fin previsto de las obras", "planned end of the works"),
    ),
)
ACTION: Final = compiled(
    r"\b(?:caduc\w+|prescri\w+|time-barred|limitation)\b[^.;]{0,60}\b"
    r"|\baccion(?:es)?\b[^.;]{0,60}(?:despido|caduc|prescri)"
)
CLIFF: Final = compiled(
    r"\b(?:al cumplirse|al cabo de|cumplid[oa]s|al cumplir|after the first|at the end of)(?: los"
    r"| las| the)? $"
)
TODAY: Final = compiled(
    r"\b(?:desde hoy|desde la firma|a partir de hoy|desde esta fecha|from today|from signature"
    r"|from the date hereof|from the effective date)\b"
)
TRIAL: Final = compiled(r"\b(?:periodo de prueba|seran de prueba|de prueba|trial period|probation\w*)\b")
INSTALMENTS: Final = compiled(
    r"\b(?P<count>[a-z]+|\d{1,3})(?: ?\(\d{1,3}\))? (?:cuotas|mensualidades|recibos"
    r"|plazos mensuales|pagos mensuales|letras|vencimientos mensuales"
    r"|(?:equal )?monthly (?:instal?ments|payments))\b"
)
FIRST_ONE: Final = compiled(
    r"\b(?:la primera|el primero|primera cuota|primer (?:pago|recibo|vencimiento)|desde|a partir"
    r"|empezando|comenzando|the first|first (?:payment|instal?ment)|starting|beginning"
    r"|from)[^.;]{0,40}$"
)
LAST_ONE: Final = compiled(r"\b(?:ultim[oa]|last|final)\b[^.;]{0,30}$")
NOT_MONTHLY: Final = compiled(r"\b(?:trimestral\w*|semestral\w*|anual(?:es)?|quarterly|bimestral\w*)\b")
FIXED_RATE: Final = compiled(
    r"\b(?:durante |los |el |for )?(?:los |el |the )?(?:(?P<count>[a-z]+"
    r"|\d{1,2}) primer[oa]s? (?P<unit>meses|anos)|primer (?P<one>ano)|first (?P<count2>[a-z]+"
    r"|\d{1,2})? ?(?P<unit2>months|years|year))\b[^;]{0,160}(?:interes|fij[oa]|nominal|tipo|rate"
    r"|por ciento)"
)
REVISED: Final = compiled(r"\b(?:revis\w+|euribor|variable|despues, y por periodos|review\w*)\b")
STATED: Final = Bilingual("fecha que dice el contrato", "the day that the contract states")
RUNS_FROM: Final = compiled(
    r"^,? ?\(?(?:a contar|contad[oa]s?|desde|a partir|computad[oa]s?|from|after|following|starting"
    r"|commencing|counted)\b"
)
FROM_START: Final = compiled(
    r"^,? ?\(?(?:a contar|contad[oa]s?|desde|a partir|computad[oa]s?|from|after|following|starting"
    r"|commencing|counted)"
    r"[^.;,]{0,30}\b(?:entrada en vigor|inicio|comienzo|fecha de efectos|effective date|start date"
    r"|commencement|esa fecha"
    r"|dicha fecha|ese dia|that date|such date|dia de la contratacion)"
)
TABLE_TERM: Final = compiled(
    r"(?:\binitial (?:period|term)|\bduracion|\bvigencia|\bterm|\bplazo del contrato"
    r"|\bcontract term|\bcompromiso|\bpermanencia)(?: del contrato)? ?(?:[.:_|]|-){1,40} ?$"
)
AFTER_TERM: Final = compiled(
    r"^ (?:antes|before|prior|de antelacion|de preaviso|notice|siguientes|after|afterwards"
    r"|thereafter|mas tarde)"
)
TELLS_END: Final = compiled(
    r"\b(?:comuni\w+|notifi\w+|avis\w+|denunci\w+|manifest\w+|oponer\w*|preavis\w+|notice|notif\w+"
    r"|inform\w*)\b"
)
OPPOSES: Final = compiled(
    r"\b(?:salvo que|si (?:la|el|alguna|ninguna|no)|no quiera|no desee|unless|if (?:neither|either"
    r"|no)|oponer\w*|object\w*|no renov\w+|non-renewal|comuni\w+|denunci\w+|diga|notif\w+|notice"
    r"|manifest\w+)\b"
)
EACH_RENEWAL: Final = compiled(r"^ (?:mas|further|more)\b")
BACKWARDS: Final = compiled(
    r"^,? ?(?:de (?:antelacion|anticipacion|preaviso)|antes|anterior\w*|previ[oa]s?|before|prior"
    r"|notice|'? ?(?:written |prior )*notice)"
)
TODAY_IS: Final = compiled(r"^(?:a )?(?:hoy|today|signature|(?:la )?(?:misma )?firma)\b")
RUNS_FROM_DATE: Final = compiled(
    r"^,? ?(?:desde|a contar desde|contad[oa]s? desde|a partir|from|after|siguientes? al?"
    r"|following|starting|contad[oa]s? (?:a partir )?del?)\b"
)
MORE: Final = compiled(r"^ (?:mas|after\w*|thereafter|siguientes|posteriores)\b")
NO_TRIAL: Final = compiled(r"\b(?:superad\w+|durante el periodo|sin periodo|no (?:hay|se establece))\b")
TERM_END: Final = Bilingual("fin del plazo del contrato", "end of the term of the contract")
LAST_NOTICE: Final = Bilingual(
    "último día para oponerse a la prórroga o avisar del fin",
    "last day to oppose the renewal or give notice of the end",
)
AGREED: Final = Bilingual("último día del plazo pactado", "last day of the agreed period")
ANNIVERSARY: Final = Bilingual("aniversario que fija el contrato", "anniversary that the contract names")
TRIAL_END: Final = Bilingual("fin del periodo de prueba", "end of the trial period")
LAST_PAYMENT: Final = Bilingual("último pago", "last payment")
REVIEW: Final = Bilingual("primera revisión del tipo de interés", "first review of the interest rate")
COUNTED_FROM_SIGNING: Final = Bilingual(
    "El documento no fija otro comienzo: se ha contado desde su fecha.",
    "The document states no other beginning: counted from its own date.",
)
IF_IT_ENDS: Final = Bilingual(
    "Vale si el contrato termina ese día; si termina antes o se prorroga, cambia.",
    "It holds if the contract ends on that day; if it ends earlier or is renewed, it changes.",
)
END_COMPUTED: Final = Bilingual(
    "El fin del plazo se ha calculado; si el contrato se prorroga, la cuenta se repite desde el nuevo fin.",
    "The end of the term was computed; if the contract is renewed, count again from the new end.",
)
