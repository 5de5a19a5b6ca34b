"""Extract what a text says of the authorities it cites. Pure.

A judgment is read for decisions and norms, with their treatment; a statute for what its repealing and final
provisions do to other norms.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from app import corpus
from app.citations import Citation, extract
from app.citator import treatments
from app.citator.treatments import Treatment
from app.text.normalize import LAW
from app.text.numerals import read_ordinal

Kind = Literal["judgment", "norm"]
_SENTENCE = re.compile(r"[.;:]\s+(?=[A-ZÁÉÍÓÚÑ«\"“(\[])|\n")
# Initials and abbreviations that end no sentence, as decisions write them.
_ABBREVIATED = re.compile(
    r"(?:\b(?:arts?|num|no|n|sra?|dra?|mp|m\.p|cfr|sent|ss|pag|ff|fj|cit|d|v|vs)|\b[A-Z])$", re.IGNORECASE
)
_CENTURY = 70
_LONGEST_RANGE = 60
# A provision that repeals names long ranges one by one.
_LONGEST_REPEALED = 400
_LINE = 400
_WIDEST = 600
_LIST_ITEM = re.compile(r"(?:[a-zñ]{1,2}\)|\d{1,3}[.)º]|[-–—•]|\d{1,3}\.[ªº])\s")
_REPEALS = re.compile(r"\b(?:queda|quedan|se|son)?\s?derog(?:ad|a\b|an\b)\w*", re.IGNORECASE)
_SPARED = re.compile(
    r"\b(?:no quedan?|no afectara|continuara|mantiene|mantendra|subsist|conservara|seguira|vigente hasta)",
    re.IGNORECASE,
)
# Clauses that leave transitional law alone, or repeal whatever is opposed to a law without naming it.
_ASIDE = re.compile(
    r"\b(?:sin perjuicio de|dejando a salvo)\b[^;:]*?,(?= )"
    r"|(?:,? asi como|,? y|,)? (?:en general,? )?(?:todas las|cuantas|cuantos|las demas) (?:otras )?"
    r"(?:normas|disposiciones|preceptos)\b[^;:]*?"
    r"(?:(?:en particular|en especial|especificamente|expresamente)\b|(?=[;:])|$)",
    re.IGNORECASE,
)
_INSOFAR = re.compile(r"\ben (?:lo que|cuanto|todo lo que)\b.{0,40}\b(?:opon|contrad|contrav)", re.IGNORECASE)
_AMENDED = re.compile(
    r"(?:[\w.)]{1,4}\s)?(?:Se|Queda(?:n)?) (?:modific|añad|da nueva redacc|redact)", re.IGNORECASE
)
_AMENDS = re.compile(
    r"\bmodificaci\w+ (?:de|del|a|en|parcial|ley)\b|\bse modifican?\b|\breforma (?:de|del)\b", re.IGNORECASE
)
# A part of a norm named before it ("los artículos 4 a 7 de la Ley…") or after it ("Ley…: artículos 9 y 11").
_PART = (
    r"(?:articulos?|disposicion(?:es)?|titulos?|capitulos?|seccion(?:es)?|apartados?|numeros?|parrafos?|letras?|"
    r"incisos?|anexos?|preceptos|reglas?|libros?)"
)
_PART_BEFORE = re.compile(rf"\b{_PART}\b[^;:]*\b(?:de la|del|de|a la|al|en la|en el)\b", re.IGNORECASE)
_PART_AFTER = re.compile(
    r"[^;.]{0,200}?(?:(?:[:,]\s*|\b(?:excepto|salvo)\b.{0,30})(?:en |lo dispuesto |de |por )*"
    r"(?:el|la|los|las|sus)? ?"
    rf"{_PART}\b|\b(?:excepto|salvo|en lo (?:relativo|que)|en los (?:particulares|aspectos)|en cuanto)\b)",
    re.IGNORECASE,
)
_BY_PART = re.compile(r"(?:^|[\s).º])de(?: la| el|l)\s*$", re.IGNORECASE)
_WITHIN = re.compile(
    r"\b(?:apartados?|numeros?|parrafos?|letras?|incisos?|ordinal(?:es)?|expresion(?:es)?)\b[^;.]{0,60}$",
    re.IGNORECASE,
)
_DISPOSITIONS = re.compile(
    r"disposicion(?:es)? (?P<kind>adicional|transitoria|derogatoria|final)(?:es|s)? "
    r"(?P<which>[^;:.()]+?)(?=,? (?:y )?(?:el |la |las |los )?disposicion|[;:.()]|$)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"^\s*[«\"“'‘]")
_INSTRUCTS = re.compile(
    r"\b(?:modific\w+|anad\w+|redact\w+|redaccion|introduc\w+|suprim\w+|sustituy\w+|incorpor\w+|derog\w+|adicion\w+|"
    r"renumer\w+|incluy\w+|pasa(?:n|ra|ran)? a)\b",
    re.IGNORECASE,
)
_ARTICLE = r"\d[\d.]*(?: (?:bis|ter|quater|quinquies))?"
_ARTICLES = re.compile(
    rf"\bart(?:iculo)?s?\.? (?P<list>{_ARTICLE}(?:(?:, | y | e | a | al ){_ARTICLE})*)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Mention:
    """One authority as one place in a text speaks of it.

    `by` is the decision that is reported to have done the treatment, where it is not the citing text itself.
    `line` are the words of the source that say so; two mentions with other words are equal.
    """

    kind: Kind
    cited: str
    article: str
    treatment: Treatment
    partial: bool = False
    by: str | None = None
    line: str | None = field(default=None, compare=False, repr=False)


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
        line = _line(text[start:end])
        for mention in _of(citation, plain, (start, end), others, place, own):
            yield mention if mention.treatment == "cites" else replace(mention, line=line)


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


def articles(citation: Citation, longest: int = _LONGEST_RANGE) -> tuple[str, ...]:
    """Return the articles cited, ranges of up to `longest` articles written out."""
    found: list[str] = []
    for one in citation.articles:
        run = re.fullmatch(r"(\d+)-((\d+)(?: \w+)?)", one)
        if run and 0 < int(run[3]) - int(run[1]) <= longest:
            found += [str(number) for number in range(int(run[1]), int(run[3]) + 1)]
            if run[2] != run[3]:
                found.append(run[2])
        else:
            found.append(one)
    return tuple(found)


def _line(text: str) -> str:
    """Return a passage on one line, shortened."""
    words = " ".join(text.split())
    return words if len(words) <= _LINE else f"{words[: _LINE - 1]}…"


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
        plain = _ASIDE.sub(lambda aside: " " * len(aside[0]), plain)
        partly = _INSOFAR.search(plain) is not None
        line = _line(paragraph)
        for mention in _repealed(paragraph, plain, jurisdiction, own, partly):
            yield replace(mention, line=line)


def _repealed(paragraph: str, plain: str, jurisdiction: str, own: str, partly: bool) -> Iterator[Mention]:
    """Yield what one paragraph repeals: of each norm it names the provisions, or else the whole of it.

    A provision that stands before the norm ("los artículos 4 a 7 de la Ley…") or after it ("Ley…: artículos
    9 y 11") is its own, whatever norm was named before. What is named in part only is marked so.
    """
    named = [
        one
        for one in extract(paragraph, jurisdiction)
        if one.kind == "L4-N"
        and one.norm
        and one.canonical
        and "elided" not in one.ids
        and plain[one.start].strip()
    ]
    began = 0
    for place, norm in enumerate(named):
        cited = key(norm)
        end = named[place + 1].start if place + 1 < len(named) else len(paragraph)
        before, after = plain[began : norm.start], plain[norm.end : end]
        # "De la Ley…, los artículos 93 a 97": what is repealed follows.
        behind = _BY_PART.search(before.split(":")[-1]) is not None and not _PART_BEFORE.search(before)
        began = end if behind else norm.end
        if cited == own or "?" in cited:
            continue
        parts = dict[str, bool]()
        around = before + plain[norm.start : norm.end]
        if behind or re.match(r"[^;.]{0,160}?(?::|,) (?:el |la |los |las )?art", after):
            around += after
        for article, some in (*_articles_named(around), *_dispositions(around)):
            parts[article] = parts.get(article, True) and (some or partly)
        for article in articles(norm, _LONGEST_REPEALED):
            parts.setdefault(article, partly or bool(norm.pinpoint))
        for article, some in parts.items():
            yield Mention("norm", cited, article, "repeals", some)
        if not parts:
            part = partly or behind or bool(_PART_BEFORE.search(before)) or bool(_PART_AFTER.match(after))
            yield Mention("norm", cited, "", "repeals", part)


def _articles_named(plain: str) -> Iterator[tuple[str, bool]]:
    """Yield the articles that folded words name, and whether only part of each is meant."""
    for match in _ARTICLES.finditer(plain):
        within = _WITHIN.search(plain[max(0, match.start() - 80) : match.start()]) is not None
        excepted = re.match(r",? (?:excepto|salvo)\b", plain[match.end() :]) is not None
        for run in re.split(r", | y | e ", match["list"].lower()):
            first, _, last = (one.strip() for one in re.sub(r" al? ", "|", run).partition("|"))
            some = within or excepted or re.fullmatch(r"\d{1,3}\.\d{1,2}\.?", first) is not None
            low, high = _article(first), _article(last) if last else ""
            yield low, some
            if low.isdigit() and high and (top := re.match(r"\d+", high)):
                count = int(top[0]) - int(low)
                if 0 < count <= _LONGEST_REPEALED:
                    yield from ((str(number_), some) for number_ in range(int(low) + 1, int(top[0]) + 1))
                yield high, some


def _dispositions(plain: str) -> Iterator[tuple[str, bool]]:
    """Yield the dispositions that folded words list, and whether only part of each is meant.

    "las disposiciones adicionales primera y tercera" are `da1` and `da3`.
    """
    for match in _DISPOSITIONS.finditer(plain):
        some = _WITHIN.search(plain[max(0, match.start() - 40) : match.start()]) is not None
        for written in re.split(r",\s*|\s+y\s+|\s+e\s+", match["which"].lower()):
            words = written.split(" de ")[0].split()
            value = next((count for size in (2, 1) if (count := read_ordinal(" ".join(words[:size])))), None)
            if value is None:
                break
            suffix = next((one for one in words[1:3] if one in ("bis", "ter", "quater")), "")
            yield f"d{match['kind'][0].lower()}{value}{' ' + suffix if suffix else ''}", some


def amending(heading: str, text: str, jurisdiction: str, own: str) -> Iterator[Mention]:
    """Yield what a provision amends: the norm of its heading or first sentence, and its articles.

    Articles are those that its own words name; the new wording, which stands in quotation marks, is left out.
    """
    opening = text.split("\n", 1)[0][:400]
    about = heading if _AMENDS.search(LAW.fold(heading)) else ""
    if not about and not _AMENDED.match(LAW.fold(opening)):
        return
    norms = [
        mention
        for written in (about, opening)
        for mention in _norms(extract(written, jurisdiction), own, "amends", False)
    ]
    if not norms:
        return
    cited, told = norms[0].cited, dict[str, str]()
    quoted = False
    for paragraph in text.split("\n"):
        if _QUOTED.match(paragraph):
            quoted = True
        plain = LAW.fold(paragraph)
        if not quoted and _INSTRUCTS.search(plain):
            for match in _ARTICLES.finditer(re.split(r"[:«“\"]", plain, maxsplit=1)[0]):
                for one in re.split(r", | y | e | al? ", match["list"].lower()):
                    told.setdefault(_article(one), _line(paragraph))
        if quoted and re.search(r"[»”\"]\s*\.?\s*$", paragraph):
            quoted = False
    if not told:
        yield Mention("norm", cited, "", "amends", True, line=_line(about or opening))
    for article, line in told.items():
        yield Mention("norm", cited, article, "amends", False, line=line)


def _article(written: str) -> str:
    """Return an article as written in words of an amendment: "1.262" is 1262, "25.20" is article 25."""
    digits, _, suffix = written.strip(" .").partition(" ")
    if re.fullmatch(r"\d{1,2}\.\d{3}", digits):
        digits = digits.replace(".", "")
    return f"{digits.split('.')[0]}{' ' + suffix if suffix else ''}"


def _norms(citations: Iterable[Citation], own: str, treatment: Treatment, partial: bool) -> Iterator[Mention]:
    for citation in citations:
        if citation.kind != "L4-N" or citation.norm is None or "elided" in citation.ids:
            continue
        cited = key(citation)
        if cited == own or "?" in cited:
            continue
        for article in articles(citation) or ("",):
            yield Mention("norm", cited, article, treatment, partial or bool(citation.pinpoint))
