"""Name the courts of European countries other than Spain, and how their decisions are numbered."""

from __future__ import annotations

import re

from app.citations.grammars.forms import plain
from app.citations.grammars.judiciary import NO, PLACE, Judiciary


def _italian(written: str, date: str) -> str:
    number, _, year = re.sub(r"\s(?:del|dell'anno)\s", "/", written).partition("/")
    year = year if len(year) != 2 else "20" + year
    year = year or (date[:4] if date[:4].isdigit() else "----")
    return f"{plain(number)}/{year}"


def _french(written: str, date: str) -> str:
    return re.sub(r"(\d{2}-\d{2})[.\s]?(\d{3})", r"\1.\2", written)


_RELATION = (("Lisboa", "L"), ("Porto", "P"), ("Coimbra", "C"), ("Evora", "E"), ("Guimaraes", "G"))
_GERMAN_DOCKET = (
    r"(?:[IVX]{1,6}|\d{1,3}[a-z]?)\s?(?:[A-Z][A-Za-z]{0,4}(?:\s\([A-Z][A-Za-z]{0,6}\))?)\s\d{1,5}/\d{2}"
    r"(?:\s?\([A-Z]\)|\s[A-Z]{1,2}(?![A-Za-z]))?"
)
_PORTUGUESE_DOCKET = (
    r"\d{1,7}/\d{2}\.\d[A-Z0-9]{2,8}(?:-[A-Z]{1,2})?(?:\.[A-Z]{1,2}\d{0,2}){0,3}(?:-[A-Z\d]{1,2}){0,2}"
)

EUROPE: tuple[Judiciary, ...] = (
    Judiciary(
        "PT",
        courts=(
            (
                r"Supremo\sTribunal\sde\sJustica|STJ|AUJ|[Aa]cordao\s(?:de\s)?[Uu]niformizacao(?:\sde\s[Jj]urisprudencia)?",
                "STJ",
            ),
            (r"Supremo\sTribunal\sAdministrativo|STA", "STA"),
            (r"Tribunal\sCentral\sAdministrativo\s(?:do\s)?Sul|TCAS|TCA\sSul", "TCAS"),
            (r"Tribunal\sCentral\sAdministrativo\s(?:do\s)?Norte|TCAN|TCA\sNorte", "TCAN"),
            *(
                (rf"(?:Tribunal\sda\s)?Relacao\sd[eo]\s{name}|TR{letter}", f"TR{letter}")
                for name, letter in _RELATION
            ),
        ),
        own=((r"Tribunal\sConstitucional|TC", "TC"),),
        kinds=r"[Aa]cordaos?|Acs?\.|[Ss]entencas?|Ac[oó]rdaos",
        labels=rf"(?:no\s)?(?:proc(?:esso|\.)?s?|recurso|revista|apelacao|P\.)\s?(?:{NO})?|{NO}",
        numbers=rf"{_PORTUGUESE_DOCKET}|\d{{1,6}}/(?:(?:19|20)\d\d|\d{{2}})|\d{{2}}[A-Z]\d{{3,5}}",
        bare=rf"{_PORTUGUESE_DOCKET}|\d{{1,5}}/(?:19|20)\d\d",
        strong=_PORTUGUESE_DOCKET,
        where=("PT", "EU", "ES", "BR"),
    ),
    Judiciary(
        "FR",
        courts=(
            (
                r"Cour\sde\scassation|Cass\.?(?:,?\s(?:1re|2e|3e|1ere|2eme|3eme)?\s?(?:civ|soc|com|crim|"
                r"req|ass|ch)\.?(?:\s(?:1re|2e|3e|1ere|2eme|3eme)\b)?)",
                "Cass",
            ),
            (r"Conseil\sd'Etat", "CE"),
            (r"Conseil\sconstitutionnel|Cons\.\s?const\.", "CC"),
            (rf"[Cc]our\sd'appel\s(?:de\s|d')(?:{PLACE})", "CA"),
            (rf"[Cc]our\sadministrative\sd'appel\s(?:de\s|d')(?:{PLACE})|CAA\s(?:de\s)?(?:{PLACE})", "CAA"),
            (rf"[Tt]ribunal\s(?:judiciaire|de\sgrande\sinstance|de\scommerce)\s(?:de\s|d')(?:{PLACE})", "TJ"),
        ),
        own=(
            (
                r"(?:Civ\.?\s(?:1re|2e|3e|1ere|2eme|3eme)|Soc\.|Com\.|Crim\.|Ass\.\splen\."
                r"|Cass\.(?:\s?(?:civ|soc|com|crim)\.?(?:\s(?:1re|2e|3e|1ere|2eme|3eme)\b)?)?)",
                "Cass",
            ),
            (r"CE", "CE"),
            (rf"CA\s(?:{PLACE})", "CA"),
            (rf"(?:TA|TJ|TGI)\s(?:{PLACE})", "TJ"),
        ),
        kinds=r"[Aa]rrets?|[Dd]ecisions?\sn[º°o]\.?",
        labels=rf"(?:pourvois?|req(?:uete|\.)?|RG|R\.G\.)\s?(?:{NO})?|{NO}",
        numbers=(
            r"(?:(?:19|20)\d\d|\d\d)-\d{1,4}(?:/\d{1,4}){0,3}\s(?:QPC|DC|LP?|I)|\d{2}-\d{2}[.\s]?\d{3}|"
            r"\d{2}[A-Z]{2}\d{5}|"
            r"\d{2}/\d{4,5}|\d{5,7}"
        ),
        bare=r"\d{2}-\d{2}\.\d{3}|(?:19|20)\d\d-\d{1,4}\s(?:QPC|DC)",
        strong=r"\d{2}-\d{2}[.\s]?\d{3}|(?:19|20)\d\d-\d{1,4}\s(?:QPC|DC)",
        where=(
            "FR",
            "EU",
            "ES",
            "IT",
            "PT",
            "DE",
            "GB",
            "BE",
            "LU",
            "CH",
            "AR",
            "CL",
            "CO",
            "MX",
            "PE",
            "UY",
        ),
        number=_french,
    ),
    Judiciary(
        "IT",
        courts=(
            (
                r"(?:Suprema\s)?(?:Corte\s(?:Suprema\s)?di\s)?[Cc]assazione|Cass\.?\s?(?:civ|pen|lav)\.?|"
                r"Cass\.?(?:,?\s(?:[Ss]ez|S\.?\s?U|SS\.?\s?UU)\.?)|Cass\.\sn\.|SS\.?\s?UU\.?",
                "Cass",
            ),
            (r"Corte\s(?:cost\.|costituzionale)|C\.\s?cost\.", "CCost"),
            (r"Cons(?:iglio|\.)\s(?:di\s)?Stato", "CdS"),
            (rf"(?:TAR|T\.A\.R\.)\s(?:per\s(?:il|la|l')\s?)?(?:{PLACE})", "TAR"),
            (rf"Corte\sd'[Aa]ppello\s(?:di\s)?(?:{PLACE})|App\.\s(?:{PLACE})", "App"),
            (rf"Trib(?:unale|\.)\s(?:di\s|ordinario\sdi\s)?(?:{PLACE})", "Trib"),
        ),
        own=((r"Cass\.|Cassazione", "Cass"),),
        kinds=r"[Ss]ent(?:enza|enze|\.)|[Oo]rd(?:inanza|\.)|[Dd]ecreto",
        labels=r"nn?\.\s?[º°]?|num(?:ero|\.)|n[º°]",
        numbers=r"\d{1,6}(?:/(?:19|20)\d\d|/\d{2}|\s(?:del|dell'anno)\s(?:19|20)\d\d)|\d{1,3}\.\d{3}|\d{1,6}",
        bare=r"\d{1,6}/(?:19|20)\d\d",
        where=("IT", "EU", "ES"),
        number=_italian,
    ),
    Judiciary(
        "DE",
        courts=(
            *((name, name) for name in ("BGH", "BVerfG", "BAG", "BVerwG", "BSG", "BFH", "BayObLG", "BPatG")),
            (r"Bundesgerichtshof(?:e?s)?", "BGH"),
            (r"Bundesverfassungsgericht(?:e?s)?", "BVerfG"),
            (r"Bundesarbeitsgericht(?:e?s)?", "BAG"),
            (r"Bundesverwaltungsgericht(?:e?s)?", "BVerwG"),
            (r"Bundesfinanzhof(?:e?s)?", "BFH"),
            (r"Bundessozialgericht(?:e?s)?", "BSG"),
            *(
                (rf"{code}\s(?:{PLACE})", code)
                for code in ("OLG", "LAG", "LSG", "OVG", "VGH", "ArbG", "LG", "FG")
            ),
            *(
                (rf"{word}(?:s|es)?\s(?:{PLACE})", code)
                for word, code in (
                    ("Oberlandesgericht", "OLG"),
                    ("Landesarbeitsgericht", "LAG"),
                    ("Landgericht", "LG"),
                    ("Amtsgericht", "AG"),
                    ("Arbeitsgericht", "ArbG"),
                    ("Oberverwaltungsgericht", "OVG"),
                )
            ),
        ),
        own=((rf"(?:AG|VG|SG|KG)\s(?:{PLACE})|KG", "AG"),),
        kinds=(
            r"(?:Versaumnis|Teil|End|Grund|Senats|Kammer)?(?:[Uu]rteils?|[Bb]eschlu(?:ss(?:es)?|"
            r"sses))|Urt\.|Beschl?\.|"
            r"Vfg\.|Hinweisbeschluss|Entscheidung"
        ),
        # The place in a journal or collection before the docket: "BGH NJW 2005, 2848, Az. VIII ZR 281/04".
        labels=r"(?:(?:NJW(?:-RR)?|NZA(?:-RR)?|NZM|NZI|MDR|WM|ZIP|VersR|GRUR|FamRZ|WuM|DB|BB|AP)\s(?:19|20)\d\d,\s\d{1,5}"
        r"(?:\s\(\d{1,5}\))?,?\s[-(]?\s?(?:Az\.?:?)?)|Az\.?:?|Aktenzeichen:?|unter\sdem\sAktenzeichen|Rs\.",
        numbers=_GERMAN_DOCKET,
        bare=_GERMAN_DOCKET,
        strong=r"(?:[IVX]{1,6}|\d{1,3})\s(?:ZR|ZB|StR|AZR|ABR|BvR|BvL|BvF|BvE|ARZ|AZB|KR|CN|"
        r"B)\s\d{1,5}/\d{2}",
        where=None,
    ),
    Judiciary(
        "AT",
        courts=(("OGH", "OGH"), ("VfGH", "VfGH"), ("VwGH", "VwGH"), (rf"OLG\s(?:{PLACE})", "OLG")),
        kinds=r"Erkenntnis|Urteil|Beschluss",
        labels=r"GZ\.?:?|Zl\.?|Az\.?",
        numbers=r"\d{1,2}\s?(?:Ob[AS]?|Os|Bkd|Nc)\s\d{1,4}/\d{2}[a-z]|"
        r"[A-Z]{1,2}\s?\d{1,5}/\d{2,4}(?:-\d{1,3})?|R[ao]\s\d{4}/\d{2}/\d{4}",
        bare=r"\d{1,2}\s?(?:Ob[AS]?|Os|Bkd|Nc)\s\d{1,4}/\d{2}[a-z]|[A-Z]{1,2}\s\d{1,5}/\d{4}(?:-\d{1,3})?|"
        r"R[ao]\s\d{4}/\d{2}/\d{4}",
        strong=r"\d{1,2}\s?(?:Ob[AS]?|Os)\s\d{1,4}/\d{2}[a-z]",
        where=("AT", "DE", "EU"),
    ),
    Judiciary(
        "CH",
        courts=((r"Bundesgericht(?:e?s)?|BGer|Tribunal\sfederal|TF|BVGer|TAF", "BGer"),),
        kinds=r"Urteil|[Aa]rret|Entscheid",
        labels=rf"{NO}",
        numbers=r"\d[A-Z]_\d{1,4}/(?:19|20)\d\d|[A-F]-\d{1,4}/(?:19|20)\d\d",
        bare=r"\d[A-Z]_\d{1,4}/(?:19|20)\d\d|[A-F]-\d{1,4}/(?:19|20)\d\d",
        strong=r"\d[A-Z]_\d{1,4}/(?:19|20)\d\d",
        where=("CH", "LI", "EU", "DE", "AT"),
    ),
    Judiciary(
        "BE",
        courts=(
            (r"Cass\.|Cour\sde\scassation|Hof\svan\sCassatie", "Cass"),
            (r"C\.\s?[Cc]onst\.|Cour\sconstitutionnelle|Grondwettelijk\sHof|GwH", "CC"),
            (r"C\.E\.|Conseil\sd'Etat|Raad\svan\sState", "CE"),
            (
                r"(?:C\.\strav\.|Arbh\.|Cour\sdu\stravail\sde|Cour\sd'appel\sde|"
                rf"Bruxelles,)\s?(?:{PLACE})?",
                "C",
            ),
        ),
        kinds=r"[Aa]rrets?|[Aa]rrest",
        labels=rf"R\.?G\.?\s?(?:{NO})?|A\.?R\.?\s?(?:{NO})?|{NO}",
        numbers=r"[CSPFDGH]\.\d{2}\.\d{3,4}\.[FN]|\d{1,4}/(?:19|20)\d\d|\d{2}/\d{4}|\d{2,3}\.\d{3}",
        bare=r"[CSPFDGH]\.\d{2}\.\d{3,4}\.[FN]|\d{1,4}/(?:19|20)\d\d",
        strong=r"[CSPFDGH]\.\d{2}\.\d{3,4}\.[FN]",
        where=("BE",),
    ),
    Judiciary(
        "LU",
        courts=(
            (r"Cour\sde\scassation|Cass\.", "Cass"),
            (r"Cour\sd'appel", "CA"),
            (r"Cour\sadministrative", "CAdm"),
        ),
        kinds=r"[Aa]rrets?|[Jj]ugement",
        labels=rf"(?:role|numero)\s?(?:{NO})?|{NO}",
        numbers=r"\d{1,3}/(?:19|20)?\d\d|CAS-(?:19|20)\d\d-\d{5}|\d{5}[A-Z]?",
        bare=r"CAS-(?:19|20)\d\d-\d{5}",
        where=("LU",),
    ),
    Judiciary(
        "NL",
        courts=(
            (r"HR|Hoge\sRaad", "HR"),
            (rf"Hof\s(?:{PLACE})|[Gg]erechtshof\s(?:{PLACE})", "Hof"),
            (rf"Rb\.?\s(?:{PLACE})|[Rr]echtbank\s(?:{PLACE})", "Rb"),
            (r"ABRvS", "ABRvS"),
            (r"CRvB", "CRvB"),
        ),
        kinds=r"arrest|uitspraak|vonnis",
        labels=r"nr\.|zaaknummer|zaaknr\.",
        numbers=r"(?:NJ|JAR|RvdW|JOR|NJB)\s(?:19|20)\d\d[/,]\s?\d{1,4}|\d{2}/\d{5}|[A-Z]{2}\d{4}",
        bare=r"(?:NJ|JAR|RvdW|JOR|NJB)\s(?:19|20)\d\d[/,]\s?\d{1,4}|\d{2}/\d{5}",
        strong=r"(?:NJ|JAR)\s(?:19|20)\d\d[/,]\s?\d{1,4}",
        where=("NL",),
    ),
    Judiciary(
        "PL",
        courts=(
            (r"SN|Sad(?:u|em)?\sNajwyzsz(?:y|ego|ym)", "SN"),
            (r"TK|Trybunal(?:u)?\sKonstytucyjn(?:y|ego)", "TK"),
            (r"NSA|Naczeln(?:y|ego)\sSad(?:u)?\sAdministracyjn(?:y|ego)", "NSA"),
            (rf"(?:SA|SO|WSA)\s(?:w|we)\s(?:{PLACE})", "SA"),
        ),
        kinds=r"[Ww]yrok(?:u|iem)?|[Uu]chwal[aey]|[Pp]ostanowieni[ea]",
        labels=r"sygn\.(?:\sakt)?:?",
        numbers=r"[IVX]{1,5}\s[A-Za-z]{1,5}\s\d{1,4}/\d{2}|[A-Z]{1,2}\s\d{1,3}/\d{2}",
        bare=r"[IVX]{1,5}\s[A-Za-z]{1,5}\s\d{1,4}/\d{2}|[A-Z]{1,2}\s\d{1,3}/\d{2}",
        strong=r"[IVX]{1,5}\s[A-Z]{2,5}\s\d{1,4}/\d{2}",
        where=("PL",),
    ),
)
