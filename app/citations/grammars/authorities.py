"""Find what authorities have said: a kind of paper, the body, a number or a day, in any usual order.

For instance "Circular 1/2016 de la FGE", "Concepto SIC 24-117823", "délibération SAN-2024-021 de la CNIL",
"BMF-Schreiben vom 15.10.2024 - III C 2". What differs between countries is vocabulary: `_BODIES` names the
bodies, `_KINDS` the papers. Tax rulings, TEAC, AEPD and the registries of Spain are in `spain`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.citations import dates, prefilter
from app.citations.citation import Finding, Mention

# Country, code of the normal form, how the body is called. Initials are told by their case.
_BODIES: tuple[tuple[str, str, str], ...] = (
    ("ES", "FGE", r"FGE|Fiscalia\sGeneral(?:\sdel\sEstado)?"),
    ("ES", "ITSS", r"D?G?ITSS|"
        r"(?:Direccion\sGeneral\sde\sla\s)?Inspeccion\sde\sTrabajo(?:\sy\sSeguridad\sSocial)?"),
    ("ES", "INSST", r"INSST|INSHT|Instituto\sNacional\sde\sSeguridad\s(?:y\s(?:Salud|"
        r"Higiene)\sen\sel\sTrabajo|y\sSalud)"),
    ("ES", "ICAC", r"BO-?ICAC|ICAC|Instituto\sde\sContabilidad\sy\sAuditoria(?:\sde\sCuentas)?"),
    ("ES", "CNMV", r"CNMV|Comision\sNacional\sdel\sMercado\sde\sValores"),
    ("ES", "CNMC", r"CNMC|Comision\sNacional\sde\slos\sMercados(?:\sy\sla\sCompetencia)?"),
    ("ES", "CNC", r"CNC|Comision\sNacional\sde\sla\sCompetencia"),
    ("ES", "BdE", r"BdE|Banco\sde\sEspana"),
    ("ES", "DGSFP", r"DGSFP|DGSyFP|DGS|Direccion\sGeneral\sde\sSeguros(?:\sy\sFondos\sde\sPensiones)?"),
    ("ES", "DGEmpleo", r"Direccion\sGeneral\sde\s(?:Empleo|Trabajo)|DGE(?:mpleo)?"),
    ("ES", "SEPE", r"SEPE|Servicio\sPublico\sde\sEmpleo\sEstatal"),
    ("ES", "SEPBLAC", r"SEPBLAC"),
    ("ES", "INSS", r"INSS|Instituto\sNacional\sde\sla\sSeguridad\sSocial"),
    ("ES", "TGSS", r"TGSS|Tesoreria\sGeneral\sde\sla\sSeguridad\sSocial"),
    ("ES", "DGOSS", r"DGOSS|Direccion\sGeneral\sde\sOrdenacion\sde\sla\sSeguridad\sSocial"),
    ("ES", "AEAT", r"AEAT|Agencia\s(?:Estatal\sde\sAdministracion\s)?Tributaria"),
    ("ES", "DGC", r"Direccion\sGeneral\sdel\sCatastro"),
    ("ES", "DGTrafico", r"Direccion\sGeneral\sde\sTrafico"),
    ("ES", "DGTributos", r"Direccion\sGeneral\sde\sTributos"),
    ("ES", "IGAE", r"IGAE|Intervencion\sGeneral\sde\sla\sAdministracion\sdel\sEstado"),
    ("ES", "AGE", r"Abogacia\sGeneral\sdel\sEstado|Abogacia\sdel\sEstado"),
    ("ES", "JCCPE", r"JCCA|JCCPE|Junta\sConsultiva\sde\sContratacion(?:\s(?:Publica|"
        r"Administrativa)(?:\sdel\sEstado)?)?"),
    ("ES", "TACRC", r"TACRC|TARCJA|OARC|Tribunal\sAdministrativo\s(?:Central\s)?de\s"
        r"(?:Recursos\sContractuales|Contratacion\sPublica)(?:\sde\s[A-Z][a-z]+)?"),
    ("ES", "CTBG", r"CTBG|Consejo\sde\sTransparencia(?:\sy\sBuen\sGobierno)?"),
    ("ES", "OEPM", r"OEPM|Oficina\sEspanola\sde\sPatentes(?:\sy\sMarcas)?"),
    ("ES", "CGPJ", r"CGPJ|Consejo\sGeneral\sdel\sPoder\sJudicial"),
    ("ES", "CCNCC", r"CCNCC|Comision\sConsultiva\sNacional\sde\sConvenios(?:\sColectivos)?"),
    ("ES", "TCu", r"Tribunal\sde\sCuentas"),
    ("ES", "CJA", r"Consejo\s(?:Consultivo|"
        r"Juridico(?:\sConsultivo)?)(?:\sde\s(?:la\s)?(?:Comunidad\s)?[A-Z][a-z]+)?"),
    ("ES", "CE", r"Consejo\sde\sEstado"),
    ("ES", "AEPD", r"AEPD|Agencia\sEspanola\sde\sProteccion\sde\sDatos"),
    ("EU", "EDPB", r"CEPD|EDPB|EDSA|(?:el\s)?Comite\sEuropeo\sde\sProteccion\sde\sDatos|"
        r"European\sData\sProtection\sBoard"),
    ("EU", "WP29", r"GT\s?29|WP\s?29|WP29|(?:Grupo\s(?:de\s[Tt]rabajo\s)?del\s[Aa]rticulo\s29)|"
        r"Article\s29\sWorking\sParty"),
    ("EU", "EDPS", r"SEPD|EDPS"),
    ("EU", "EBA", r"EBA|ABE|Autoridad\sBancaria\sEuropea|European\sBanking\sAuthority"),
    ("EU", "ESMA", r"ESMA|AEVM"),
    ("EU", "EIOPA", r"EIOPA|AESPJ"),
    ("CO", "SIC", r"SIC|Superintendencia\sde\sIndustria\sy\sComercio"),
    ("CO", "SS", r"Supersociedades|Superintendencia\sde\sSociedades"),
    ("CO", "SFC", r"SFC|Superfinanciera|Superintendencia\sFinanciera(?:\sde\sColombia)?"),
    ("CO", "DIAN", r"DIAN"),
    ("CO", "MinTrabajo", r"Min[Tt]rabajo|Ministerio\sdel\sTrabajo"),
    ("CO", "UGPP", r"UGPP"),
    ("CO", "CCE", r"Colombia\sCompra\sEficiente|ANCP-CCE"),
    ("CO", "DAFP", r"DAFP|(?:Departamento\sAdministrativo\sde\sla\s)?Funcion\sPublica"),
    ("CO", "Supersalud", r"Supersalud|Superintendencia\s(?:Nacional\s)?de\sSalud"),
    ("CL", "SII", r"SII|Servicio\sde\sImpuestos\sInternos"),
    ("CL", "DT", r"Direccion\sdel\sTrabajo"),
    ("CL", "CGR", r"CGR|Contraloria(?:\sGeneral(?:\sde\sla\sRepublica)?)?"),
    ("CL", "CMF", r"CMF|Comision\spara\sel\sMercado\sFinanciero"),
    ("CL", "SERNAC", r"SERNAC"),
    ("CL", "SUSESO", r"SUSESO"),
    ("CL", "TDLC", r"TDLC"),
    ("MX", "SAT", r"SAT|Servicio\sde\sAdministracion\sTributaria"),
    ("MX", "INAI", r"INAI"),
    ("MX", "PRODECON", r"PRODECON|Prodecon"),
    ("MX", "PROFECO", r"PROFECO|Profeco"),
    ("MX", "IMSS", r"IMSS"),
    ("MX", "CNBV", r"CNBV"),
    ("AR", "AFIP", r"AFIP|ARCA"),
    ("AR", "IGJ", r"IGJ|Inspeccion\sGeneral\sde\sJusticia"),
    ("AR", "SRT", r"SRT"),
    ("AR", "CNV", r"CNV"),
    ("AR", "BCRA", r"BCRA|B\.C\.R\.A\."),
    ("AR", "AAIP", r"AAIP"),
    ("AR", "PTN", r"PTN|Procuracion\sdel\sTesoro"),
    ("PE", "SUNAT", r"SUNAT"),
    ("PE", "INDECOPI", r"INDECOPI|Indecopi"),
    ("PE", "SUNAFIL", r"SUNAFIL|Sunafil"),
    ("PE", "OSCE", r"OSCE"),
    ("PE", "SBS", r"SBS"),
    ("PE", "SERVIR", r"SERVIR"),
    ("PT", "CNPD", r"CNPD"),
    ("PT", "AT", r"Autoridade\sTributaria(?:\se\sAduaneira)?"),
    ("PT", "CMVM", r"CMVM"),
    ("PT", "BdP", r"Banco\sde\sPortugal"),
    ("BR", "ANPD", r"ANPD"),
    ("BR", "CVM", r"CVM"),
    ("BR", "RFB", r"RFB|Receita\sFederal(?:\sdo\sBrasil)?|C[Oo][Ss][Ii][Tt]"),
    ("BR", "BCB", r"BCB|BACEN|Bacen|Banco\sCentral(?:\sdo\sBrasil)?"),
    ("BR", "CADE", r"CADE"),
    ("BR", "TCU", r"TCU"),
    ("BR", "CNJ", r"CNJ"),
    ("BR", "CMN", r"CMN"),
    ("BR", "ANS", r"ANS"),
    ("BR", "CARF", r"CARF"),
    ("FR", "CNIL", r"CNIL"),
    ("FR", "AMF", r"AMF"),
    ("FR", "AdlC", r"Autorite\sde\sla\sconcurrence"),
    ("FR", "ACPR", r"ACPR"),
    ("FR", "DDD", r"Defenseure?\sdes\sdroits"),
    ("FR", "DGT", r"DGT|DGEFP"),
    ("IT", "GPDP", r"Garante(?:\s(?:privacy|(?:per\sla\s)?protezione\s(?:dei\s)?dati(?:\spersonali)?))?"),
    ("IT", "AdE", r"Ag(?:enzia|\.)\s(?:delle\s)?[Ee]ntrate|AdE"),
    ("IT", "INPS", r"INPS|Inps"),
    ("IT", "INAIL", r"INAIL|Inail"),
    ("IT", "INL", r"INL|Ispettorato\s[Nn]azionale\sdel\s[Ll]avoro"),
    ("IT", "Consob", r"CONSOB|Consob"),
    ("IT", "AGCM", r"AGCM"),
    ("IT", "ANAC", r"ANAC"),
    ("IT", "BdI", r"Banca\sd'Italia"),
    ("IT", "ABF", r"(?:ABF|Arbitro\s[Bb]ancario\s[Ff]inanziario)"
     r"(?:,?\s[Cc]ollegio\sdi\s(?:[Cc]oordinamento|[A-Z][a-z]+))?"),
    ("IT", "ACF", r"ACF|Arbitro\sper\sle\s[Cc]ontroversie\s[Ff]inanziarie"),
    ("IT", "IVASS", r"IVASS"),
    ("IT", "AGCOM", r"AGCOM|AGCom"),
    ("IT", "ARERA", r"ARERA"),
    ("IT", "COVIP", r"COVIP"),
    ("DE", "BMF", r"BMF|Bundesministeriums?\sder\sFinanzen"),
    ("DE", "BMAS", r"BMAS"),
    ("DE", "BaFin", r"BaFin"),
    ("DE", "BfDI", r"BfDI"),
    ("DE", "DSK", r"DSK"),
    ("DE", "BKartA", r"BKartA|Bundeskartellamt(?:e?s)?"),
    ("DE", "BNetzA", r"BNetzA"),
    ("GB", "HMRC", r"HMRC"),
    ("GB", "ICO", r"ICO"),
    ("GB", "FCA", r"FCA"),
    ("GB", "CMA", r"CMA"),
    ("US", "EEOC", r"EEOC"),
    ("US", "NLRB", r"NLRB"),
    ("US", "IRS", r"IRS"),
    ("US", "SEC", r"SEC"),
    ("US", "FTC", r"FTC"),
)  # fmt: skip
_BODY = "|".join(pattern for _, _, pattern in _BODIES)
_KINDS = (
    r"circular(?:es)?|instruccion(?:es)?|consultas?(?:\svinculantes?)?|criterios?(?:\s(?:tecnicos?|"
    r"operativos?|"
    r"interpretativos?|de\sgestion|de\saplicacion))?|notas?(?:\s(?:tecnicas?|informativas?|"
    r"internas?)(?:\sde\sprevencion)?)?|"
    r"NTP|resolucion(?:es)?(?:\s(?:generale?s?|conjuntas?|exentas?|normativas?))?|"
    r"res(?:ol)?\.?(?:\s(?:gral\.|conj\.))?|"
    r"informes?(?:\s(?:juridicos?|tecnicos?))?|dictamen(?:es)?|directrices|directriz|guias?(?:\stecnicas?)?|"
    r"oficios?(?:[\s-](?:circular(?:es)?|circulados?|ordinarios?))?|conceptos?(?:\s(?:juridicos?|unificados?|"
    r"generales?))?|"
    r"ord(?:inarios?|\.)|opinion(?:es)?|acuerdos?|expedientes?|expte\.|procedimientos?(?:\ssancionador"
    r"(?:es)?)?|"
    r"recomendacion(?:es)?|comunicacion(?:es)?|comunicados?|decision(?:es?|i)?|doctrina|"
    r"guidelines?|opinions?|recommendations?|decisions?|circulars?|(?:revenue\s)?rulings?|bulletins?|"
    r"notices?|guidance|"
    r"deliberations?|circulaires?|instructions?|avis|lignes\sdirectrices|recommandations?|rescrits?|"
    r"provvediment[oi]|provv\.|circolar[ei]|circ\.|risoluzion[ei]|ris\.|interpell[oi]|rispost[ae](?:\sa(?:d|"
    r"ll)?'?\s?interpello)?|"
    r"messaggi[o]?|deliber[ae]|parer[ei]|linee\sguida|"
    r"deliberac(?:ao|oes)|parecer(?:es)?(?:\snormativos?)?|instruc(?:ao|oes)(?:\snormativas?)?|"
    r"soluc(?:ao|oes)\sde\sconsulta|resoluc(?:ao|oes)|portarias?|avisos?|orientac(?:ao|oes)|diretrizes|"
    r"ficha\sdoutrinaria|acordaos?|"
    r"(?:rund)?schreiben|merkblatt|bescheid|leitlinien|erlass|verfugung|orientierungshilfe|kurzpapier"
)
_OF = (
    r"(?:\s(?:de\sla|del|de\slos|de\sl'|dell[oa]|dell'|de|da|do|du|of\sthe|of|by\sthe|des|der|"
    r"dictad[oa]\spor\s(?:la|el)|"
    r"emitid[oa]\spor\s(?:la|el)|gabinete\sjuridico\sde\sla))"
)
_NO = r"(?:(?i:n(?:um(?:ero)?|ro|r|o)?)\.?\s?[ºo°]?\.?\s)?"
_DAY = rf"(?:(?i:{dates.LONG})|{dates.NUMERIC})"
_DATED = rf"(?:,?\s(?:(?i:de\sfecha|del?|of|du|vom|dated)\s)?(?:{_DAY}))"
_NUMBER = (
    r"(?:(?:[A-Z]{1,5}[-/ ]?)?\d{1,7}(?:[-/.][A-Z]?\d{1,7}){0,4}(?:[-/][A-Z]{1,5}){0,2}(?:\s(?:del?|"
    r"of)\s(?:19|20)\d\d)?|"
    r"[A-Z]{2,4}-(?:19|20)\d\d-\d{1,4})"
)
_WINDOW = 120
# Tried in the windows before and behind the name of a body only.
_NUMBER_BEFORE = re.compile(
    rf"(?<![A-Za-z0-9])(?P<kind>(?i:{_KINDS}))\s{_NO}(?P<number>{_NUMBER})(?P<day>{_DATED})?(?:,?{_OF}|"
    rf",)?\s\(?$"
)
_DAY_BEFORE = re.compile(rf"(?<![A-Za-z0-9])(?P<kind>(?i:{_KINDS}))(?P<day>{_DATED}),?{_OF}\s$")
_KIND_BEFORE = re.compile(rf"(?<![A-Za-z0-9])(?P<kind>(?i:{_KINDS})){_OF}?\s$")
_BEHIND = re.compile(rf",?\s{_NO}(?P<number>{_NUMBER})(?![\w/-])(?P<later>{_DATED})?|(?P<day>{_DATED})")
_DAY_BEHIND = re.compile(_DATED)
_KIND_BEHIND = re.compile(
    rf"(?:,\s|\s|-)(?P<kind>(?i:{_KINDS}))(?![A-Za-z])(?P<day>{_DATED})?(?:(?:,?"
    rf"\s(?:-\s)?{_NO}(?P<number>{_NUMBER})(?![\w/-])"
    rf"(?P<later>{_DATED})?)|\s?[-,(]{{1,2}}\s?(?P<file>[IVX]{{1,4}}\s[A-Z]\s\d{{1,2}}\s-\s[A-Z]"
    rf"\s\d{{4}}(?:[\w/\s:-]{{0,24}}\w)?)\)?)?"
)
_BODY_NAMED = prefilter.compile(rf"(?:^|[^A-Za-z0-9])({_BODY})(?:$|[^A-Za-z0-9])")
_BY_INITIALS = re.compile(r"[A-Z]{2,9}\d{0,2}")
# A number that tells its own authority: country and code first, then the expression and where it is read.
_OWN_NUMBERS: tuple[tuple[str, str, prefilter.Grammar, tuple[str, ...] | None], ...] = (
    ("FR", "CNIL", prefilter.compile(
        r"(?:^|[^A-Za-z0-9])((?i:(?:deliberation|decision)\s)(?:de\sla\sCNIL\s)?(?:(?i:n\.?\s?[º°o]\.?)\s)?"
        r"(?P<number>SAN-(?:19|20)\d\d-\d{1,4}))(?:$|[^\d])"), None),
    ("ES", "INSST", prefilter.compile(
        r"(?:^|[^A-Za-z0-9])(NTP\s(?:n\.?º\s)?(?P<number>\d{1,4})(?:\sdel\s(?:INSST|INSHT))?)(?:$|"
        r"[^A-Za-z0-9])"), ("ES",)),
    ("ES", "ICAC", prefilter.compile(
        r"(?:^|[^A-Za-z0-9])((?i:consulta\s)(?:(?i:n\.?\s?º|num\.)\s)?\d{1,2},?\s(?:del\s|"
        r"de\s)?(?P<number>BO-?ICAC\s"
        r"(?:(?i:n\.?\s?º|num\.)\s)?\d{1,3})(?:/(?:19|20)\d\d)?)(?:$|[^\d])"), ("ES",)),
    ("ES", "AEPD", prefilter.compile(
        r"(?:^|[^A-Za-z0-9/])((?P<number>(?:ps|td|ai|pd|rr)[/-]\d{5}[/-]20\d\d))(?:$|[^\d/])"), ("ES",)),
    ("ES", "TS", prefilter.compile(
        r"(?:^|[^A-Za-z0-9])((?i:acuerdo(?:\sno\sjurisdiccional)?)(?:\s(?i:de\sunificacion\sde\s(?:criterios|"
        r"doctrina)))?\s(?i:del?)\s"
        r"(?:(?i:pleno)(?:\sno\sjurisdiccional)?\s(?:de\sla\s)?)(?:Sala\s(?:[1-5]\.?[ºª]|Primera|Segunda|"
        r"Tercera|Cuarta|de\slo\s"
        rf"[A-Z][a-z-]+)\s?)?(?:del\s(?:TS|Tribunal\sSupremo)\s?)?,?\s?(?:de\s)?(?P<number>{_DAY}))(?:$|"
        rf"[^\d])"), ("ES",)),
    ("MX", "TFJA", prefilter.compile(
        r"(?:^|[^A-Za-z0-9])((?:(?i:tesis|jurisprudencia|precedente)\s)?(?P<number>[IVX]{1,5}-(?:P|J|TASR|"
        r"CASR|CASE|JE)"
        r"(?:-[A-Z0-9a-z]{1,6}){1,4}))(?:$|[^A-Za-z0-9])"), ("MX",)),
    ("PE", "TF", prefilter.compile(
        r"(?:^|[^A-Za-z0-9])((?:RTF|(?i:resolucion\sdel\stribunal\sfiscal))\s(?:(?i:n\.?\s?[º°o])"
        r"\.?\s?)?(?P<number>\d{4,5}-\d{1,2}-(?:19|20)\d\d))"
        r"(?:$|[^\d])"), ("PE",)),
    # "Resolución 2175-2019/SPC-INDECOPI": the number ends in the body that decided.
    ("PE", "INDECOPI", prefilter.compile(
        r"(?:^|[^A-Za-z0-9])((?i:(?:resolucion|res\.)(?:\sfinal)?\s)(?:(?i:n\.?\s?[º°o]\.?)\s?)?"
        r"(?P<number>\d{1,4}-(?:19|20)\d\d/[A-Z0-9]{2,5}(?:-[A-Z0-9]{1,4}){0,2}-?INDECOPI))(?:$|[^A-Za-z0-9-])"),
        ("PE",)),
    ("PE", "CS", prefilter.compile(
        r"(?:^|[^A-Za-z0-9])((?P<number>(?:[IVX]{1,5}|\d{1,2}(?:er|do|to)?)\sPleno\s(?:Casatorio|"
        r"Jurisdiccional)(?:\s(?:Civil|Laboral|Penal|"
        r"Supremo))?|Pleno\sCasatorio\s[IVX]{1,5}))(?:$|[^A-Za-z0-9])"), ("PE",)),
    ("BR", "STF", prefilter.compile(
        r"(?:^|[^A-Za-z0-9])((?P<number>Tema\s(?:n\.?\s?[º°o]\.?\s)?\d{1,2}(?:\.?\d{3}|"
        r"\d{0,2}))(?:\s(?i:da\srepercussao\sgeral))?"
        r"(?:/|\s(?:do\s|da\s)?)(?:STF|RG))(?:$|[^A-Za-z0-9])"), ("BR",)),
    ("BR", "STJ", prefilter.compile(
        r"(?:^|[^A-Za-z0-9])((?P<number>Tema\s(?:n\.?\s?[º°o]\.?\s)?\d{1,2}(?:\.?\d{3}|"
        r"\d{0,2}))(?:\s(?i:repetitivo|dos\srepetitivos))?"
        r"(?:/|\s(?:do\s|da\s)?)STJ)(?:$|[^A-Za-z0-9])"), ("BR",)),
    ("BR", "TST", prefilter.compile(
        r"(?:^|[^A-Za-z0-9])((?:(?i:orientacao\sjurisprudencial)|OJ)\s(?:(?i:n\.?\s?[º°o])\.?"
        r"\s)?(?P<number>\d{1,3})\s(?:da\s)?"
        r"SB?DI-?(?:1|2|I{1,2})(?:\sdo\sTST|/TST)?)(?:$|[^A-Za-z0-9])"), ("BR",)),
)  # fmt: skip
# Circulars of these bodies are published as norms.
_REGULATORS = frozenset(("BdE", "CNMV", "CNMC", "CGPJ", "DGSFP"))
_PRIORITY = 38
_READERS = tuple(
    (re.compile(rf"(?:{pattern})(?![A-Za-z])"), country, code) for country, code, pattern in _BODIES
)


def papers(folded: str, jurisdiction: str) -> Iterator[Finding]:
    """Yield what authorities have said, by number or by day."""
    for match in _BODY_NAMED.finditer(folded):
        body = _body(folded[match.start(1) : match.end(1)], jurisdiction)
        found = _around(folded, match.start(1), match.end(1), body) if body else None
        if found:
            yield found
    for country, code, grammar, where in _OWN_NUMBERS:
        if where is not None and jurisdiction not in where:
            continue
        for match in grammar.finditer(folded):
            start, end = match.span(1)
            number = match.groupdict()["number"]
            if code == "AEPD":
                number = number.upper().replace("-", "/")
            elif code == "TS":
                number = dates.read(number) or number
            yield Finding(
                start, end, "L2-J", country, (f"{country}:{code}:{number}",), priority=_PRIORITY + 1
            )


def _around(folded: str, start: int, end: int, body: tuple[str, str]) -> Finding | None:
    """Return the paper of the body that stands at a place, whatever the order of its parts."""
    window = max(0, start - _WINDOW)
    country, code = body
    number, day = "", ""
    if before := _NUMBER_BEFORE.search(folded, window, start):
        number, day, start = before["number"], before["day"] or "", before.start()
        if not day and (later := _DAY_BEHIND.match(folded, end)):
            day, end = later[0], later.end()
        elif folded[end : end + 1] == ")" and "(" in folded[before.end("number") : end]:
            end += 1
    elif before := _DAY_BEFORE.search(folded, window, start):
        day, start = before["day"], before.start()
    elif before := _KIND_BEFORE.search(folded, window, start):
        behind = _BEHIND.match(folded, end)
        if not behind:
            return None
        number, day = behind["number"] or "", behind["day"] or behind["later"] or ""
        start, end = before.start(), behind.end()
    elif before := _KIND_BEHIND.match(folded, end):
        number = before["number"] or before["file"] or ""
        day, end = before["day"] or before["later"] or "", before.end()
    if before is None or (code in _REGULATORS and before["kind"].lower().startswith("circular")):
        return None
    dated = dates.read(day) or ""
    number = number or dated
    if not number or (not dated and not _TELLING.search(number)):
        return None
    ids = {"date": dated} if dated and number != dated else {}
    return Finding(start, end, "L2-J", country, (f"{country}:{code}:{number}",), ids=ids, priority=_PRIORITY)


# "Informe 3 de la SIC" may be the third of a file.
_TELLING = re.compile(r"[-/.]|(?:19|20)\d\d|\d{3}")


def _body(written: str, jurisdiction: str) -> tuple[str, str] | None:
    """Return country and code of a body; the one at home, where several countries have its initials."""
    known = [(country, code) for reader, country, code in _READERS if reader.fullmatch(written)]
    home = jurisdiction.split("-")[0]
    own = next((body for body in known if body[0] in (home, "EU")), None)
    if own or not known:
        return own
    # "AT", "DT", "SIC" abroad are anybody's initials.
    return None if _BY_INITIALS.fullmatch(written) and len(written) <= 3 else known[0]


def without_papers(mentions: list[Mention], findings: list[Finding]) -> list[Mention]:
    """Return the mentions but for circulars and instructions that are papers of an authority."""
    spans = [(one.start, one.end) for one in findings]
    return [
        mention
        for mention in mentions
        if not (
            mention.norms
            and mention.norms[0].startswith(("ES:circular:", "ES:instruccion:"))
            and any(start <= mention.start < end for start, end in spans)
        )
    ]
