"""List the forms of decisions and laws of Colombia, Chile, Mexico, Argentina, Peru and Brazil."""

import re

from app.citations import dates, prefilter
from app.citations.grammars.forms import JUDGMENT, Form, LawForm, Match, plain, rank

COUNTRIES = frozenset(
    ("CO", "CL", "MX", "AR", "PE", "EC", "BO", "PY", "UY", "PA", "VE", "CR", "GT", "SV", "HN", "NI", "DO")
)


def _full_year(year: str) -> str:
    """Return a year of two digits in full: 93 is 1993, 11 is 2011."""
    return year if len(year) == 4 else ("19" if int(year) > 40 else "20") + year


def _co_key(written: str) -> str:
    match = re.match(r"(SU|T|C|A)-?\s?(\d{1,4})([A-Z]?)", written)
    assert match is not None, "the form's own pattern"
    return f"{match[1]}-{match[2].zfill(3)}{match[3]}"


def _office(written: str) -> str:
    """Return the initials of the Chilean authority that gave an opinion."""
    first = written.split()[0].lower()
    return {"direccion": "DT", "contraloria": "CGR"}.get(first, "SII")


def _tesis(match: Match) -> str:
    return f"MX:tesis:{match[1].replace(' ', '')}"


def _mexican_case(match: Match) -> str:
    """Return a case by its kind; what only the Supreme Court hears, with the court."""
    kind = "".join(word[0] for word in match[1].upper().split() if word[0].isalpha())
    return f"MX:{'SCJN:' if kind in ('ADER', 'ADI', 'CC', 'CDT', 'CDC', 'AER') else ''}{kind}:{match[2]}"


_MEXICAN_STATES = (
    "Aguascalientes|Baja\\sCalifornia(?:\\sSur)?|Campeche|Chiapas|Chihuahua|Coahuila(?:\\sde\\sZaragoza)?|Colima|Durango|Guanajuato|"
    "Guerrero|Hidalgo|Jalisco|Mexico|Michoacan(?:\\sde\\sOcampo)?|Morelos|Nayarit|Nuevo\\sLeon|Oaxaca|Puebla|Queretaro|Quintana\\sRoo|"
    "San\\sLuis\\sPotosi|Sinaloa|Sonora|Tabasco|Tamaulipas|Tlaxcala|Veracruz(?:\\sde\\sIgnacio\\sde\\sla\\sLlave)?|Yucatan|Zacatecas"
)


FORMS: tuple[Form, ...] = (
    # Colombia
    Form(
        "CO",
        JUDGMENT,
        prefilter.compile(
            r"\b(?:Sentencias?\s{1,2})?((?:SU|T|C|A)-\s?\d{1,4}[A-Z]?)\s{0,2}(?:de|del)\s{1,2}((?:19|"
            rf"20)\d\d)(?:,?\s(?:del?\s)(\d{{1,2}}\sde\s(?i:{dates.MONTH})))?\b"
        ),
        lambda m: f"CO:CC:{_co_key(m[1])}/{m[2][-2:]}",
    ),
    Form(
        "CO",
        JUDGMENT,
        prefilter.compile(
            r"\b(?:Sentencia\s{1,2})?((?:SU|T|C|A)-?\s?\d{2,4}[A-Z]?)\s?[/-]\s?((?:19|20)?\d\d)\b"
        ),
        lambda m: f"CO:CC:{_co_key(m[1])}/{m[2][-2:]}",
        where=("CO",),
    ),
    Form(
        "CO",
        JUDGMENT,
        prefilter.compile(r"\b(?:Auto\s{1,2})(?:A-?)?(\d{1,4}[A-Z]?)\s{1,2}de\s{1,2}((?:19|20)\d\d)\b"),
        lambda m: f"CO:CC:A-{m[1].zfill(3)}/{m[2][-2:]}",
        where=("CO",),
    ),
    Form(
        "CO",
        JUDGMENT,
        prefilter.compile(
            r"\b((?:STC|STL|STP|SC|SL|SP|AC|AL|AP|ATC|ATL)\s?\d{1,6}-(?:19|20)\d\d)\b"
            r"(?:,?\s\(?rad(?:icado|icacion|\.)\s?(?:n\.?\s?º\s?)?\d{5}-?\d{2}-?\d{2}-?\d{3}-?(?:19|"
            r"20)\d\d-?\d{5}-?\d{2}\)?)?"
        ),
        lambda m: f"CO:CSJ:{plain(m[1])}",
        where=tuple(sorted(COUNTRIES - {"PE"} | {"ES", "US"})),
    ),
    Form(
        "CO",
        JUDGMENT,
        prefilter.compile(
            r"\b(\d{5}-?\s?\d{2}-?\s?\d{2}-?\s?\d{3}-?\s?(?:19|20)\d{2}-?\s?\d{5}-?\s?\d{2})\b"
        ),
        lambda m: f"CO:CE:{re.sub(r'[^0-9]', '', m[1])}",
    ),
    # Chile
    Form(
        "CL",
        JUDGMENT,
        prefilter.compile(
            r"(?i)\b(rol(?:\s{1,2}de\s{1,2}ingreso)?(?:\s{0,2}n\.?\s?[ºo]\.?|\s{0,2}nº)"
            r"?\s{0,2}((?:[a-z]-)?\d{1,3}(?:\.\d{3})?\d{0,3}-(?:19|20)\d\d))\b"
        ),
        lambda m: f"CL:CS:{plain(m[2]).upper()}",
        where=("CL",),
    ),
    Form(
        "CL",
        JUDGMENT,
        prefilter.compile(r"\b(RIT\s{1,2}(?:N[º°]\s{0,2})?([A-Z]-\d{1,6}-(?:19|20)\d\d))\b"),
        lambda m: f"CL:RIT:{m[2]}",
    ),
    Form(
        "CL",
        JUDGMENT,
        prefilter.compile(
            r"(?i)\b((?:dictamen|ordinario|oficio|ord\.)(?:\s(?:ord(?:inario|\.)?|"
            r"oficio))?\s(?:n\.?\s?[ºo]\.?\s{0,2})?"
            r"([A-Z]?\d{1,3}(?:\.?\d{3})*(?:/\d{1,4})?)(?:,?\sde\s(?:(?:19|20)\d\d|"
            r"\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d\d|\d{1,2}\sde\s[a-z]{4,10}\sde\s(?:19|20)\d\d))?"
            r",?\s(?:de|del)\s(?:la\s)?"
            r"(Direccion\sdel\sTrabajo|Contraloria(?:\sGeneral\sde\sla\sRepublica)?|SII|"
            r"Servicio\sde\sImpuestos\sInternos))\b"
        ),
        lambda m: f"CL:{_office(m[3])}:{plain(m[2])}",
        where=("CL",),
    ),
    # "Dictamen N° 34.523, de 2013": numbered on from year to year, as those of the Comptroller are.
    Form(
        "CL",
        JUDGMENT,
        prefilter.compile(
            r"\b((?i:dictamen)\s(?i:n\.?\s?[ºo])\.?\s{0,2}(\d{1,3}\.\d{3}),?\s(?:de\s|/)((?:19|20)\d\d))\b"
        ),
        lambda m: f"CL:CGR:{plain(m[2])}",
        where=("CL",),
    ),
    Form(
        "CL",
        JUDGMENT,
        prefilter.compile(
            r"\b((?:(?i:dictamen|ordinario)\s(?:de\sla\s)?)?(?:DT|D\.T\.|Direccion\sdel\sTrabajo)\s"
            r"(?:(?i:ord(?:inario|\.)?|dictamen)\s?)?(?:(?i:n\.?\s?[ºo])\.?\s{0,2})?(\d{1,2}\.?\d{3}/"
            r"\d{1,4}))(?:$|[^\d/]|/[^\d])"
        ),
        lambda m: f"CL:DT:{plain(m[2])}",
        where=("CL",),
    ),
    # Mexico
    Form(
        "MX",
        JUDGMENT,
        prefilter.compile(
            r"\b((?:P|[12]a|Pl?|I{1,3}|[IVX]{1,6}\.\d{1,2}o(?:\.[A-Z]{1,4})?)\.(?:/J)"
            r"?\.?\s{0,2}(?:/?J\.\s{0,2})?\d{1,4}/\d{2,4}(?:\s{0,2}\(\d{1,2}a\.\))?(?:\s?[A-Z])?)"
            r",?\s{1,3}(?:con\s{1,2}(?:numero\s{1,2}de\s{1,2})?)?(?i:registro)\s(?i:digital)"
            r":?\s{0,2}(\d{6,7})\b"
        ),
        lambda m: f"MX:SCJN:{m[2]}",
    ),
    Form(
        "MX",
        JUDGMENT,
        prefilter.compile(r"(?i)\b(registro\s(?:digital|ius)(?:\s?n[u.]m?\.?(?:ero)?)?:?\s{0,2}(\d{6,7}))\b"),
        lambda m: f"MX:SCJN:{m[2]}",
    ),
    Form(
        "MX",
        JUDGMENT,
        prefilter.compile(
            r"\b((?:P|[12]a|[IVX]{1,6}\.\d{1,2}o\.[A-Z]{0,4})"
            r"\.?/?\s?J\.\s{0,2}\d{1,4}/\d{2,4}(?:\s{0,2}\((?:9|10|11|12)a\.\))?)"
        ),
        _tesis,
    ),
    Form(
        "MX",
        JUDGMENT,
        prefilter.compile(
            r"(?i)\b((?:amparos?\s(?:directo|indirecto)(?:\s{1,2}en\s{1,2}revision)?|"
            r"amparo\s{1,2}en\s{1,2}revision|contradiccion\s{1,2}de\s{1,2}(?:tesis|criterios)|"
            r"accion\s{1,2}de\s{1,2}inconstitucionalidad|controversia\s{1,2}constitucional)"
            r"\s{1,2}(\d{1,5}/(?:19|20)\d\d))\b"
        ),
        _mexican_case,
        where=("MX",),
    ),
    Form(
        "MX",
        JUDGMENT,
        prefilter.compile(
            r"\b((?:[IVX]{1,6}\.(?:\d{1,2}o\.)?(?:[A-Z]{1,3}\.){0,2}\d{1,4}\s[A-Z]{1,3}|(?:P|"
            r"[12]a)\.\s[CLXVI]{1,9}/\d{2,4})"
            r"\s\((?:9|10|11|12)a\.\))"
        ),
        _tesis,
        where=("MX",),
    ),
    # Argentina
    Form(
        "AR",
        JUDGMENT,
        prefilter.compile(r"(?i)\b(fallos:?\s{0,2}(\d{1,3}):\s?(\d{1,4}))\b"),
        lambda m: f"AR:CSJN:Fallos:{m[2]}:{m[3]}",
    ),
    # By the parties and the day, as Argentine lawyers name leading cases: CSJN, "Aquino", 21/9/2004.
    Form(
        "AR",
        JUDGMENT,
        prefilter.compile(
            r"\b((CSJN|C\.S\.J\.N\.|CNAT|CNCom|CNCiv|SCBA|TSJ|STJ),?\s(?:(?i:in\sre|en|autos|causa)\s)?"
            rf"[\x22'«\x{{201c}}]([A-Z][^\x22'»\n\x{{201d}}]{{2,60}})[\x22'»\x{{201d}}],?"
            rf"\s(?:(?i:del?)\s)?((?i:{dates.LONG})|"
            rf"{dates.NUMERIC}))\b"
        ),
        lambda m: f"AR:{m[2].replace('.', '')}:{dates.read(m[4]) or m[4]}",
        where=("AR",),
    ),
    # Peru
    Form(
        "PE",
        JUDGMENT,
        prefilter.compile(
            r"(?i)\b((?:expediente|exp|expte)\.?\s{0,2}(?:n\.?\s?[ºo]\.?\s{0,2})?(\d{3,5}-(?:19|20)"
            r"\d\d-(?:AA|PA|HC|PHC|HD|PHD|AI|PI|PC|PCC|AC|Q|CC))(?:/TC)?(?:,?\s(?:f\.\s?j\.|fj\.?|"
            r"fundamentos?(?:\sjuridicos?)?)\s\d{1,3})?)\b"
        ),
        lambda m: f"PE:TC:{m[2].upper()}",
    ),
    Form(
        "PE",
        JUDGMENT,
        prefilter.compile(
            r"(?i)\b((?:casacion|cas\.)(?:\s{1,2}lab(?:oral|\.))?\s{0,2}(?:n\.?\s?[ºo]\.?\s{0,2})"
            r"?(\d{1,6}-(?:19|20)\d\d)(?:[\s-]{1,2}([A-Z][A-Za-z]{2,20}(?:\s(?:Norte|Sur|Este|"
            r"de\s[A-Z][a-z]+))?))?)"
        ),
        lambda m: f"PE:CS:{m[2]}" + (f"-{m[3]}" if m[3] else ""),
        where=("PE",),
    ),
    # Brazil
    Form(
        "BR",
        JUDGMENT,
        prefilter.compile(
            r"\b((?:AgRg\sno\s|AgInt\sno\s|EDcl\sno\s)?(?:REsp|AREsp|EREsp|RMS|RHC)"
            r"\s{0,2}(?:n\.?\s?[ºo]\.?\s{0,2})?([\d.]{5,10}\d)(?:\s?[/-]\s?[A-Z]{2}\b)?)"
        ),
        lambda m: f"BR:STJ:{m[1].split()[0] if 'no' not in m[1].split() else m[1].split()[2]}{plain(m[2])}",
    ),
    Form(
        "BR",
        JUDGMENT,
        prefilter.compile(
            r"\b((RE|HC|ADI|ADPF|ADC|MS|ARE|Rcl)\s{1,2}(?:n\.?\s?[ºo]\.?\s{0,2})?(\d{1,3}(?:\.\d{3})+|"
            r"\d{3,7})(?:\s?[/-]\s?[A-Z]{2}\b)?)"
        ),
        lambda m: f"BR:STF:{m[2]}{plain(m[3])}",
        where=("BR",),
    ),
)
# "DS MOP N° 75": the ministry between the rank and the number.
_CHILEAN_MINISTRIES = (
    r"MOP|MINVU|MINSAL|MINEDUC|MINECON|MTT|MMA|MINAGRI|(?:MIN)?SEGPRES|HACIENDA|SALUD|EDUCACION|"
    r"OBRAS\sPUBLICAS|VIVIENDA\sY\sURBANISMO|TRANSPORTES\sY\sTELECOMUNICACIONES|MEDIO\sAMBIENTE|"
    r"AGRICULTURA|MINERIA|ENERGIA|ECONOMIA|JUSTICIA|INTERIOR|TRABAJO|RELACIONES\sEXTERIORES"
)
_OF_MINISTRY = rf"(?:\s{{1,2}}(?:{_CHILEAN_MINISTRIES}))?"
LAWS: tuple[LawForm, ...] = (
    LawForm(
        "CO",
        prefilter.compile(
            r"(?i)\b((ley|decreto|law)(?:\s{1,2}(?:estatutaria|legislativo|reglamentario|"
            r"extraordinario|ley)|-ley)?\s{1,3}(?:n\.?[ºo]?\.?\s{0,2}|num\.?\s{0,2}|no\.\s{0,2})?(\d{1,4})"
            rf"\s{{1,3}}(?:del?\s\d{{1,2}}\sde\s{dates.MONTH}\s)?(?:del?|of)\s{{1,3}}(1[89]\d\d|20\d\d))\b"
        ),
        lambda m: f"{rank(m[2])}:{int(m[3])}/{m[4]}",
        ("CO",),
    ),
    LawForm(
        "CO",
        prefilter.compile(
            r"(?i)\b((acto)\s{1,2}legislativo\s{1,2}(?:n\.?[ºo]\.?\s{0,2})?(\d{1,2})"
            r"\s{1,2}de\s{1,2}(1[89]\d\d|20\d\d))\b"
        ),
        lambda m: f"al:{int(m[3])}/{m[4]}",
        ("CO",),
    ),
    LawForm(
        "CO",
        prefilter.compile(
            r"(?i)\b((ley|l\.|decreto|dcto\.?|dto\.|d\.)\s{1,2}(?:n\.?[ºo]\.?\s{0,2})?(\d{1,4})(?:/|\sde\s)((?:19|"
            r"20)?\d\d))\b"
        ),
        lambda m: f"{'ley' if m[2].lower()[0] == 'l' else 'decreto'}:{int(m[3])}/{_full_year(m[4])}",
        ("CO",),
    ),
    LawForm(
        "CL",
        prefilter.compile(
            r"(?i)\b((ley)\s{1,2}(?:n\.?\s?[ºo]?\.?\s{0,2}|num\.?\s{0,2})?(\d{1,2}\.\d{3}|\d{4,5})"
            rf"(?:,?\s{{1,2}}(?:de|del)\s{{1,2}}(?:fecha\s)?\d{{1,2}}\s{{1,2}}de\s{{1,2}}{dates.MONTH}"
            rf"\s{{1,2}}del?\s{{1,2}}(?:19|20)\d\d)?)\b"
        ),
        lambda m: f"ley:{plain(m[3])}",
        ("CL", "AR", "PE", "UY"),
    ),
    LawForm(
        "CL",
        prefilter.compile(
            rf"(?i)\b((D\.?F\.?L\.?|decreto\s{{1,2}}con\s{{1,2}}fuerza\s{{1,2}}de\s{{1,2}}ley){_OF_MINISTRY}"
            r"\s{1,2}(?:n\.?\s?[ºo]\.?\s{0,2})?(\d{1,4})(?:,?\s{1,2}de\s{1,2}((?:19|20)\d\d))?)\b"
        ),
        lambda m: f"dfl:{m[3]}" + (f"/{m[4]}" if m[4] else ""),
        ("CL",),
    ),
    LawForm(
        "CL",
        prefilter.compile(
            r"(?i)\b((D\.?L\.?|decreto\s{1,2}ley)\s{1,2}(?:n\.?\s?[ºo]\.?\s{0,2})?(\d{1,2}\.?\d{3}|"
            r"\d{1,3})(?:,?\s{1,2}de\s{1,2}((?:19|20)\d\d))?)\b"
        ),
        lambda m: f"dl:{plain(m[3])}",
        ("CL", "PE"),
    ),
    LawForm(
        "CL",
        prefilter.compile(
            rf"(?i)\b((D\.?S\.?|decreto\s{{1,2}}supremo){_OF_MINISTRY}\s{{1,2}}(?:n\.?\s?[ºo]\.?\s{{0,2}})?(\d{{1,4}})"
            r"(?:/|,?\s{1,2}de\s{1,2})((?:19|20)\d\d))\b"
        ),
        lambda m: f"ds:{m[3]}/{m[4]}",
        ("CL",),
    ),
    # "Decreto N° 250, de 2004, del Ministerio de Hacienda": a decree of the President needs no further word.
    LawForm(
        "CL",
        prefilter.compile(
            rf"(?i)\b((decreto){_OF_MINISTRY}\s{{1,2}}n\.?\s?[ºo]\.?\s{{0,2}}(\d{{1,4}})(?:/|,?\s{{1,2}}de\s{{1,2}})"
            rf"((?:19|20)\d\d)(?:,?\s{{1,2}}(?:del?\s)?(?:ministerio\sde\s(?:la\s)?)?(?:{_CHILEAN_MINISTRIES}))?)\b"
        ),
        lambda m: f"ds:{m[3]}/{m[4]}",
        ("CL",),
    ),
    # "Regla 2.7.1.1 de la RMF para 2026": the tax rules of a year.
    LawForm(
        "MX",
        prefilter.compile(
            r"(?i)\b((?:reglas?\s{1,2}\d{1,2}(?:\.\d{1,3}){1,4}\.?,?\s{1,2}(?:de\s{1,2}la\s{1,2})?)(RMF|Resolucion\s{1,2}Miscelanea\s{1,2}Fiscal"
            r"|RGCE|Reglas\s{1,2}Generales\s{1,2}de\s{1,2}Comercio\s{1,2}Exterior)(?:\s{1,2}(?:para|de)\s{1,2}((?:19|20)\d\d))?)\b"
        ),
        lambda m: f"{'RMF' if m[2].lower().startswith(('rmf', 'resol')) else 'RGCE'}:{m[3] or ''}".rstrip(
            ":"
        ),
        ("MX",),
    ),
    # "Ley de Obra Pública para el Estado de Jalisco y sus Municipios": no number.
    LawForm(
        "MX",
        prefilter.compile(
            r"\b((?:Ley|Codigo|Reglamento)\s(?:(?:[A-Z][a-z]{2,20}|de|del|la|las|los|el|y|e|en|para|sobre|a|contra|por),?\s){1,16}?"
            rf"(?:(?:del|para\sel|en\sel|de\sel)\sEstado(?:\sLibre\sy\sSoberano)?\sde|de\sla\sCiudad\sde|para\sla\sCiudad\sde)\s({_MEXICAN_STATES})"
            r"(?:\sy\ssus\sMunicipios|\sy\sMunicipios)?)\b"
        ),
        lambda m: f"estatal:{re.sub('[^a-z]+', '-', m[1].lower())}",
        ("MX",),
    ),
    # Official standards of Mexico: "NOM-035-STPS-2018".
    LawForm(
        "MX",
        prefilter.compile(r"\b(N(?:OM|MX)-[A-Z0-9]{1,5}(?:-[A-Z0-9]{1,5})?-[A-Z0-9]{2,10}-(?:19|20)\d\d)\b"),
        lambda m: m[1],
        ("MX",),
    ),
    # "Resolución 2292 de 2021 del Ministerio de Salud": of who makes rules.
    LawForm(
        "CO",
        prefilter.compile(
            r"(?i)\b((resolucion|circular(?:\s{1,2}(?:externa|basica\sjuridica|conjunta|unica))?|acuerdo)\s{1,2}(?:n\.?\s?[ºo]\.?\s{0,2}|"
            r"no\.\s{0,2}|num(?:ero|\.)\s{0,2})?(?:[A-Z]{2,6}\d{2}-)?0*(\d{1,5})\s{1,2}del?\s{1,2}((?:19|20)\d\d))"
            r"(?:,?\s\(?(?:expedid[ao]\spor\s)?(?:del?|de\sla|por|el|la)?\s?(?:el\s|la\s)?(?:Ministerio|Min[A-Z]?[a-z]+|"
            r"Superintendencia|Super[a-z]+|DIAN|CREG|CRA|CRC|UGPP|INVIMA|ICBF|IGAC|ANLA|Comision\sde\sRegulacion|Consejo\s"
            r"(?:Superior|Nacional)|CSJ|CNSSS|Aeronautica|Banco\sde\sla\sRepublica|Contaduria|CNE|Direccion\sde\sImpuestos)\b)"
        ),
        lambda m: f"{m[2].lower().split()[0]}:{m[3]}/{m[4]}",
        ("CO",),
    ),
    # "DUR 1072 de 2015", "Decreto Único Reglamentario 1625 de 2016".
    LawForm(
        "CO",
        prefilter.compile(
            r"(?i)\b((?:decreto\s{1,2}unico(?:\s{1,2}reglamentario)?|DUR)(?:\s{1,2}del?\s[a-z]{4,12})?\s{1,2}"
            r"(?:n\.?[ºo]?\.?\s{0,2}|no\.\s{0,2})?(\d{3,4})(?:\s{1,3}del?\s{1,3}|/)((?:19|20)?\d\d))\b"
        ),
        lambda m: f"decreto:{int(m[2])}/{_full_year(m[3])}",
        ("CO",),
    ),
    LawForm(
        "UY",
        prefilter.compile(r"(?i)\b((?:decreto[\s-]ley)\s{1,2}(?:n\.?\s?[ºo]\.?\s{0,2})?(1[45]\.?\d{3}))\b"),
        lambda m: f"decreto-ley:{plain(m[2])}",
        ("UY",),
    ),
    LawForm(
        "AR",
        prefilter.compile(
            r"(?i)\b((DNU|decreto|dec\.)\s{1,2}(?:n\.?\s?[ºo]\.?\s{0,2})?(\d{1,4})/((?:19|20)?\d\d))\b"
        ),
        lambda m: f"decreto:{m[3]}/{_full_year(m[4])}",
        ("AR",),
    ),
    # "Art. 14 ley 48", "ley 340": statutes of the nineteenth century that papers still cite.
    LawForm(
        "AR",
        prefilter.compile(
            r"(?i)\b(ley\s{1,2}(?:n[.ºo]{1,3}\s{0,2})?(27|48|50|111|189|340|346))(?:$|[^\d./]|[.,](?:$|\D))"
        ),
        lambda m: f"ley:{m[2]}",
        ("AR",),
    ),
    # "Com. “A” 6017 BCRA", "RG AFIP 4815/2020", "Resolución General IGJ 7/2015".
    LawForm(
        "AR",
        prefilter.compile(
            r"(?i)\b(com(?:unicacion|\.)\s{1,2}(?:del?\s{1,2}BCRA\s{1,2})?[\x22'«\x{201c}]?(A|B|C|P)[\x22'»\x{201d}]?\s{1,2}(?:n[.ºo]{1,3}\s{0,2})?"
            r"(\d{3,5})(?:\s{1,2}(?:del?\s{1,2})?BCRA)?)\b"
        ),
        lambda m: f"bcra-{m[2].lower()}:{m[3]}",
        ("AR",),
    ),
    LawForm(
        "AR",
        prefilter.compile(
            r"(?i)\b((?:RG|resolucion(?:\s{1,2}general|\s{1,2}conjunta)?|res\.(?:\s{1,2}gral\.)?|disposicion|disp\.)\s{1,2}"
            r"(?:de\s{1,2}(?:la\s{1,2})?)?(AFIP|ARCA|DGI|IGJ|CNV|UIF|ANSES|SRT|SSN|MTEySS|MTESS|ENRE|ENARGAS|ENACOM|AAIP|DNRPA|SCI|SC)\s{1,2}"
            r"(?:n[.ºo]{1,3}\s{0,2})?(\d{1,5})/((?:19|20)?\d\d))\b"
        ),
        lambda m: f"res-{m[2].lower()}:{m[3]}/{_full_year(m[4])}",
        ("AR",),
    ),
    LawForm(
        "PE",
        prefilter.compile(
            r"(?i)\b((decreto\s{1,2}legislativo|d\.?\s?leg\.?)\s{1,2}(?:n\.?\s?[ºo]\.?\s{0,2})?(\d{3,4}))\b"
        ),
        lambda m: f"dleg:{m[3]}",
        ("PE",),
    ),
    LawForm(
        "PE",
        prefilter.compile(
            r"(?i)\b((decreto\s{1,2}supremo|d\.?\s?s\.?)\s{1,2}(?:n\.?\s?[ºo]\.?\s{0,2})"
            r"?(\d{1,3}-\d{2,4}-[A-Z]{2,8}))\b"
        ),
        lambda m: f"ds:{m[3].upper()}",
        ("PE",),
    ),
    LawForm(
        "BO",
        prefilter.compile(
            r"(?i)\b((ley|decreto\s{1,2}supremo|decreto\s{1,2}ley|decreto\s{1,2}ejecutivo|decreto|"
            r"D\.?\s?S\.?|acuerdo\s{1,2}gubernativo)\s{1,2}"
            r"(?:n\.?\s?[ºo]?s?\.?\s{0,2}|num\.?\s{0,2}|numero\s{0,2})?(\d{1,3}\.\d{3}|"
            r"\d{1,5})(?:[/-](\d{2,4}))?(?:-[A-Z]{2,6})?"
            r"(?:\s{1,2}(?:de|del)\s{1,2}(?:\d{1,2}\s{1,2}de\s{1,2}[a-z]{4,10}\s{1,2}(?:de|"
            r"del)\s{1,2})?((?:19|20)\d\d))?)\b"
        ),
        lambda m: _numbered(m),
        ("BO", "PY", "VE", "CR", "DO", "EC", "PA", "GT", "SV", "HN", "NI", "CU", "PR", "UY", "GQ"),
    ),
)


def _numbered(match: Match) -> str:
    """Return a law by rank and number, with its year where there is one: "ley:1183/1985", "ds:28699"."""
    word = " ".join(match[2].lower().replace(".", "").split())
    code = {
        "decreto supremo": "ds",
        "ds": "ds",
        "d s": "ds",
        "decreto ley": "dl",
        "decreto ejecutivo": "de",
    }.get(word, word)
    year = match[4] or match[5] or ""
    if len(year) == 3:
        year = f"2{year}" if year.startswith("0") else f"1{year}"  # Uruguay: 414/009, 500/991
    elif len(year) == 2:
        year = ("19" if int(year) > 40 else "20") + year
    return f"{code.replace(' ', '-')}:{plain(match[3])}" + (f"/{year}" if year else "")
