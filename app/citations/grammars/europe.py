"""List the commonest forms of decisions and laws of other European countries and the United States."""

import re

from app.citations import prefilter
from app.citations.grammars import dates
from app.citations.grammars.forms import JUDGMENT, Form, LawForm, plain

FORMS: tuple[Form, ...] = (
    # Portugal
    Form(
        "PT",
        JUDGMENT,
        prefilter.compile(
            r"(?i)\b(acordao(?:\s{1,2}do\s{1,2}(?:STJ|TC|Tribunal\s{1,2}Constitucional|"
            r"Supremo\s{1,2}Tribunal\s{1,2}de\s{1,2}Justica))?\s{1,2}(?:n\.?\s?[ºo]\.?\s{0,2})"
            r"(\d{1,4}/(?:19|20)\d\d))\b"
        ),
        lambda m: f"PT:TC:{m[2]}",
        where=("PT",),
    ),
    # France
    Form(
        "FR",
        JUDGMENT,
        prefilter.compile(
            rf"\b((?:CE|Conseil\sd'Etat)(?:,\s?(?:Ass|Sect)\.?(?:emblee|ion)?)?,\s(?i:{dates.LONG})"
            rf",\s(?:[^,;()\n]{{2,60}},\s)?(?:n[o.]?\s?[º]?\.?\s{{0,2}})(\d{{4,7}}))\b"
        ),
        lambda m: f"FR:CE:{m[2]}",
    ),
    Form(
        "FR",
        JUDGMENT,
        prefilter.compile(
            rf"\b(Cass\.?\s?,?\s?(?i:(?:[\w.]{{1,8}}\s?){{0,4}}),\s?(?i:{dates.LONG})"
            rf",\s?(?:n[o.]?\s?[º]?\.?\s{{0,2}})?(\d{{2}}-\d{{2}}[.\s]?\d{{3}}))\b"
        ),
        lambda m: f"FR:Cass:{m[2].replace(' ', '.')}",
    ),
    Form(
        "FR",
        JUDGMENT,
        prefilter.compile(
            r"(?i)\b((?:Cons\.\s?const\.|Conseil\sconstitutionnel),?[^;()"
            r"\n]{0,40}?\s?(?:n[o.]?\s?[º]?\.?\s{0,2})((?:19|20)\d\d-\d{1,4}\s(?:QPC|DC)))\b"
        ),
        lambda m: f"FR:CC:{m[2]}",
    ),
    # Italy
    Form(
        "IT",
        JUDGMENT,
        prefilter.compile(
            rf"\b(Cass\.?,?\s?(?i:(?:civ|pen|lav)\.?,?\s?)?(?i:(?:sez\.?\s?(?:un\.?|[IVX]{{1,4}}|"
            rf"lav\.?|\d)|S\.?U\.?),?\s?(?:civ\.?,?\s?)?)?\s?(?i:{dates.LONG})"
            rf",?\s?n\.?\s?[º]?\s?(\d{{1,6}}))\b"
        ),
        lambda m: f"IT:Cass:{m[2]}/{(dates.read(m[1]) or '----')[:4]}",
    ),
    Form(
        "IT",
        JUDGMENT,
        prefilter.compile(
            r"\b(Cass\.?,?\s?(?i:(?:civ|pen)\.?,?\s?)?(?i:(?:sez\.?\s?(?:un\.?|[IVX]{1,4}|lav\.?|\d)|"
            r"S\.?U\.?),?\s?)?n\.?\s?(\d{1,6}/(?:19|20)?\d\d))\b"
        ),
        lambda m: f"IT:Cass:{m[2]}",
    ),
    Form(
        "IT",
        JUDGMENT,
        prefilter.compile(
            r"\b((?i:Corte\s(?:cost\.|costituzionale)|C\.\s?cost\.),?\s?(?i:sent(?:enza|\.)\s)"
            r"?n\.?\s?(\d{1,4}/(?:19|20)\d\d))\b"
        ),
        lambda m: f"IT:CCost:{m[2]}",
    ),
    # Germany
    Form(
        "DE",
        JUDGMENT,
        prefilter.compile(
            rf"\b((?:BGH|BVerfG|BAG|BVerwG|BSG|BFH|OLG\s[A-Z][a-z]+|LG\s[A-Z][a-z]+),?\s(?i:Urteil|"
            rf"Urt\.|Beschluss|Beschl\.)\s(?:v\.|vom)\s(?:{dates.NUMERIC}|"
            rf"\d{{1,2}}\.\s?(?i:{dates.MONTH})\s\d{{4}})\s?[,-]\s?(?:Az\.:?\s)"
            rf"?([0-9IVX]{{1,5}}\s?[A-Z][A-Za-z]{{0,3}}(?:\s\([A-Z]\))?\s\d{{1,5}}/\d{{2}}))\b"
        ),
        lambda m: f"DE:{m[1].split()[0].rstrip(',')}:{m[2]}",
    ),
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
            r"(\[(\d{4})\]\s(?:\d{1,2}\s)?(?:UKSC|UKPC|UKHL|UKUT|UKFTT|EWCA\s(?:Civ|Crim)|EWHC|EWFC|"
            r"CSIH|CSOH|NICA|EAT|AC|QB|KB|Ch|WLR|All\sER|Fam|ICR|IRLR|BCLC|Lloyd's\sRep)"
            r"\s\d{1,5}(?:\s\((?:Ch|QB|KB|Comm|Admin|TCC|Fam|Pat|IPEC|TCC|HL|CA|PC|AAC|IAC|LC|TC|TCC)"
            r"\))?)"
        ),
        lambda m: f"GB:{m[1].replace(' ', '')}",
    ),
    # Strasbourg
    Form(
        "COE",
        JUDGMENT,
        prefilter.compile(
            rf"\b(STEDH(?:\s\([^()]{{1,30}}\))?,?\s(?:de\s)?(?i:{dates.LONG})(?:,?\s(?:(?i:asunto|"
            rf"caso)\s)?[A-Z][^.;()\n]{{3,60}}?\s(?:c\.|contra|v\.)\s(?:[A-Z][a-z]+|"
            rf"el\s[A-Z][a-z]+\s[A-Z][a-z]+|la\s[A-Z][a-z]+))?)"
        ),
        lambda m: f"COE:STEDH:{dates.read(m[1]) or ''}",
    ),
)
LAWS: tuple[LawForm, ...] = (
    LawForm(
        "BR",
        prefilter.compile(
            r"(?i)\b((lei)(?:\s{1,2}complementar)?\s{1,2}(?:n\.?\s?[ºo]?\.?\s{0,2}|"
            r"federal\s{1,2}n\.?\s?[ºo]\.?\s{0,2})?(\d{1,2}\.?\d{3}|\d{1,3})\s?/\s?((?:19|20)?\d\d))\b"
        ),
        lambda m: (
            f"lei:{plain(m[3])}/{m[4] if len(m[4]) == 4 else ('19' if int(m[4]) > 40 else '20') + m[4]}"
        ),
        ("BR", "PT"),
    ),
    LawForm(
        "PT",
        prefilter.compile(
            r"(?i)\b((decreto-lei|D\.?L\.?)\s{1,2}(?:n\.?\s?[ºo]?\.?\s{0,2})"
            r"?(\d{1,3}\.?\d{0,3}(?:-[A-Z])?)/((?:19|20)?\d\d))\b"
        ),
        lambda m: f"dl:{plain(m[3])}/{m[4]}",
        ("PT", "BR"),
    ),
    LawForm(
        "FR",
        prefilter.compile(
            r"(?i)\b((loi|ordonnance|decret)(?:\s{1,2}organique)"
            r"?\s{1,2}n\.?\s?[ºo]?\.?\s{0,2}(\d{2,4}-\d{1,5})(?:\s{1,2}du\s{1,2}\d{1,2}(?:er)"
            r"?\s{1,2}[a-z]{3,9}\s{1,2}(?:19|20)\d\d)?)\b"
        ),
        lambda m: f"{m[2].lower()}:{m[3]}",
        ("FR",),
    ),
    LawForm(
        "IT",
        prefilter.compile(
            r"(?i)\b((d\.?\s?lgs\.?|legge|l\.|d\.?l\.|d\.?p\.?r\.?)"
            r"\s{0,2}(?:\d{1,2}\s{1,2}[a-z]{4,9}\s{1,2}(?:19|20)\d\d,?\s{1,2})?(?:n\.?\s{0,2})"
            r"?(\d{1,4})/((?:19|20)\d\d))\b"
        ),
        lambda m: f"{re.sub(r'[^a-z]', '', m[2].lower())}:{m[3]}/{m[4]}",
        ("IT",),
    ),
)
