"""Audit trail page: the metadata of analyses, their documents, and the verification of the chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from urllib.parse import urlencode

from flask import Response, flash, redirect, render_template, request, url_for
from flask_babel import format_decimal, gettext, to_user_timezone
from werkzeug.wrappers import Response as AnyResponse

from app import governance, tenancy
from app.platform import clock
from app.platform.postgres import db
from app.platform.web import http
from app.portal.audit import sheet
from app.portal.audit.record import Row, rows_of
from app.portal.web.blueprints import is_fragment, site
from app.portal.web.display import language
from app.portal.web.display.jinja_env import period
from app.portal.web.display.key_picker import Choice, choice
from app.portal.web.session import access

SHOWN = 30
# Records of the CSV that are read at once.
_BATCH = 500


@dataclass(frozen=True, slots=True)
class ListFilter:
    """The filter of the list, as typed; days are inclusive, in UTC."""

    first: date | None
    last: date | None
    key: Choice
    flagged: bool
    # A number, hash or id of one record; with it the rest does not count.
    sought: str = ""

    @property
    def chosen(self) -> governance.Filter:
        """The filter for the query."""
        return governance.Filter(
            since=_midnight(self.first),
            until=_midnight(self.last and self.last + timedelta(days=1)),
            api_key_id=self.key.key_id,
            flagged=self.flagged,
        )

    def arguments(self) -> dict[str, str]:
        """Return the filter as parameters of a URL."""
        return {
            **({"from": str(self.first)} if self.first else {}),
            **({"to": str(self.last)} if self.last else {}),
            **({"key": self.key.typed} if self.key.typed else {}),
            **({"flagged": "1"} if self.flagged else {}),
            **({"q": self.sought} if self.sought else {}),
        }

    def noted(self) -> dict[str, str]:
        """Return the filter for the activity log: what was understood of it, and nothing that was typed."""
        return {
            **({"from": str(self.first)} if self.first else {}),
            **({"to": str(self.last)} if self.last else {}),
            **({"key": str(self.key.key_id)} if self.key.key_id else {}),
            **({"flagged": "1"} if self.flagged else {}),
        }


@site.get("/analyses")
@access.member_only()
def analyses() -> AnyResponse | str:
    """Show analyses, newest first, or those that a number, hash or id means: of one, its page.

    The chain is verified on its own page, since a long one takes a while.
    """
    me, wish = access.current_member(), _wish()
    before = request.args.get("before", "")
    with db.reading() as session:
        if wish.sought:
            records = governance.search(session, me.account_id, wish.sought, limit=SHOWN + 1)
            if len(records) == 1:
                return redirect(url_for("portal.analysis_record", seq=records[0].seq), 303)
        else:
            records = governance.page(
                session,
                me.account_id,
                wish.chosen,
                before=int(before) if before.isascii() and before.isdigit() and len(before) < 18 else None,
                limit=SHOWN + 1,
            )
        rows = rows_of(
            records[:SHOWN],
            tenancy.keys_by_id(session, me.account_id, [record.api_key_id for record in records]),
            governance.decisions(session, me.account_id, [record.request_id for record in records]),
        )
    return render_template(
        "portal/audit/analyses.html",
        rows=rows,
        groups=_by_month(rows),
        wish=wish,
        filtered=bool(wish.arguments()),
        older=rows[-1].seq if len(records) > SHOWN and not wish.sought else None,
        months=_months(clock.today()),
    )


@site.get("/analyses.csv")
@access.member_only()
def analyses_sheet() -> Response:
    """Download the filtered analyses as CSV, newest first, streamed page by page."""
    account_id, wish = access.current_member().account_id, _wish()
    access.note("export.downloaded", details={"export": "analyses", **wish.noted()})

    def pages() -> Iterator[bytes]:
        yield sheet.written([sheet.COLUMNS])
        place: int | None = None
        while True:
            with db.reading() as session:
                records = governance.page(session, account_id, wish.chosen, before=place, limit=_BATCH)
                body = sheet.lines(
                    records,
                    tenancy.keys_by_id(session, account_id, [record.api_key_id for record in records]),
                    governance.decisions(session, account_id, [record.request_id for record in records]),
                )
                place = records[-1].seq if records else None
            yield body
            if len(records) < _BATCH:
                return

    return Response(
        http.streamed(pages()),
        mimetype="text/csv",
        headers={"Content-Disposition": f'attachment; filename="analyses_{clock.today()}.csv"'},
    )


@site.get("/analyses/chain")
@access.member_only()
def chain() -> str:
    """Show whether the chain is intact: verified at once when short, else by a worker on request.

    For htmx it is a fragment, else a page.
    """
    me = access.current_member()
    with db.reading() as session:
        length = governance.length_of_chain(session, me.account_id)
        check = governance.chain_check.latest(session, me.account_id)
    verdict = check.verdict if check else None
    if length <= governance.chain_check.AT_ONCE:
        check, verdict = None, _verify(me)
    return render_template(
        "portal/audit/_chain.html" if is_fragment() else "portal/audit/chain.html",
        verdict=verdict,
        check=check,
        length=length,
        may_ask=length > governance.chain_check.AT_ONCE and (verdict is not None or check is None),
        broken=_broken(verdict),
    )


def _broken(verdict: governance.ChainVerdict | None) -> str:
    """Describe a broken chain: its first problem, and how many positions are wrong."""
    if verdict is None or verdict.problem is None:
        return ""
    seq = format_decimal(verdict.first_broken_seq)
    said = {
        "missing": gettext("The record at position %(seq)s is missing.", seq=seq),
        "link": gettext(
            "The record at position %(seq)s (%(id)s) does not contain the hash of the previous record.",
            seq=seq,
            id=verdict.first_broken,
        ),
        "content": gettext(
            "The first invalid record is %(id)s, at position %(seq)s: its content was changed.",
            seq=seq,
            id=verdict.first_broken,
        ),
        "columns": gettext(
            "The record %(id)s, at position %(seq)s, is listed with a time, key, account or request that "
            "differs from its content.",
            seq=seq,
            id=verdict.first_broken,
        ),
        "head": gettext(
            "The stored end of the chain does not match its records, at position %(seq)s.", seq=seq
        ),
        "log": gettext(
            "The transparency log has another record at position %(seq)s, or one that is gone.", seq=seq
        ),
    }[verdict.problem]
    if verdict.broken == 1:
        return str(said)
    more = gettext("In total, %(n)s positions are invalid.", n=format_decimal(verdict.broken))
    return f"{said} {more}"


@site.post("/analyses/chain")
@access.member_only()
def check_chain() -> AnyResponse:
    """Request the verification of a long chain; its page shows the progress."""
    with db.transaction() as session:
        governance.chain_check.ask(session, access.current_member().account_id)
    return redirect(url_for("portal.chain"), 303)


@site.get("/analyses/<int:seq>.pdf")
@access.member_only()
def analysis_document(seq: int) -> Response:
    """Download the audit document of one analysis as PDF."""
    body = governance.analysis_document(
        access.current_member().account_id, seq, language=language.current(), now=clock.now()
    )
    access.note("document.downloaded", details={"seq": seq})
    return pdf_file(body, f"audit_{seq}.pdf")


@site.get("/analyses/period.pdf")
@access.member_only()
def period_document() -> AnyResponse:
    """Download the audit document of a short period; for a long one, redirect to where it is ordered."""
    wish = _wish()
    if wish.first is None or wish.last is None or wish.first > wish.last:
        flash(gettext("Choose the first and the last day of the period."), "warn")
        return redirect(_back(wish), 303)
    body = governance.period_at_once(
        access.current_member().account_id,
        wish.first,
        wish.last,
        key_id=wish.key.key_id,
        flagged=wish.flagged,
        language=language.current(),
        now=clock.now(),
    )
    if body is None:
        return redirect(url_for("portal.documents") + "?" + urlencode(wish.arguments()), 303)
    access.note("document.downloaded", details={"from": str(wish.first), "to": str(wish.last)})
    return pdf_file(body, f"audit_{wish.first}_{wish.last}.pdf")


def pdf_file(body: bytes | Iterator[bytes], name: str, *, size: int | None = None) -> Response:
    """Return a PDF for download; one in parts is streamed."""
    answer = Response(body, mimetype="application/pdf")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    if size is not None:
        answer.content_length = size
    return answer


def _back(wish: ListFilter) -> str:
    return url_for("portal.analyses") + "?" + urlencode(wish.arguments())


def _verify(me: access.CurrentMember) -> governance.ChainVerdict:
    with db.reading() as session:
        return governance.verify_chain(session, me.account_id)


def _wish() -> ListFilter:
    with db.reading() as session:
        key = choice(session, request.args.get("key", "").replace("\x00", ""))
        session.expunge_all()
    return ListFilter(
        first=_day(request.args.get("from")),
        last=_day(request.args.get("to")),
        key=key,
        flagged=request.args.get("flagged") == "1",
        sought=request.args.get("q", "").replace("\x00", "").strip()[:200],
    )


def _day(given: str | None) -> date | None:
    try:
        return date.fromisoformat(given or "")
    except ValueError:
        return None


def _midnight(day: date | None) -> datetime | None:
    return datetime.combine(day, time(), UTC) if day else None


def _by_month(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Return the rows under the names of their months, in the account's time zone and in their order."""
    months = groupby(rows, key=lambda row: to_user_timezone(row.at).date().replace(day=1))
    return [(period(first, "month"), list(some)) for first, some in months]


def _months(today: date) -> list[tuple[date, date]]:
    """Return first and last day of this month so far and of the last month."""
    first = today.replace(day=1)
    before = first - timedelta(days=1)
    return [(first, today), (before.replace(day=1), before)]
