"""Audit records as a PDF: who, when, what was checked, and how anybody can verify it (decision 036).

PDF/A-3u with the records themselves attached, as JSON from which a machine recomputes every hash and as CSV.
On paper stand the sums of the period and, up to `LISTED_MAX`, each analysis; of a longer period those with a
broken citation. Layout costs a thirtieth of a second and a quarter of a megabyte for each one that is listed,
an attached record less than half a kilobyte; and thousands of pages are read by nobody, a table is.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from app.governance.audit_log import Filter, broken_in, is_of
from app.governance.chain import ChainVerdict, Problem, Row, fault
from app.governance.documents.attachments import Attached
from app.governance.documents.audit_words import WORDS, Words
from app.governance.documents.export_requests import RECORDS_MAX, too_many
from app.governance.documents.issuer import Issuer, Subject
from app.governance.documents.summary import Digest, Share
from app.platform import clock, pdf

Language = Literal["es", "en"]

# How many analyses stand one by one on paper.
LISTED_MAX = 250
# How many of the records that do not fit are named, of all of them there are.
_UNFIT_MAX = 20
# How many keys, or jurisdictions with their branches, have a line of their own; the rest is one line.
_LINES_MAX = 40


@dataclass(frozen=True, slots=True)
class Period:
    """Days, both inclusive, in UTC, and the filters that were set."""

    first: date
    last: date
    key_id: str | None = None
    flagged: bool = False


@dataclass(slots=True)
class Collected:
    """What the document of a period is made of, collected while its chain is verified, oldest first.

    Of the records themselves it keeps those that are listed, and all of them packed. `unfit` names records
    of the whole chain that do not fit, by position and problem: a period may be whole and the chain not.
    """

    attached: Attached
    chosen: Filter = field(default_factory=Filter)
    most: int = RECORDS_MAX
    digest: Digest = field(default_factory=Digest)
    records: int = 0
    _newest_key: str | None = None
    unfit: list[tuple[int, Problem]] = field(default_factory=list)
    _all: list[Row] = field(default_factory=list)
    _flagged: list[Row] = field(default_factory=list)

    def consider(self, record: Row, problem: Problem | None) -> None:
        """Take in the next record of the chain, if it is of the period; raise `Invalid` (422) beyond
        `most`.
        """
        if problem and len(self.unfit) < _UNFIT_MAX:
            self.unfit.append((record.seq, problem))
        sound = problem != "content"
        if not is_of(record, self.chosen, sound=sound):
            self.attached.leave_out(record.seq)
            return
        if self.records == self.most:
            raise too_many()
        self.records += 1
        self.attached.add(record, sound=sound)
        if sound:
            self._newest_key = record.content["apiKeyId"]
            self._sum_up(record)

    def _sum_up(self, record: Row) -> None:
        self.digest.add(record.seq, record.content)
        if len(self._all) <= LISTED_MAX:
            self._all.append(record)
        if broken_in(record.content):
            self._flagged.append(record)
            # The newest are listed; twice as many are held so that a list need not be cut each time.
            if len(self._flagged) >= 2 * LISTED_MAX:
                del self._flagged[:-LISTED_MAX]

    @property
    def newest_key(self) -> uuid.UUID | None:
        """The key of the newest of these analyses."""
        return uuid.UUID(self._newest_key) if self._newest_key else None

    @property
    def complete(self) -> bool:
        """Whether every record is listed."""
        return len(self._all) <= LISTED_MAX

    @property
    def listed(self) -> Sequence[Row]:
        return self._all if self.complete else self._flagged[-LISTED_MAX:]


def period_document(
    collected: Collected,
    verdict: ChainVerdict,
    issuer: Issuer,
    period: Period,
    *,
    language: Language,
    now: datetime,
) -> bytes:
    """The document of a period. Takes seconds of computing: call it outside a transaction.

    Raises `Upstream` (503) where no PDF can be made.
    """
    words = WORDS[language]
    digest = collected.digest
    values = {
        **_frame(words, verdict, issuer, now),
        "single": False,
        "period": period,
        "filter_key": _key(issuer.subject, period.key_id) if period.key_id else None,
        "digest": digest,
        "months": _shares(words, ((month, share) for month, share in digest.months.items())),
        "keys": _shares(words, _by_key(digest, issuer.subject), most=_LINES_MAX),
        "laws": _shares(
            words,
            (
                (f"{words.place(place)} · {words.branch_of(branch)}", share)
                for (place, branch), share in _largest(digest.laws.items())
            ),
            most=_LINES_MAX,
        ),
        "modes": _shares(
            words, ((words.mode_of(mode), share) for mode, share in _largest(digest.modes.items()))
        ),
        "broken": sum(digest.citations[verdict] for verdict in words.broken_verdicts),
        "complete": collected.complete,
        "unfit": words.unfit(collected.unfit, verdict.broken),
        "left_out": collected.attached.left_out,
        "rows": [_row(record, issuer.subject, words) for record in collected.listed],
    }
    return pdf.render(
        "audit.html", values, attachments=collected.attached.files(words["attachments"], now, verdict)
    )


def analysis_document(
    record: Row, verdict: ChainVerdict, issuer: Issuer, *, language: Language, now: datetime
) -> bytes:
    """The document of one analysis. Raises `Upstream` (503) where no PDF can be made."""
    words = WORDS[language]
    attached = Attached(issuer.subject.keys)
    attached.add(record, sound=fault(record, None) != "content")
    values = {
        **_frame(words, verdict, issuer, now),
        "single": True,
        "period": None,
        "r": _row(record, issuer.subject, words),
    }
    return pdf.render("audit.html", values, attachments=attached.files(words["attachments"], now, verdict))


def _frame(words: Words, verdict: ChainVerdict, issuer: Issuer, now: datetime) -> dict[str, Any]:
    return {
        "letterhead": issuer.letterhead,
        "subject": issuer.subject,
        "language": words.language,
        "w": words,
        "made": _moment(clock.iso(now)),
        "verdict": verdict,
        "verdict_words": words.verdict_of(verdict),
    }


def _row(record: Row, subject: Subject, words: Words) -> dict[str, Any]:
    content = record.content
    return {
        **content,
        "id": str(record.id),
        "seq": record.seq,
        "hash": record.hash,
        "previous": record.previous_hash,
        "started": _moment(content["startedAt"]),
        "finished": _moment(content["finishedAt"]),
        "key": _key(subject, content["apiKeyId"]),
        "branch": words.branch_of(content["legalBranch"]),
        "broken": broken_in(content),
        "findings": content.get("findings", {}),
    }


def _moment(iso: str) -> str:
    return iso[:19].replace("T", " ")


def _key(subject: Subject, key_id: str) -> tuple[str, str]:
    return subject.keys.get(key_id, ("–", ""))


def _by_key(digest: Digest, subject: Subject) -> Iterable[tuple[str, Share]]:
    for key_id, share in _largest(digest.keys.items()):
        name, prefix = _key(subject, key_id)
        yield f"{name} ({prefix}…)" if prefix else name, share


def _largest(shares: Iterable[tuple[Any, Share]]) -> list[tuple[Any, Share]]:
    return sorted(shares, key=lambda pair: -pair[1].analyses)


def _shares(
    words: Words, shares: Iterable[tuple[str, Share]], *, most: int | None = None
) -> list[tuple[str, Share]]:
    """The lines of a table; what is beyond `most` is summed up in one."""
    lines = list(shares)
    if most is None or len(lines) <= most:
        return lines
    rest = Share()
    for _, share in lines[most:]:
        rest.analyses += share.analyses
        rest.credits += share.credits
        rest.flagged += share.flagged
    return [*lines[:most], (words["others"].format(n=words.figure(len(lines) - most)), rest)]
