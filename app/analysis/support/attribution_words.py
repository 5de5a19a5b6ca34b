"""List the words by which a text attributes words to a citation of law, or to somebody else. Tables alone.

All of them are matched on folded text (`app.citations.folded`), without accents.
"""

from __future__ import annotations

import re

from app.text import linear

_VERBS = (
    "dice|dicen|dispone[n]?|establece[n]?|preve[n]?|preceptua[n]?|senala[n]?|reza[n]?|ordena[n]?|"
    "prescribe[n]?|"
    "declara[n]?|determina[n]?|proclama[n]?|estipula|expresa|indica|recoge|contempla|regula|define|fija|"
    "exige[n]?|"
    "impone[n]?|obliga[n]?|prohibe[n]?|permite[n]?|autoriza|faculta|reconoce[n]?|concede[n]?|otorga|"
    "afirma|consagra|"
    "a\\s?cuyo\\stenor|(?:segun|conforme\\sa|con\\sarreglo\\sa|en\\svirtud\\sde)l?\\s(?:el|la|lo|"
    ")\\s?cual(?:es)?|"
    "under\\swhich|according\\sto\\swhich|whereby|selon\\sle(?:quel|s)|secondo\\scui|wonach|"
    "deja[n]?|admite[n]?|consiente[n]?|tolera[n]?|ampara[n]?|habilita[n]?|legitima[n]?|autorizan|facultan|"
    "excluye[n]?|exime[n]?|dispensa[n]?|hace[n]?|lets?|authori[sz]es?|exempts?|excludes?|"
    "situa[n]?|cifra[n]?|presume[n]?|da[n]?|reduce[n]?|"
    "(?:es|son)\\sde\\saplicacion|(?:es|son)\\saplicables?|applies|"
    "castiga[n]?|pena[n]?|extiende[n]?|ofrece[n]?|abre[n]?|se\\saplica[n]?|alcanza[n]?|rige[n]?|"
    "sanciona|limita|atribuye|garantiza|manda|advierte|anade|aclara|precisa|enuncia|contiene|entiende|"
    "literalmente|"
    "textualmente|"
    "provides?|states?|says|reads|lays|sets|stipulates|requires|prescribes|declares|establishes|puts|"
    "allows|permits|"
    "prohibits|grants|gives|limits|imposes|entitles|defines|specifies|mandates|forbids|obliges|"
    "dispose[nt]?|prevoit|enonce|precise|stipule|impose|interdit|edicte|"
    "stabilisce|prevede|recita|sancisce|prescrive|statuisce|impone|vieta|"
    "bestimmt|lautet|besagt|regelt|heisst|schreibt|verlangt|ordnet|sieht|verbietet|"
    "estabelece|dispoe|determina|prescreve|preceitua|exige|proibe|reza"
)
SAYING = linear.compile(rf"(?i)(?:^|[^\p{{L}}])(?:{_VERBS})(?:[^\p{{L}}]|$)")
# "Según el artículo 6, …", "in the words of section 3, …": what stands right before the citation.
CUE = linear.compile(
    r"(?i)(?:^|[^\p{L}])(?:segun|conforme\s(?:al?|con)|de\sconformidad\scon|a\s?tenor\sdel?|de\sacuerdo\scon|"
    r"con\sarreglo\sal?|en\svirtud\sdel?|por\s(?:aplicacion|imperativo|mandato|disposicion)\sdel?|"
    r"en\s(?:palabras|los\sterminos|terminos)\sdel?|al\sdecir\sdel?|a\sla\sletra\sdel?|"
    r"(?:como|tal\scomo|asi\s?,?(?:\slo)?)\s(?:dice|dispone|establece|senala|preve|reza|ordena|preceptua)|"
    r"(?:dice|dispone|establece|senala|preve|reza|ordena|preceptua|prescribe|exige|declara|prohibe|"
    r"permite)(?:\sasi)?|"
    r"in\sthe\swords\sof|according\sto|pursuant\sto|under|as\sper|per|by\svirtue\sof|in\sterms\sof|"
    r"as\sstated\sin|"
    r"as\sprovided\s(?:in|by)|in\saccordance\swith|as|by|"
    r"selon|aux\stermes\sde|d'apres|conformement\sa|secondo|ai\ssensi\sdell?|a\snorma\sdell?|recita|dispone|"
    r"nach|gemass|laut|im\ssinne\sdes|nos\stermos\sdo|segundo|conforme|de\sacordo\scom)"
    r"[\s']{1,3}(?:(?:el|la|los|las|lo|the|l'|le|il|o|a|dem|den|des|dispuesto\spor\sel|que\s\p{L}+\sel|"
    r"que\s\p{L}+\sla|citad[oa]|propi[oa]|mism[oa])[\s']{1,2}){0,3}$"
)
# Who else may be speaking: words of these are not an article's.
OTHERS = linear.compile(
    r"(?i)(?:^|[^\p{L}])(?:ministerio|fiscal|gobierno|magistrad[oa]s?|clausulas?|estipulacion(?:es)?|"
    r"pactos?|contratos?|convenios?|parte|partes|actora?|"
    r"demandad[oa]s?|demandantes?|recurrentes?|recurrid[oa]|perito|testigos?|cartas?|correos?|emails?|"
    r"burofax|"
    r"whatsapp|mensajes?|escritos?|sentencias?|autos?|sala|tribunal|juzgado|jurisprudencia|doctrina|autor|"
    r"libro|"
    r"denominad[oa]s?|titulad[oa]s?|llamad[oa]s?|rubric[ao]d?[oa]?|titulos?|marca|lema|"
    r"dij[oe](?:ron)?|escribio|aleg[oa](?:n|ba)?|manifest[oa](?:n|ba)?|sostiene|sostuvo|contest[oa]|"
    r"afirm[oó]|"
    r"declar[oó]|respond[ei]o?|pidio|invocando|exclama|anuncio|"
    r"clauses?|agreement|contract|lease|party|parties|plaintiff|defendant|claimant|landlord|tenant|"
    r"witness|letter|"
    r"e-?mail|court|judgment|judge|author|said|wrote|alleged|argued|claimed|told|called|entitled|titled|"
    r"headed|"
    r"contrat|vertrag|klagerin|klager|beklagte[r]?|contratto|clausola|requerente|reu)(?:[^\p{L}]|$)"
)
AFTER = frozenset((
    "segun", "asi", "lo", "el", "la", "los", "las", "del", "de", "en", "tal", "como", "cfr", "vid",
    "vease", "v", "see", "ex", "the", "in", "as", "and", "y", "por", "cita", "literal", "articulo",
    "art", "conforme", "a", "al", "tenor", "under", "to", "per", "so", "thus", "gemass", "aux",
    "termes", "selon", "ai", "sensi", "cosi", "nos", "termos", "con", "arreglo", "acuerdo", "palabras",
    "que", "of", "words", "according",
))  # fmt: skip
CONNECTING = frozenset((
    "que", "lo", "siguiente", "cual", "asi", "y", "cuando", "en", "su", "sus", "the", "that", "follows",
    "as", "to", "apartado", "parrafo", "primero", "segundo", "tercero", "primer", "ultimo", "letra",
    "inciso", "paragraph", "its", "literal", "tenor", "del", "de", "la", "el", "al", "vigente",
    "citado", "textual", "expresamente", "claramente", "qui", "che", "dass", "wie", "folgt", "seguinte",
    "o",
))  # fmt: skip
SENTENCE_END = linear.compile(
    r"[.!?…][»”\")]?\s+[\p{Lu}¿¡«“\"„(]|\n\s*\n|[.;]\s+\d{1,2}(?:\.\d{1,2}){1,2}\.?\s+\p{Lu}"
)
# "que en los contratos con consumidores da …": what stands behind a preposition does not speak.
PREPOSITIONAL = re.compile(
    r"\b(?:en|con|de|a|por|para|entre|sobre|sin|in|with|of|to|for|between)\s(?:(?:el|la|los|las|un|una|"
    r"the|a)\s)?\w+"
)
SHORT_FORM = linear.compile(
    r"(?i)(?:^|[\s(])(?:arts?|apdos?|aptdo|num|nums|n|no|nro|pag|p|pp|cfr|vid|sr|sra|d|dna|dr|dra|ss?|"
    r"secs?|abs|nr|"
    r"para|paras|al|lett|co|cfr|inc|lit|fracc?|cit|ud|uds|etc|c|cod|civ|proc|pen|conso?m|vs|v|u\.s|"
    r"u\.s\.c|st)\.$"
)
ATTRIBUTIVE = linear.compile(
    r"(?i)(?:exigid|previst|establecid|fijad|senalad|dispuest|contemplad|regulad|impuest|concedid|"
    r"reconocid|marcad|"
    r"ordenad|provided|required|laid\sdown|set\sout|set|prescribed|allowed|granted|imposed|"
    r"given)(?:[oa]s?)?\s"
    r"(?:por|en|segun|by|in|under)\s(?:(?:el|la|los|las|the)\s)?$|"
    r"(?:recogid|contenid)[oa]s?\sen\s(?:(?:el|la|los|las)\s)?$|"
    r"que\s(?:exige|establece|preve|fija|senala|impone|concede|marca|contempla|reconoce|dispone|ordena)[n]?\s"
    r"(?:(?:el|la|los|las)\s)?$"
)
# "como consiente el artículo 1859", "que así lo permite el artículo 21": leave, told before the citation.
LEAVE_BEFORE = re.compile(
    r"(?:\b(?:como|segun|cual|que|tal como|esto|eso|asi|as)\s,?\s?(?:asi\s|(?:se\s)?l[oae]s?\s|"
    r"expresamente\s){0,3}"
    r"(permiten?|autorizan?|consienten?|admiten?|toleran?|amparan?|facultan?|habilitan?)"
    r"(?:\s(?:expresamente|en su caso|tambien))?\s(?:el|la|los|las)\s)$",
    re.IGNORECASE,
)
# What couples two citations of which one thing is said.
COUPLED = re.compile(
    r"\s{0,2}(?:,|y|e|,\s?y|and)\s{1,2}(?:(?:tambien|asi como)\s)?(?:el|la|los|las|the)?\s{0,2}",
    re.IGNORECASE,
)
# "Conforme al artículo 9.1 la duración mínima es de …": a rule is stated, nobody acts.
STATES = re.compile(
    r"\s(?:tod[oa]s?\s)?(?:el|la|los|las|un|una|es[eao]s?|est[aeo]s?|dich[oa]s?|tod[oa]s?|cualquier|the|all|"
    r"every|any|an?)\s[^,;:.]{3,90}?\s(?:es|son|sera|seran|dura|prescriben?|caducan?|basta|"
    r"debera?n?|debe|puede|pueden|podran?|is|are|must|may|shall)\b"
)
# "Esa renuncia es válida según el artículo 10": a quality that the article is said to give.
QUALIFIES = re.compile(
    r"\b(?:es|son|sera|seran|resultan?|queda|is|are)\s(?:\w+mente\s)?(?:valid|licit|eficac|eficaz|oponib|exigib|"
    r"vinculant|lawful|enforceab)\w*,?\s(?:segun|conforme|de\sacuerdo|al\samparo|en\svirtud|under|pursuant)",
    re.IGNORECASE,
)
POINTS_BACK = re.compile(r"\b(?:asi\slo|eso|ello|esto|tal(?:es)?|dich[oa]s?|such(?:\sa)?|so)\b")
THEREFORE = re.compile(
    r",\s(?:(?:y\s)?por\s(?:lo\sque|tanto|ello)|de\s(?:modo|manera|forma|suerte)\sque|asi\sque|luego|"
    r"en\sconsecuencia|"
    r"sin\sembargo|pero\s(?:el|la|las|los)\s(?:contrat|part|client)|so\sthat|therefore|accordingly|however)\b"
)
# Whose terms are the parties' own.
PAPERS = re.compile(
    r"\b(?:clausulas?|estipulaci\w+|pact\w+|contrat\w+|convenios?|anexos?|polizas?|cartas?|burofax|"
    r"clauses?|agreement|"
    r"contract|lease)\b",
    re.IGNORECASE,
)
BRACKETED = linear.compile(
    r"(?i)\((?:(?:segun|conforme\sa|ver|vid\.?|cfr\.?|see|under)\s)?(?:(?:el|la|los)\s)?$"
)
_PERIOD = (
    r"(?:dias?|mes(?:es)?|anos?|horas?|euros?|mensualidad(?:es)?|por\s(?:ciento|cien|100)|%|days?|months?|"
    r"years?)"
    r"(?:\s(?:naturales|habiles|laborables|working|calendar))?"
)
# "los quince años del artículo 1964": a figure right before the citation that it belongs to.
OF_ARTICLE = re.compile(
    rf"{_PERIOD}(?:,?\s(?:que\s(?:es|son)\s)?(?:el|la|los|las)(?:\s(?:plazo|termino|limite|umbral|cuantia|"
    rf"tope|suma|"
    r"cantidad|importe|duracion))?)?\s(?:del?|of)\s(?:(?:el|la|los|las|the)\s)?$",
    re.IGNORECASE,
)
# "recurso en el plazo de un mes …, con arreglo al artículo 223": a period of law, not of a contract.
TRAILING = linear.compile(
    r"(?i)(?:con\sarreglo\sal?|conforme\s(?:al?|con)|de\s(?:conformidad|acuerdo)\scon|segun|"
    r"al\samparo\sde|en\svirtud\sde"
    r"|a\stenor\sde|ex|pursuant\sto|under|in\saccordance\swith)l?\s(?:lo\s(?:dispuesto|previsto|"
    r"establecido)\s(?:en|por)\s)?"
    r"(?:(?:el|la|los|las|the)\s)?$|"
    r"(?:tal\s)?como\s(?:dispone|establece|preve|ordena|exige|senala|manda|indica|fija)n?\s(?:(?:el|la|los|las)\s)?$|"
    r"as\s(?:laid\sdown|provided|required|set\sout|set\sdown|prescribed|stated)\s(?:in|by|under)\s(?:the\s)?$"
)
OF_PROCEDURE = linear.compile(
    r"(?i)(?:^|[^\p{L}])(?:recurs[oa]s?|recurrir[a-z]*|reclamaci[a-z]+|reclamar|demandas?|demandar|"
    r"impugna[a-z]*|alegaciones|contesta[a-z]*|comparec[a-z]*|apela[a-z]*|ejecucion|cuantia|juicio|"
    r"juzgados?|tribunal(?:es)?|"
    r"dispon(?:e|es|en|dra|dras|dran|ia)\s(?:ustede?s?\s)?de|"
    r"alegar|pagar|ingresar(?:se)?|preavis[a-z]*|antelacion|avis(?:o|ar)|plazo\s(?:maximo\s|minimo\s|legal\s)?de|"
    r"notice|lapse[a-z]*|time\slimit|"
    r"garantia\slegal|desist[a-z]*|warranty|withdraw[a-z]*|"
    r"prescri[a-z]*|caduc[a-z]*|interpon[a-z]*|oponer[a-z]*|oposicion|appeal[a-z]*|challenge[a-z]*|"
    r"claims?|time[\s-]barred|"
    r"limitation)(?:[^\p{L}]|$)"
)
# Somebody's words: "«…», dijo el actor".
SPOKEN = linear.compile(
    r"(?i)^[\s,]{0,3}(?:segun\s)?(?:dij[oe]|escrib|alega|alego|manifest|sosten|sostuv|contest|afirm|"
    r"declar[oa]|respond|"
    r"said|wrote|argued|alleged|replied|told|sagte|dit|disse)"
)
# "la agravación del artículo 250.1.5.º, por superar lo defraudado los 40.000 euros": why an article is met.
MET_BECAUSE = re.compile(
    r",?\s(?:por(?:que)?|al|ya\sque|dado\sque|pues|because|since|as)\s[^.;]{0,60}?"
    r"(?:superar?|supera|exced[ae]r?|excede|rebasa[r]?|sobrepasa[r]?|superior(?:es)?\sa|mas\sde|exceeds?|exceeding"
    r"|over|more\sthan|above)\b",
    re.IGNORECASE,
)
SEGMENT = re.compile(r"[,;()]|\s-|-\s")
# Who acts, and does not say what the law says: "de conformidad con el artículo 36, el arrendatario entrega
# …".
ACTS = linear.compile(
    r"(?i)(?:^|[^\p{L}])(?:en\seste\sacto|entreg[ao]n?|abon[ao]n?|pag[ao]n?|deposit[ao]n?|"
    r"ha[n]?\sentregado|pactan|"
    r"pacta|acuerdan|acuerda|convienen|fijan|se\sfija|se\spacta|se\sobliga|se\scompromete|constituye[n]?|"
    r"solicita|"
    r"interesa|reclama|formula|interpone|comparece|otorga[n]?|las\spartes|hereby|agrees?|pays?|delivers?|"
    r"undertakes?|the\sparties)(?:[^\p{L}]|$)"
)
ANNOUNCED = linear.compile(
    r"(?i)(?:literal|textual|tenor|siguiente|asi|dice|reza|lee|follows|reads|verbatim|wortlaut|lautet|"
    r"suivant|seguinte)"
)
