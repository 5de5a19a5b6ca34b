"""Read in what capacity a person acts in a document: for themselves, for another, or in office.

Every pattern reads folded text: the words right before a name without its title, or the words right after it.
"""

from __future__ import annotations

from typing import Final

from app.rules.facts.people.names import ROLE_WORDS, TITLE
from app.text.expressions import compiled

_OFFICE: Final = (
    r"(?:administrador|gerente|apoderad|consejer|representante|director|president|secretari|socio|letrad"
    r"|abogad"
    r"|procurador|mandatari|tutor|liquidador|delegad)[a-z]*"
)

# "la mercantil", "los cónyuges don": what stands between a part in the contract and the name that plays it.
INTRODUCTION: Final = compiled(
    r"(?:^|[ (,;:.\"'])(?:"
    + TITLE.lower()
    + r"|c\.|lic\.|ing\.|(?:el |la |los |las )?(?:conyuges|esposos|hermanos|matrimonio(?: formado por)?"
    r"|sres\.?"
    r"|senor(?:es|as)|sociedad|mercantil|entidad|empresa|compania|firma|company)"
    r"(?: mercantil| bancaria| espanola| limitada)?) ?$"
)
ON_BEHALF: Final = compiled(
    r"en (?:nombre y )?representacion(?:,[^,;.]{1,50},)? (?:de|del)\b|en nombre de|por cuenta de"
    r"|on behalf of|actuando por"
)
ON_BEHALF_BEFORE: Final = compiled(
    r"(?:en (?:nombre y )?representacion(?:,[^,;.]{1,50},)? (?:de|del)|en nombre de|on behalf of"
    rf"|(?:en (?:su )?(?:calidad|condicion|concepto) de|como) {_OFFICE}(?: [a-z]{{4,14}})? (?:de|del))"
    r"(?: la| los| las)?[ ,]{0,2}$"
)
TURNS: Final = compiled(r"\b(?:en adelante|en lo sucesivo|hereinafter|el primero|la primera|los primeros)\b")
OWN_NAME: Final = compiled(r"(?:propio nombre|nombre propio|own behalf)")
REPRESENTED: Final = compiled(
    r"(?:representad[oa]s?(?: en este acto)?(?: legalmente)?(?: en este acto)?|asistid[oa]s?|defendid[oa]s?"
    r"|represented(?: herein)?|acting) (?:por|by|through)(?: su [a-z ]{3,40},?| el [a-z ]{3,30},?"
    r"| its [a-z ]{3,30},?)?[, ]{0,2}(?:el|la)?(?: letrad[oa]| abogad[oa]| procurador(?:a)?)?[ ,]{0,2}$"
    r"|\b(?:y )?en su (?:nombre|representacion)(?: y representacion)?,? ?$"
)
OFFICER: Final = compiled(
    r"\b(?:notari[oa]|magistrad[oa]|juez|jueza|ponente|secretari[oa]|letrad[oa] de la administracion"
    r"|perit[oa]"
    r"|notary|judge|testigo|witness|registrador(?:a)?)\b[a-z ,.]{0,30}:? ?$|\bante mi, ?$"
)
# A street or a bank that bears the name of a person or a company is no party.
PLACE: Final = compiled(
    r"\b(?:calle|c/|avenida|avda\.?|plaza|pza\.?|paseo|camino|carretera|ronda|edificio|poligono"
    r"|cuenta (?:abierta )?en"
    r"|linda con|a favor)(?: (?:de|del|la|las|los|el|don|dona))*,? ?$"
)
# "Operaria de confección en Textiles X, S.A.": whom a party works for is no party.
EMPLOYED: Final = compiled(
    r"\b(?:emplead|operari|trabajador|trabaja|labora|dependient|funcionari|pensionad)\w*"
    r"(?: [a-z]+){0,5} (?:en|de|del|para)(?: la| el)? $"
)
# A letter whose writer acts for somebody: not the one to whom it is written.
LETTER: Final = compiled(
    r"\b(?:dear|estimad[oa]s?|respetad[oa]s?|(?:we|i) (?:write|act|am writing|are writing))\b"
)
COUNSEL_BEFORE: Final = compiled(
    r"\b(?:procurador(?:a)?|letrad[oa]|abogad[oa]|administrador(?:a)?(?: unic[oa]| solidari[oa]"
    r"| mancomunad[oa])?"
    r"|apoderad[oa]|representante(?: legal)?|solicitor|attorney|counsel"
    r"|director)(?: de los tribunales)?[ ,:]{0,3}$"
    r"|direccion (?:letrada|tecnica|juridica)(?: y (?:letrada|tecnica|juridica))? (?:de|del)"
    r"(?: letrad[oa]| la letrada| abogad[oa])?[ ,]{0,2}$"
    r"|\b(?:el|la|su) (?:representante|apoderad[oa]|administrador(?:a)?|abogad[oa]|letrad[oa]) (?:de la|del"
    r"|de los) (?:parte )?"
    rf"(?:{ROLE_WORDS}), ?$"
)
COUNSEL_AFTER: Final = compiled(
    r"^ ?, {0,2}(?:procurador(?:a)?|letrad[oa]|abogad[oa]|su procurador|director|solicitor|attorney"
    r"|counsel)\b"
    r"|^ procurador(?:a)? de los tribunales\b"
    rf"|^[^;:.]{{0,110}}\b(?:en (?:su )?(?:calidad|condicion|concepto) de|como|as) (?:su |its |el "
    rf"|la )?{_OFFICE}\b"
)
LITIGATING: Final = compiled(r"\b(?:procurador(?:a)?|letrad[oa]|abogad[oa]|solicitor|attorney)\b")
CLAIM: Final = compiled(r"\b(?:demanda|querella|denuncia)\b")
APPEAL: Final = compiled(
    r"\brecurso(?: de)? (?:alzada|reposicion|reforma|apelacion|casacion|suplicacion|contencioso|amparo)"
)
PROCEEDINGS: Final = compiled(
    r"\b(?:demanda|querella|denuncia|reclama\w{0,6}|papeleta|ejecutiv\w{1,2}|procedimiento|juicio|accion"
    r"|recurso|claim"
    r"|proceedings|action|suit|complaint)\b"
)
AGAINST: Final = compiled(
    r"\b(?:contra|frente a|against)(?: l[oa]s?| el)?(?: (?:mercantil|entidad|empresa|sociedad"
    r"|compania))?[,: ]{0,3}$"
)
ADDRESSED: Final = compiled(
    r"(?:\bestimad[oa]|\brespetad[oa]|\bapreciad[oa]"
    r"|\bmuy (?:sra?\.|senor(?:a)?) (?:mio|nuestro|mia|nuestra)|\ba la atencion de"
    r"|\batt?n?\.?:?|\bdestinatari[oa]:|\bpara:|\bto:|\bdear)[ ,]{0,3}$"
)
PRESENTED: Final = compiled(
    r"^,? ?(?:mayor(?:es)? de edad|nacid|con (?:dni|nif|nie|cif|domicilio|n\.i\.f|d\.n\.i|c\.i\.f)|provist"
    r"|identificad|titular"
    r"|vecin|de nacionalidad|domiciliad|a company|a private|incorporated|whose registered|represent"
    r"|debidamente|of (?:[a-z]{2,20},? ){0,3}\d|\[|\()"
)
# "This website is run by X, S.L.": the trader of terms that have no opening.
TRADER: Final = compiled(
    r"\b(?:run|operated|owned|managed|gestionad[oa]|explotad[oa]|operad[oa]|titularidad|titular)"
    r"(?: es)? (?:by|por|de)(?: la (?:mercantil|entidad|sociedad))?[,: ]{0,3}$"
    r"|\b(?:gestiona|explota|opera)(?: la (?:mercantil|entidad|sociedad))?[,: ]{0,3}$"
)
DISMISSAL: Final = compiled(r"\b(?:despido|despedirle|dismiss(?:al|ed)?)\b")
OFFICE_HELD: Final = compiled(
    r"\b(procurador(?:a)?|letrad[oa]|abogad[oa]|administrador(?:a)?(?: unic[oa]| solidari[oa])?"
    r"|consejer[oa] delegad[oa]|apoderad[oa]|solicitor|attorney"
    r"|directora?(?: (?:general|financier[oa]|gerente|comercial|juridic[oa]|tecnic[oa]|ejecutiv[oa]))?)\b"
)
# "El anterior inquilino, D. …": who was a party once is none of this document's.
FORMER: Final = compiled(r"\b(?:anterior(?:es)?|antigu[oa]s?|ex|former|previous) ?-?$")
FORMER_AFTER: Final = compiled(r"^ (?:anterior(?:es)?|antigu[oa]s?|saliente)\b")
# "Bajo la dirección letrada de D. …", "y el letrado don …": the office right before the name is its own.
DIRECTS: Final = compiled(
    r"\b(?P<office>direccion (?:letrada|tecnica|juridica)) (?:de|del)(?: l[ao])?(?: d\.ª?| dona?| sra?\.)* ?$"
)
OFFICE_BESIDE: Final = compiled(
    r"\b(?P<office>procurador(?:a)?|letrad[oa]|abogad[oa]|apoderad[oa]|solicitor|attorney)"
    r"(?: de los tribunales)?(?: d\.ª?| dona?| sra?\.)*[ ,:]{0,2}$"
)
LIST: Final = compiled(r"^,? ?(?:y|e|and|asi como|asistid\w+)\b")
OPENED: Final = compiled(
    r"(?:\bde (?:una|(?:la )?otra|una tercera)(?: parte)?(?: y)?|\bpor (?:una|la otra|otra)(?: parte)?"
    r"|\breunidos"
    r"|\bcomparecen?|\bentre(?: los suscritos)?(?:,? a saber)?|\bbetween|\band"
    r"|\(\d\)|(?:^|[ .])(?:the )?parties|\bpartes)[,:. ]{0,3}$"
)
# Where the text turns to the other side: what follows is no longer said of the party before.
OTHER_SIDE: Final = compiled(
    r"[ ,;.](?:de (?:la )?otra(?: parte)?(?: y)? ?[,:]|y,? de (?:la )?otra\b"
    r"|(?:y )?por (?:la )?otra(?: parte)?\b"
    r"|(?:y )?de una tercera\b|y de una parte\b|of the other part|- ?and ?-|and: |\(\d\) )"
)
# "como arrendadora, ", "EL VENDEDOR: ", "la demandante ": the part, right before its name.
LEADING_ROLE: Final = compiled(
    r"(?P<capacity>\b(?:como|en (?:su )?(?:calidad|condicion|concepto) de|as|actua(?:ndo)? como) )?"
    r"(?:el |la |los |las |the )?\b"
    rf"(?P<role>{ROLE_WORDS})\b[\"')*_ ]{{0,3}}(?:\(?e?s\)?|/as?)? ?[,:.-]{{0,2}}(?: (?:es|sera"
    rf"|is))? ?(?:a )?"
    r"(?:el trabajador|la trabajadora)? ?$"
)
# "Our client, X Ltd": whose client it is, not its part in the document.
POSSESSED: Final = compiled(
    r"\b(?:nuestr[oa]|mi|su|our|my|your|his|her|their|(?:agent|broker) (?:of|for)(?: the)?"
    r"|agente del?(?: la)?)$"
)
TWO_ROLES: Final = compiled(
    rf"\b(?:{ROLE_WORDS})[ .:]{{1,40}}(?:el |la |y |e |and |the )*(?:{ROLE_WORDS})[ .:]*$"
)
FOLLOWING_ROLE: Final = compiled(
    rf"(?:\bcomo|\ben (?:su )?(?:calidad|condicion|concepto) de|\bas|\bactua como) (?:el |la |the |an? )?"
    rf"[\"']?(?P<role>{ROLE_WORDS})\b"
)
# "D. Luis Paz, con DNI …, vendedor; de otra …": the part, last of what is said of the name.
APPOSED_ROLE: Final = compiled(rf", (?:el |la |los |las |the )?(?P<role>{ROLE_WORDS})[ .,]*$")
# A line that holds nothing but the part, below the name that plays it (over lower-case text with its lines).
ROLE_LINE: Final = compiled(
    rf"^[ .,]*\n[ \n]*(?:the |el |la |los |las )?(?P<role>{ROLE_WORDS})[ .)]*(?:\n|$)"
)
ALIAS: Final = compiled(
    r"(?:en (?:lo sucesivo|adelante)|hereinafter|hereafter|se (?:le )?denominara|a quien se denominara"
    r"|referred to as)"
    r"(?:[ ,:]{1,3}(?:denominad[oa]s?|designad[oa]s?|llamad[oa]s?|referid[oa]s?|indistintamente|tambien"
    r"|simplemente|y a estos efectos|called|referred to as|como|as|se (?:le )?denominara)){0,3}"
    r"[ ,:]{0,3}[\"'*(]{0,3}"
    r"(?:(?:el|la|los|las|the)? ?[\"']{1,2}[a-z0-9 .&-]{2,30}[\"']{1,2},? (?:o|or|y|and) )?"
    rf"(?:el|la|los|las|the)? ?[\"'*]{{0,3}}(?P<role>{ROLE_WORDS})\b"
    r"|\( ?(?:(?:hereinafter|each|together|collectively|both|amb[oa]s|conjuntamente),? |as |como )?"
    r"[\"'*]{0,3}(?:el|la|los|las|the)? ?[\"'*]{0,3}"
    rf"(?P<role2>{ROLE_WORDS})[\"'*]{{0,3}} ?\)"
)
# "Your Rights as a Customer": the title of a paper, not a name.
OF_READER: Final = compiled(r"^(?:your|our|my|their|sus?|nuestr[oa]s?|vuestr[oa]s?) ")
# '("la Familia")', '("Lumina")': a name's own short name, though no word for a part.
OWN_ALIAS: Final = compiled(
    r"\( ?[\"'*]{1,3}(?:(?:el|la|los|las|the) )?[a-z0-9][a-z0-9 .&-]{1,40}[\"'*]{1,3} ?\),?"
)
NEXT_NAME: Final = compiled(r",? ?(?:y|e|and)[ \n](?:[a-z. ]{0,12} )?[A-Z][A-Za-z'-]+ [A-Z]")
ALIAS_MARK: Final = compiled(r"\b(?:en (?:lo sucesivo|adelante)|hereinafter|hereafter)\b")
# Two names with nothing between them but a comma or "y": one side of the contract.
JOINED: Final = compiled(rf"^(?:,? (?:y|e|and|&)|,) (?:{TITLE.lower()} )?$")
BETWEEN: Final = compiled(r"\b(?:entre|between)(?: los suscritos)?(?:,? a saber)?[: ]{0,3}$")
