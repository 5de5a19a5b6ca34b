"""Look up many citations in the loaded corpus at once, so that the verdicts on them can be pure."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Literal

from app.citations import Citation, range_ends, without_content
from app.corpus import permanent_ids
from app.corpus.lookup import decision_numbers
from app.corpus.lookup.norms import norm_ids
from app.platform.postgres import db
from app.platform.postgres.db import Statements, Step

# How an article stands on a day. `later`: it exists, from a later day on; `ended`: it existed until a day.
Standing = Literal["in_force", "empty", "ended", "later"]
# A court that numbers all its decisions of a year in one series, whatever their letter.
_CONSTITUTIONAL = re.compile(r"CO:CC:(?P<letter>SU|T|C)-(?P<number>\d{3,4})(?P<suffix>[A-Z]?)/(?P<year>\d\d)")
_LETTERS = ("T", "C", "SU")
_CENTURY = 70
# From so large a part of a year's numbers on, a number that is missing is not merely one that was not loaded.
_DENSE = 0.9


@dataclass(frozen=True, slots=True)
class LoadedNorm:
    """A loaded norm, and those of the articles asked for that it has. `whole`: it has no others."""

    official_id: str
    title: str
    url: str | None
    whole: bool
    texts: bool
    edition: date | None
    articles: Mapping[str, Standing]
    last: int = 0
    # Heading and text, on the day, of the articles whose words were asked for.
    words: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LoadedJudgment:
    """A loaded judgment, with its text or as an entry of an index."""

    id: uuid.UUID
    jurisdiction: str
    canonical: str
    title: str
    url: str | None
    dated: date | None
    ecli: str | None
    roj: str | None


@dataclass(frozen=True, slots=True)
class Series:
    """A year of a court's decisions: how many numbers are loaded, and the highest."""

    numbers: int
    highest: int
    closed: bool

    def lacks(self, number: int) -> bool:
        """Tell whether a number that is not loaded does not exist: almost all of the year must be loaded."""
        if self.numbers < _DENSE * self.highest:
            return False
        return number <= self.highest or self.closed


@dataclass(frozen=True, slots=True)
class LookupResult:
    """Loaded norms and judgments that some citations name."""

    norms: Mapping[uuid.UUID, LoadedNorm] = field(default_factory=dict)
    judgments: Mapping[str, LoadedJudgment] = field(default_factory=dict)
    series: Mapping[tuple[str, int], Series] = field(default_factory=dict)
    courts: frozenset[str] = frozenset()

    def merged(self, later: LookupResult) -> LookupResult:
        """Return what this look-up and a later one, for the same day, found together."""
        norms = {**self.norms, **later.norms}
        for one in self.norms.keys() & later.norms.keys():
            before, after = self.norms[one], later.norms[one]
            norms[one] = replace(
                after, articles={**before.articles, **after.articles}, words={**before.words, **after.words}
            )
        return LookupResult(
            norms,
            {**self.judgments, **later.judgments},
            {**self.series, **later.series},
            self.courts | later.courts,
        )

    def norm(self, key: str, ids: Iterable[str] = ()) -> LoadedNorm | None:
        """Return the loaded norm of a normal form; one with texts before one without."""
        found = [self.norms[one] for one in norm_ids(key, ids) if one in self.norms]
        return next((one for one in found if one.texts), found[0] if found else None)

    def words(self, citation: Citation) -> tuple[str, str] | None:
        """Return heading and text of the articles cited.

        `None` for a range, and where not all of the articles were asked for and are loaded.
        """
        ids = [citation.ids[name] for name in ("boe", "celex") if name in citation.ids]
        held = self.norm(citation.norm, ids) if citation.norm and citation.articles else None
        if held is None or any(len(range_ends(article)) > 1 for article in citation.articles):
            return None
        lettered = f"{citation.articles[0]} {citation.pinpoint[:1]}" if citation.pinpoint else ""
        numbers = (lettered,) if lettered in held.words else citation.articles
        found = [held.words.get(number) for number in numbers]
        known = [one for one in found if one is not None]
        if len(known) < len(found):
            return None
        heading = _titled(numbers[0], known[0][0])
        return heading, "\n\n".join(text for _, text in known)

    def judgment(self, canonical: str, ids: Mapping[str, str]) -> LoadedJudgment | None:
        """Return the loaded judgment of a normal form or, where that has none, of its identifiers."""
        dated = f"{canonical} {ids['date']}" if "date" in ids else ""
        for name in (dated, canonical, ids.get("ecli", ""), ids.get("roj", ""), _as_roj(canonical)):
            if name and name in self.judgments:
                return self.judgments[name]
        return None

    def absent(self, canonical: str) -> bool:
        """Tell whether a judgment that is not loaded is known not to exist."""
        parts = _CONSTITUTIONAL.fullmatch(canonical)
        if not parts:
            return False
        series = self.series.get(("CO:CC", _year(parts["year"])))
        return series is not None and series.lacks(int(parts["number"]))

    def namesake(self, canonical: str) -> LoadedJudgment | None:
        """Return the decision that has the same number under another letter."""
        return next((self.judgments[one] for one in _namesakes(canonical) if one in self.judgments), None)


EMPTY = LookupResult()


def _titled(number: str, heading: str) -> str:
    """Return a heading as printed above the article: its number may be quoted with it."""
    if heading.lower().startswith(("art", "disp", "anexo")):
        return heading
    if number.startswith("recital "):
        return f"Considerando {number[8:]}. {heading}"
    return f"Artículo {number}. {heading}"


def _year(short: str) -> int:
    return int(short) + (1900 if int(short) >= _CENTURY else 2000)


def _as_roj(canonical: str) -> str:
    """Return "ATS 3898/2026" for `ES:TS:A3898/2026`: Spanish decisions are cited by their ROJ number too."""
    parts = re.fullmatch(r"ES:([A-Z]+):(?:ROJ:)?(A?)(\d+/\d{4})", canonical)
    return f"{parts[2] or 'S'}{parts[1]} {parts[3]}" if parts else ""


def _namesakes(canonical: str) -> tuple[str, ...]:
    parts = _CONSTITUTIONAL.fullmatch(canonical)
    if not parts:
        return ()
    rest = f"{parts['number']}{parts['suffix']}/{parts['year']}"
    return tuple(f"CO:CC:{letter}-{rest}" for letter in _LETTERS if letter != parts["letter"])


_NORMS = """
    SELECT coalesce(json_agg(row_to_json(one_row)), '[]'::json) AS found FROM (
        SELECT n.id, n.official_id, n.title, n.short_title, n.url, n.whole, n.source <> 'index' AS texts,
        n.edition,
            coalesce((
                SELECT json_object_agg(a.number, json_build_array(
                    v.short, v.in_force_to <= %(on)s, v.in_force_from > %(on)s))
                FROM corpus_articles a
                JOIN LATERAL (
                    SELECT left(text, 60) AS short, in_force_from, in_force_to FROM corpus_versions
                    WHERE article_id = a.id
                    ORDER BY (in_force_from IS NULL OR in_force_from <= %(on)s) DESC, version DESC LIMIT 1
                ) v ON true
                WHERE a.norm_id = n.id AND a.number = ANY(%(numbers)s) AND a.occurrence = 1
            ), '{}'::json) AS articles,
            coalesce((
                SELECT json_object_agg(number, json_build_array(heading, text)) FROM (
                    SELECT a.number, min(a.heading) AS heading,
                        string_agg(v.text, E'\n\n' ORDER BY a.place, a.occurrence) AS text
                    FROM corpus_articles a JOIN corpus_versions v ON v.article_id = a.id
                    WHERE a.norm_id = n.id AND a.number = ANY(%(quoted)s)
                        AND (v.in_force_from IS NULL OR v.in_force_from <= %(on)s)
                        AND (v.in_force_to IS NULL OR v.in_force_to > %(on)s)
                    GROUP BY a.number
                ) worded
            ), '{}'::json) AS words,
            (SELECT max(a.number::int) FROM corpus_articles a
             WHERE n.whole AND a.norm_id = n.id AND a.number ~ '^[0-9]{1,5}$') AS last
        FROM corpus_norms n WHERE n.id = ANY(%(ids)s)
    ) AS one_row
    """
_JUDGMENTS = """
    SELECT coalesce(json_agg(row_to_json(one_row)), '[]'::json) AS found FROM (
        SELECT id, jurisdiction, canonical, title, url, dated, ecli, roj, number, kind,
            concat(court, ' ', chamber) AS place
        FROM corpus_judgments
        WHERE id = ANY(%(ids)s) OR ecli = ANY(%(eclis)s) OR roj = ANY(%(rojs)s)
            OR (jurisdiction = 'ES' AND number = ANY(%(numbers)s))
    ) AS one_row
    """
_SERIES = """
    SELECT coalesce(json_agg(row_to_json(one_row)), '[]'::json) AS found FROM (
        SELECT year, count(DISTINCT substring(number FROM '^[0-9]+')::int) AS numbers,
            max(substring(number FROM '^[0-9]+')::int) AS highest,
            EXISTS (SELECT FROM corpus_judgments later WHERE later.jurisdiction = 'CO'
                    AND later.court = 'Corte Constitucional' AND later.year = one.year + 1) AS closed
        FROM corpus_judgments one
        WHERE jurisdiction = 'CO' AND court = 'Corte Constitucional' AND year = ANY(%(years)s) AND number ~
        '^[0-9]'
        GROUP BY year
    ) AS one_row
    """
_COURTS = """
    SELECT coalesce(json_agg(row_to_json(one_row)), '[]'::json) AS found FROM (
        SELECT DISTINCT jurisdiction FROM unnest(%(codes)s::text[]) AS asked(jurisdiction)
        WHERE EXISTS (SELECT FROM corpus_judgments held WHERE held.jurisdiction = asked.jurisdiction)
    ) AS one_row
    """


# Planning for the very values takes fifty times as long as running the statement, and ends in the same plan.
_PLANNED_ONCE: Step[None] = Step("SET LOCAL plan_cache_mode = force_generic_plan", {}, lambda _: None)


def look_up(citations: Sequence[Citation], on: date, quoted: Iterable[Citation] = ()) -> LookupResult:
    """Look up citations in the loaded corpus, in a transaction of its own.

    Args:
        citations: What to look up.
        on: The law as in force on that day.
        quoted: Those whose articles are wanted with their words; those of which a paragraph or letter is
            cited come with words in any case.
    """
    if not citations:
        return EMPTY
    with db.statements() as session:
        return look_up_in(session, citations, on, quoted)


def look_up_in(
    session: Statements, citations: Sequence[Citation], on: date, quoted: Iterable[Citation] = ()
) -> LookupResult:
    """Look up citations as `look_up` does, in an open transaction."""
    norms: set[uuid.UUID] = set()
    numbers: set[str] = set()
    decided: list[Citation] = []
    for citation in citations:
        if citation.kind == "L2-J":
            decided.append(citation)
        elif citation.norm:
            ids = [citation.ids[name] for name in ("boe", "celex") if name in citation.ids]
            norms.update(norm_ids(citation.norm, ids))
            numbers.update(_numbers(citation))
    # The text of an article shows whether it has the paragraph cited.
    divided = (citation for citation in citations if any(citation.divisions))
    worded = {number for citation in (*quoted, *divided) for number in _numbers(citation)}
    held = _norms(session, norms, numbers, worded, on) if norms else {}
    judgments, series, courts = _decisions(session, decided) if decided else ({}, {}, frozenset())
    return LookupResult(held, judgments, series, courts)


def _numbers(citation: Citation) -> set[str]:
    found = {end for article in citation.articles for end in range_ends(article)} | set(citation.articles)
    if citation.pinpoint:
        found |= {f"{one} {citation.pinpoint[:1]}" for one in citation.articles}
    return found


def _norms(
    session: Statements, ids: set[uuid.UUID], numbers: set[str], quoted: set[str], on: date
) -> dict[uuid.UUID, LoadedNorm]:
    found: dict[uuid.UUID, LoadedNorm] = {}
    # One row for each norm: read as a single row, they come as one.
    values = {"ids": list(ids), "numbers": list(numbers), "quoted": list(quoted), "on": on}
    _, rows = session.take(_PLANNED_ONCE, Step(_NORMS, values, _rows))
    for one in rows:
        articles = {number: _standing(*state) for number, state in one["articles"].items()}
        found[uuid.UUID(one["id"])] = LoadedNorm(
            one["official_id"], one["short_title"] or one["title"], one["url"], one["whole"], one["texts"],
            date.fromisoformat(one["edition"]) if one["edition"] else None, articles, one["last"] or 0,
            {number: (heading or "", text) for number, (heading, text) in one["words"].items()},
        )  # fmt: skip
    return found


def _standing(short: str, ended: bool | None, later: bool | None) -> Standing:
    if ended:
        return "ended"
    if later:
        return "later"
    return "empty" if without_content(short) else "in_force"


def _decisions(
    session: Statements, citations: Sequence[Citation]
) -> tuple[dict[str, LoadedJudgment], dict[tuple[str, int], Series], frozenset[str]]:
    forms = {form for citation in citations for form in citation.canonical}
    wanted = forms | {one for form in forms for one in _namesakes(form)}
    years = {_year(parts["year"]) for form in forms if (parts := _CONSTITUTIONAL.fullmatch(form))}
    values: dict[str, Any] = {
        "ids": [permanent_ids.judgment_id(form.partition(":")[0], form) for form in wanted],
        "eclis": [citation.ids["ecli"] for citation in citations if "ecli" in citation.ids],
        "rojs": [
            name for citation in citations
            for name in (citation.ids.get("roj", ""), *(_as_roj(form) for form in citation.canonical)) if name
        ],
        "numbers": sorted({one.number for form in forms if (one := decision_numbers.cited(form))}),
        "years": sorted(years),
        "codes": sorted({citation.jurisdiction for citation in citations}),
    }  # fmt: skip
    steps: list[Step[Any]] = [
        Step(sql, values, _rows) for sql in (_JUDGMENTS, _COURTS, _SERIES)[: 3 if years else 2]
    ]
    held_rows, court_rows, *series_rows = session.take(*steps)
    held: dict[str, LoadedJudgment] = {}
    numbered: dict[str, list[LoadedJudgment]] = {}
    for row in held_rows:
        dated = date.fromisoformat(row["dated"]) if row["dated"] else None
        judgment = LoadedJudgment(
            uuid.UUID(row["id"]), row["jurisdiction"], row["canonical"], row["title"], row["url"], dated,
            row["ecli"], row["roj"],
        )  # fmt: skip
        for name in (judgment.roj, judgment.ecli, judgment.canonical):
            if name:
                held[name] = judgment
        for form in decision_numbers.forms(row["canonical"], row["number"], row["kind"], row["place"]):
            numbered.setdefault(form, []).append(judgment)
    _name_by_number(held, numbered)
    series = {
        ("CO:CC", row["year"]): Series(row["numbers"], row["highest"], row["closed"])
        for rows in series_rows
        for row in rows
    }
    return held, series, frozenset(row["jurisdiction"] for row in court_rows)


def _name_by_number(
    held: dict[str, LoadedJudgment], numbered: Mapping[str, Sequence[LoadedJudgment]]
) -> None:
    """Add the names by number: one that two chambers gave names the decision of a day alone."""
    for form, found in numbered.items():
        for one in found:
            if one.dated:
                held[f"{form} {one.dated.isoformat()}"] = one
                held[f"{form} --{one.dated:%m-%d}"] = one
        if len({one.id for one in found}) == 1:
            held.setdefault(form, found[0])


def _rows(row: Any) -> list[dict[str, Any]]:
    return list(row.found)
