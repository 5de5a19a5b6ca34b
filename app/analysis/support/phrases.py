"""List phrases by which a statement claims something of the law, and the law orders, allows or forbids. Pure.

All read folded text. A claim's authority stands in it as `lexcit`.
"""

from __future__ import annotations

import re

PARAGRAPH = re.compile(r"\n+")
SENTENCE = re.compile(r"(?<=[a-z0-9ñáéíóú)»”\"%])[.;](?=\s|$)|\n+")
ITEM = re.compile(r"\s*(?:[a-zñ]{1,2}\)|\([a-z]{1,4}\)|[IVXL]{1,6}[.)]|\d{1,2}\.?[ºª)]|[-–•])")
HOUSING = re.compile(r"\b(?:arrendamientos? de (?:la )?viviendas?|vivienda habitual|dwelling)\b")
OTHER_USE = re.compile(
    r"\b(?:uso distinto|local(?:es)?|oficinas?|nave|negocio|garaje|premises|office|commercial)\b"
)
LIST_MARK = re.compile(r"(?m)^[ \t]*\d{1,2}(?:\.?[ªº°]|\)|\.(?=\s))|\b\d{1,2}\.?[ªº°]")
FORBIDDING = re.compile(
    r"\b(?:no (?:se )?(?:podra|podran|puede|pueden|cabe|produce|producira|produciran|producen|"
    r"surtira|tendra|tendran|sera valid[a-z]*|seran valid[a-z]*|admit[a-z]*|permit[a-z]*|regira|rige)|"
    r"en ningun caso|"
    r"ningun[ao]? (?:estipulacion|pacto|clausula)|"
    r"(?:shall|may|can|must) ?not|cannot|no [a-z]+ (?:may|can|shall)|is of no effect|nulo|nula|"
    r"nulos|nulas|nulidad|prohib[a-z]+|void|por no puesta|irrenunciab[a-z]+|no admite|sin efecto|"
    r"ilicit[a-z]+|carecera[n]? de|(?<!practicas )abusiv[a-z]+|solo (?:sera|podra)|no producira|"
    r"queda[n]? prohib[a-z]+|not binding|unfair)\b"
)
ONLY_IF = re.compile(
    r"\b(?:solo sera|solo seran|unicamente sera|siempre que|requisitos|only if|provided that|"
    r"si concurren|salvo)\b"
)
ALLOWING = re.compile(
    r"\b(?:podra|podran|puede|pueden|valid[oa]s?|licit[oa]s?|permit[a-z]+|may|lawful|facultad|"
    r"admit[a-z]+)\b"
)
VALID_CLAIM = re.compile(
    r"(?<!no )(?<!not )\b(?:es|son|resulta|resultan|sera|seran|is|are) (?:plenamente |perfectly |"
    r"fully )?(?:valid[oa]s?|licit[oa]s?|legal(?:es)?|eficaz|eficaces|conformes? a|ajustad[oa]s?|"
    r"lawful|enforceable|permitid[oa]s?)\b|(?<!no )\b(?:cumple[n]?|respeta[n]?|complies|comply)\b"
    r"|\blexcit\W+(?:solo |only )?(?:que )?(?:lo )?(?:permite|ampara|autoriza|admite|permits|"
    r"allows|authori[sz]es|lets)\b"
    r"|(?<!no )\b(?:permite|ampara|autoriza|admite|permits|allows|permitted|allowed|"
    r"permitid[oa])[^.;]{0,30}\blexcit\b|\bal amparo\b"
)
APPROVES = re.compile(
    r"(?<!no )(?<!not )\b(?:es|son|resulta|resultan|is|are) (?:plenamente |perfectly |fully )?"
    r"(?:valid[oa]s?|licit[oa]s?|legal(?:es)?|correct[oa]s?|correct|lawful|eficaz|eficaces|"
    r"ajustad[oa]s? a|conformes? a|enforceable)\b|(?<!no )\b(?:vale|valen),? (?:ya que|porque|pues)\b"
)
VOID_CLAIM = re.compile(
    r"\bno (?:es|son|sera|seran|resulta) (?:valid|eficaz|eficaces|licit|legal|oponible|"
    r"vinculante)|\bno (?:produce|surte|tiene|puede tener) (?:ningun )?(?:efecto|validez)|"
    r"\bineffective\b|\bnot (?:valid|enforceable|binding|lawful|permitted|allowed)|"
    r"\bcarece de (?:efecto|validez)|\bunenforceable\b"
)
VIOLATES = re.compile(
    r"\b(?:contravien[a-z]*|vulner[a-z]*|infring[a-z]*|contradic[a-z]*|contrari[oa]s? a|"
    r"incumpl[a-z]*|breach[a-z]*|violat[a-z]*|contrary to|"
    r"(?:en )?contra (?:de )?(?:el|la|lo|lexcit)|against|priva[n]?|exige|obliga|impone|requires?|"
    r"must)\b"
)
BINDING = re.compile(
    r"\b(?:debe[a-z]*|tendra[n]? derecho|tendra[n]? que|obligatori[a-z]*|obligad[oa]s?|"
    r"sera necesari[oa]|shall|must|required|no podra[n]?|sera[n]? de cargo|sera[n]? a cargo|"
    r"correspond[a-z]*|sera[n]?|habra[n]? de|se prorrogara|exig[a-z]+|observancia|requisitos|deba[n]?|"
    r"no [a-z]+ (?:may|can)|h(?:ara|aran)|d(?:ara|aran)|[a-z]{3,}(?:ara|aran|era|eran|ira|iran))\b"
)
# "Garantiza al consumidor el derecho a subarrendar": the law must speak of what the right is to.
RIGHT_TO = re.compile(
    r"\blexcit\W+(?:\w+ ){1,8}?derecho (?:a|de) (?:\w+ )?([a-z]{2,}(?:ar|er|ir)(?:l[ao]s?|se)?)\b|"
    r"\blexcit\W+(?:\w+ ){1,6}?right to ([a-z]{3,})\b"
)
ORDERS = re.compile(
    r"\blexcit\W+(?:solo |only )?(?:que )?(?:obliga a|exige|permite|prohibe|impide|autoriza a|"
    r"autoriza|ordena) ([a-z]{2,}(?:ar|er|ir)(?:l[ao]s?|se)?)\b|\blexcit\W+(?:obliges|requires|"
    r"allows) (?:\w+ ){1,3}to ([a-z]{3,})\b"
)
SETS = re.compile(
    r"\b(?:limit|fij|exig|impon|permit|reconoc|establec|dispon|orden|prev|senal|conced|otorg|"
    r"autoriz|admit|sets?|fix|requir|allow|permits?|provid|caps?)[a-z]*"
)
LESS = re.compile(
    r"\b(?:inferior(?:es)?|menor(?:es)?|por debajo|no alcanza[n]?|insuficiente[s]?|below|"
    r"less than|shorter|short of|insufficient|lower)\b"
)
MORE = re.compile(
    r"\b(?:excede[n]?|exceder|supera[n]?|superior(?:es)?|mayor(?:es)?|rebasa[n]?|por encima|"
    r"exceeds?|above|more than|longer|greater|higher|excesiv[oa]s?)\b"
)
NOT_LESS = re.compile(
    r"\b(?:no (?:sera |podra ser |es )?(?:inferior|menor)|en ningun caso (?:la duracion )?(?:sera|"
    r"seran) inferior|not less)\b"
)
# "The article gives the tenant the right to": the passage must give one.
GIVES_RIGHT = re.compile(
    r"\blexcit\W+(?:le |les |also |tambien )?(?:reconoc[a-z]+|conced[a-z]+|otorg[a-z]+|confier[a-z]+|"
    r"garantiz[a-z]+|da|dan|"
    r"atribuy[a-z]+|gives?|grants?|allows?|lets|deja|dejan|faculta|permite)\b"
    r"|\b(?:que|which|that) lexcit (?:reconoc[a-z]+|conced[a-z]+|otorg[a-z]+|permite|gives?|grants?|allows?)"
)
REFUSING = re.compile(
    r"\bno (?:se )?(?:puede[n]?|podra[n]?|tendra[n]? derecho|tiene[n]? derecho)\b|"
    r"\b(?:may|shall|can) not\b|\bcannot\b"
)
# "Is no requirement" of a law that makes it one.
NOT_REQUIRED = re.compile(
    r"\bno (?:es|son|sera|seran|resulta|constituye) (?:un |una )?(?:requisit|necesari|obligatori|precis|"
    r"exigible|imprescindible|preceptiv)|\b(?:no hace falta|no se (?:exige|requiere)|"
    r"no (?:exige|requiere)|is not (?:required|necessary|mandatory)|does not require)"
)
REQUIRED = re.compile(
    r"\b(?:sera[n]?|es|son|constituye) (?:un |una )?(?:requisito|necesari|obligatori|precis|preceptiv)|"
    r"\brequisito (?:necesario|indispensable)|\b(?:is|are|shall be) (?:required|necessary|mandatory)"
)
CLAUSE = re.compile(r"[;.:]|\bpero\b|\bbut\b")
# What a statement says is void or forbidden stands before the word that says so.
SAYS_VOID = re.compile(
    r"\b(?:esta[n]?|queda[n]?|es|son|resulta[n]?|sera[n]?|is|are) (?:plenamente |absolutamente )?"
    r"(?:prohibid|nul|abusiv|ilicit|ilegal|void|prohibited|unlawful|unfair|invalid|ineficaz)"
)
