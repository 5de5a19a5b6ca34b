"""Credits: balance, burn rate, the threshold of `credits.low`, and the ledger."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext, ngettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as AnyResponse
from wtforms import Form, StringField
from wtforms.validators import DataRequired, Optional, ValidationError

from app import credits, tenancy, usage
from app.platform import clock, errors
from app.platform.postgres import db
from app.platform.web import http, parameters
from app.portal.usage import purchase
from app.portal.web.blueprints import site
from app.portal.web.display import charts, status_labels
from app.portal.web.display.jinja_env import figure
from app.portal.web.display.key_picker import Choice, choice
from app.portal.web.display.view_models import options
from app.portal.web.fields import Day, midnight
from app.portal.web.session import access, form_version

_PAGE = 50
_SHEET_PAGE = 1_000
_HIGHEST_MARK = 1_000_000_000
_COLUMNS = (
    "created_at", "kind", "amount", "balance_after", "key_prefix", "api_key_id",
    "operation_type", "reference_type", "reference_id", "description",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Notes:
    """Sentences beside the figures: balance, days left, burn rate, daily average."""

    available: str
    lasts: str
    at_pace: str
    average: str


class ThresholdForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """The balance below which `credits.low` is announced."""

    threshold = StringField(validators=[DataRequired(_("Enter a number of credits, or 0 for no warning."))])

    def validate_threshold(self, field: Any) -> None:
        """Check that the threshold is an integer within its bounds."""
        if self.number is None or self.number > _HIGHEST_MARK:
            raise ValidationError(gettext("Enter a whole number from 0 to 1,000,000,000, digits only."))

    @property
    def number(self) -> int | None:
        """The number typed, `None` for anything else."""
        plain = (self.threshold.data or "").strip()
        return int(plain) if plain.isascii() and plain.isdigit() and len(plain) <= 10 else None


class LedgerForm(Form):  # type: ignore[misc]  # wtforms ships no types
    """First and last day of the ledger; kind and key are chosen separately."""

    first = Day(name="from", validators=[Optional()])
    last = Day(name="to", validators=[Optional()])


@site.get("/credits", endpoint="credits")
@access.member_only(access.KEY_ROLES)
def credits_page() -> Response:
    """Show balance, burn rate, and a page of the ledger."""
    return _page(ThresholdForm())


@site.post("/credits/threshold")
@access.member_only(access.KEY_ROLES)
def set_threshold() -> AnyResponse:
    """Set the balance below which `credits.low` is announced."""
    form = ThresholdForm()
    if not form.validate() or form.number is None:
        return _page(form, 422)
    account_id = access.current_member().account_id
    with db.transaction() as session:
        form_version.take_turn(session)
        if form_version.is_stale(credits.balance(session, account_id).low_threshold):
            return _page(ThresholdForm(formdata=None), 409, is_stale=True)
        credits.set_threshold(session, account_id, form.number)
    flash(gettext("The threshold has been set."), "ok")
    return redirect(url_for("portal.credits"), 303)


@site.get("/credits.csv")
@access.member_only(access.KEY_ROLES)
def credits_sheet() -> Response:
    """Download the filtered ledger as CSV, newest first, streamed page by page."""
    account_id = access.current_member().account_id
    form = LedgerForm(request.args)
    with db.reading() as session:
        wanted = _wanted(form, choice(session, request.args.get("api_key_id")))
    if wanted is None:
        raise errors.Invalid("This range is not understood.")
    access.note("export.downloaded", details={"export": "credits"})

    def pages() -> Iterator[bytes]:
        yield _csv([_COLUMNS])
        place: int | None = None
        while True:
            with db.reading() as session:
                page = credits.entries(session, account_id, wanted, before_seq=place, limit=_SHEET_PAGE)
                keys = tenancy.keys_by_id(session, account_id, [row.api_key_id for row in page.rows])
                prefixes = {key_id: key.key_prefix for key_id, key in keys.items()}
            yield _csv([_cells(row, prefixes.get(row.api_key_id, "")) for row in page.rows])
            if page.next_seq is None:
                return
            place = page.next_seq

    name = f"credits_{clock.today()}.csv"
    return Response(
        http.streamed(pages()),
        mimetype="text/csv",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _page(threshold: ThresholdForm, status: int = 200, *, is_stale: bool = False) -> Response:
    account_id, today = access.current_member().account_id, clock.today()
    form = LedgerForm(request.args)
    with db.reading() as session:
        chosen = choice(session, request.args.get("api_key_id"))
        wanted = _wanted(form, chosen)
        place = parameters.decode_cursor(request.args.get("before") or None)
        ledger = (
            credits.entries(session, account_id, wanted, before_seq=place, limit=_PAGE) if wanted else None
        )
        names = tenancy.keys_by_id(
            session, account_id, [row.api_key_id for row in ledger.rows] if ledger else []
        )
        balance = credits.balance(session, account_id)
        spent = _spent(session)
        offered = purchase.offer(session)
    if threshold.threshold.data is None:
        threshold.threshold.data = str(balance.low_threshold)
    present = usage.burn_rate(spent, today)
    page = render_template(
        "portal/usage/credits.html",
        balance=balance,
        low=_is_low(balance),
        pace=present,
        notes=_notes(balance, present),
        plot=charts.chart(list(spent)),
        threshold=threshold,
        version=form_version.version(balance.low_threshold),
        is_stale=is_stale,
        form=form,
        kinds=options(status_labels.MOVEMENTS, request.args.get("kind", "")),
        asked={name: request.args.get(name, "") for name in ("kind", "api_key_id", "before")},
        filtered=any(request.args.get(name) for name in ("kind", "api_key_id", "from", "to")),
        keys=chosen,
        names=names,
        ledger=ledger,
        rows=[(row, row.amount > 0) for row in ledger.rows] if ledger else [],
        newest=_address("portal.credits"),
        older=_address("portal.credits", before=parameters.encode_cursor(ledger.next_seq))
        if ledger
        else None,
        sheet=_address("portal.credits_sheet"),
        offer=offered,
        bought=purchase.came_back(request.args.get("bought")),
        terms=status_labels,
        today=today,
    )
    return make_response(page, status if wanted else 422)


def _is_low(balance: credits.Balance) -> bool:
    return balance.available < balance.low_threshold


def _notes(balance: credits.Balance, present: usage.BurnRate) -> Notes:
    """Describe the balance and the burn rate."""
    lasts = present.lasts_days(balance.available)
    if lasts is not None:
        at_pace = gettext("at the current rate")
    elif present.spent:
        at_pace = gettext("more than ten years at the current rate")
    else:
        at_pace = gettext("no spending")
    return Notes(
        available=_available_note(balance),
        lasts="–" if lasts is None else status_labels.days(lasts),
        at_pace=at_pace,
        average=gettext("average of the last %(days)s", days=status_labels.days(present.days))
        if present.days
        else gettext("nothing in the last 30 days"),
    )


def _available_note(balance: credits.Balance) -> str:
    if _is_low(balance):
        return str(gettext("below your threshold of %(n)s", n=figure(balance.low_threshold)))
    if not balance.held:
        return str(gettext("none on hold"))
    return str(
        ngettext(
            "%(num)s more is on hold for work in progress",
            "%(num)s more are on hold for work in progress",
            balance.held,
        )
    )


def _wanted(form: LedgerForm, chosen: Choice) -> credits.Filter | None:
    """Return the filter of the URL; `None` where it is invalid, with the error at its field."""
    if not form.validate() or chosen.complaint:
        return None
    first, last = form.first.data, form.last.data
    if first and last and first > last:
        form.first.errors = [gettext("The first day is after the last day.")]
        return None
    kind = request.args.get("kind", "")
    return credits.Filter(
        since=midnight(first),
        until=midnight(last, days=1),
        kinds=(kind,) if kind in status_labels.MOVEMENTS else (),
        api_key_id=chosen.key_id,
    )


def _spent(session: Session) -> list[tuple[Any, int]]:
    """Return the credits of the last thirty days by day, from the usage roll-up (the ledger may be long)."""
    today = clock.today()
    question = usage.ask_of_account(
        session, access.current_member().account_id, today=today, first=today - usage.BURN_WINDOW, last=today
    )
    spent = usage.report(session, question, busiest=0, endpoints=False)
    return [(start, found.credits) for start, found in spent.buckets]


def _address(page: str, **more: str | None) -> str:
    kept = {name: request.args.get(name) for name in ("kind", "api_key_id", "from", "to")}
    values = {name: value for name, value in {**kept, **more}.items() if value}
    return f"{url_for(page)}?{urlencode(values)}" if values else url_for(page)


def _cells(row: Any, prefix: str) -> list[object]:
    return [
        clock.iso(row.created_at),
        row.kind,
        row.amount,
        row.balance_after,
        prefix,
        str(row.api_key_id or ""),
        row.operation_type or "",
        row.reference_type or "",
        row.reference_id or "",
        row.description or "",
    ]


def _csv(rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows(
        [usage.escape_formula(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return text.getvalue().encode()
