"""Usage page: the report of `GET /api/v1/usage` as charts, tables and CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import Any, Literal
from urllib.parse import urlencode

from flask import Response, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as AnyResponse
from wtforms import Form
from wtforms.validators import Optional

from app import tenancy, usage
from app.platform import clock, errors
from app.platform.postgres import db
from app.platform.web import http
from app.portal.web.blueprints import is_fragment, site
from app.portal.web.display import charts, comparison, jinja_env, key_picker, status_labels
from app.portal.web.display.key_picker import Choice, choice
from app.portal.web.display.view_models import flags, options
from app.portal.web.fields import Day, identifier
from app.portal.web.session import access

# Days up to today, it included, as all pages count them, and the period that reads best.
PRESETS: tuple[tuple[int, usage.Granularity], ...] = ((7, "day"), (30, "day"), (90, "day"), (365, "week"))
ROWS = 50
# What an address keeps when its days change.
_KEPT = ("api_key_id", "organization_id", "endpoint", "sort")
# With more keys in use than this, the table by key is for at most so many days.
_MANY_KEYS, _DAYS_OF_MANY = 1_000, 31


class RangeForm(Form):  # type: ignore[misc]  # wtforms ships no types
    """First and last day; the other filters are chosen separately."""

    first = Day(name="from", validators=[Optional()])
    last = Day(name="to", validators=[Optional()])


@dataclass(frozen=True, slots=True)
class FormChoices:
    """The choices in the lists of the form."""

    keys: Choice
    organizations: Sequence[tenancy.Organization]
    endpoints: Sequence[str]


@dataclass(frozen=True, slots=True)
class Notes:
    """The sentence beside each chart of the report."""

    calls: str
    errors: str
    latency: str
    credits: str


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """The parsed URL; `question` is `None` where it is invalid, with the error in the form."""

    form: RangeForm
    chosen: Choice
    question: usage.ReportQuery | None


@site.get("/usage", endpoint="usage")
@access.member_only(access.KEY_ROLES)
def usage_page() -> Response:
    """Show the report of a range, compared with the period of the same length before.

    The table by key is loaded after the page where the account has many keys, because it takes the longest.
    """
    found = before = None
    with db.reading() as session:
        asked = _asked(session)
        question = asked.question
        keys = _place_of_keys(session, asked)
        if question is not None:
            found = usage.report(session, question, busiest=ROWS if keys == "here" else 0, order=_order())
            earlier = _earlier(question)
            before = usage.report(session, earlier, busiest=0, endpoints=False) if earlier else None
        offered = _offered(session, asked.chosen, question, found)
    page = render_template(
        "portal/usage/usage.html",
        form=asked.form,
        granularity=_granularity(),
        granularities=options(
            [(name, status_labels.GRANULARITIES[name]) for name in usage.GRANULARITIES], _granularity()
        ),
        organizations=options(
            [(str(one.id), one.name) for one in offered.organizations],
            request.args.get("organization_id", ""),
        ),
        endpoints=options([(name, name) for name in offered.endpoints], request.args.get("endpoint", "")),
        is_daily=found is not None and found.question.granularity == "day",
        presets=_presets(question),
        offered=offered,
        found=found,
        before=before,
        days=_length(question) if question else 0,
        filtered=any(request.args.get(name) for name in _KEPT if name != "sort"),
        sorted_by=_sorted_by(question),
        notes=_notes(found, before, _length(question)) if found and question else None,
        plots=_plots(found, before) if found else None,
        rows=ROWS,
        is_cut=found is not None and found.keys > ROWS,
        keys_are=flags(keys),
        many_keys=_MANY_KEYS,
        most_days=_DAYS_OF_MANY,
        requests=_requests(question),
        by_endpoint=_endpoints_in_order(found) if found else [],
        most_calls=max((figures.calls for _, figures in found.by_endpoint), default=0) if found else 0,
        has_table=found is not None and len(found.buckets) <= charts.POINTED_AT,
        same=partial(_address, question=question) if question else None,
        terms=status_labels,
        today=clock.today(),
    )
    return make_response(page, 200 if found else 422)


@site.get("/usage/keys")
@access.member_only(access.KEY_ROLES)
def usage_keys() -> str | AnyResponse:
    """Show the busiest keys of the range; for htmx, only the table."""
    found = None
    with db.reading() as session:
        asked = _asked(session)
        question = asked.question
        if question is not None and _place_of_keys(session, asked) != "nowhere":
            # Its periods are not shown: the fewest are the quickest.
            few = replace(question, granularity="month")
            found = usage.report(session, few, busiest=ROWS, endpoints=False, order=_order())
    if question is None or found is None:
        return _back_to_the_form()
    return render_template(
        "portal/usage/_usage_keys.html" if is_fragment() else "portal/usage/usage_keys.html",
        found=found,
        rows=ROWS,
        is_cut=found.keys > ROWS,
        sorted_by=_sorted_by(question),
        same=partial(_address, question=question),
        terms=status_labels,
    )


@site.get("/usage/periods")
@access.member_only(access.KEY_ROLES)
def usage_periods() -> str | AnyResponse:
    """Show the values of the charts as a table."""
    with db.reading() as session:
        asked = _asked(session)
        found = usage.report(session, asked.question, busiest=0, endpoints=False) if asked.question else None
    if found is None:
        return _back_to_the_form()
    return render_template(
        "portal/usage/usage_periods.html",
        found=found,
        same=partial(_address, question=found.question),
        terms=status_labels,
    )


@site.get("/usage.csv")
@access.member_only(access.KEY_ROLES)
def usage_sheet() -> Response:
    """Download the range as CSV: one line for each period, key and endpoint with calls."""
    form = RangeForm(request.args)
    with db.reading() as session:
        chosen = choice(session, request.args.get("api_key_id"))
        if chosen.complaint:
            raise errors.NotFound("There is no API key with this id.")
        question = _question(session, form, chosen)
    name = f"usage_{question.first}_{question.last}_{question.granularity}.csv"
    access.note("export.downloaded", details={"export": "usage"})
    return Response(
        http.streamed(usage.export_csv(question, wide=True)),
        mimetype="text/csv",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _asked(session: Session) -> ReportRequest:
    form = RangeForm(request.args)
    chosen = choice(session, request.args.get("api_key_id"))
    try:
        question = None if chosen.complaint else _question(session, form, chosen)
    except errors.Invalid:
        question = None
    return ReportRequest(form, chosen, question)


def _back_to_the_form() -> AnyResponse:
    """Redirect to the usage page, which shows what is wrong with the URL."""
    form = _linked("portal.usage", request.args.to_dict())
    if is_fragment():
        # A redirect would be followed inside the page and put all of it into a corner.
        return Response(status=204, headers={"HX-Redirect": form})
    return redirect(form, 303)


def _question(session: Session, form: RangeForm, chosen: Choice) -> usage.ReportQuery:
    """Return the question of the URL. Raises `Invalid`, with the error at its field, or `NotFound`."""
    if not form.validate():
        raise errors.Invalid("This range is not understood.")
    endpoint = request.args.get("endpoint", "")
    if not endpoint.isprintable():
        raise errors.NotFound("There is nothing at this address.")
    try:
        return usage.ask_of_account(
            session,
            access.current_member().account_id,
            today=clock.today(),
            first=form.first.data or _first(form.last.data),
            last=form.last.data,
            granularity=_granularity(),
            api_key_id=chosen.key_id,
            endpoint=endpoint or None,
            organization_id=identifier(
                request.args.get("organization_id"), "There is no organization with this id."
            ),
        )
    except errors.Invalid as refused:
        longest = (refused.details or {}).get("max")
        form.first.errors = [
            gettext("Choose at most %(n)s days.", n=longest)
            if longest
            else gettext("The first day is after the last day.")
        ]
        raise


def _first(last: date | None) -> date | None:
    """Return the first of the thirty days up to `last` or today; `None` where the calendar has none."""
    end = min(last or clock.today(), clock.today())
    return end - usage.BURN_WINDOW if end - date.min >= usage.BURN_WINDOW else None


def _place_of_keys(session: Session, asked: ReportRequest) -> Literal["here", "apart", "nowhere"]:
    """Return where the table by key is shown: on the page, on its own, or only in the CSV."""
    question = asked.question
    if question is None or question.api_key_id or not asked.chosen.many:
        return "here"
    if question.family:
        return "here" if len(question.family.keys) <= key_picker.OFFERED else "apart"
    if (question.last - question.first).days < _DAYS_OF_MANY:
        return "apart"
    in_use = tenancy.count_keys(session, question.account_id, now=clock.now()).in_use
    return "apart" if in_use <= _MANY_KEYS else "nowhere"


def _granularity() -> usage.Granularity:
    asked = request.args.get("granularity", "")
    return next((known for known in usage.GRANULARITIES if known == asked), "day")


def _order() -> usage.Order:
    asked = request.args.get("sort")
    return next((known for known in usage.ORDERS if known == asked), "calls")


def _sorted_by(question: usage.ReportQuery | None) -> dict[str, tuple[str, bool]]:
    """Return, for each figure that keys can be in order of, the URL and whether it is the present one."""
    if question is None:
        return {}
    return {name: (_address("portal.usage", question, sort=name), name == _order()) for name in usage.ORDERS}


def _requests(question: usage.ReportQuery | None) -> str:
    """Return the URL of the log of requests for the same days, key and endpoint."""
    if question is None:
        return _linked("portal.requests", {})
    values = {"from": str(question.first), "to": str(question.last)}
    if question.api_key_id:
        values["key"] = str(question.api_key_id)
    if question.endpoint:
        values["endpoint"] = question.endpoint
    return _linked("portal.requests", values)


def _endpoints_in_order(found: usage.Report) -> list[tuple[str, usage.Figures]]:
    """Return the endpoints by the figure of which keys are in order, too, the greatest first."""
    return sorted(found.by_endpoint, key=lambda one: getattr(one[1], _order()), reverse=True)


def _earlier(question: usage.ReportQuery) -> usage.ReportQuery | None:
    """Return the same question for the period before; `None` before the calendar begins."""
    length = question.last - question.first + timedelta(days=1)
    if question.first - date.min < length:
        return None
    return replace(question, first=question.first - length, last=question.first - timedelta(days=1))


def _offered(
    session: Session, chosen: Choice, question: usage.ReportQuery | None, found: usage.Report | None
) -> FormChoices:
    account_id = access.current_member().account_id
    if question is not None and (question.endpoint or question.api_key_id or question.family):
        known = usage.endpoints(session, replace(question, endpoint=None, api_key_id=None, family=None))
    else:
        known = [name for name, _ in found.by_endpoint] if found else []
    asked = question.endpoint if question else None
    return FormChoices(
        keys=chosen,
        organizations=tenancy.organizations_of(session, account_id),
        endpoints=sorted({*known, *([asked] if asked else [])}),
    )


def _presets(question: usage.ReportQuery | None) -> list[tuple[str, str, bool]]:
    """Return name, URL and whether it is shown for each preset; the other filters are kept."""
    today, found = clock.today(), []
    kept = {name: request.args[name] for name in _KEPT if request.args.get(name)}
    month = today.replace(day=1)
    before = month - timedelta(days=1)
    ranges: list[tuple[str, date, date, usage.Granularity]] = [
        (gettext("This month"), month, today, "day"),
        (gettext("Last month"), before.replace(day=1), before, "day"),
        *(
            (
                gettext("12 months") if days == 365 else status_labels.days(days),
                today - timedelta(days=days - 1),
                today,
                granularity,
            )
            for days, granularity in PRESETS
        ),
    ]
    for name, first, last, granularity in ranges:
        shown = question is not None and (question.first, question.last) == (first, last)
        values: dict[str, Any] = {"from": str(first), "granularity": granularity, **kept}
        if last != today:
            values["to"] = str(last)
        if first == today - usage.BURN_WINDOW:
            values = kept
        found.append((name, _linked("portal.usage", values), shown))
    return found


def _address(page: str, question: usage.ReportQuery, **changed: str) -> str:
    """Return the URL of another page for the same question, with explicit days."""
    values: dict[str, Any] = {"from": str(question.first), "to": str(question.last)}
    values["granularity"] = question.granularity
    values.update((name, request.args[name]) for name in _KEPT if request.args.get(name))
    return _linked(page, {**values, **changed})


def _linked(page: str, values: dict[str, Any]) -> str:
    # Not by url_for: its own first parameter is called `endpoint`.
    return f"{url_for(page)}?{urlencode(values)}" if values else url_for(page)


def _plots(found: usage.Report, before: usage.Report | None) -> dict[str, charts.Chart]:
    """Return the four charts; the period before is drawn only with daily values."""
    daily = found.question.granularity == "day"
    earlier = before.buckets if before and daily and before.totals.calls else []
    return {
        "calls": charts.chart([(start, item.calls) for start, item in found.buckets], is_daily=daily),
        "errors": charts.chart([(start, item.errors) for start, item in found.buckets], is_daily=daily),
        "latency": charts.chart(_latencies(found.buckets), _latencies(earlier), is_daily=daily),
        "credits": charts.chart([(start, item.credits) for start, item in found.buckets], is_daily=daily),
    }


def _length(question: usage.ReportQuery) -> int:
    """Return the number of days of the range."""
    return (question.last - question.first).days + 1


def _notes(found: usage.Report, before: usage.Report | None, days: int) -> Notes:
    """Describe the figures, compared with the period before."""
    now, was = found.totals, before.totals if before else None
    latency = [
        gettext("median %(t)s", t=jinja_env.lapse(now.latency_p50_ms)),
        comparison.latency(now, was),
    ]
    return Notes(
        calls=comparison.calls(now, was, days)
        or gettext("none in the %(days)s before", days=status_labels.days(days)),
        errors=comparison.error_share(now, was),
        latency="; ".join(part for part in latency if part),
        credits=comparison.credits_a_day(now, was, days),
    )


def _latencies(buckets: Sequence[tuple[date, usage.Figures]]) -> list[charts.Value]:
    return [(start, item.latency_p95_ms if item.calls else None) for start, item in buckets]
