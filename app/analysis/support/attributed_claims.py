"""Find what a text says, in its own words, that an article provides. Pure.

"El artículo 36 exige una fianza de tres mensualidades", "el plazo de dos años del artículo 20", "puede
recurrir en diez días (art. 124)", "como permite el artículo 1859": each names what the article is said to do.
What parties do under an article ("conforme al artículo 36, el arrendatario entrega …") says nothing about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.analysis.support.attribution_words import (
    ACTS,
    ATTRIBUTIVE,
    BRACKETED,
    COUPLED,
    CUE,
    LEAVE_BEFORE,
    MET_BECAUSE,
    OF_ARTICLE,
    OF_PROCEDURE,
    OTHERS,
    PAPERS,
    POINTS_BACK,
    PREPOSITIONAL,
    QUALIFIES,
    SAYING,
    SENTENCE_END,
    SHORT_FORM,
    STATES,
    THEREFORE,
    TRAILING,
)
from app.citations import Citation
from app.text.normalize import LAW

_RELATIVE = re.compile(r"\s*(?:,\s*)?(?:que|which|that)\b", re.IGNORECASE)
# "no permite", "does not allow": the denial belongs to the verb.
_DENIED = re.compile(
    r"\b(?:no|ni|nunca|tampoco|not|never|does not)\s(?:se\s|lo\s|la\s|le\s)?$", re.IGNORECASE
)
# "under Article 4.3, the parties may agree on …": what they may do, not what they do.
_GIVEN_LEAVE = re.compile(
    r"\W*(?:[^,.;:]{0,40},\s)?(?:the\sparties|las\spartes|los\scontratantes)\s(?:may|can|podran|pueden)\b",
    re.IGNORECASE,
)
_DEMONSTRATIVE = re.compile(r"\W*(?:es[eao]s?|est[aeo]s?|dich[oa]s?|such|that|this)\s", re.IGNORECASE)
_LONGEST_SENTENCE = 700
_LONGEST_SUBJECT = 80
_LONGEST_LEAD = 220
_QUANTITY = re.compile(
    r"(?:(?:\d[\d.,]{0,12}|[a-z]{2,14}(?:\s(?:y|e)\s[a-z]{3,6}|\smil)?)(?:\s\(\d{1,6}\))?\s(?:primeros\s|"
    r"siguientes\s)?"
    r"(?:dias?|mes(?:es)?|anos?|anualidades|semanas?|horas?|euros?|mensualidad(?:es)?|days?|months?|"
    r"years?|weeks?|"
    r"hours?|por\s(?:ciento|cien|100))|\d[\d.,]{0,12}\s?(?:%|€))(?:\s(?:naturales|habiles|working|"
    r"calendar|business))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said of an article. `figure` is the one figure that is said to be its; "" where all may be.

    `own`: it may be the parties' own term ("conforme al artículo 14, la prueba será de un mes").
    """

    words: str
    figure: str = ""
    own: bool = False


def claims(plain: str, text: str, citations: Sequence[Citation]) -> Iterator[tuple[Citation, Claim]]:
    """Yield what a text says of each of its citations of articles; `plain` is the text folded."""
    for place, citation in enumerate(citations):
        first = citations[place - 1].end if place else 0
        after = place + 1
        # "el artículo 90 y la sentencia 5/2020 así lo permiten": what is said of the last is said of each.
        at = citation.end
        while after < len(citations) and COUPLED.fullmatch(plain, at, citations[after].start):
            at = citations[after].end
            after += 1
        last = citations[after].start if after < len(citations) else len(text)
        if citation.kind != "L4-N" or not citation.articles:
            continue
        found = _claim(plain, text, citation, first, at, last)
        if found:
            yield citation, found


def _claim(plain: str, text: str, citation: Citation, first: int, at: int, last: int) -> Claim | None:
    """Return what a sentence makes a citation say, up to the citations before and behind it."""
    last = min(last, at + _LONGEST_SENTENCE)
    first = max(first, citation.start - _LONGEST_LEAD)
    behind = until_end(plain[at:last])
    lead = sentence_before(plain, citation.start)
    if len(lead) > citation.start - first:
        lead = plain[first : citation.start]
    if any(sign in behind[:80] for sign in '«“"„'):
        return None
    before = text[citation.start - len(lead) : citation.start]
    leave = LEAVE_BEFORE.search(lead)
    if leave and not OTHERS.search(lead[leave.start() :]):
        # "como consiente el artículo 1859", "que así lo permite el artículo 21": the verb first, then what
        # it allows.
        return Claim(f"{leave[1]} {before[: leave.start()]}")
    # "la fianza de dos mensualidades que exige el artículo 36"
    if ATTRIBUTIVE.search(lead[-60:]):
        # No farther back than the clause of the last figure: "dos meses, más que los diez días que exige …".
        quantity = _last_quantity(lead)
        ends = lead.rfind(quantity) if quantity else 0
        return Claim(before[max(lead.rfind(sign, 0, ends) for sign in ",;:(") + 1 :])
    if OF_ARTICLE.search(lead[-70:]):
        return _of_article(text, citation, lead, behind)
    said = _behind(plain, text, citation, at, behind)
    if said:
        return said
    because = MET_BECAUSE.match(behind)
    if because is not None:
        reason = text[at : at + len(behind)].partition(";")[0]
        figure = _last_quantity(LAW.fold(reason))
        if figure:
            return Claim(reason, figure)
    term = _of_procedure(text, citation, lead, behind)
    if term:
        return term
    # "Esa renuncia es válida según el artículo 10"
    if QUALIFIES.search(lead[-90:]):
        back = _sentence_above(plain, text, citation.start) if POINTS_BACK.search(lead) else ""
        return Claim(f"{before} {back}")
    # "Según el artículo 36 LAU, la fianza es de tres mensualidades"
    states = behind.lstrip()[:1] == "," or STATES.match(behind)
    acts = ACTS.search(behind[:_LONGEST_SUBJECT]) and not _GIVEN_LEAVE.match(behind)
    if CUE.search(lead[-60:]) and not acts and states:
        back = _sentence_above(plain, text, citation.start) if _DEMONSTRATIVE.match(behind) else ""
        rule = _cut(text[at : at + len(behind)], behind)
        return Claim(f"{rule} {lead if back else ''} {back}".rstrip(), own=True)
    return None


def _of_article(text: str, citation: Citation, lead: str, behind: str) -> Claim:
    """Return "el de quince años del artículo 1964": a figure, with its clause and the clause around it."""
    figure = _last_quantity(lead)
    # No farther back than the sentence of the figure, and no farther on than its next comma.
    words = text[citation.start - len(lead) : citation.start]
    more = re.split(r"[,;:]", behind)[0]
    return Claim(f"{words} {text[citation.end : citation.end + len(more)]}", figure)


def _behind(plain: str, text: str, citation: Citation, at: int, behind: str) -> Claim | None:
    """Return what a verb behind the citation says: "el artículo 36, que permite …"."""
    taken = 0
    for segment in re.split(r"(?<=[,;()])", behind)[:4]:
        verb = SAYING.search(segment[:60])
        speaks = PREPOSITIONAL.sub(" ", segment[: verb.end()]) if verb and _RELATIVE.match(segment) else ""
        speaks = speaks or (segment[: verb.end()] if verb else "")
        if verb and not OTHERS.search(speaks) and taken < 140:
            denied = _DENIED.search(segment[: verb.start() + 1])
            begins = denied.start() if denied else verb.start()
            start = at + taken + begins
            said = _cut(text[start : at + len(behind)], behind[taken + begins :])
            # "que en los contratos con consumidores da valor a …"
            ahead = text[at + taken : start].strip(" ,") if begins > 12 else ""
            back = POINTS_BACK.search(plain[max(at, start - 12) : at + len(behind)])
            before = _sentence_above(plain, text, citation.start) if back else ""
            figure = _last_quantity(LAW.fold(before)) if before and not _last_quantity(LAW.fold(said)) else ""
            if figure:
                # "… at 120 days. Article 4.3 lets companies agree such a term."
                return Claim(f"{said} {before}", figure)
            return Claim(" ".join(one for one in (said, ahead, before) if one) if ahead or before else said)
        if (
            taken == 0
            and segment.strip()
            and not segment.lstrip().startswith((",", "("))
            and len(segment) > 30
        ):
            return None
        taken += len(segment)
    return None


def _of_procedure(text: str, citation: Citation, lead: str, behind: str) -> Claim | None:
    """Return "recurso en el plazo de un mes (artículo 124)": a term to act, right before the citation."""
    trailing = TRAILING.search(lead[-60:]) or BRACKETED.search(lead[-30:])
    if not trailing or PAPERS.search(lead[-90:]):
        return None
    begins = max(lead.rfind(sign, 0, len(lead) - len(trailing[0])) for sign in ";(") + 1
    before = lead[begins:]
    figure = _last_quantity(before)
    after = behind[:_LONGEST_SUBJECT] if behind.lstrip()[:1] == "," else ""
    if not figure or not OF_PROCEDURE.search(before + after):
        return None
    words = text[citation.start - len(before) : citation.start]
    return Claim(f"{words} {text[citation.end : citation.end + len(after)]}", figure)


def _last_quantity(folded: str) -> str:
    found = [match[0] for match in _QUANTITY.finditer(folded)]
    return found[-1] if found else ""


def _cut(said: str, folded: str) -> str:
    """Leave out what the text concludes from the article: ", por lo que …"."""
    found = THEREFORE.search(folded)
    return said[: found.start()] if found and len(said) == len(folded) else said


def _sentence_above(plain: str, text: str, pos: int) -> str:
    """Return the sentence before the one in which `pos` stands: what "así lo permite" points at."""
    begins = pos - len(sentence_before(plain, pos))
    above = sentence_before(plain, max(0, begins - 2))
    return text[max(0, begins - 2 - len(above)) : begins]


def sentence_before(plain: str, pos: int) -> str:
    """Return the part of the sentence that stands before `pos`."""
    window = plain[max(0, pos - _LONGEST_LEAD) : pos]
    last = 0
    # What follows begins a sentence, where one has just ended.
    for match in SENTENCE_END.finditer(f"{window}X"):
        if not SHORT_FORM.search(window[: match.start() + 1]):
            last = match.end() - 1
    return window[last:]


def until_end(window: str) -> str:
    """Return a text up to the end of its first sentence."""
    for match in SENTENCE_END.finditer(window):
        if not SHORT_FORM.search(window[: match.start() + 1]):
            return window[: match.start()]
    return window
