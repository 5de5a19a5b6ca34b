"""Log of requests: every call of the account's keys, searched and filtered, and the page of one call.

Its rows hold no content: what an error means comes from its code.
"""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from flask import Response, render_template, request, url_for
from flask_babel import lazy_gettext as _
from wtforms import Form
from wtforms.validators import Optional

from app import governance, tenancy, usage
from app.platform import clock, errors, settings
from app.platform.postgres import db
from app.platform.web import http
from app.portal.docs.error_codes import ERRORS, advice_template
from app.portal.web.blueprints import is_fragment, site
from app.portal.web.display import language, status_labels
from app.portal.web.display.key_picker import Choice, choice
from app.portal.web.display.labels import Words
from app.portal.web.display.view_models import options
from app.portal.web.fields import Day, identifier, midnight
from app.portal.web.session import access

SHOWN = 50
# Lines of one download; its newest are in it.
CSV_MAX = 50_000
_CSV_PAGE = 2_000
_DEFAULT_DAYS = 7
_NOTHING = "There is nothing at this address."
_LONGEST = 100

OUTCOMES: Mapping[usage.Outcome, Words] = {
    "ok": _("Answered"),
    "error": _("Errors"),
    "limited": _("Over the rate limit"),
    "server": _("Errors of the service"),
}


class DaysForm(Form):  # type: ignore[misc]  # wtforms ships no types
    """First and last day."""

    first = Day(name="from", validators=[Optional()])
    last = Day(name="to", validators=[Optional()])


@dataclass(frozen=True, slots=True)
class Wish:
    """The filter of the URL, as typed; with a request id the days do not count."""

    form: DaysForm
    key: Choice
    asked: Mapping[str, str]
    chosen: usage.CallFilter

    def arguments(self) -> dict[str, str]:
        """Return the filter as parameters of a URL."""
        return {name: value for name, value in self.asked.items() if value}


@dataclass(frozen=True, slots=True)
class CallRow:
    """A call as the list shows it."""

    call: usage.Call
    key: tenancy.ApiKey | None

    @property
    def key_name(self) -> str:
        """The name of the key, a dash for one that is gone."""
        return (self.key.child_label or self.key.name) if self.key else "–"

    @property
    def tone(self) -> str:
        """Tone and icon of the status."""
        return status_labels.answer_tone(self.call.status)

    @property
    def address(self) -> str:
        """The URL of its page."""
        return url_for("portal.logged_request", call_id=self.call.id)


@site.get("/requests", endpoint="requests")
@access.member_only(access.KEY_ROLES)
def requests_page() -> str:
    """Show the calls of a filter, newest first; for htmx, only the list."""
    me = access.current_member()
    after = identifier(request.args.get("after"), _NOTHING)
    with db.reading() as session:
        wish = _wish(session)
        calls = usage.log(session, me.account_id, wish.chosen, before=after, limit=SHOWN + 1)
        rows = _rows(session, me.account_id, calls[:SHOWN])
        today = clock.today()
        known = usage.ask_of_account(session, me.account_id, today=today, first=None, last=None)
        endpoints = sorted({*usage.endpoints(session, known), wish.asked["endpoint"]} - {""})
        session.expunge_all()
    kept = wish.arguments()
    return render_template(
        "portal/usage/_requests.html" if is_fragment() else "portal/usage/requests.html",
        rows=rows,
        wish=wish,
        outcomes=options(OUTCOMES, wish.asked["outcome"]),
        endpoints=options([(name, name) for name in endpoints], wish.asked["endpoint"]),
        codes=options([(code, code) for code in sorted({code for _, code in ERRORS})], wish.asked["code"]),
        filtered=bool(kept),
        is_first=after is None,
        here_now=_linked("portal.requests", kept),
        newest=_linked("portal.requests", kept),
        older=_linked("portal.requests", {**kept, "after": str(rows[-1].call.id)})
        if len(calls) > SHOWN
        else None,
        sheet=_linked("portal.requests_sheet", kept),
        keep_days=settings.current().usage_raw_days,
        default_days=_DEFAULT_DAYS,
        today=today,
    )


@site.get("/requests/<uuid:call_id>")
@access.member_only(access.KEY_ROLES)
def logged_request(call_id: uuid.UUID) -> str:
    """Show one call: how it ended, what its code means, and what else is known of it."""
    account_id = access.current_member().account_id
    with db.reading() as session:
        call = usage.logged(session, account_id, call_id)
        if call is None:
            raise errors.NotFound(_NOTHING)
        (row,) = _rows(session, account_id, [call])
        # Not by the search: it takes an id of digits alone, which a client may choose, for a position.
        found = governance.of_request(session, account_id, call.request_id) if call.request_id else None
        record = found.seq if found else None
        session.expunge_all()
    return render_template(
        "portal/usage/request.html",
        row=row,
        call=call,
        record=record,
        advice=advice_template(language.current()),
        has_advice=call.code in {code for _, code in ERRORS},
        same_code=_linked("portal.requests", {"code": call.code}) if call.code else None,
        same_key=_linked("portal.requests", {"key": str(call.api_key_id)}),
    )


@site.get("/requests.csv")
@access.member_only(access.KEY_ROLES)
def requests_sheet() -> Response:
    """Download the calls of a filter as CSV, newest first, at most `CSV_MAX` lines."""
    with db.reading() as session:
        wish = _wish(session)
        session.expunge_all()
    access.note("export.downloaded", details={"export": "requests"})
    return Response(
        http.streamed(_sheet(access.current_member().account_id, wish.chosen)),
        mimetype="text/csv",
        headers={"Content-Disposition": 'attachment; filename="requests.csv"'},
    )


def _sheet(account_id: uuid.UUID, chosen: usage.CallFilter) -> Iterator[bytes]:
    yield _lines(
        [("at", "request_id", "endpoint", "status", "code", "latency_ms", "credits", "key", "api_key_id")]
    )
    last, left = None, CSV_MAX
    while left > 0:
        with db.reading() as session:
            calls = usage.log(session, account_id, chosen, before=last, limit=min(_CSV_PAGE, left))
            rows = _rows(session, account_id, calls)
            lines = [
                (
                    clock.iso(row.call.at),
                    row.call.request_id or "",
                    row.call.endpoint,
                    row.call.status,
                    row.call.code or "",
                    row.call.latency_ms,
                    row.call.credits,
                    row.key_name,
                    row.call.api_key_id,
                )
                for row in rows
            ]
        if not lines:
            return
        yield _lines(lines)
        last, left = calls[-1].id, left - len(calls)


def _lines(rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(
        [usage.escape_formula(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return text.getvalue().encode()


def _rows(session: db.Session, account_id: uuid.UUID, calls: Sequence[usage.Call]) -> list[CallRow]:
    keys = tenancy.keys_by_id(session, account_id, [call.api_key_id for call in calls])
    return [CallRow(call, keys.get(call.api_key_id)) for call in calls]


def _wish(session: db.Session) -> Wish:
    """Return the filter of the URL; what is not understood does not filter, a wrong day has its error."""
    asked = {
        name: request.args.get(name, "").replace("\x00", "").strip()[:_LONGEST]
        for name in ("q", "key", "outcome", "endpoint", "code", "from", "to")
    }
    form = DaysForm(request.args)
    valid = form.validate()
    key = choice(session, asked["key"])
    outcome = next((one for one in usage.OUTCOMES if one == asked["outcome"]), None)
    chosen = usage.CallFilter(
        api_key_id=key.key_id,
        endpoint=asked["endpoint"] or None,
        outcome=outcome,
        code=asked["code"] or None,
        request_id=asked["q"] or None,
    )
    if not asked["q"]:
        first, last = (form.first.data, form.last.data) if valid else (None, None)
        until = midnight(last, days=1)
        since = midnight(first) or midnight(last or clock.today(), days=1 - _DEFAULT_DAYS)
        chosen = replace(chosen, since=since, until=until)
    return Wish(form, key, asked, chosen)


def _linked(page: str, values: Mapping[str, Any]) -> str:
    # Not by url_for: its own first parameter is called `endpoint`.
    return f"{url_for(page)}?{urlencode(values)}" if values else url_for(page)
