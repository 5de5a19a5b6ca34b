"""Read a statute in Akoma Ntoso 3.0 (OASIS LegalDocML): identification, life cycle, articles of the body.

Articles under a `temporalGroup` carry the days of its interval; an article that occurs several times with
such groups has that many versions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from app.citations import provisions_opened
from app.corpus.loading.readers import files, front_matter, self_names, xml_stream
from app.corpus.loading.records import ArticleText, Item, NormFacts, Skip, Source, Statute, Wording

_DIVISIONS = ("book", "part", "title", "chapter", "section", "subsection", "subtitle", "hcontainer")
_TEXTS = ("p", "listIntroduction", "listConclusion", "li")
_READ = ("identification", "lifecycle", "temporalData", "article", "num", "heading", *_DIVISIONS)
_FREED = ("identification", "lifecycle", "temporalData", "article")
_Interval = tuple[date | None, date | None]


@dataclass
class _ParseState:
    facts: dict[str, str] = field(default_factory=dict)
    events: dict[str, tuple[date | None, str, str]] = field(default_factory=dict)
    groups: dict[str, _Interval] = field(default_factory=dict)
    wordings: dict[tuple[str, int], list[Wording]] = field(default_factory=dict)
    heads: dict[tuple[str, int], tuple[str | None, tuple[str, ...]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    path: list[list[str]] = field(default_factory=list)


def read(source: Source, after: int) -> Iterator[Item]:
    """Yield one item: the file is one act."""
    if after:
        return
    act = _ParseState()
    try:
        _walk(source, act)
    except xml_stream.Malformed:
        yield Item(1, Skip("no well-formed XML"))
        return
    facts = _norm(act, source)
    if facts is None:
        yield Item(1, Skip("no identification of a work"), tuple(act.notes))
    elif not act.wordings:
        yield Item(1, Skip("no article in the file"), tuple(act.notes))
    else:
        yield Item(1, Statute(facts, _articles(act), history=bool(act.groups)), tuple(act.notes))


def _walk(source: Source, act: _ParseState) -> None:
    within = 0
    for event, name, element in xml_stream.elements(source.path, *_READ, freed=_FREED):
        if name == "article":
            within += 1 if event == "start" else -1
            if event == "end" and not within:
                _article(act, element)
        elif within:
            continue
        elif name in _DIVISIONS:
            if event == "start":
                act.path.append([])
            elif act.path:
                act.path.pop()
        elif event == "start":
            continue
        elif name in ("num", "heading"):
            if act.path and xml_stream.local(element.getparent()) in _DIVISIONS:
                act.path[-1].append(xml_stream.words(element))
        elif name == "identification":
            act.facts = _identification(element)
        elif name == "lifecycle":
            act.events = {
                f"#{one.get('eId') or one.get('id')}": (
                    front_matter.day((one.get("date") or "")[:10]), one.get("type", ""), one.get("source",
                    ""),
                )
                for one in xml_stream.descendants(element, "eventRef")
            }  # fmt: skip
        elif name == "temporalData":
            _groups(act, element)


def _groups(act: _ParseState, element: Any) -> None:
    for group in xml_stream.descendants(element, "temporalGroup"):
        interval = next(xml_stream.descendants(group, "timeInterval"), None)
        if interval is not None:
            first, last = (act.events.get(interval.get(end, ""), (None,))[0] for end in ("start", "end"))
            act.groups[f"#{group.get('eId') or group.get('id')}"] = (first, last)


def _identification(element: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    work = xml_stream.child(element, "FRBRWork")
    expression = xml_stream.child(element, "FRBRExpression")
    for one in work if work is not None else ():
        name = xml_stream.local(one)
        if name == "FRBRalias":
            found.setdefault(f"alias {one.get('name', '')}", one.get("value", ""))
        elif name == "FRBRdate":
            found.setdefault("date", one.get("date", ""))
        else:
            found.setdefault(name, one.get("value", ""))
    edition = xml_stream.child(expression, "FRBRdate") if expression is not None else None
    if edition is not None:
        found["edition"] = edition.get("date", "")
    return found


def _article(act: _ParseState, element: Any) -> None:
    number = xml_stream.child_words(element, "num") or ""
    heading = xml_stream.child_words(element, "heading")
    found = provisions_opened(number if number[:1].isalpha() else f"Article {number}")
    if found is None:
        act.notes.append("articles without a number")
        return
    kept = [
        xml_stream.words(one)
        for one in xml_stream.descendants(element, *_TEXTS, "num")
        if one.getparent() is not element and xml_stream.words(one)
    ]
    text = "\n\n".join(_joined(kept))
    first, last = act.groups.get(element.get("period", ""), (None, None))
    key = (found.numbers[0], 1)
    if key in act.wordings and not element.get("period"):
        key = (key[0], 1 + sum(number == key[0] for number, _ in act.wordings))
    act.wordings.setdefault(key, []).append(Wording(text or heading or "", first, last, _made_by(act, first)))
    act.heads[key] = (heading or found.rubric, tuple(". ".join(step) for step in act.path if step))


def _joined(pieces: list[str]) -> Iterator[str]:
    """Join numbers ("1.", "(a)") to the paragraph they number."""
    held = ""
    for piece in pieces:
        if (
            len(piece) <= 6
            and not piece[-1:].isspace()
            and not piece.endswith(("!", "?"))
            and piece[-1] in ".)º"
        ):
            held = f"{held} {piece}".strip()
            continue
        yield f"{held} {piece}".strip()
        held = ""
    if held:
        yield held


def _made_by(act: _ParseState, day: date | None) -> str | None:
    return next(
        (
            source.lstrip("#")
            for when, kind, source in act.events.values()
            if kind == "amendment" and when == day and day
        ),
        None,
    )


def _articles(act: _ParseState) -> tuple[ArticleText, ...]:
    made = []
    for place, (key, wordings) in enumerate(act.wordings.items(), start=1):
        ordered = sorted(wordings, key=lambda one: one.in_force_from or date.min)
        if not act.groups:
            ordered = ordered[-1:]
        heading, path = act.heads[key]
        made.append(ArticleText(key[0], tuple(ordered), place, heading, path, key[1]))
    return tuple(made)


def _norm(act: _ParseState, source: Source) -> NormFacts | None:
    words: Mapping[str, str] = act.facts
    address = words.get("FRBRthis") or words.get("FRBRuri")
    title = (
        words.get("alias title")
        or words.get("alias shortTitle")
        or words.get("FRBRname")
        or words.get("alias ")
    )
    country = (source.jurisdiction or words.get("FRBRcountry", "")).upper()[:2]
    if not address or not country:
        return None
    eli = words.get("alias eli") or words.get("alias ELI")
    known = self_names.registered(title, country) if title else None
    repeal = next((when for when, kind, _ in act.events.values() if kind == "repeal"), None)
    return NormFacts(
        jurisdiction=country,
        official_id=words.get("alias officialId") or (known.official_id if known else None) or eli or address,
        title=title or address,
        source="akn",
        digest=files.digest(source.path),
        status="repealed" if repeal else "in_force",
        short_title=words.get("alias shortTitle") or None,
        rank=words.get("FRBRsubtype") or None,
        number=words.get("FRBRnumber") or None,
        dated=front_matter.day(words.get("date")),
        repealed=repeal or (known.repealed if known else None),
        repealed_by="; ".join(known.successors) or None if known else None,
        url=eli or (known.url if known else None) or (address if address.startswith("http") else None),
        edition=front_matter.day(words.get("edition")),
        whole=True,
    )
