"""View model of a comparison: its clauses side by side, and the risks above them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext
from flask_babel import lazy_gettext as _

from app.portal.web.display import labels
from app.portal.web.display.labels import Words
from app.portal.web.display.view_models import tone_class

_CHANGES: Mapping[str, tuple[Words, str]] = {
    "added": (_("Added"), "ok"),
    "removed": (_("Removed"), "bad"),
    "changed": (_("Changed"), "warn"),
    "moved": (_("Moved"), "warn"),
    "unchanged": (_("Unchanged"), ""),
}
_RISK_TONES = {"high": "bad", "medium": "warn"}


@dataclass(frozen=True, slots=True)
class Run:
    """Words of one side; `mark` is `del`, `ins` or nothing."""

    text: str
    mark: str


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """One clause as both versions have it; a side that has it not is `None`."""

    id: str
    label: Words
    tag_class: str
    name: str
    note: str
    before: tuple[Run, ...] | None
    after: tuple[Run, ...] | None
    is_open: bool


@dataclass(frozen=True, slots=True)
class RiskRow:
    """One risk: its statement, its clause, and what is new about one that stayed."""

    text: str
    lock: str
    severity: str
    tag_class: str
    quotes: tuple[str, ...]
    authorities: tuple[str, ...]
    clause: ClauseRow | None
    note: str


@dataclass(frozen=True, slots=True)
class RiskGroup:
    """The risks that appeared, went or stayed."""

    title: str
    empty: str
    risks: tuple[RiskRow, ...]


def clause_rows(clauses: Sequence[Mapping[str, Any]]) -> list[ClauseRow]:
    """Return the clauses of an answer in its order."""
    return [_row(number, one) for number, one in enumerate(clauses)]


def risk_groups(risks: Mapping[str, Any], rows: Sequence[ClauseRow]) -> list[RiskGroup]:
    """Return the risks of an answer, those that appeared first."""
    stayed = ((one["after"], _what_is_new(one)) for one in risks["stayed"])
    return [
        RiskGroup(
            gettext("Risks that appeared"),
            gettext("No risk appeared."),
            tuple(_risk(one, rows) for one in risks["appeared"]),
        ),
        RiskGroup(
            gettext("Risks that went"),
            gettext("No risk went."),
            tuple(_risk(one, rows) for one in risks["went"]),
        ),
        RiskGroup(
            gettext("Risks that stayed"),
            gettext("No risk stayed."),
            tuple(_risk(one, rows, note) for one, note in stayed),
        ),
    ]


def _row(number: int, one: Mapping[str, Any]) -> ClauseRow:
    label, tone = _CHANGES[one["change"]]
    return ClauseRow(
        id=f"clause-{number}",
        label=label,
        tag_class=tone_class("tag", tone),
        name=_name(one["after"] or one["before"]),
        note=_note(one),
        before=tuple(_runs(one["words"], "delete", "del")) if one["before"] else None,
        after=tuple(_runs(one["words"], "insert", "ins")) if one["after"] else None,
        is_open=one["change"] != "unchanged",
    )


def _name(place: Mapping[str, Any]) -> str:
    number, heading = place.get("number", ""), place.get("heading", "")
    if number and heading:
        return f"{number}. {heading}"
    return number or heading or str(gettext("Unnumbered paragraph"))


def _note(one: Mapping[str, Any]) -> str:
    notes = []
    if one["renumbered"]:
        was = one["before"].get("number") or gettext("none")
        notes.append(gettext("its number was %(number)s", number=was))
    if one.get("joined") == "split":
        notes.append(gettext("it was split into several clauses"))
    if one.get("joined") == "merged":
        notes.append(gettext("several clauses were merged into it"))
    if one.get("coarse"):
        notes.append(gettext("a part is too long to be compared word by word"))
    return "; ".join(map(str, notes))


def _runs(words: Sequence[Mapping[str, str]], own: str, mark: str) -> Iterator[Run]:
    for run in words:
        if run["op"] in ("equal", own):
            yield Run(run["text"], mark if run["op"] == own else "")


def _risk(one: Mapping[str, Any], rows: Sequence[ClauseRow], note: str = "") -> RiskRow:
    clause = one["clause"]
    return RiskRow(
        text=one["text"],
        lock=one["lock"],
        severity=str(labels.SEVERITIES[one["severity"]]) if one["severity"] else "",
        tag_class=tone_class("tag", _RISK_TONES.get(one["severity"] or "")),
        quotes=tuple(quote["text"] for quote in one["quotes"]),
        authorities=tuple(authority["citation"] for authority in one["authorities"]),
        clause=rows[clause] if clause is not None else None,
        note=note,
    )


def _what_is_new(one: Mapping[str, Any]) -> str:
    notes = []
    if one["severityChanged"] and one["before"]["severity"] and one["after"]["severity"]:
        was, now = (labels.SEVERITIES[one[side]["severity"]] for side in ("before", "after"))
        notes.append(gettext("Its severity was %(was)s and is %(now)s.", was=was, now=now))
    if one["figuresChanged"]:
        notes.append(gettext("Its figures are others than before."))
    return " ".join(map(str, notes))
