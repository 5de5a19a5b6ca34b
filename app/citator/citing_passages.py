"""Extract what a text says of the authorities it cites. Pure.

A judgment is read for decisions and norms, with their treatment; a statute for what its repealing and final
provisions do to other norms.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from app import corpus
from app.citations import Citation, extract
from app.citator import treatments
from app.citator.treatments import Treatment
from app.text.normalize import LAW

Kind = Literal["judgment", "norm"]
_SENTENCE = re.compile(r"[.;:]\s+(?=[A-ZÁÉÍÓÚÑ«\"“(\[])|\n")
# Initials and abbreviations that end no sentence, as decisions write them.
_ABBREVIATED = re.compile(
    r"(?:\b(?:arts?|num|no|n|sra?|dra?|mp|m\.p|cfr|sent|ss|pag|ff|fj|cit|d|v|vs)|\b[A-Z])$", re.IGNORECASE
)
_CENTURY = 70
_LONGEST_RANGE = 60
_WIDEST = 600
_LIST_ITEM = re.compile(r"(?:[a-zñ]{1,2}\)|\d{1,3}[.)º]|[-–—•]|\d{1,3}\.[ªº])\s")
_REPEALS = re.compile(r"\b(?:queda|quedan|se|son)?\s?derog(?:ad|a\b|an\b)\w*", re.IGNORECASE)
_SPARED = re.compile(
    r"\b(?:no quedan?|excepto|salvo|continuara|mantiene|conservara|seguira|vigente hasta)", re.IGNORECASE
)
_INSOFAR = re.compile(r"\ben (?:lo que|cuanto|todo lo que)\b.{0,40}\b(?:opon|contrad|contrav)", re.IGNORECASE)
_AMENDED = re.compile(
    r"(?:[\w.)]{1,4}\s)?(?:Se|Queda(?:n)?) (?:modific|añad|da nueva redacc|redact)", re.IGNORECASE
)
_AMENDS = re.compile(
    r"\bmodificaci\w+ (?:de|del|parcial)\b|\bse modifican?\b|\breforma (?:de|del)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Mention:
    """One authority as one place in a text speaks of it.

    `by` is the decision that is reported to have done the treatment, where it is not the citing text itself.
    """

    kind: Kind
    cited: str
    article: str
    treatment: Treatment
    partial: bool = False
    by: str | None = None


def judgment(text: str, jurisdiction: str, own: str) -> Iterator[Mention]:
    """Yield every authority that a judgment cites, in order.

    Args:
        text: The judgment.
        jurisdiction: Code of its country.
        own: Its own normal form, which is left out.
    """
    cased = LAW.fold(text)
    plain = cased.lower()
    citations = extract(text, jurisdiction)
    bounds = _bounds(text)
    first, last, votes = _decision(cased)
    at = 0
    for citation in citations:
        start, end = _sentence(bounds, citation.start, citation.end, len(text))
        while at < len(citations) and citations[at].end <= start:
            at += 1
        others = _within(citations, at, end)
        place = _place(citation.start, first, last, votes)
        yield from _of(citation, plain, (start, end), others, place, own)


def _of(
    citation: Citation,
    plain: str,
    sentence: tuple[int, int],
    others: Sequence[Citation],
    place: str,
    own: str,
) -> Iterator[Mention]:
    before, after = plain[sentence[0] : citation.start], plain[citation.end : sentence[1]]
    decided = [one for one in others if one.kind == "L2-J" and one is not citation]
    agents = {form for one in decided for form in one.canonical} - {own}
    if citation.kind == "L2-J":
        yield from _decisions(citation, before, after, others, place, own)
        return
    if citation.norm is None or not citation.canonical:
        return
    done = treatments.act(before, after, of="norm", deciding=place == "in") if place != "vote" else None
    by: str | None = None
    if done is not None and done.told:
        if len(agents) != 1:
            done = None
        else:
            by = next(iter(agents))
    for article in articles(citation) or ("",):
        partial = done is not None and (done.partial or bool(citation.pinpoint))
        yield Mention("norm", key(citation), article, done.treatment if done else "cites", partial, by)


def _decisions(
    citation: Citation, before: str, after: str, others: Sequence[Citation], place: str, own: str
) -> Iterator[Mention]:
    cited = [form for form in citation.canonical if form != own]
    if not cited:
        return
    judgments = [one for one in others if one.kind == "L2-J" and own not in one.canonical]
    earlier = [one for one in judgments if one.end <= citation.start]
    by = earlier[-1].canonical[0] if len(earlier) == 1 and len(earlier[0].canonical) == 1 else None
    done = treatments.act(before, after, of="judgment", deciding=place == "in") if place != "vote" else None
    treatment: Treatment = "cites"
    agent: str | None = None
    if done is not None and done.told and by is not None and any(_earlier(by, form) for form in cited):
        done = None  # no decision ends one that came after it
    if done is not None and not (done.told and by is None):
        treatment, agent = done.treatment, by if done.told else None
    elif place != "vote":
        treatment = treatments.of_judgment(before, after)
        if treatment == "overrules" and earlier:
            # Of several decisions in a sentence one may have departed from another: whose act it was is not
            # said.
            treatment = "cites"
    for form in cited:
        yield Mention("judgment", form, "", treatment, done.partial if done and agent else False, agent)


def _earlier(form: str, other: str) -> bool:
    """Tell whether one decision is of an earlier year than another, by their normal forms."""
    years = [re.search(r"/(\d{2,4})$", one) for one in (form, other)]
    first, second = (int(found[1]) if found else 0 for found in years)
    first, second = (
        year + (1900 if 70 <= year < 100 else 2000 if year < 100 else 0) for year in (first, second)
    )
    return first < second


def _place(at: int, first: int, last: int, votes: int) -> str:
    """Tell where a citation stands: `in` the operative part, in a judge's `vote`, or in the other `text`."""
    return "vote" if at >= votes else "in" if first <= at < last else "text"


def _decision(cased: str) -> tuple[int, int, int]:
    """Find where the operative part begins and ends, and where judges' votes begin.

    A part that is not there begins at the end of the text.
    """
    place, begin, end, votes = 0, -1, len(cased), len(cased)
    closed = False
    for line in cased.split("\n"):
        if treatments.is_decision_heading(line):
            begin, closed, end, votes = place + len(line), False, len(cased), len(cased)
        elif begin >= 0 and not closed and treatments.ends_decision(line.lower()):
            closed, end = True, place
        if begin >= 0 and votes == len(cased) and treatments.opens_vote(line.lower()):
            votes = place
        place += len(line) + 1
    return (begin, end, votes) if begin >= 0 else (len(cased), len(cased), votes)


def _bounds(text: str) -> list[int]:
    found = [0]
    for match in _SENTENCE.finditer(text):
        if text[match.start()] == "." and _ABBREVIATED.search(
            text[max(0, match.start() - 6) : match.start()]
        ):
            continue
        found.append(match.end())
    return found


def _sentence(bounds: list[int], start: int, end: int, length: int) -> tuple[int, int]:
    first = bounds[bisect_right(bounds, start) - 1]
    following = bisect_right(bounds, end - 1)
    last = bounds[following] if following < len(bounds) else length
    return max(first, start - _WIDEST), min(last, end + _WIDEST)


def _within(citations: Sequence[Citation], at: int, end: int) -> list[Citation]:
    found = []
    for one in citations[at:]:
        if one.start >= end:
            break
        found.append(one)
    return found


def key(citation: Citation) -> str:
    """Return the normal form of a cited norm, whichever of its names was used."""
    assert citation.norm is not None, "the caller has looked"
    known = corpus.norm(citation.norm)
    return known.key if known else citation.norm


def articles(citation: Citation) -> tuple[str, ...]:
    """Return the articles cited, ranges written out up to sixty."""
    found: list[str] = []
    for one in citation.articles:
        run = re.fullmatch(r"(\d+)-(\d+)", one)
        if run and 0 < int(run[2]) - int(run[1]) <= _LONGEST_RANGE:
            found += [str(number) for number in range(int(run[1]), int(run[2]) + 1)]
        else:
            found.append(one)
    return tuple(found)


def repealing(text: str, jurisdiction: str, own: str) -> Iterator[Mention]:
    """Yield the norms that a repealing provision repeals, in its sentences and in the lists below them."""
    active = False
    for paragraph in text.split("\n"):
        if not paragraph.strip():
            continue
        plain = LAW.fold(paragraph)
        says = _REPEALS.search(plain) is not None
        active = says or (active and _LIST_ITEM.match(plain.strip()) is not None)
        if not active or _SPARED.search(plain):
            continue
        partly = _INSOFAR.search(plain) is not None
        yield from _norms(extract(paragraph, jurisdiction), own, "repeals", partly)


def amending(heading: str, text: str, jurisdiction: str, own: str) -> Iterator[Mention]:
    """Yield what a final provision amends: the norms in its heading, or else in its first sentence."""
    opening = text.split("\n", 1)[0][:400]
    written = heading or (opening if _AMENDED.match(LAW.fold(opening)) else "")
    if not (_AMENDS.search(LAW.fold(written)) or written == opening):
        return
    if written:
        yield from list(_norms(extract(written, jurisdiction), own, "amends", False))[:1]


def _norms(citations: Iterable[Citation], own: str, treatment: Treatment, partial: bool) -> Iterator[Mention]:
    for citation in citations:
        if citation.kind != "L4-N" or citation.norm is None or "elided" in citation.ids:
            continue
        cited = key(citation)
        if cited == own or "?" in cited:
            continue
        for article in articles(citation) or ("",):
            yield Mention("norm", cited, article, treatment, partial or bool(citation.pinpoint))
