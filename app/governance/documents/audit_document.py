"""Audit document: records as a PDF that anybody can verify (decision 036).

PDF/A-3u with the records attached, as JSON for recomputing every hash and as CSV. The pages show the totals
of the period and up to `LISTED_MAX` analyses, or only those with a broken citation where there are more.
Layout takes a thirtieth of a second and a quarter of a megabyte for each listed analysis, an attached record
less than half a kilobyte; and nobody reads thousands of pages.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from app.governance.audit_log import Filter, broken_in, is_of
from app.governance.chain import ChainVerdict, Problem, Row, fault
from app.governance.documents import signature
from app.governance.documents.attachments import AttachmentWriter
from app.governance.documents.export_requests import RECORDS_MAX, too_many
from app.governance.documents.issuer import Issuer, Subject
from app.governance.documents.summary import PeriodSummary, Totals
from app.governance.documents.translations import Translations, translations
from app.governance.reviews import DECISIONS
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
    """A period of whole days, both inclusive, in UTC, and the filters."""

    first: date
    last: date
    key_id: str | None = None
    flagged: bool = False


@dataclass(slots=True)
class PeriodRecords:
    """The content of a period's document, collected while its chain is verified, oldest first.

    Keeps the records to be listed, and all of them compressed for the attachments. `unfit` has the records of
    the whole chain that do not fit, by position and problem, because a broken chain matters to an intact
    period too.
    """

    attached: AttachmentWriter
    chosen: Filter = field(default_factory=Filter)
    most: int = RECORDS_MAX
    digest: PeriodSummary = field(default_factory=PeriodSummary)
    records: int = 0
    # The hashed content of the newest review of each analysis in the document, by the analysis's id.
    reviews: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    _ids: set[str] = field(default_factory=set)
    _newest_key: str | None = None
    unfit: list[tuple[int, Problem]] = field(default_factory=list)
    _all: list[Row] = field(default_factory=list)
    _flagged: list[Row] = field(default_factory=list)

    def consider(self, record: Row, problem: Problem | None) -> None:
        """Add the next record of the chain if it belongs to the period.

        Raises:
            Invalid: 422, the period has more than `most` records.
        """
        if problem and len(self.unfit) < _UNFIT_MAX:
            self.unfit.append((record.seq, problem))
        sound = problem != "content"
        if sound and record.content.get("kind") == "review":
            # On paper it stands beside its analysis; here the file has it, so that the chain is whole.
            self.attached.add_review(record)
            if record.content["analysisId"] in self._ids:
                self.reviews[record.content["analysisId"]] = record.content
            return
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
        self._ids.add(record.content["analysisId"])
        if len(self._all) <= LISTED_MAX:
            self._all.append(record)
        if broken_in(record.content):
            self._flagged.append(record)
            # The newest are listed; twice as many are held so that a list need not be cut each time.
            if len(self._flagged) >= 2 * LISTED_MAX:
                del self._flagged[:-LISTED_MAX]

    @property
    def newest_key(self) -> uuid.UUID | None:
        """Return the key of the newest of these analyses."""
        return uuid.UUID(self._newest_key) if self._newest_key else None

    @property
    def complete(self) -> bool:
        """Return whether every record is listed."""
        return len(self._all) <= LISTED_MAX

    @property
    def listed(self) -> Sequence[Row]:
        """Return the records to be listed, oldest first."""
        return self._all if self.complete else self._flagged[-LISTED_MAX:]


def period_document(
    collected: PeriodRecords,
    verdict: ChainVerdict,
    issuer: Issuer,
    period: Period,
    *,
    language: Language,
    now: datetime,
) -> bytes:
    """Return the document of a period as PDF. Call it outside a transaction, because it computes for seconds.

    Raises:
        Upstream: 503, no PDF can be made, or the operator's certificate is not valid.
    """
    words = translations(language)
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
        "decisions": _decisions(collected),
        "rows": [
            _row(record, issuer.subject, words, _newest(collected, record)) for record in collected.listed
        ],
    }
    made = pdf.render(
        "audit.html",
        values,
        # Figures and hashes of what was done, not the analyses themselves.
        origin="dataDrivenMedia",
        attachments=collected.attached.files(words["attachments"], now, verdict),
    )
    return signature.signed(made, reason=words["title"])


def _decisions(collected: PeriodRecords) -> dict[str, int]:
    """Return how many analyses got which decision from their newest review; `none` for those without one."""
    made = Counter(str(content["decision"]) for content in collected.reviews.values())
    return {**{one: made[one] for one in DECISIONS}, "none": collected.digest.whole.analyses - made.total()}


def _newest(collected: PeriodRecords, record: Row) -> list[Mapping[str, Any]]:
    found = collected.reviews.get(str(record.id))
    return [found] if found else []


def analysis_document(
    record: Row,
    verdict: ChainVerdict,
    issuer: Issuer,
    *,
    language: Language,
    now: datetime,
    reviews: Sequence[Mapping[str, Any]] = (),
) -> bytes:
    """Return the document of one analysis as PDF; `reviews` are the hashed contents of its reviews.

    Raises:
        Upstream: 503, no PDF can be made.
    """
    words = translations(language)
    attached = AttachmentWriter(issuer.subject.keys)
    attached.add(record, sound=fault(record, None) != "content")
    values = {
        **_frame(words, verdict, issuer, now),
        "single": True,
        "period": None,
        "r": _row(record, issuer.subject, words, reviews),
    }
    return pdf.render(
        "audit.html",
        values,
        origin="dataDrivenMedia",
        attachments=attached.files(words["attachments"], now, verdict),
    )


def _frame(words: Translations, verdict: ChainVerdict, issuer: Issuer, now: datetime) -> dict[str, Any]:
    return {
        "letterhead": issuer.letterhead,
        "subject": issuer.subject,
        "language": words.language,
        "w": words,
        "made": _moment(clock.iso(now)),
        "verdict": verdict,
        "verdict_words": words.verdict_of(verdict),
    }


def _row(
    record: Row, subject: Subject, words: Translations, reviews: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
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
        "reviews": [_review(one, subject, words) for one in reviews],
    }


def _review(content: Mapping[str, Any], subject: Subject, words: Translations) -> str:
    """Return a review in a line: what was decided, when and by whom."""
    if content["memberId"]:
        who = subject.members.get(content["memberId"], words["former_member"])
    else:
        who = _key(subject, content["apiKeyId"])[0]
    return f"{words['decisions'][content['decision']]}, {_moment(content['finishedAt'])}, {who}"


def _moment(iso: str) -> str:
    return iso[:19].replace("T", " ")


def _key(subject: Subject, key_id: str) -> tuple[str, str]:
    return subject.keys.get(key_id, ("–", ""))


def _by_key(digest: PeriodSummary, subject: Subject) -> Iterable[tuple[str, Totals]]:
    for key_id, share in _largest(digest.keys.items()):
        name, prefix = _key(subject, key_id)
        yield f"{name} ({prefix}…)" if prefix else name, share


def _largest(shares: Iterable[tuple[Any, Totals]]) -> list[tuple[Any, Totals]]:
    return sorted(shares, key=lambda pair: -pair[1].analyses)


def _shares(
    words: Translations, shares: Iterable[tuple[str, Totals]], *, most: int | None = None
) -> list[tuple[str, Totals]]:
    """Return the rows of a table; rows beyond `most` are added up in one."""
    lines = list(shares)
    if most is None or len(lines) <= most:
        return lines
    rest = Totals()
    for _, share in lines[most:]:
        rest.analyses += share.analyses
        rest.credits += share.credits
        rest.flagged += share.flagged
    return [*lines[:most], (words["others"].format(n=words.figure(len(lines) - most)), rest)]
