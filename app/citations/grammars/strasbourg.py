"""Find judgments of the European Court of Human Rights: by application number, or by court and date."""

import re
from collections.abc import Iterator

from app.citations import dates, prefilter
from app.citations.citation import Finding

_NUMBERS = prefilter.compile(
    r"(?i)((?:applications?\s|demandas?\s|ddas?\.\s|requetes?\s|queixas?\s|ricors[oi]\s|"
    r"beschwerden?\s)?(?:nn\.|nos?\.?|n\.?\s?[ºo]s?\.?|num\.?|"
    r"nums\.|nr\.)?\s?\d{2,5}/\d{2}(?:(?:,\s|\s(?:y|and|et|e|und)\s)(?:\d{2,5}/\d{2})){0,6})(?:$|[^\w/-])"
)
_ONE = re.compile(r"\d{2,5}/\d{2}(?!\d)")
# "López Ribalda y otros c. España", "Klass and Others v. Germany", "Guja gegen Moldau".
_PARTIES = re.compile(
    r"(?P<name>(?:(?:[A-Z][\w'.-]*|and|y|e|et|und|others?|otros|others|autres|Others|de|del|di|der|van|von|"
    r"la)\s){1,8}"
    r"(?:v\.?|c\.|contra|gegen|vs\.?|/)\s(?:the\s|la\s|el\s|les\s|l')?(?:[A-Z][a-zA-Z-]+)(?:"
    r"\s[A-Z][a-z]+){0,2})"
    rf"(?:,?\s?\[GC\]|\s\(GC\)|\s\[GS\])?(?:,\s(?:de\s|of\s|du\s|del\s|vom\s)?(?:(?i:{dates.LONG})|"
    rf"{dates.NUMERIC}))?,?\s?\(?(?:dec\.\)?,?\s)?\(?$"
)
_COURT = re.compile(
    r"(?:STEDH|ATEDH|TEDH|ECtHR|ECHR|E\.C\.H\.R|CEDH|Cour\sEDH|EGMR|Corte\sEDU|Estrasburgo|Strasbourg|"
    r"Tribunal\sEuropeo\sde\s"
    r"(?:los\s)?Derechos\sHumanos|European\sCourt\sof\sHuman\sRights|\[GC\]|Series\sA|"
    r"Europaisch\w+\sGerichtshof)"
)
_DATED = prefilter.compile(
    rf"\b((?:S|A)?TEDH(?:\s\([^()]{{1,30}}\))?,?\s(?:de\s(?:fecha\s)?)?(?:(?i:{dates.LONG})|{dates.NUMERIC}))"
)
_CASE_BEHIND = re.compile(
    r",?\s\(?(?:(?:(?i:asunto|caso|case|affaire)\s)?[A-Z][^.;()\n]{2,60}?\s(?:c\.|contra|"
    r"v\.)\s(?:Reino\sUnido|Paises\sBajos|United\sKingdom|[A-Z][a-z]+|"
    r"el\s[A-Z][a-z]+\s[A-Z][a-z]+|la\s[A-Z][a-z]+))\)?"
)
_NUMBER_BEHIND = re.compile(
    r",?\s?\(?(?:(?:demandas?|ddas?\.|applications?|requetes?)\s)?(?:nn\.|nos?\.?|n\.?\s?[ºo]s?\.?|"
    r"num\.?)?\s?(\d{2,5}/\d{2}(?:(?:,\s|\sy\s)\d{2,5}/\d{2}){0,6})\)?"
)


def decisions(folded: str) -> Iterator[Finding]:
    """Yield decisions by court and date, with the case and its number where they follow, and by number."""
    last = 0
    for match in _DATED.finditer(folded):
        start, end = match.span(1)
        case = _CASE_BEHIND.match(folded, end)
        end = case.end() if case else end
        number = _NUMBER_BEHIND.match(folded, end)
        dated = dates.read(match[1]) or ""
        numbers = _ONE.findall(number[1]) if number else []
        end = number.end() if number else end
        if folded[end - 1] == ")" and folded.count("(", start, end) < folded.count(")", start, end):
            end -= 1
        if case and not number and case[0].strip(" ,").startswith("(") and not case[0].endswith(")"):
            end = match.end(1)
        canonical = tuple(f"COE:{one}" for one in numbers) or (f"COE:STEDH:{dated}",)
        last = end
        yield Finding(
            start, end, "L2-J", "COE", canonical, ids={"date": dated} if numbers else {}, priority=56
        )
    for match in _NUMBERS.finditer(folded):
        start, end = match.span(1)
        if start < last:
            continue
        before = folded[max(0, start - 140) : start]
        parties = _PARTIES.search(before)
        if not parties and not _COURT.search(before) and not _COURT.search(folded[end : end + 40]):
            continue
        if not parties and not re.match(r"\D", folded[start : start + 1]):
            continue
        labelled = not folded[start].isdigit()
        start += len(match[1]) - len(match[1].lstrip())
        state = parties and _STATE.search(parties["name"])
        if not state and not (_COURT.search(before) and labelled):
            continue
        if parties:
            start -= len(before) - parties.start()
            while re.match(
                r"(?:In|See|The|En|El|La|and|y|e|et|und|de|del|v|la|Cf\.|also)\s", folded[start:end]
            ):
                start += folded[start:end].index(" ") + 1
        end += folded[end : end + 1] == ")" and folded.count("(", start, end) > folded.count(")", start, end)
        canonical = tuple(f"COE:{one}" for one in _ONE.findall(match[1]))
        yield Finding(start, end, "L2-J", "COE", canonical, priority=54)


_STATES = (
    "Albania|Andorra|Armenia|Austria|Azerbaijan|Azerbaiyan|Belgium|Belgica|Belgique|Bosnia|Bulgaria|Croatia|"
    "Croacia|Cyprus|"
    "Chipre|Czech|Denmark|Dinamarca|Estonia|Finland|Finlandia|France|Francia|Georgia|Germany|Alemania|"
    "Allemagne|"
    "Deutschland|Greece|Grecia|Hungary|Hungria|Iceland|Islandia|Ireland|Irlanda|Italy|Italia|Italie|Latvia|"
    "Letonia|"
    "Lithuania|Lituania|Luxemb|Malta|Moldova|Moldavia|Moldau|Monaco|Montenegro|Netherlands|Paises|Norway|"
    "Noruega|Poland|"
    "Polonia|Pologne|Portugal|Romania|Rumania|Roumanie|Russia|Rusia|Russie|Serbia|Slovakia|Eslovaquia|"
    "Slovenia|Eslovenia|"
    "Spain|Espana|Espagne|Spanien|Spagna|Sweden|Suecia|Switzerland|Suiza|Suisse|Schweiz|Turkey|Turkiye|"
    "Turquia|Turquie|"
    "Ukraine|Ucrania|United|Reino|Royaume|Regno"
)
_STATE = re.compile(rf"(?:v\.?|c\.|contra|gegen|vs\.?|/)\s(?:the\s|la\s|el\s|les\s|l')?(?:{_STATES})")
