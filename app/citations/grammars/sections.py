"""Find sections: "§ 433 Abs. 2 BGB", "section 21 of the Housing Act 1988"."""

import re
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from app.citations import prefilter
from app.citations.citation import NO_IDS, Finding, Mention
from app.citations.name_index import vocabulary

_PARAGRAPH = prefilter.compile(r"(?:§{1,2}|\b[Ss]ections?|\b[Ss]ec\.)\s?\d")
_PIN = (
    r"(?:\s{0,2}(?:Abs\.?|Absatz|S\.|Satz|Nr\.?|Nummer|Alt\.|Var\.|Hs\.|HS|Halbs\.|UAbs\.|Z|Ziff\.|"
    r"lit\.|Buchst\.)\s?"
    r"(?:\d{1,3}[a-z]?|[a-z](?![A-Za-z])\)?|[IVX]{1,4}\b)|"
    # "§ 823(1) BGB", "§ 433 para. 2 BGB": as papers in English write them.
    r"\s?\(\d{1,2}[a-z]?\)|,?\s(?:para(?:graph|\.)?|sub-?s(?:ection|\.)|sentence|no\.)\s\d{1,2}[a-z]?|"
    r"\s{1,2}[IVX]{1,4}(?:\s(?:\d{1,2}|"
    r"Nr\.\s?\d{1,2}))?(?:,\s[IVX]{1,4}(?=[,;\s]))?(?=[\s,;]))"
)
# "Abs. 1 und 2"; but "§§ 3 bis 5" are three paragraphs.
_MORE_PINS = r"\s(?:bis|-|und|u\.)\s(?:Abs\.?|S\.|Satz|Nr\.?)?\s?\d{1,2}(?=\s[A-Z])"
_DEEPER = rf"(?:{_PIN}(?:{_PIN}|{_MORE_PINS}){{0,5}})?"
_ONE_PARAGRAPH = re.compile(rf"(?P<number>\d{{1,4}}[a-z]{{0,2}})(?![\d/])(?P<pins>{_DEEPER})")
_NEXT_PARAGRAPH = re.compile(
    r"\s?(?:,|;(?=\s§)|\bund\b|\bu\.|\bsowie\b|\boder\b|\bi\.?\s?V\.?\s?m\.?|\biVm\b|(?P<to>-|"
    r"\bbis\b))\s?(?:§{1,2}\s?)?(?=\d)"
)
_AND_FOLLOWING = re.compile(r"\s?f{1,2}\b\.?")
_OF_ARTICLE = re.compile(r"\b[Aa]rt(?:icle|ikel|\.)?s?\.?\s\d{1,3}[a-z]?,?\s$")
_OF_LAW = re.compile(r"\s{1,2}(?:(?:des|der|dem|vom|im|of\sthe|of|del|de\sla|du|de\sl'|della?)\s{1,2})?")
_LAW_OF_DE = re.compile(
    r"[A-Z][A-Za-z-]{0,14}[A-Z](?:[A-Za-z]{0,6})?(?![A-Za-z])(?:\s[IVX]{1,4}(?![A-Za-z]))?"
)
_SAME_LAW = re.compile(
    r"\s{1,2}(?:desselben|dieses|des\s(?:genannten|gleichen|vorgenannten|o\.\s?g\.))\s(?:Gesetz(?:es|"
    r"buche?s)?)\b"
)
_GERMAN_LETTERS = re.compile(r"[A-Z][A-Za-z]{0,10}(?:GB|G|O)(?![A-Za-z])")
_MOST = 12
_PIN_VALUES = re.compile(r"(?<![A-Za-z])(\d{1,3}[a-z]?|[a-z](?=\)|\b(?!\.))|[IVX]{1,4})(?![A-Za-z.])")
_ACT = (
    r"((?:[A-Z][A-Za-z'&-]{1,24}|\([A-Z][A-Za-z ]{2,40}\))(?:,?\s(?:[A-Z][A-Za-z'&-]{1,24}|of|and|the|for|"
    r"against|"
    r"in|to|on|from|at|with|by|etc\.|\([A-Z][A-Za-z ,]{2,60}\))){0,9}\s(?:Act(?:\sof)?|Regulations|Order|"
    r"Rules)\s(1[6-9]\d\d|20\d\d))"
)
_SECTION = (
    r"(?:(?i:sections?|sects?\.|ss?\.?|regulations?|regs?\.?|rules?|rr?\.?|arts?\.?|articles?|"
    r"§{1,2})\s?(\d{1,4}[A-Z]{0,2})((?:\s?\([0-9a-zA-Z]{1,4}\)){0,4})((?:(?:,\s|"
    r"\sand\s|\sto\s|-)\d{1,4}[A-Z]{0,2}(?:\([0-9a-z]{1,4}\)){0,3}){0,6}))"
)
_SCHEDULE = (
    r"(?:(?:(?i:paragraphs?|paras?\.?|grounds?)\s(\d{1,3}[A-Z]?)((?:\([0-9a-z]{1,4}\)){0,3})\s(?:of|"
    r"to)\s)?(?i:Schedule|Sch\.?)\s"
    r"(\d{1,2}[A-Z]{0,2}))"
)
_SCHEDULE_OF = prefilter.compile(rf"(?:^|[^A-Za-z0-9])({_SCHEDULE}\s(?:to|of)\s(?:the\s)?{_ACT})\b")
_SHORT_ACT = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])({_SECTION}\s(?:of\s(?:the\s)?)?([A-Za-z]{{2,9}})\s?((?:19|20)\d\d))\b"
)
_SHORT_ACT_FIRST = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])(([A-Z][A-Za-z]{{1,8}})\s((?:19|20)\d\d),?\s{_SECTION})"
)
# The year of an act that is cited by its initials alone: not the LTA, of which there are several.
_YEARS = {
    "ERA": "1996", "EqA": "2010", "CRA": "2015", "UCTA": "1977", "SGA": "1979", "SOGA": "1979",
    "TULRCA": "1992", "HRA": "1998", "FSMA": "2000", "PACE": "1984",
    "LASPO": "2012", "TCEA": "2007", "RIPA": "2000", "NIAA": "2002", "ITEPA": "2003", "TCGA": "1992",
    "IHTA": "1984", "VATA": "1994", "CDPA": "1988", "ECCTA": "2023", "POCA": "2002", "SSCBA": "1992",
    "RTOA": "1988", "LPMPA": "1989", "HSWA": "1974", "DMCCA": "2024", "LRHUDA": "1993", "NMWA": "1998",
    "TOLATA": "1996", "PECR": "2003", "CDDA": "1986", "TUPE": "2006", "WTR": "1998", "NMWR": "2015",
}  # fmt: skip
_OF_ONE_YEAR = "|".join(_YEARS)
_UNDATED_ACT = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])({_SECTION}\s(?:of\s(?:the\s)?)?({_OF_ONE_YEAR}))"
    r"(?:[^A-Za-z0-9\s]|\s[^12]|\s?$)"
)
# "UCTA s 3": the initials first.
_UNDATED_ACT_FIRST = prefilter.compile(rf"(?:^|[^A-Za-z0-9])(({_OF_ONE_YEAR}),?\s{_SECTION})")
# "Para 3 of Sch 1 EqA 2010".
_SHORT_SCHEDULE = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])({_SCHEDULE}\s(?:(?:to|of)\s(?:the\s)?)?([A-Za-z]{{2,9}})\s((?:19|20)\d\d))\b"
)
# "Sch 1 para 5 EqA 2010", "Schedule B1, paragraph 12 of the Insolvency Act 1986": the schedule first.
_PARAGRAPH_OF_SCHEDULE = (
    r"(?i:Schedule|Sch\.?)\s(\d{1,2}[A-Z]{0,2}|[A-Z]\d),?\s(?i:paragraphs?|paras?\.?)\s(\d{1,3}[A-Z]?)"
    r"((?:\([0-9a-z]{1,4}\)){0,3})"
)
_SCHEDULE_FIRST = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])({_PARAGRAPH_OF_SCHEDULE},?\s(?:(?:to|of)\s(?:the\s)?)?"
    rf"(?:{_ACT}|([A-Z][A-Za-z]{{1,8}})\s((?:19|20)\d\d)))\b"
)
# "Section 136 of the Equality Act": without its year, of the act of that name that the text cites.
_OF_NAMED_BEFORE = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])({_SECTION}\s(?:of|in|under)\sthe\s((?:[A-Z][A-Za-z'&-]{{1,24}}\s(?:and\s|of\s|"
    rf"the\s)?){{1,6}}Act))"
    r"(?:[^A-Za-z0-9\s]|\s[^\d]|\s?$)"
)
_BACK = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])({_SECTION}(?:\sof\s(?:that|the\ssame|the\ssaid|the\s((?:19|20)\d\d))\sAct|"
    rf",?\sibid(?:em|\.)?))\b"
)
_SCHEDULE_BACK = prefilter.compile(
    r"(?:^|[^A-Za-z0-9])((?:(?i:grounds?|paragraphs?|paras?\.?)\s(\d{1,3}[A-Z]?)(?:\s(?:and|"
    r"to)\s\d{1,3}[A-Z]?)?\s(?:of|to|in)\s)?"
    r"(?i:Schedule|Sch\.?)\s(\d{1,2}[A-Z]{0,2})\s(?:to|of)\s(?:that|the\ssame|the\ssaid|the\s((?:19|"
    r"20)\d\d))\sAct)\b"
)
_PROCEDURE = prefilter.compile(
    r"\b(CPR(?:,)?\s(?:(?i:rules?|r\.?|Parts?|"
    r"pt\.?)\s?)?(\d{1,2}(?:\.\d{1,2}[A-Z]?)?)((?:\([0-9a-z]{1,3}\)){0,3}))"
)
# "Part 36 of the Civil Procedure Rules", "r 3.4(2)(a) CPR".
_PROCEDURE_BEHIND = prefilter.compile(
    r"(?:^|[^A-Za-z0-9])((?i:rules?|rr?\.?|Parts?|pt\.?)\s?(\d{1,2}(?:\.\d{1,2}[A-Z]?)?)((?:\([0-9a-z]{1,3}\)){0,3})"
    r"\s(?:of\s(?:the\s)?)?(?:CPR|Civil\sProcedure\sRules(?:\s1998)?))(?:$|[^A-Za-z0-9])"
)
# "Under rule 36.17(4)": of the Civil Procedure Rules where the text cites them and no other rules.
_RULE_ALONE = prefilter.compile(
    r"(?:^|[^A-Za-z0-9.])([Rr]ules?\s(\d{1,2}\.\d{1,2}[A-Z]?)((?:\([0-9a-z]{1,3}\)){0,3}))(?:$|[^\w(])"
)
_OTHER_RULES = re.compile(
    r"\b(?:FPR|CrimPR|ICC|LCIA|UNCITRAL|SRA|FCA)\b|(?<!Civil\s)(?<!Procedure\s)\bRules\b(?!\s1998)"
)
_SECTION_OF = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])({_SECTION}\s{{1,2}}(?:(?:of|in|under)\s(?:the\s)?)?{_ACT})\b"
)
_ACT_ALONE = prefilter.compile(rf"(?:^|[^A-Za-z0-9])({_ACT}(?:,?\s{_SECTION})?)\b", wide=True)
# Its number in the series of statutory instruments behind a title: "…, SI 1998/1833", "(S.I. 2006 No. 246)".
_INSTRUMENT = re.compile(
    r",?\s\(?S\.?\s?I\.?\s(?P<year>(?:19|20)\d\d)(?:/|,?\sNo\.?\s)(?P<number>\d{1,4})(?!\d)\)?"
)
_OPENERS = re.compile(
    r"^(?:The|Under|In|See|This|That|Of|By|And|For|Section|Sections|Since|Because|While|As|To|With|"
    r"Per)\s(?:the\s)?"
)


# "Caught by section 39(2)(c)": of the act cited before it.
_SECTION_ALONE = prefilter.compile(
    r"(?:^|[^A-Za-z0-9])((?:(?i:sections?|ss?\.?)\s?(\d{1,4}[A-Z]{0,2})((?:\s?\([0-9a-zA-Z]{1,4}\)){1,4})"
    r"((?:,\s\d{1,4}[A-Z]{0,2}){0,1})))"
    r"(?:$|[^\w(])"
)
_ACT_NEAR = 600
# "The Equality Act 2010 ("the Act")", "(hereinafter CLARA 2002)"; "the 1985 Act" tells its act by itself.
_SHORT_NAME = re.compile(
    r",?\s\((?:hereinafter,?\s|hereafter,?\s)?(?:the\s)?\"?(?:the\s)?(?!\d{4}\sAct)"
    r"((?:[A-Z0-9][\w-]{0,12}\s){0,3}(?:Act|Regulations|Rules|Order|[A-Z]{2,9}[a-z]?(?:\s(?:19|20)\d\d)?))\"?\)"
)
_OF_SOMETHING = re.compile(r",?\s(?:of|in|to|under|[A-Z])")


def _items(folded: str, pos: int) -> tuple[list[tuple[str, str]], int]:
    """Return numbers with their pins from `pos` on, a range as one ("305-310"), and where the list ends."""
    found: list[tuple[str, str]] = []
    end, ranged = pos, False
    while len(found) < _MOST and (match := _ONE_PARAGRAPH.match(folded, pos)):
        pins = ".".join(value.lower() for value in _PIN_VALUES.findall(match["pins"]))
        if ranged and found:
            found[-1] = (f"{found[-1][0]}-{match['number']}", "")
        else:
            found.append((match["number"], pins))
        end = match.end()
        following = _AND_FOLLOWING.match(folded, end)
        end = following.end() if following else end
        more = _NEXT_PARAGRAPH.match(folded, end)
        if not more:
            break
        ranged, pos = bool(more["to"]), more.end()
    return found, end


# "§ 1 kschg": so many letters behind a "§" are a law of Germany in any paper.
_TELLING = 4
_SMALL_LAW = re.compile(r"[a-z]{2,8}(?![A-Za-z0-9])")


def _is_austrian(written: str) -> bool:
    """Tell whether an abbreviation is that of a law of Austria and of none of Germany ("ABGB")."""
    return written in vocabulary("AT").short and written not in vocabulary("DE").short


_LAW_BEFORE = re.compile(r"(?:^|[^A-Za-z0-9§-])(?P<law>[A-Z][A-Za-z0-9]{2,14}),?\s$")
# "§ 556g Abs. 2", "§ 577a": alone, a number that no contract has is of the law named before.
_TELLING_PARAGRAPH = re.compile(r"\d{3,4}[a-z]?$")
_ALONE_WITHIN = 600
_OF_A_PAPER = re.compile(r"[^.;,)\n]{0,24}?\s(?:des|dieses|dieser|unseres|der|vom|im)\s(?:[a-z]+\s)?[A-Z]")


def german_paragraphs(
    folded: str,
    named: Mapping[int, Mention],
    before: Callable[[int], Mention | None],
    jurisdiction: str,
) -> Iterator[Finding]:
    """Yield paragraphs of laws of Germany and Austria, of a known law or of an abbreviation like one.

    `named` holds the norms that the text names, by where each begins; `before` returns the one named last
    before a place.
    """
    last = 0
    for match in _PARAGRAPH.finditer(folded):
        start = match.start()
        if start < last:
            continue
        if _OF_ARTICLE.search(folded, max(0, start - 16), start):
            continue  # "art. 6 § 1 CEDH": a paragraph of that article
        items, end = _items(folded, match.end() - 1)
        if not items:
            continue
        link = _OF_LAW.match(folded, end)
        behind = link.end() if link else len(folded)  # nothing stands behind a paragraph alone
        if folded[start] != "§":
            # "Section 823(1) BGB": of a law that its letters name, or that the text calls German.
            letters = _GERMAN_LETTERS.match(folded, behind)
            if not letters or letters[0] not in vocabulary("DE").short or letters[0] in _ABBREVIATED:
                continue
        law = named.get(behind) if link else None
        ids: dict[str, str] = {}
        if law and law.norms and law.jurisdiction in ("DE", "AT"):
            norm, end, country = law.norms[0], law.end, law.jurisdiction
        elif jurisdiction in ("DE", "AT", "LI") and (written := _LAW_OF_DE.match(folded, behind)):
            country = "AT" if _is_austrian(written[0]) else jurisdiction
            norm, end = f"{country}:{written[0]}", written.end()
        elif (small := _SMALL_LAW.match(folded, behind)) and small[0] in vocabulary(jurisdiction).small:
            entry = vocabulary(jurisdiction).small[small[0]][0]
            norm, end, country = entry.norm, small.end(), entry.jurisdiction
        elif small and len(small[0]) >= _TELLING and small[0] in vocabulary("DE").small:
            norm, end, country = vocabulary("DE").small[small[0]][0].norm, small.end(), "DE"
        elif same := _SAME_LAW.match(folded, end):
            latest = before(start)
            if not latest or not latest.norms:
                continue
            norm, end, country = latest.norms[0], same.end(), latest.jurisdiction
        else:
            known = vocabulary("DE").short
            written = re.compile(r"[A-Z][A-Za-z]{1,11}(?![A-Za-z])").match(folded, behind)
            first = _LAW_BEFORE.search(folded, max(0, start - 20), start) if not written else None
            if written and written[0] in known:
                norm, end, country = known[written[0]][0].norm, written.end(), "DE"
            elif first and first["law"] in known and jurisdiction in ("DE", "AT"):
                # "WiStrG § 5", "CO2KostAufG, §§ 5 und 7": the law opens.
                start, norm, country = first.start("law"), known[first["law"]][0].norm, "DE"
            elif jurisdiction in ("DE", "AT") and not written and _TELLING_PARAGRAPH.match(items[0][0]):
                latest = before(start)
                near = latest and 0 <= start - latest.end <= _ALONE_WITHIN
                if not latest or not near or not latest.norms or _OF_A_PAPER.match(folded, end):
                    continue
                norm, country, ids = latest.norms[0], latest.jurisdiction, {"elided": "1"}
                if country not in ("DE", "AT"):
                    continue
            else:
                continue
        last = end
        canonical = tuple(f"{norm}:{one}" + (f".{pins}" if pins else "") for one, pins in items)
        pinpoint = items[0][1] if len(items) == 1 else None
        articles = tuple(one for one, _ in items)
        yield Finding(
            start, end, "L4-N", country, canonical, norm, articles, pinpoint or None, ids, priority=72
        )


_ABBREVIATED = {
    "ERA": "employment-rights-act",
    "EqA": "equality-act",
    "LTA": "landlord-and-tenant-act",
    "CRA": "consumer-rights-act",
    "UCTA": "unfair-contract-terms-act",
    "SGA": "sale-of-goods-act",
    "SOGA": "sale-of-goods-act",
    "HA": "housing-act",
    "DPA": "data-protection-act",
    "CA": "companies-act",
    "TULRCA": "trade-union-and-labour-relations-consolidation-act",
    "IA": "insolvency-act",
    "HRA": "human-rights-act",
    "LPA": "law-of-property-act",
    "FSMA": "financial-services-and-markets-act",
    "POCA": "proceeds-of-crime-act",
    "PACE": "police-and-criminal-evidence-act",
    "FOIA": "freedom-of-information-act",
    "MCA": "matrimonial-causes-act",
    "SCA": "senior-courts-act",
    "TCPA": "town-and-country-planning-act",
    "CDPA": "copyright-designs-and-patents-act",
    "TUPE": "transfer-of-undertakings-protection-of-employment-regulations",
    "WTR": "working-time-regulations",
    "NMWR": "national-minimum-wage-regulations",
    "NMWA": "national-minimum-wage-act",
    "CJA": "criminal-justice-act",
    "LRA": "land-registration-act",
    "CCA": "consumer-credit-act",
    "DDA": "disability-discrimination-act",
    "MHA": "mental-health-act",
    "IHTA": "inheritance-tax-act",
    "ITEPA": "income-tax-earnings-and-pensions-act",
    "TCGA": "taxation-of-chargeable-gains-act",
    "VATA": "value-added-tax-act",
    "PIDA": "public-interest-disclosure-act",
    "FTPR": "fixed-term-employees-prevention-of-less-favourable-treatment-regulations",
    "PTWR": "part-time-workers-prevention-of-less-favourable-treatment-regulations",
    "TOLATA": "trusts-of-land-and-appointment-of-trustees-act",
    "DMCCA": "digital-markets-competition-and-consumers-act",
    "DMCC Act": "digital-markets-competition-and-consumers-act",
    "PHA": "protection-from-harassment-act",
    "LPMPA": "law-of-property-miscellaneous-provisions-act",
    "CDDA": "company-directors-disqualification-act",
    "CCR": "consumer-contracts-information-cancellation-and-additional-charges-regulations",
    "CCRs": "consumer-contracts-information-cancellation-and-additional-charges-regulations",
    "PECR": "privacy-and-electronic-communications-ec-directive-regulations",
    "AWR": "agency-workers-regulations",
    "HSWA": "health-and-safety-at-work-etc-act",
    "BSA": "building-safety-act",
    "RRA": "renters-rights-act",
    "SSCBA": "social-security-contributions-and-benefits-act",
    "ECCTA": "economic-crime-and-corporate-transparency-act",
    "OSA": "online-safety-act",
    "LRHUDA": "leasehold-reform-housing-and-urban-development-act",
    "CLRA": "commonhold-and-leasehold-reform-act",
    "RTA": "road-traffic-act",
    "PEA": "protection-from-eviction-act",
    "MPLR": "maternity-and-parental-leave-etc-regulations",
    "TMA": "taxes-management-act",
    "RIDDOR": "reporting-of-injuries-diseases-and-dangerous-occurrences-regulations",
    "COSHH": "control-of-substances-hazardous-to-health-regulations",
    "MHSWR": "management-of-health-and-safety-at-work-regulations",
    "PUWER": "provision-and-use-of-work-equipment-regulations",
    "LOLER": "lifting-operations-and-lifting-equipment-regulations",
    "ICTA": "income-and-corporation-taxes-act",
    "CTA": "corporation-tax-act",
    "ITA": "income-tax-act",
    "ASBCPA": "anti-social-behaviour-crime-and-policing-act",
    "LASPO": "legal-aid-sentencing-and-punishment-of-offenders-act",
    "TCEA": "tribunals-courts-and-enforcement-act",
    "RIPA": "regulation-of-investigatory-powers-act",
    "NIAA": "nationality-immigration-and-asylum-act",
    "BNA": "british-nationality-act",
    "RTOA": "road-traffic-offenders-act",
    "MDA": "misuse-of-drugs-act",
    "OLA": "occupiers-liability-act",
    "FLA": "family-law-act",
    "CPA": "consumer-protection-act",
    "SOA": "sexual-offences-act",
}


_IN_SMALL_LETTERS = {initials.lower(): name for initials, name in _ABBREVIATED.items() if len(initials) > 2}


# "The DPA 1998": the act whole, by its initials and its year.
_INITIALS = "|".join(sorted(_ABBREVIATED, key=len, reverse=True))
_YEARED_INITIALS = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9.])(({_INITIALS})\s((?:19|20)\d\d))(?:$|[^A-Za-z0-9])"
)


def _act(name: str, country: str = "GB") -> str:
    words = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return f"{country}:act:{words}"


def _country(name: str, jurisdiction: str) -> str:
    """Return whose act is named: "Act of 1934" is American, elsewhere the document's own or a British one."""
    if re.search(r"\sAct\sof\s\d{4}$", name) and jurisdiction in ("US", "PR", "GB", "EU", "CA"):
        return "US"
    if jurisdiction in ("IE", "CA"):
        return jurisdiction
    return "IE" if re.sub(r"[^a-z0-9]+", "-", name.lower()) in _IRISH else "GB"


# Acts of Ireland whose title no act of the United Kingdom bears.
_IRISH = frozenset(
    {
        "unfair-dismissals-act-1977", "organisation-of-working-time-act-1997", "employment-equality-act-1998",
        "residential-tenancies-act-2004", "companies-act-2014", "protected-disclosures-act-2014",
        "payment-of-wages-act-1991", "redundancy-payments-act-1967",
        "minimum-notice-and-terms-of-employment-act-1973", "workplace-relations-act-2015",
        "consumer-rights-act-2022", "parental-leave-act-1998", "terms-of-employment-information-act-1994",
    }
)  # fmt: skip


def british_acts(folded: str, jurisdiction: str = "GB") -> Iterator[Finding | Mention]:
    """Yield acts and instruments by short title and year, with or without a section."""
    taken: list[tuple[int, int]] = []
    acts: list[tuple[int, str]] = []
    for match in _SECTION_OF.finditer(folded):
        start, end = match.span(1)
        taken.append((start, end))
        acts.append((end, _OPENERS.sub("", match[5])))
        yield _provision(start, end, match[5], match[2], match[3], match[4], jurisdiction)
    for match in _SCHEDULE_OF.finditer(folded):
        start, end = match.span(1)
        taken.append((start, end))
        norm = _act(match[5], _country(match[5], jurisdiction))
        pin = ".".join(filter(None, (match[2], *re.findall(r"\(([0-9a-z]+)\)", match[3] or ""))))
        form = f"{norm}:sch{match[4]}" + (f".{pin}" if pin else "")
        yield Finding(
            start, end, "L4-N", norm[:2], (form,), norm, (f"sch{match[4]}",), pin or None, priority=71
        )
    taken.sort()
    cursor = 0
    for match in _ACT_ALONE.finditer(folded):
        start, end = match.span(1)
        while cursor < len(taken) and taken[cursor][1] <= start:
            cursor += 1
        if cursor < len(taken) and taken[cursor][0] < end:
            continue
        name = match[2]
        opener = _OPENERS.match(name)
        if opener:
            start, name = start + opener.end(), name[opener.end() :]
        titled = _TITLE_OF.match(name)  # "Discrimination, Title VII of the Civil Rights Act of 1964"
        if titled:
            start, name = start + titled.start(1), name[titled.end() :]
        if name.startswith(("Act ", "Order ", "Rules ", "Regulations ")):
            continue
        acts.append((end, name))
        if match[4]:
            yield _provision(start, end, name, match[4], match[5], match[6], jurisdiction)
        else:
            country = _country(name, jurisdiction)
            numbered = _INSTRUMENT.match(folded, end)
            end = numbered.end() if numbered else end
            ids = {"si": f"{numbered['year']}/{numbered['number']}"} if numbered else NO_IDS
            yield Mention(start, end, country, (_act(name, country),), ids, cites=True)
    yield from _short_acts(folded, sorted(acts), jurisdiction)


_TITLE_OF = re.compile(r"(?:[^,]{1,60},\s)?(Title\s[IVX]{1,5}\sof\s(?:the\s)?)")


def _short_acts(folded: str, acts: list[tuple[int, str]], jurisdiction: str) -> Iterator[Finding]:
    """Yield sections of acts by their initials ("s 98(4) ERA 1996"), of "that Act", and rules of the CPR."""
    for match in _SHORT_ACT.finditer(folded):
        known = _ABBREVIATED.get(match[5]) or _IN_SMALL_LETTERS.get(match[5])
        start, end = match.span(1)
        if known:
            name = f"{known} {match[6]}"
            acts.append((end, name))
            yield _provision(start, end, name, match[2], match[3], match[4], jurisdiction)
    for match in _SHORT_ACT_FIRST.finditer(folded):
        known = _ABBREVIATED.get(match[2])
        if known:
            start, end = match.span(1)
            name = f"{known} {match[3]}"
            acts.append((end, name))
            yield _provision(start, end, name, match[4], match[5], match[6], jurisdiction)
    for match in _YEARED_INITIALS.finditer(folded) if jurisdiction == "GB" else ():
        start, end = match.span(1)
        norm = f"GB:act:{_ABBREVIATED[match[2]]}-{match[3]}"
        acts.append((end, f"{_ABBREVIATED[match[2]]} {match[3]}"))
        yield Finding(start, end, "L4-N", "GB", (norm,), norm, priority=30)
    for match in _UNDATED_ACT.finditer(folded):
        start, end = match.span(1)
        name = f"{_ABBREVIATED[match[5]]} {_YEARS[match[5]]}"
        acts.append((end, name))
        yield _provision(start, end, name, match[2], match[3], match[4], jurisdiction)
    for match in _UNDATED_ACT_FIRST.finditer(folded):
        start, end = match.span(1)
        name = f"{_ABBREVIATED[match[2]]} {_YEARS[match[2]]}"
        acts.append((end, name))
        yield _provision(start, end, name, match[3], match[4], match[5], jurisdiction)
    for match in _SCHEDULE_FIRST.finditer(folded):
        initials = _ABBREVIATED.get(match[7] or "")
        so_called = f"{initials} {match[8]}" if initials else match[5]
        if so_called:
            start, end = match.span(1)
            norm, schedule = _act(so_called, _country(so_called, jurisdiction)), f"sch{match[2]}"
            place = ".".join((match[3], *re.findall(r"\(([0-9a-z]+)\)", match[4])))
            form = f"{norm}:{schedule}.{place}"
            yield Finding(start, end, "L4-N", norm[:2], (form,), norm, (schedule,), place, priority=72)
    for match in _SHORT_SCHEDULE.finditer(folded):
        if known := _ABBREVIATED.get(match[5]):
            norm, pin = f"GB:act:{known}-{match[6]}", match[2] or None
            form = f"{norm}:sch{match[4]}" + (f".{pin}" if pin else "")
            start, end = match.span(1)
            yield Finding(start, end, "L4-N", "GB", (form,), norm, (f"sch{match[4]}",), pin, priority=71)
    acts.sort()
    ends = [end for end, _ in acts]
    for match in _OF_NAMED_BEFORE.finditer(folded):
        start, end = match.span(1)
        wanted = f"{_act(match[5])}-"
        same = next((name for _, name in reversed(acts) if _act(name).startswith(wanted)), None)
        if same:
            acts.append((end, same))
            yield _provision(start, end, same, match[2], match[3], match[4], jurisdiction)
    spoken: list[tuple[int, str]] = []  # where the text comes back to an act
    for match in _BACK.finditer(folded):
        start, end = match.span(1)
        before = acts[: bisect_left(ends, start)][-20:]
        named = [name for _, name in before if not match[5] or name.endswith(match[5])]
        if named:
            spoken.append((end, named[-1]))
            yield _provision(start, end, named[-1], match[2], match[3], match[4], jurisdiction)
    for start, end, name, match in _of_short_names(folded, acts):
        spoken.append((end, name))
        found = _provision(start, end, name, match[2], match[3], match[4], jurisdiction)
        yield replace(found, priority=71)
    for match in _SCHEDULE_BACK.finditer(folded):
        start, end = match.span(1)
        before = acts[: bisect_left(ends, start)][-20:]
        named = [name for _, name in before if not match[4] or name.endswith(match[4])]
        if named:
            norm = _act(named[-1], _country(named[-1], jurisdiction))
            form = f"{norm}:sch{match[3]}" + (f".{match[2]}" if match[2] else "")
            yield Finding(
                start,
                end,
                "L4-N",
                norm[:2],
                (form,),
                norm,
                (f"sch{match[3]}",),
                match[2] or None,
                priority=71,
            )
    if jurisdiction == "GB":
        acts = sorted([*acts, *spoken])
        for match in _SECTION_ALONE.finditer(folded):
            start, end = match.span(1)
            before = acts[max(0, bisect_left(acts, (start + 1, "")) - 1) :][:1]
            if before and 0 <= start - before[-1][0] <= _ACT_NEAR and not _OF_SOMETHING.match(folded, end):
                insort(acts, (end, before[-1][1]))
                found = _provision(start, end, before[-1][1], match[2], match[3], match[4], jurisdiction)
                yield replace(found, ids={"elided": "1"}, priority=59)
        for match in (*_PROCEDURE.finditer(folded), *_PROCEDURE_BEHIND.finditer(folded)):
            start, end = match.span(1)
            pin = ".".join(re.findall(r"\(([0-9a-z]+)\)", match[3]))
            form = f"GB:CPR:{match[2]}" + (f".{pin}" if pin else "")
            yield Finding(start, end, "L4-N", "GB", (form,), "GB:CPR", (match[2],), pin or None, priority=72)
        civil = _PROCEDURE.search(folded) or _PROCEDURE_BEHIND.search(folded)
        for match in _RULE_ALONE.finditer(folded) if civil and not _OTHER_RULES.search(folded) else ():
            start, end = match.span(1)
            if not _OF_SOMETHING.match(folded, end):
                pin = ".".join(re.findall(r"\(([0-9a-z]+)\)", match[3]))
                form = f"GB:CPR:{match[2]}" + (f".{pin}" if pin else "")
                ids = {"elided": "1"}
                yield Finding(
                    start, end, "L4-N", "GB", (form,), "GB:CPR", (match[2],), pin or None, ids, priority=59
                )


def _of_short_names(
    folded: str, acts: list[tuple[int, str]]
) -> Iterator[tuple[int, int, str, re.Match[str]]]:
    """Yield sections of an act by the short name that the text gave it ("section 20 of the Act")."""
    defined: dict[str, list[tuple[int, str]]] = {}
    for end, name in acts:
        match = _SHORT_NAME.match(folded, end)
        if match:
            defined.setdefault(match[1].strip(), []).append((match.end(), name))
    for label, named in list(defined.items())[:_MOST]:
        expression = re.compile(
            rf"(?<![A-Za-z0-9])({_SECTION}\s(?:(?:of|in|under)\s(?:the\s)?)?{re.escape(label)})"
            r"(?!\w|\s(?:of\s)?[A-Z\d])"
        )
        since = [place for place, _ in named]
        for match in expression.finditer(folded, since[0]):
            start, end = match.span(1)
            yield start, end, named[bisect_left(since, start) - 1][1], match


def _provision(
    start: int, end: int, act: str, first: str, pins: str, more: str, jurisdiction: str
) -> Finding:
    name = _OPENERS.sub("", act)
    country = _country(name, jurisdiction)
    norm = _act(name, country)
    pin = ".".join(re.findall(r"\(([0-9a-zA-Z]+)\)", pins))
    articles: tuple[str, ...] = (first,)
    for link, number in re.findall(r"(,\s|\sand\s|\sto\s|-)(\d{1,4}[A-Z]{0,2})", more):
        ranged = link in (" to ", "-") and "-" not in articles[-1]
        articles = (*articles[:-1], f"{articles[-1]}-{number}") if ranged else (*articles, number)
    canonical = tuple(
        f"{norm}:s{article}" + (f".{pin}" if pin and not index else "")
        for index, article in enumerate(articles)
    )
    return Finding(start, end, "L4-N", country, canonical, norm, articles, pin or None, priority=70)
