"""Find the short names that a text gives to laws: "Ley 24.240 (en adelante, la Ley)" binds "la Ley"."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from app.citations import prefilter
from app.citations.citation import Mention

_ARTICLE = r"(?:(?:el|la|los|las|the|o|a|os|as|il|lo|i|gli|le|les|das|die|der)\s{1,2}|l')"
_MARKER = (
    r"(?:en\s(?:adelante|lo\ssucesivo|lo\sque\ssigue)|(?:de\s)?(?:aqui|ahora)\sen\s(?:mas|adelante)|"
    r"herein(?:after)|hereafter|doravante|de\sora\sem\sdiante|adiante|di\sseguito|in\s(?:pro)?s[ei]*guito|"
    r"in\sprosieguo|d'ora\s(?:in\spoi|innanzi)|ci-apres|im\sfolgenden|nachfolgend|nachstehend|kunftig)"
)
_CALLED = (
    r"[\s,:]{1,3}(?:(?:tambien|simplemente|denominad[oa]|designad[oa]|abreviadamente|apenas|anche|also|solo|"
    r"referred\sto\sas|called|per\sbrevita|denomme[e]?|dit[e]?|kurz)[\s,:]{1,3}){0,3}"
)
_LABEL = r"[A-Z0-9][\w./' -]{1,50}?"
_DEFINITION = prefilter.compile(
    rf"[(,]\s?(?i:{_MARKER}){_CALLED}(\"?\s?(?i:{_ARTICLE})?\"?\s?({_LABEL})\s?\"?)\s?[),;.]"
)
_QUOTED = prefilter.compile(rf"\(\s?(?i:{_ARTICLE})?\"\s?(?i:{_ARTICLE})?({_LABEL})\s?\"\s?\)")
_INITIALS = prefilter.compile(r"\((?i:la\s|el\s|il\s|o\s|a\s|the\s)?([A-Z]{3,8})\)")

_NOUN = re.compile(
    r"(?:Ley|Codigo|Reglamento|Estatuto|Decreto|Real\sDecreto|Directiva|Orden|Texto|TUO|Norma|Constitucion|"
    r"Act|Code|Law|Regulations?|Rules|Order|Directive|Statute|Lei|Regime|Diploma|Regulamento|Loi|Decret|"
    r"Legge|Codice|Regolamento|Gesetz(?:buch)?|Verordnung|Richtlinie|[A-Z][a-z]{3,20}(?:gesetz|ordnung))\b"
)
_TITLE_NOUN = re.compile(
    r"\b(?:Ley|Codigo|Reglamento|Estatuto|Decreto|Real|Directiva|Orden|Texto|TUO|Norma|Constitucion|Lei|Regime|"
    r"Regulamento|Loi|Code|Decret|Legge|Codice|Regolamento|Gesetz|[A-Z][a-z]{3,20}(?:gesetz|ordnung)|General|"
    r"Regulation|Digital|Data|[A-Z][a-z]{2,20}(?=\s(?:[A-Za-z]+\s){1,8}(?:Act|Regulations)\b))\b"
)
_ENDS_IN_NOUN = re.compile(r"\b(?:Act|Code|Regulations?|Rules|Order|Directive|Law)$")
# A regulation made under a law is another norm than that law, and so is a code.
_OF_ITS_KIND = {
    "reg": re.compile(r"reg[lou]|:(?:reg|rd|d|ds|decreto|si)\b|regulations", re.IGNORECASE),
    "cod": re.compile(r"cod|^[A-Z]{2}:[A-Z]", re.IGNORECASE),
    "dir": re.compile(r"direct|directiv|:dir:", re.IGNORECASE),
}
# "(…) aprobado por el Decreto Supremo 004-2019-JUS (en adelante, el TUO)": of what it approved.
_APPROVED_BY = re.compile(
    r"(?:aprobad|promulgad|modificad|reformad|approuv|approvat|aprovad)[a-z]{1,3}\s(?:por|par|da|dal|con|pel[oa])"
    r"\s(?:el\s|la\s|le\s|o\s|a\s)?$",
    re.IGNORECASE,
)
# How far behind a law's number its short name may stand, with the title between.
_TITLE_MOST = 200
_GAP = re.compile(r"[^;\n\"()]*")
# Whatever makes of a noun a name of its own: "la Ley de Puertos", "el Código Penal", "the Act of 1985".
_NAME_GOES_ON = re.compile(
    r"\s{1,3}(?:de\s|del\s|sobre\s|n\.?\s?[ºo°]|num|reguladora|general\b|of\s|on\s|du\s|do\s|da\s(?=[A-Z])|"
    r"(?-i:[A-Z0-9]))|[-/\w]",
    re.IGNORECASE,
)
_LED_IN = re.compile(
    r"(?:^|[\s(\"])(?:el|del|al|la|los|las|the|il|lo|nel|al|dal|sul|do|da|o|a|no|na|ao|pelo|pela|das|des|dem|im|"
    r"vom|zum|du|le|au|(?:mism|citad|referid|dich|mencionad|propi|mesm|stess|said|same|this|that)[oae]?)\s{1,2}$|"
    r"(?:dell|nell|all|dall|sull|\bl)'$",
    re.IGNORECASE,
)


# "§ 1 des Gesetzes".
_GENITIVE = re.compile(r"e?s\b")


@dataclass(frozen=True, slots=True)
class Definition:
    """A short name, the law it stands for, from where on, and whether words or quotation marks define it."""

    label: str
    law: Mention
    since: int
    said: bool


def definitions(folded: str, mentions: Iterable[Mention]) -> list[Definition]:
    """Return the short names that a text defines right behind a law, in order of place."""
    ordered = sorted((one for one in mentions if one.norms), key=lambda one: (one.end, -one.start))
    ends = [one.end for one in ordered]
    found: list[Definition] = []
    for expression, group in ((_DEFINITION, 2), (_QUOTED, 1), (_INITIALS, 1)):
        for match in expression.finditer(folded):
            label = match[group].strip(" .,'")
            law = _defined(folded, match.start(), label, ordered[: bisect_right(ends, match.start())])
            if law:
                found.append(Definition(label, law, match.end(), expression is not _INITIALS))
    return sorted(found, key=lambda one: one.since)


def _defined(folded: str, at: int, label: str, before: Sequence[Mention]) -> Mention | None:
    """Return the law right before `at` that a label can stand for; `None` where it is of something else."""
    law: Mention | None = None
    for one in reversed(before[-4:]):
        if at - one.end > _TITLE_MOST or not _GAP.fullmatch(folded, one.end, at):
            break
        if len(one.norms) == 1 and not _APPROVED_BY.search(folded, max(0, one.start - 40), one.start):
            law = one
            break
    if law is None:
        return None
    titled = folded[law.start : at]
    noun = _NOUN.match(label) or _ENDS_IN_NOUN.search(label)
    if not noun:
        # "Regulation (EU) 2022/720 (the "VBER")": right behind the law itself, letters need no title.
        fits = at - law.end <= 1 or _initials_of(label, titled)
        return law if label.isalpha() and label.isupper() and fits else None
    kind = _OF_ITS_KIND.get(noun[0][:3].lower())
    return None if kind and not (kind.search(titled) or kind.search(law.norms[0])) else law


def _initials_of(label: str, titled: str) -> bool:
    """Tell whether letters are the initials of a law's title from its noun on, in order ("LSC")."""
    noun = next((one for one in _TITLE_NOUN.finditer(titled) if one[0][0].upper() == label[0]), None)
    initials = iter(re.findall(r"\b[A-Za-z]", titled[noun.start() :])) if noun else iter(())
    return all(any(letter == one.upper() for one in initials) for letter in label)


def short_names(folded: str, mentions: Sequence[Mention], defined: Sequence[Definition]) -> Iterator[Mention]:
    """Yield the places where a text uses a short name that it gave to a law.

    A place within the name of a law is left to that name.
    """
    if not defined:
        return
    ordered = sorted((one.start, one.end) for one in mentions)
    starts = [start for start, _ in ordered]
    for label in {one.label for one in defined}:
        own = [one for one in defined if one.label == label]
        since = [one.since for one in own]
        pattern = re.compile(rf"(?<![\w/-]){re.escape(label)}")
        noun = not label.isupper() and " " not in label
        for match in pattern.finditer(folded, since[0]):
            start, end = match.span()
            if noun and not _LED_IN.search(folded, max(0, start - 14), start):
                continue
            if noun and own[0].law.jurisdiction in ("DE", "AT") and (ending := _GENITIVE.match(folded, end)):
                end = ending.end()
            if _NAME_GOES_ON.match(folded, end) and (noun or folded[end : end + 1].isalnum()):
                continue
            at = bisect_right(starts, start)
            if (at and ordered[at - 1][1] > start) or (at < len(starts) and starts[at] < end):
                continue
            law = own[bisect_left(since, start) - 1].law
            ids = {key: value for key, value in law.ids.items() if key != "date"}
            yield replace(law, start=start, end=end, ids=ids, cites=False, antecedent=True)
