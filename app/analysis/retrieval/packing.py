"""Choose and order what a model is told of the law, within a budget of tokens. Pure.

First the articles that the findings of the rules and the citations of the document rest on, then what the
checklist rests on; then, in turns, what rules about the document's subjects rest on and what the search
found, with articles beside a good one. Judgments have places of their own. Each article comes once, in the
version of the document's day.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

import re2

from app import corpus
from app.analysis.retrieval.plan import ArticleKey, Plan
from app.analysis.retrieval.store import Article, Found, Judgment
from app.citations import extract
from app.rules import Source
from app.text.bilingual import Language, pick

Why = Literal["required", "likely", "subject", "found", "beside", "judgment"]

# A token of Spanish law is some 3.5 characters long with the tokenisers of today's vendors.
CHARACTERS_PER_TOKEN: Final = 3.5
BUDGET: Final = 28_000  # tokens
_MOST, _MOST_JUDGMENTS, _MOST_BESIDE = 60, 4, 6
# An article that a finding rests on is given whole; of an unusually long one, and of others, the beginning.
WHOLE, PART = 8_000, 1_200
# Below this share of the best possible score a passage shares words with the question by chance.
FLOOR: Final = 0.12
_FEMININE: Final = ("Ley", "Constitución", "Orden", "Directiva", "Decisión", "Circular", "Instrucción")
# Regulations and directives by their CELEX number; from when they are acts of the Community, of the Union.
_CELEX: Final = re2.compile(r"3(\d{4})([RL])(\d{4})")
_COMMUNITY, _LISBON = date(1993, 11, 1), date(2009, 12, 1)
_DISPOSITIONS: Final = {
    "da": "disposición adicional",
    "dt": "disposición transitoria",
    "df": "disposición final",
    "dd": "disposición derogatoria",
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of law for a model: the id that statements refer to, how it is cited, and why it is told."""

    source: Source
    key: ArticleKey | None
    why: Why

    @property
    def tokens(self) -> int:
        """About how many tokens its text has."""
        return tokens(self.source.text)


def tokens(text: str) -> int:
    """Return about how many tokens a text has."""
    return round(len(text) / CHARACTERS_PER_TOKEN)


def pack(
    plan: Plan,
    found: Found,
    days: Sequence[date],
    language: Language,
    *,
    budget: int = BUDGET,
    floor: float = FLOOR,
) -> tuple[Passage, ...]:
    """Return at most sixty passages in order of trust, of `budget` tokens together.

    Args:
        plan: what was asked.
        found: what the store has.
        days: the day of the document, then that of the request.
        language: that of the notes beside a passage.
        budget: tokens of all passages together; what does not fit is left out, and what is shorter tried.
        floor: the least share of the best possible score that a passage found by search must have.
    """
    own = plan.jurisdictions[0]
    chosen: list[Passage] = []
    room, told = budget, set[uuid.UUID]()
    judgments = list(_of_judgments(found, own, floor))[:_MOST_JUDGMENTS]
    most = _MOST - len(judgments)
    for article, why in _in_order(plan, found, days, floor):
        if len(chosen) == most:
            break
        if article.article_id in told:
            continue
        law = cite(article.key, article.title, own, plan.cites)
        if law is None:
            continue
        told.add(article.article_id)
        passage = Passage(
            Source(str(article.passage_id), _told(article, law, why, days, language), law), article.key, why
        )
        if passage.tokens <= room:
            chosen.append(passage)
            room -= passage.tokens
    for passage in judgments:
        if passage.tokens <= room:
            chosen.append(passage)
            room -= passage.tokens
    return tuple(chosen)


def _in_order(plan: Plan, found: Found, days: Sequence[date], floor: float) -> Iterator[tuple[Article, Why]]:
    best: list[Article] = []
    for keys, why in ((plan.required, "required"), (plan.likely, "likely")):
        for key in keys:
            one = at(found.by_key.get(key, ()), days)
            if one is not None:
                best.append(one)
                yield one, why  # type: ignore[misc]
    hits = [one for hit in found.hits if hit.score >= floor and (one := found.articles.get(hit.passage_id))]
    leading = hits[: len(hits) // 2]
    subjects = (at(found.by_key.get(key, ()), days) for key in plan.subjects)
    yield from _in_turns(
        ((one, "subject") for one in subjects if one is not None),
        ((one, "found") for one in _dated(leading, found, days)),
    )
    # What stands beside the best, under the same heading, is often its exception.
    yield from ((one, "beside") for one in _neighbours([*best, *leading], found, days))
    yield from ((one, "found") for one in _dated(hits[len(leading) :], found, days))


def _in_turns(
    first: Iterator[tuple[Article, Why]], second: Iterator[tuple[Article, Why]]
) -> Iterator[tuple[Article, Why]]:
    """Yield one of each in turn; an article of both stands where it first comes, for the turn of neither."""
    seen: set[uuid.UUID] = set()
    streams = [first, second]
    while streams:
        for stream in tuple(streams):
            fresh = next((one for one in stream if one[0].article_id not in seen), None)
            if fresh is None:
                streams.remove(stream)
                continue
            seen.add(fresh[0].article_id)
            yield fresh


def _dated(hits: Iterable[Article], found: Found, days: Sequence[date]) -> Iterator[Article]:
    """Yield each article in the version of the day, among those found."""
    versions: dict[uuid.UUID, list[Article]] = {}
    for one in found.articles.values():
        versions.setdefault(one.article_id, []).append(one)
    for one in hits:
        yield at(versions[one.article_id], days) or one


def _neighbours(best: Sequence[Article], found: Found, days: Sequence[date]) -> Iterator[Article]:
    beside: dict[tuple[uuid.UUID, int], list[Article]] = {}
    for one in found.beside:
        beside.setdefault((one.norm_id, one.place), []).append(one)
    count = 0
    for one in best:
        for place in (one.place + 1, one.place - 1):
            near = at(beside.get((one.norm_id, place), ()), days)
            if near is None or near.path != one.path:
                continue
            yield near
            count += 1
            if count == _MOST_BESIDE:
                return


def at(versions: Sequence[Article], days: Sequence[date]) -> Article | None:
    """Return the version in force on the first of `days` on which there is one, else the last one."""
    for day in days:
        for one in versions:
            if (one.since is None or one.since <= day) and (one.until is None or day < one.until):
                return one
    return max(versions, key=lambda one: one.since or date.min, default=None)


def _told(article: Article, law: str, why: Why, days: Sequence[date], language: Language) -> str:
    most = WHOLE if why == "required" else PART
    text = cut(article.text, most)
    above = " · ".join((article.title, *article.path))
    note = ""
    if days and article.since is not None and article.since > days[0]:
        note = pick(
            language,
            f" [redacción en vigor desde {article.since:%d/%m/%Y}, posterior al documento]",
            f" [wording in force since {article.since:%d/%m/%Y}, later than the document]",
        )
    elif days and article.until is not None and article.until <= days[-1]:
        note = pick(
            language,
            f" [redacción que dejó de regir el {article.until:%d/%m/%Y}]",
            f" [wording that ceased to apply on {article.until:%d/%m/%Y}]",
        )
    elif article.since is not None:
        note = pick(
            language,
            f" [en vigor desde {article.since:%d/%m/%Y}]",
            f" [in force since {article.since:%d/%m/%Y}]",
        )
    return f"{law} ({above}){note}: {text}"


def cut(text: str, most: int) -> str:
    """Return at most so many characters of a text, with a mark where some were left out."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def cite(key: ArticleKey, title: str, own: str, cites: Mapping[ArticleKey, str] | None = None) -> str | None:
    """Return how a statement cites an article so that code recognises it again; `None` where none does.

    Args:
        key: the article.
        title: that of its norm.
        own: the jurisdiction under which statements are read.
        cites: by article, how the author of a rule cites it.
    """
    wanted = (corpus.key_of(key.jurisdiction, key.official_id), key.number)
    alias = corpus.norm_alias(key.jurisdiction, key.official_id)
    of = "de la" if title.startswith(_FEMININE) else "del"
    named = _numbered(key.number)
    forms = (
        f"{named} {alias}" if alias else "",
        f"{named} {_act_of_the_union(key)}",
        f"{named} {of} {title}",
        (cites or {}).get(key, ""),
    )
    for law in forms:
        if law and any((one.norm, *one.articles) == wanted for one in extract(law, own)):
            return law
    return None


def _act_of_the_union(key: ArticleKey) -> str:
    """Return how a regulation or directive of the Union is cited, with its article before it; else nothing.

    Until 2014 the number of a regulation stands before its year (Interinstitutional Style Guide, 1.2.2).
    """
    read = _CELEX.fullmatch(key.official_id) if key.jurisdiction == "EU" else None
    if read is None:
        return ""
    year, number = int(read[1]), int(read[3])
    known = corpus.norm(f"EU:{key.official_id}")
    dated = known.dated if known and known.dated else date(year, 6, 1)
    union = "CEE" if dated < _COMMUNITY else "CE" if dated < _LISBON else "UE"
    if year >= 2015:
        return f"{'del Reglamento' if read[2] == 'R' else 'de la Directiva'} (UE) {year}/{number}"
    if read[2] == "R":
        return f"del Reglamento ({union}) n.º {number}/{year}"
    return f"de la Directiva {year if year >= 1999 else year % 100}/{number}/{union}"


def _numbered(number: str) -> str:
    kind = _DISPOSITIONS.get(number[:2])
    return f"{kind} {number[2:]}.ª" if kind else f"art. {number}"


def _of_judgments(found: Found, own: str, floor: float) -> Iterator[Passage]:
    told: set[uuid.UUID] = set()
    for hit in found.judgment_hits:
        one = found.judgments.get(hit.passage_id)
        if one is None or hit.score < floor or one.judgment_id in told:
            continue
        law = cite_judgment(one, own)
        if law is None:
            continue
        told.add(one.judgment_id)
        text = cut(one.text, PART)
        yield Passage(
            Source(str(one.passage_id), f"{one.title} ({one.court}): {text}", law), None, "judgment"
        )


def cite_judgment(one: Judgment, own: str) -> str | None:
    """Return how a statement cites a judgment so that code recognises it again; `None` where none does."""
    for law in (f"{one.title}, {one.ecli}" if one.ecli else "", one.ecli or "", one.title):
        if law and any(one.canonical in read.canonical for read in extract(law, own)):
            return law
    return None
