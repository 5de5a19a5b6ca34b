"""Extract the citations of a text: run every grammar over the folded text, then settle overlaps."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from app.citations import dates, recast
from app.citations.bare_articles import (
    bare_code_articles,
    bare_references,
    ibidem_first,
    inserted_alone,
    laws_first,
    paragraphs_alone,
)
from app.citations.citation import Citation, Finding, Mention
from app.citations.defined_names import definitions, short_names
from app.citations.given_names import given_name, given_number
from app.citations.grammars import (
    authorities,
    cjeu,
    identifiers,
    judiciaries,
    latin_america,
    norms,
    other_countries,
    sections,
    spain,
    strasbourg,
    treaties,
    us,
    us_california,
    us_states,
)
from app.citations.grammars.divisions import divisions, extent
from app.citations.name_index import by_identifier, named_norms, namesakes
from app.citations.own_number import is_own_number
from app.citations.prefilter import prefiltered
from app.citations.recitals import annexes, of_the_same_article, recitals
from app.citations.references import Norms, references
from app.text.normalize import CITATIONS

_LATIN = latin_america.COUNTRIES
# Where a hyphen belongs to an article's number: all over France, in Catalan law, in Colombia's tax code.
_HYPHENS = {"FR": "always", "BE": "always", "LU": "always", "ES": "near", "CO": "near"}
# What may stand between a decision and its own identifier for both to be one citation.
_BETWEEN = re.compile(
    rf"[\s,;:.()\[\]-]{{0,6}}(?:(?:ROJ|Id\.?\s?Cendoj|CELEX|asuntos?|case|BOE|DOUE|nota)\b[^()"
    rf"\n]{{0,40}}?)?(?:,?\s{{0,2}}(?:de|of)\s{{1,2}}{dates.LONG})?[\s,;:()\[\]-]{{0,6}}",
    re.IGNORECASE,
)


def _mentions(folded: str, jurisdiction: str) -> list[Mention]:
    found: list[Mention] = list(identifiers.identified_norms(folded))
    found += treaties.treaties(folded)
    found += other_countries.laws(folded, jurisdiction)
    foreign = (
        {one.end for one in found if one.jurisdiction in ("IT", "PT")} if jurisdiction == "ES" else set()
    )
    spanish: Iterable[Mention] = norms.spanish_norms(folded)
    if foreign:  # "la ley italiana 392/1978"
        spanish = (mention for mention in spanish if mention.start not in foreign)
    if jurisdiction in _LATIN or jurisdiction in ("BR", "PT"):
        own = ("ES:ley:", "ES:d:", "ES:dl:", "ES:dleg:", "ES:orden:")
        spanish = (mention for mention in spanish if not mention.norms[0].startswith(own))
    found += spanish
    found += norms.european_norms(folded)
    if jurisdiction not in _LATIN:
        found += norms.dated_norms(folded)
        found += norms.ministerial_norms(folded)
    found += named_norms(folded, jurisdiction)
    found = recast.of_their_day(folded, found)
    found += list(namesakes(folded, found, jurisdiction))
    return found


def _standing(mention: Mention) -> Finding:
    norm = mention.norms[0] if mention.norms else None
    ambiguous = norm is None or "?" in norm or "order" in mention.ids
    version = f"@{mention.ids['version']}" if "version" in mention.ids else ""
    canonical = () if ambiguous else tuple(f"{form}{version}" for form in mention.norms)
    return Finding(
        mention.start,
        mention.end,
        "L4-N",
        mention.jurisdiction,
        canonical,
        norm,
        ids=mention.ids,
        priority=30,
    )


def find_all(folded: str, jurisdiction: str) -> list[Finding]:
    """Return everything every grammar finds, overlaps included."""
    with prefiltered(folded):
        return _find_all(folded, jurisdiction)


def _find_all(folded: str, jurisdiction: str) -> list[Finding]:
    found: list[Finding] = list(authorities.papers(folded, jurisdiction))
    mentions = authorities.without_papers(_mentions(folded, jurisdiction), found)
    for item in sections.british_acts(folded, jurisdiction):
        if isinstance(item, Mention):
            mentions.append(item)
        else:
            found.append(item)
    mentions = [one for one in mentions if not _IN_A_DOCKET.search(folded, max(0, one.start - 48), one.start)]
    defined = definitions(folded, mentions)
    found += [_standing(one.law) for one in defined if one.said]
    mentions += list(short_names(folded, mentions, defined))
    known = Norms.of(mentions, folded)
    # Where a French code is named, "L. 442-1" is an article of it.
    french = "near" if any(mention.jurisdiction == "FR" for mention in mentions) else ""
    found += references(folded, known, _HYPHENS.get(jurisdiction, french), jurisdiction == "MX")
    again = Norms.of(mentions)
    again.spoken = known.spoken
    found += bare_references(folded, again)
    found += laws_first(folded, again)
    found += ibidem_first(folded, mentions, known.spoken)
    found += recitals(folded, Norms.of(mentions))
    found += annexes(folded, known)
    if jurisdiction == "FR":
        found += bare_code_articles(folded, Norms.of(mentions))
    found += identifiers.official_journal(folded, mentions)
    known = Norms.of(mentions)
    found += [_standing(mention) for mention in mentions if mention.cites]
    found += sections.german_paragraphs(folded, known.at, known.before, jurisdiction)
    american = [
        *us.codes(folded),
        *us.state_codes(folded, jurisdiction),
        *us_states.statutes(folded, jurisdiction),
        *us_california.sections(folded, jurisdiction),
    ]
    found += american
    found += us.same_code(folded, american)
    found += us_california.of_that_section(folded, american, jurisdiction)
    found += us.sections_alone(folded, american, jurisdiction)
    found += us.constitution(folded)
    found += us.rules_and_acts(folded, jurisdiction)
    found += us.cases(folded, jurisdiction)
    found += identifiers.eclis(folded)
    found += identifiers.celex_judgments(folded)
    found += spain.administrative(folded)
    found += spain.decisions(folded)
    found += spain.decisions_in_words(folded)
    found += other_countries.forms(folded, jurisdiction)
    found += judiciaries.decisions(folded, jurisdiction)
    found += cjeu.court_of_justice(folded, jurisdiction)
    found += cjeu.small_cases(folded)
    found += cjeu.opinions(folded, jurisdiction)
    found += strasbourg.decisions(folded)
    found += list(inserted_alone(folded, found, jurisdiction))
    found += list(paragraphs_alone(folded, found, jurisdiction))
    found += list(of_the_same_article(folded, found))
    return found + _alone(folded, mentions, found)


# "N.° 0000003219-2026-ONP/DPR.GD/DL 19990": the last part of the number of a file is no law cited.
_IN_A_DOCKET = re.compile(r"\d-\d{4}-[A-Z][A-Z./-]{1,30}/$")
# "La LORTAD", "nach RVG", "(lprl fuera": named for itself; not "(en adelante, LGT)", "matrícula 7382 LEC".
_NAMED_BEFORE = re.compile(
    r"\b(?:la|el|los|al|del|o|a|da|do|na|no|nach|die|dem|den|der|des|das|the|le|du|il|della|dal|dalla|nel|nella)\s$|"
    r"\($|[a-z]:\s$|\b(?:alte[mns]?|fruhere[mns]?)\s$|\b(?:il|du|de\s)?l'$",
    re.IGNORECASE,
)
# "The FLSA and FMLA", "das BGB und NetzDG": the second of two laws named alone.
_NAMED_BESIDE = re.compile(r"(?:,|\b(?:and|or|und|oder|sowie|et|ou|e|y|o))\s$")
# Of small letters one more: "la cau" is half a word.
_LETTERS_ALONE = 3
# Great laws of three letters are named in passing, as great codes are.
_GREAT = frozenset(
    {
        "CDC", "CFF", "CGI", "CGP", "CLT", "CPA", "CPC", "CPI", "CPP", "CPR", "CPT", "CST", "BGB", "HGB",
        "ZPO",
        "LAU", "LCT", "LDC", "LEC", "LET", "LFT", "LGT", "LPH", "LSC",
    }
)  # fmt: skip
# "Die Arbeitszeitordnung": a German name of one word.
_STATUTE = re.compile(r"(?:Ley|Lei|Loi|Legge)\s\S+\s\S")
_COMPOUND = re.compile(r"[A-Z][a-z]{5,40}(?:gesetz|ordnung|gesetzbuch)(?:e?s|en)?")
# "Código de Aguas", "code général de la fonction publique"; great codes are named in passing.
_CODE = re.compile(
    r"(?i)(?:codigo|code|codice)\s\S+\s(?!(?:civil|penal|civile|penale|trabajo|travail|trabalho)\b)\S"
)
# "NetzDG", "FreizugG": a German law by letters of both kinds.
_MIXED = re.compile(r"[A-Z][A-Za-z]{1,9}(?:G|GB|VO|O)")
# "Dodd-Frank Act": with what names it, and no "Act" alone.
_ACT_NAMED = re.compile(r"(?:[A-Z][A-Za-z'-]{2,20}\s(?:(?:and|of|in|on|for)\s){0,2}){1,8}Act(?:\sof\s\d{4})?")


def _is_name(written: str) -> bool:
    """Tell whether letters are a law's abbreviation ("LORTAD", "lprl") or its name in full."""
    if " " in written:
        return bool(_STATUTE.match(written) or _CODE.match(written) or _ACT_NAMED.fullmatch(written))
    return bool(_COMPOUND.fullmatch(written) or _MIXED.fullmatch(written)) or (
        written.isalpha() and (written.islower() or written[1:].isupper())
    )


# "El derogado C.P.C.", "l'abrogato TULPS": who says so cites the law, however short its letters.
_SAID_TO_BE_GONE = re.compile(
    r"\b(?:derogad[oa]|abrogad[oa]|abrogat[oa]|extint[oa]|revogad[oa]|abroge|aufgehobenen?)\s$", re.IGNORECASE
)


def _is_named_alone(folded: str, start: int, alone: list[Finding]) -> bool:
    """Tell whether a law is named for itself at `start`: behind an article, or beside another so named."""
    if _NAMED_BEFORE.search(folded, max(0, start - 8), start):
        return True
    beside = _NAMED_BESIDE.search(folded, max(0, start - 8), start)
    return bool(beside and alone and start - alone[-1].end <= len(beside[0]) + 1)


def _alone(folded: str, mentions: list[Mention], found: list[Finding]) -> list[Finding]:
    """Return the first mention of each law that a text names, by letters or in full, and never cites."""
    cited = {one.norm for one in found if one.norm}
    alone: list[Finding] = []
    for mention in sorted(mentions, key=lambda one: one.start):
        letters = folded[mention.start : mention.end]
        gone = _SAID_TO_BE_GONE.search(folded, max(0, mention.start - 14), mention.start)
        if gone and not mention.cites and len(mention.norms) == 1 and mention.norms[0] not in cited:
            cited.add(mention.norms[0])
            alone.append(_standing(mention))
            continue
        if (
            mention.cites
            or len(mention.norms) != 1
            or mention.norms[0] in cited
            or len(letters) < _LETTERS_ALONE + (not letters.isupper())
            or letters in _GREAT
            or not _is_name(letters)
            or not _is_named_alone(folded, mention.start, alone)
            or (folded[mention.start - 1] == "(" and letters.isupper())
        ):
            continue
        cited.add(mention.norms[0])
        alone.append(_standing(mention))
    return alone


def _settle(found: Iterable[Finding]) -> list[Finding]:
    """Return the findings that remain when the better of two that overlap is kept, in order of place."""
    starts: list[int] = []
    kept: list[Finding] = []
    for finding in sorted(found, key=lambda item: (-item.priority, item.start - item.end, item.start)):
        index = bisect_right(starts, finding.start)
        if index and kept[index - 1].end > finding.start:
            continue
        if index < len(kept) and kept[index].start < finding.end:
            continue
        starts.insert(index, finding.start)
        kept.insert(index, finding)
    return kept


def _is_identifier(finding: Finding) -> bool:
    return finding.priority == 90


def _merged(first: Finding, second: Finding, between: str) -> Finding | None:
    """Join two neighbours that name the same thing into one citation, or return `None`.

    A decision followed by its ECLI is cited by the ECLI, the identifier that finds it; a decision or law
    followed by a secondary number (ROJ, BOE) stays cited by its name, which is how lawyers read
    it.
    """
    if not _BETWEEN.fullmatch(between):
        return None
    judgments = first.kind == second.kind == "L2-J"
    if (
        judgments
        and _is_identifier(second)
        and len(first.canonical) <= 1
        and first.jurisdiction == second.jurisdiction
        and not _is_identifier(first)
    ):
        ids = {**first.ids, **second.ids}
        number = re.search(r":A?(\d+/\d{4})$", first.canonical[0]) if first.canonical else None
        canonical = second.canonical
        if number and first.jurisdiction == "ES":
            ids["decision"] = number[1]
            rolled = second.ids.get("roj", "").endswith(f" {number[1]}")
            canonical = (
                first.canonical if not rolled and ":ROJ:" not in first.canonical[0] else second.canonical
            )
        return Finding(
            second.start,
            second.end,
            "L2-J",
            second.jurisdiction,
            canonical,
            pinpoint=first.pinpoint,
            ids=ids,
            priority=90,
        )
    if (
        judgments
        and _is_identifier(first)
        and second.jurisdiction == first.jurisdiction == "EU"
        and len(second.canonical) == 1
        and "case" in second.ids
    ):
        return Finding(
            first.start,
            first.end,
            "L2-J",
            "EU",
            first.canonical,
            ids={**second.ids, **first.ids},
            priority=90,
        )
    if judgments and "roj" in second.ids and not _is_identifier(second) and not _is_identifier(first):
        return Finding(
            first.start,
            first.end,
            "L2-J",
            first.jurisdiction,
            first.canonical,
            pinpoint=first.pinpoint,
            ids={**first.ids, **second.ids},
            priority=first.priority,
        )
    secondary = (
        second.kind == "L4-N" and not second.articles and "boe" in second.ids and "date" not in second.ids
    )
    if (
        secondary
        and second.end - second.start < 26
        and "/" not in between
        and second.canonical[:1] != first.canonical[:1]
    ):
        if first.kind == "L2-J" and second.ids.get("boe"):
            return Finding(
                first.start,
                first.end,
                first.kind,
                first.jurisdiction,
                first.canonical,
                pinpoint=first.pinpoint,
                ids={**first.ids, "boe": second.ids["boe"]},
                priority=first.priority,
            )
        boe = second.ids.get("boe", "")
        if (
            first.norm
            and first.jurisdiction == "ES"
            and boe
            and boe not in by_identifier()
            and first.norm not in (None, second.norm)
            and "(" in between
        ):
            return Finding(
                first.start,
                first.end,
                first.kind,
                first.jurisdiction,
                first.canonical,
                first.norm,
                first.articles,
                first.pinpoint,
                {**first.ids, "boe": boe},
                priority=first.priority,
            )
    elif secondary and second.canonical[:1] == first.canonical[:1] and not first.articles:
        return Finding(
            first.start,
            first.end,
            first.kind,
            first.jurisdiction,
            first.canonical,
            first.norm,
            ids={**second.ids, **first.ids},
            priority=first.priority,
        )
    return None


def _conflate(folded: str, findings: list[Finding]) -> list[Finding]:
    """Join neighbours that are one citation."""
    result: list[Finding] = []
    for finding in findings:
        while result and finding.start - result[-1].end <= 90:
            merged = _merged(result[-1], finding, folded[result[-1].end : finding.start])
            if merged is None:
                break
            result.pop()
            finding = merged
        result.append(finding)
    return result


def _dated_elsewhere(findings: list[Finding]) -> Mapping[str, str]:
    """Return the date of each numbered norm, where the text gives one and only one."""
    found: dict[str, set[str]] = {}
    for finding in findings:
        if finding.norm and "date" in finding.ids:
            found.setdefault(finding.norm, set()).add(finding.ids["date"])
    return {norm: next(iter(values)) for norm, values in found.items() if len(values) == 1}


_REGION_WITHIN = 40
_SHARED_SERIES = ("ES:ley:", "ES:d:", "ES:dl:", "ES:dleg:")


def _regions(folded: str) -> str:
    """Return the codes of the communities that a text names, separated by spaces."""
    return " ".join(sorted({norms.region(match[0]) for match in norms.REGION.finditer(folded)}))


# "Ley 4/1995, de 24 de mayo, de derecho civil de Galicia": its title names the community.
_TITLE_OF_REGION = re.compile(
    rf"(?:,?\s{{1,2}}de\s{dates.LONG})?,?\s{{1,2}}(?:del?|sobre|reguladora)\s[^.,;:()\n]{{0,80}}?\b({norms.REGION_NAMES})",
    re.IGNORECASE,
)


# "Región de Murcia: Ley 13/2015": the community named right before an act.
_REGION_BEFORE = re.compile(
    rf"\b({norms.REGION_NAMES})[a-z]{{0,4}}(?:[:(,]|,?\s\(?)\s?(?:el\s|la\s|su\s)?(?:[A-Z]{{3,8}}\s\()?$",
    re.IGNORECASE,
)


# "Ancien article 1382", "§ 312d BGB a.F.", "antiguo artículo 1903": the wording that was.
_FORMER_BEFORE = re.compile(
    r"\b(anc(?:ien(?:s|ne)?)?\.?|antigu[oa]s?|vecchi[oa]|antig[oa]s?)\s{1,2}$", re.IGNORECASE
)
_FORMER_BEHIND = re.compile(
    r",?\s{0,2}\(?(a\.\s?F\.|alte[rn]?\sFassung|anc(?:ien(?:ne)?\sredaction|\.\sred\.))"
)
_ABBREVIATED_BEFORE = re.compile(r"\banc\.\s$")
_ABBREVIATED_BEHIND = re.compile(r"\sa\.\s?F\.")
# "Art. 1382 anc. C. civ.", "art. 1382 de l'ancien code civil".
_FORMER_WITHIN = re.compile(r"\b(anc\.|ancien)\s{1,2}(?=C\.|code\b|du\s)", re.IGNORECASE)


def _former(folded: str, finding: Finding) -> str:
    """Return the word that says that an article is cited in a wording that was."""
    found = _FORMER_BEFORE.search(folded, max(0, finding.start - 12), finding.start)
    found = found or _FORMER_BEHIND.match(folded, finding.end)
    found = found or _FORMER_WITHIN.search(folded, finding.start, finding.end)
    return found[1] if found else ""


def _with_former(folded: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds with the mark of a former wording ("anc. art. 1382 C. civ.", "§ 32 BDSG a.F.")."""
    before = _ABBREVIATED_BEFORE.search(folded, max(0, start - 6), start)
    behind = _ABBREVIATED_BEHIND.match(folded, end)
    return before.start() if before else start, behind.end() if behind else end


# "Directiva 93/13/CEE del Consejo, de 5 de abril de 1993", "Richtlinie 93/13/EWG vom 5. April 1993", "Ley N°
# 19.496, de 7 de marzo de 1997": the day stands behind the number and belongs to the law.
_DAY_BEHIND = re.compile(
    r"(?:,?\s{1,2}(?:d[eou]l?|des|of|and|[ye]|et|und|dell?a?|the|el|la|der|Parl[a-z]{4,9}|Europ[a-z]{2,5}|"
    r"Con(?:sejo|seil|siglio|selho)|Council|Rat(?:e?s)?|Com(?:ision|mission|missao|missione)|Kommission)\b){0,9}"
    rf",?\s{{1,2}}\(?(?:de(?:l\sdia)?|vom|du|of|del|di|do|dated|fecha(?:da)?\s(?:el|de))\s{{1,2}}"
    rf"(?P<day>{dates.DAY}\.?\s{{1,3}}(?:(?:de|of|do)\s{{1,3}})?{dates.MONTH},?\s{{1,3}}(?:del?\s|do\s)?(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_DATED_BEHIND = frozenset({"EU", "CL", "AR", "PE", "UY"})


def _day_behind(folded: str, finding: Finding) -> str | None:
    """Return the day that stands behind a numbered law cited as a whole; `None` where there is none."""
    if finding.articles or not finding.norm or finding.jurisdiction not in _DATED_BEHIND:
        return None
    behind = _DAY_BEHIND.match(folded, finding.end)
    return dates.read(behind["day"]) if behind else None


def extract(text: str, jurisdiction: str = "ES") -> tuple[Citation, ...]:
    """Return the citations of `text`, in order and without overlaps.

    They are read as a document of `jurisdiction` means them.

    Offsets and `Citation.text` are those of `text` itself. A law left out ("su artículo 394.1") is the
    one named last before it. Works in time linear in the length of `text`; knows the laws and courts of ES,
    EU, PT, FR, IT, DE, GB, US and the larger countries of Latin America best, those of their neighbours by
    their commonest forms. Source of the forms: ECLI (2019/C 360/01), ELI (2012/C 325/02), the courts' style.
    """
    plain = CITATIONS.normalize(text)
    folded = plain.text
    jurisdiction = jurisdiction.upper()
    findings = _conflate(folded, _settle(find_all(folded, jurisdiction)))
    findings = [finding for finding in findings if not is_own_number(folded, finding)]
    elsewhere = _dated_elsewhere(findings)
    regions: str | None = None
    citations: list[Citation] = []
    for finding in findings:
        start, end = plain.span(*_with_former(folded, *extent(folded, finding)))
        ids = dict(finding.ids)
        if finding.norm is not None and finding.norm in elsewhere and "date" not in ids:
            ids["context_date"] = elsewhere[finding.norm]
        if "date" not in ids and (dated := _day_behind(folded, finding)):
            ids["date"] = dated
        if finding.articles and (said := _former(folded, finding)):
            ids["former"] = said
        other = given_name(folded, finding.norm, jurisdiction, finding.end) or given_number(
            folded, finding.norm, jurisdiction, finding.end
        )
        if other and other != finding.norm:
            ids["named_as"] = other
        if jurisdiction == "ES" and (finding.norm or "").startswith(_SHARED_SERIES):
            regions = _regions(folded) if regions is None else regions
            if regions:
                ids["regions"] = regions
                own = _TITLE_OF_REGION.match(folded[finding.end : finding.end + 160])
                ids |= {"region": norms.region(own[1])} if own else {}
                before = _REGION_BEFORE.search(folded, max(0, finding.start - _REGION_WITHIN), finding.start)
                ids |= {"region_before": norms.region(before[1])} if before else {}
        citations.append(
            Citation(
                text=text[start:end],
                start=start,
                end=end,
                kind=finding.kind,
                jurisdiction=finding.jurisdiction or jurisdiction,
                canonical=finding.canonical,
                norm=finding.norm,
                articles=finding.articles,
                pinpoint=finding.pinpoint,
                ids=MappingProxyType(ids),
                divisions=divisions(folded, finding),
            )
        )
    return tuple(citations)
