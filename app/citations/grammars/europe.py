"""List the commonest forms of decisions and laws of other European countries and the United States."""

import re

from app.citations import dates, prefilter
from app.citations.grammars.forms import JUDGMENT, Form, LawForm, Match, plain

FORMS: tuple[Form, ...] = (
    # Germany
    Form(
        "DE",
        JUDGMENT,
        prefilter.compile(r"\b((BGHZ|BVerfGE|BGHSt|BAGE|BVerwGE)\s(\d{1,3}),\s(\d{1,4}))\b"),
        lambda m: f"DE:{m[2]}:{m[3]},{m[4]}",
    ),
    # England and Wales, United Kingdom
    Form(
        "GB",
        JUDGMENT,
        prefilter.compile(
            r"(\[(\d{4})\]\s(?:\d{1,2}\s)?(UKSC|UKPC|UKHL|UKUT|UKFTT|EWCOP|NIQB|NICh|CSOH|EWFC|HCA|"
            r"Imm\sAR|Cr\sApp\sR|P|BCC|FSR|RPC|HLR|EGLR|All\sER\s\(D\)|EWCA\s(?:Civ|Crim)|EWHC|EWFC|"
            r"CSIH|CSOH|NICA|EAT|AC|QB|KB|Ch|WLR|All\sER|Fam|ICR|IRLR|BCLC|Lloyd's\sRep)"
            r"\s\d{1,5}(?:\s\((?:Ch|QB|KB|Comm|Admin|TCC|Fam|Pat|IPEC|TCC|HL|CA|PC|AAC|IAC|LC|TC|TCC)"
            r"\))?)"
        ),
        lambda m: f"GB:{m[1].replace(' ', '')}",
    ),
    Form(
        "GB",
        JUDGMENT,
        prefilter.compile(
            r"(\((?:1[678]\d\d|19[0-5]\d)\)"
            r"\s\d{1,3}\s[A-Z][A-Za-z]{1,8}\.?(?:\s[A-Z&][A-Za-z]{0,6}\.?){0,2}\s\d{1,4})\b"
        ),
        lambda m: f"GB:{m[1].replace(' ', '')}",
    ),
    Form(
        "GB",
        JUDGMENT,
        prefilter.compile(r"\b(UKEAT[S]?/\d{4}/\d{2}(?:/[A-Z]{2,4})?)\b"),
        lambda m: f"GB:{m[1]}",
    ),
    # Ireland
    Form(
        "IE",
        JUDGMENT,
        prefilter.compile(
            r"(\[(?:19|20)\d\d\]\s(?:(?:\d{1,2}\s)?IR|IESC|IEHC|IECA|ILRM|(?:\d\s)?ILRM|IEDC)\s\d{1,5})\b"
        ),
        lambda m: f"IE:{m[1].replace(' ', '')}",
    ),
    # Canada
    Form(
        "CA",
        JUDGMENT,
        prefilter.compile(
            r"((?:\[(?:19|20)\d\d\]\s\d\s(?:SCR|RCS|FC|S\.C\.R\.)\s\d{1,5})|\b(?:19|20)\d\d\s(?:SCC|"
            r"CSC|FCA|CAF|FC|ONCA|ONSC|BCCA|BCSC|ABCA|QCCA|QCCS|NSCA|MBCA|SKCA)\s\d{1,5})\b"
        ),
        lambda m: f"CA:{m[1].replace(' ', '')}",
    ),
    # Switzerland
    Form(
        "CH",
        JUDGMENT,
        prefilter.compile(r"\b((BGE|ATF|DTF)\s(\d{2,3})\s([IV]{1,3}[ab]?)\s(\d{1,4}))\b"),
        lambda m: f"CH:BGE:{m[3]} {m[4]} {m[5]}",
    ),
    # Austria
    Form("AT", JUDGMENT, prefilter.compile(r"\b(RS0\d{6})\b"), lambda m: f"AT:{m[1]}", where=("AT",)),
)


_NO = r"(?:n(?:[or]s?)?\.?\s?[ºo]?s?\.?\s{0,2}|num\.?\s{0,2}|nr\.\s{0,2})?"
_DATE_BEHIND = (
    r"(?:,?\s{1,2}d[eu]\s{1,2}\d{1,2}(?:er|"
    r"º)?\s{1,2}(?:de\s{1,2})?[a-z]{3,9}(?:\s{1,2}(?:de\s{1,2})?(?:19|20)\d\d)?)?"
)
_RANKS: tuple[tuple[str, str], ...] = (
    ("lei complementar", "lc"), ("lei organica", "lei"), ("lei", "lei"), ("decreto-lei", "dl"),
    ("decreto lei", "dl"), ("dl", "dl"),
    ("d.l.", "dl"), ("medida provisoria", "mp"), ("mp", "mp"), ("emenda constitucional", "ec"),
    ("decreto", "decreto"),
    ("portaria", "portaria"), ("lc", "lc"), ("ec", "ec"),
)  # fmt: skip


_BRAZILIAN_AGENCIES = (
    r"ANS|ANATEL|ANEEL|ANAC|ANVISA|ANPD|ANP|ANTT|ANTAQ|ANA|RFB|INSS|CMN|BCB|BACEN|CVM|CNJ|CNMP|CJF|CFM|CFO|OAB|CONTRAN|"
    r"CONAMA|CONFEA|COFEN|MTE|MTP|MTb|MPS|SUSEP|CNSP|CNPS|TSE|TST|CSJT|STJ|STF|PGFN|IBAMA|ICMBio|INPI|SENACON|CNE|CODEFAT|"
    r"CGSN|DREI|TCU|CADE|COAF|Conanda|CNAS|MEC|CNEN|INMETRO"
)


def _of_agency(word: str, agency: str) -> str:
    """Return rank and agency of an act of a Brazilian agency: "rn-ans", "in-rfb", "resolucao-cmn"."""
    letters = "".join(word.lower().split())
    short = {"resolucaonormativa": "rn", "instrucaonormativa": "in", "resolucaoconjunta": "resolucao"}
    rank = short.get(letters, "portaria" if letters.startswith("portaria") else letters)
    return f"{rank}-{agency.lower().replace('bacen', 'bcb')}"


def _year(written: str) -> str:
    if not written:
        return ""
    return written if len(written) == 4 else ("19" if int(written) > 40 else "20") + written


def _lusophone(match: Match) -> str:
    """Return the norm of a numbered law of Portugal or Brazil: "lei:8078/1990", "dl:446/1985"."""
    word = " ".join(match[2].lower().split())
    rank = next(code for name, code in _RANKS if word.startswith(name))
    return f"{rank}:{plain(match[3]).upper()}/{_year(match[4])}"


def _italian(match: Match) -> str:
    """Return the norm of an Italian act, its year behind the number or in the date before it."""
    word = re.sub(r"[^a-z]", "", match[2].lower())
    rank = {
        "legge": "l", "leggen": "l", "decretolegislativo": "dlgs", "decretolegge": "dl",
        "leggeregionale": "lr", "decretoministeriale": "dm",
    }.get(word, word)  # fmt: skip
    return f"{rank}:{match[4]}/{_year(match[5] or match[6] or match[3] or '') or None}"


# By the first letter of the rank: "loi" and "L.", "ordonnance" and "ord.", "décret", "décr." and "D.".
_FRENCH_RANKS = {"l": "loi", "o": "ordonnance", "d": "decret"}

# French laws that are cited by their date alone.
_FRENCH_BY_DATE = {
    "1989-07-06": "loi:89-462", "1965-07-10": "loi:65-557", "1978-01-06": "loi:78-17",
    "1985-07-05": "loi:85-677", "1975-12-31": "loi:75-1334", "1991-07-09": "loi:91-650",
    "1948-09-01": "loi:48-1360", "1901-07-01": "loi:1901-07-01", "1881-07-29": "loi:1881-07-29",
    "1982-06-22": "loi:82-526", "1986-12-23": "loi:86-1290", "1994-08-04": "loi:94-665",
    "2014-03-24": "loi:2014-366",
    "2018-11-23": "loi:2018-1021", "2004-08-06": "loi:2004-801",
    "1984-01-26": "loi:84-53", "1983-07-13": "loi:83-634",
    "2000-04-12": "loi:2000-321", "1979-07-11": "loi:79-587", "1971-12-31": "loi:71-1130",
}  # fmt: skip

_DATED_LAW = prefilter.compile(
    r"(?i)\b((loi|arrete(?:\s{1,2}royal|\s{1,2}grand-ducal)?|decret|wet)\s{1,2}(?:du|van)\s{1,2}"
    r"(\d{1,2}(?:er)?\s{1,2}[a-z]{3,9}\s{1,2}(?:1[789]|20)\d\d))\b"
)

LAWS: tuple[LawForm, ...] = (
    # "SI 2003/2426", "S.I. 1998 No. 1833": a statutory instrument by its number.
    LawForm(
        "GB",
        prefilter.compile(r"\b((?:SI|S\.I\.)\s(?:No\.?\s)?((?:19|20)\d\d)(?:/|\sNo\.?\s)(\d{1,4}))\b"),
        lambda m: f"si:{m[2]}/{m[3]}",
        ("GB",),
    ),
    LawForm(
        "BR",
        prefilter.compile(
            r"(?i)\b((lei(?:\s{1,2}(?:complementar|organica|constitucional|federal))?|"
            r"medida\s{1,2}provisoria|emenda\s{1,2}"
            rf"constitucional|decreto|LC|MP|EC|portaria)\s{{1,2}}{_NO}(\d{{1,2}}\.?\d{{3}}|"
            rf"\d{{1,5}}(?:-[A-Z])?)\s?/\s?((?:19|20)?"
            rf"\d\d){_DATE_BEHIND})\b"
        ),
        _lusophone,
        ("BR", "PT"),
    ),
    # "Lei 14.532, de 11 de janeiro de 2023": the year stands in the date.
    LawForm(
        "BR",
        prefilter.compile(
            r"(?i)\b((lei(?:\s{1,2}complementar)?|decreto(?:-lei)?)\s{1,2}(?:n[.ºo]{1,3}\s{0,2})?(\d{1,2}\.?\d{3}|\d{2,3}),?\s{1,2}de\s{1,2}"
            r"\d{1,2}º?\s{1,2}de\s{1,2}[a-z]{4,9}\s{1,2}de\s{1,2}((?:19|20)\d\d))\b"
        ),
        _lusophone,
        ("BR",),
    ),
    # "RN ANS nº 465/2021", "Instrução Normativa RFB n. 2.121/2022", "Resolução CMN 4.966/21".
    LawForm(
        "BR",
        prefilter.compile(
            r"(?i)\b((resolucao\s{1,2}normativa|resolucao(?:\s{1,2}conjunta)?|instrucao\s{1,2}normativa|RN|IN|RDC|portaria(?:\s{1,2}"
            r"(?:conjunta|interministerial|normativa))?|circular|deliberacao|provimento)\s{0,2}[-/]?\s?(?:d[aoe]\s{1,2})?"
            rf"({_BRAZILIAN_AGENCIES})(?:/[A-Z]{{2,5}})?,?\s{{1,2}}{_NO}(\d{{1,2}}\.?\d{{3}}|\d{{1,5}})"
            rf"(?:\s?/\s?|,?\s{{1,2}}de\s{{1,2}}(?:\d{{1,2}}\s{{1,2}}de\s{{1,2}}[a-z]{{4,9}}\s{{1,2}}de\s{{1,2}})?)((?:19|20)?\d\d))\b"
        ),
        lambda m: f"{_of_agency(m[2], m[3])}:{plain(m[4])}/{_year(m[5])}",
        ("BR",),
    ),
    LawForm(
        "BR",
        prefilter.compile(
            r"(?i)\b((resolucao\s{1,2}normativa|resolucao(?:\s{1,2}conjunta)?|instrucao\s{1,2}normativa|RN|IN|RDC|portaria|circular|"
            rf"deliberacao|provimento)\s{{1,2}}{_NO}(\d{{1,2}}\.?\d{{3}}|\d{{1,5}})\s?/\s?((?:19|20)?\d\d),?\s\(?"
            rf"(?:d[aoe]s?\s(?:extint[oa]\s)?)?({_BRAZILIAN_AGENCIES})\b\)?)"
        ),
        lambda m: f"{_of_agency(m[2], m[5])}:{plain(m[3])}/{_year(m[4])}",
        ("BR",),
    ),
    LawForm(
        "PT",
        prefilter.compile(
            r"(?i)\b((decreto[\s-]lei|"
            rf"D\.?L\.?)\s{{1,2}}{_NO}(\d{{1,3}}\.?\d{{0,3}}(?:-[A-Z])?)/((?:19|20)?\d\d)"
            rf"{_DATE_BEHIND})\b"
        ),
        _lusophone,
        ("PT", "BR"),
    ),
    LawForm(
        "PT",
        prefilter.compile(
            r"(?i)\b((decreto[\s-]lei|D\.?L\.?|lei)"
            rf"\s{{1,2}}{_NO}(\d{{1,3}}\.?\d{{3}}),?\s{{1,2}}de\s{{1,2}}(?:\d{{1,2}}[./-]\d{{1,2}}[./-]|"
            r"\d{1,2}\s{1,2}de\s{1,2}[a-z]{4,9}\s{1,2}de\s{1,2})((?:18|19|20)\d\d))\b"
        ),
        _lusophone,
        ("PT",),
    ),
    LawForm(
        "FR",
        prefilter.compile(
            r"(?i)\b((loi|l\.|ordonnance|ord\.|decret|decr\.|d\.)(?:\s{1,2}organique|"
            r"\s{1,2}(?-i:[A-Z])[A-Za-z-]{2,15}(?:\s(?-i:[A-Z])[A-Za-z-]{1,15})?)"
            r"?\s{1,2}n\.?\s?[ºo]?\.?\s{0,2}(\d{2,4}-\d{1,5})(?:,?\s{1,2}(?:du\s{1,2})?\d{1,2}(?:er)"
            r"?\s{1,2}[a-z]{3,9}\.?\s{1,2}(?:19|20)\d\d)?)\b"
        ),
        lambda m: f"{_FRENCH_RANKS[m[2].lower()[0]]}:{m[3]}",
        ("FR",),
    ),
    LawForm(
        "FR",
        _DATED_LAW,
        lambda m: _FRENCH_BY_DATE.get(
            dates.read(m[3]) or "", f"{m[2].lower().split()[0]}:{dates.read(m[3]) or ''}"
        ),
        ("FR",),
    ),
    LawForm(
        "FR",
        _DATED_LAW,
        lambda m: f"{m[2].lower().split()[0]}:{dates.read(m[3]) or ''}",
        ("BE", "LU", "CH"),
    ),
    LawForm(
        "IT",
        prefilter.compile(
            r"(?i)\b((d\.?\s?lgs\.?|decreto\s{1,2}legislativo|decreto[\s-]legge|"
            r"legge\s{1,2}regionale|legge|l\.|d\.?\s?l\.|"
            r"d\.?\s?p\.?\s?r\.?|d\.?\s?p\.?\s?c\.?\s?m\.?|d\.\s?m\.|dm|r\.?\s?d\.?\s?l\.?|r\.\s?d\.|rd|decreto\s{1,2}ministeriale|"
            r"L\.R\.)\s{0,2}(?:del\s{1,2})?(?:\d{1,2}º?\s{1,2}[a-z]{4,9}\s{1,2}((?:19|20)\d\d)"
            r",?\s{1,2})?(?:n\.?\s?[º]?\s{0,2})?(\d{1,4})(?:/((?:19|20)?\d\d)|\s{1,2}del\s{1,2}((?:19|"
            r"20)\d\d)|))\b"
        ),
        _italian,
        ("IT",),
    ),
    # "Reg. Consob n. 20307/2018", "delibera Consob 11971/1999", "Reg. IVASS 40/2018".
    LawForm(
        "IT",
        prefilter.compile(
            r"(?i)\b((?:reg(?:olamento|\.)|delibera|provv(?:edimento|\.)|circ(?:olare|\.))\s{1,2}(?:della\s|dell'|di\s)?"
            r"(consob|ivass|isvap|banca\sd'italia|agcom|anac|arera|agcm)\s{1,2}(?:n\.?\s?[º]?\s{0,2})?(\d{1,5})(?:/|\s{1,2}del\s{1,2})"
            r"((?:19|20)\d\d))\b"
        ),
        lambda m: f"{m[2].lower().split()[0].replace('banca', 'bankit')}:{m[3]}/{m[4]}",
        ("IT",),
    ),
)
