"""Jinja globals and filters: names, URLs, labels, and numbers and dates in the visitor's language."""

from __future__ import annotations

import hashlib
from datetime import date, datetime
from functools import cache, lru_cache
from typing import Any, NamedTuple

from babel import dates, numbers
from flask import Flask, Response, g, request, url_for
from flask_babel import (
    format_datetime,
    format_time,
    gettext,
    to_user_timezone,
)

from app.platform import clock, settings
from app.platform.catalogue import SOURCE
from app.platform.web.openapi import API_VERSION
from app.portal.web import fields
from app.portal.web.display import labels, language, menu, preferences
from app.portal.web.session import access
from app.text.bilingual import Language, pick

STATIC = settings.PROJECT / "static"


class InputKind(NamedTuple):
    """How the field of an HTML input type behaves."""

    is_secret: bool = False
    is_address: bool = False


INPUT_KINDS = {
    "text": InputKind(),
    "password": InputKind(is_secret=True),
    "email": InputKind(is_address=True),
    "url": InputKind(is_address=True),
}


def install(app: Flask, config: settings.Settings) -> None:
    """Register globals and filters. None of them queries Redis or the database by itself."""
    app.jinja_env.globals.update(
        service_name=config.service_name,
        api_version=API_VERSION,
        asset=asset,
        back_here=back_here,
        language=language.current,
        territory=language.territory,
        languages_offered=language.offered,
        themes_offered=preferences.themes_offered,
        fixed_theme=preferences.fixed_theme,
        flash_icon=flash_icon,
        complaints=fields.complaints,
        is_first_error=is_first_error,
        input_kinds=INPUT_KINDS,
        current_member=access.current_member,
        menu=menu.menu,
        words=labels,
        error_words=error_words,
    )
    app.jinja_env.filters.update(
        figure=figure,
        stamp=stamp,
        moment=moment,
        date=whole_day,
        clock=time_of_day,
        day=day,
        period=period,
        tick=tick,
        lapse=lapse,
        measured=measured,
        percent=percent,
    )
    app.after_request(_keep_assets)


def asset(name: str) -> str:
    """Return the URL of a file in `static/`, with a hash of its content, so that browsers may cache it."""
    # A page names its icons hundreds of times.
    known = g.setdefault("assets", {})
    if name not in known:
        mark = _mark(name) if has_asset(name) else ""
        known[name] = url_for("static", filename=name, v=mark or None)
    return str(known[name])


def has_asset(name: str) -> bool:
    """Return whether the file exists; `static/vendor` is made by `make assets`."""
    return (STATIC / name).is_file()


@cache
def _mark(name: str) -> str:
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]


def back_here() -> str:
    """Return the URL of this page, to return to after a change of language or theme."""
    return request.full_path.rstrip("?") if request.method == "GET" else request.path


def flash_icon(tone: str) -> str:
    """Return the icon of a message of this tone."""
    return "ok" if tone == "ok" else "warn"


def is_first_error() -> bool:
    """Return True once a page: its first wrong field, which has the focus."""
    is_first = not g.get("has_error", False)
    g.has_error = True
    return is_first


def figure(value: float) -> str:
    """Format a number: 12,345 in English, 12.345 in Spanish."""
    # Most figures of a long list are small, and need no rules of any language.
    if isinstance(value, int) and 0 <= value < 1000:
        return str(value)
    return _decimal(value, language.current())


# A year of charts writes the same days four times, and many a figure twice; Babel takes 50 microseconds each.
@lru_cache(maxsize=4096)
def _decimal(value: float, spoken: str, form: str | None = None) -> str:
    return str(numbers.format_decimal(value, form, locale=language.LOCALES[spoken]))


@lru_cache(maxsize=4096)
def _date(value: date, form: str, spoken: str) -> str:
    return str(dates.format_date(value, form, locale=language.LOCALES[spoken]))


def _day(value: date, form: str) -> str:
    # The day of a moment is that of the account's time zone.
    whole = to_user_timezone(value).date() if isinstance(value, datetime) else value
    return _date(whole, form, language.current())


def stamp(value: datetime) -> str:
    """Format date and time in the account's time zone: 20 Nov 2026, 11:44."""
    return str(format_datetime(value, "d MMM y, HH:mm"))


def moment(value: datetime) -> str:
    """Format date and time in the account's time zone, shorter for today: Today, 11:44."""
    if to_user_timezone(value).date() == to_user_timezone(clock.now()).date():
        return str(gettext("Today, %(time)s", time=format_time(value, "HH:mm")))
    return stamp(value)


def time_of_day(value: datetime) -> str:
    """Format the time of day in the account's time zone: 11:44."""
    return str(format_time(value, "HH:mm"))


def whole_day(value: date | str) -> str:
    """Format a day with its year: 20 Nov 2026; also of an ISO date."""
    return _day(date.fromisoformat(value) if isinstance(value, str) else value, "d MMM y")


def day(value: date, *, weekday: bool = False) -> str:
    """Format a day without its year: 20 Nov, or Fri 20 Nov."""
    return _day(value, "EEE d MMM" if weekday else "d MMM")


def period(start: date, granularity: str) -> str:
    """Format a day, a week or a month: Fri 20 Nov, Week of 16 Nov, November 2026."""
    if granularity == "month":
        name = _day(start, "MMMM y")
        return name[:1].upper() + name[1:]
    if granularity == "week":
        return str(gettext("Week of %(day)s", day=whole_day(start)))
    return day(start, weekday=True)


def tick(value: date, granularity: str) -> str:
    """Format a date below a chart: its month, or its day."""
    return period(value, "month") if granularity == "month" else day(value)


def lapse(milliseconds: int) -> str:
    """Format a duration: 420 ms, 6.9 s."""
    if milliseconds < 1000:
        return f"{milliseconds}\u00a0ms"
    form = "#,##0.#" if milliseconds < 10_000 else "#,##0"
    return f"{_decimal(milliseconds / 1000, language.current(), form)}\u00a0s"


def measured(value: int, unit: str) -> str:
    """Format a chart's value by its unit, `figure` or `lapse` (milliseconds)."""
    return lapse(value) if unit == "lapse" else figure(value)


def percent(part: float, whole: float, places: int = 2) -> str:
    """Format `part` of `whole` as a percentage: 1.16% in English, 1,16 % in Spanish; 0 where `whole` is 0."""
    return _share(part / whole if whole else 0.0, places, language.current())


@lru_cache(maxsize=4096)
def _share(value: float, places: int, spoken: Language) -> str:
    space = pick(spoken, "\u00a0", "")
    form = f"#,##0.{'#' * places}{space}%" if places else f"#,##0{space}%"
    return str(numbers.format_percent(value, form, locale=language.LOCALES[spoken]))


def error_words(status: int, message: str) -> dict[str, Any]:
    """Return heading and text of an error page.

    A message without a translation is replaced by the general text of its status.
    """
    heading, text = labels.ERRORS.get(status) or labels.ERRORS[500 if status >= 500 else 400]
    spoken = language.current() == SOURCE or gettext(message) != message
    return {"heading": heading, "text": gettext(message) if spoken else text}


def _keep_assets(response: Response) -> Response:
    if request.endpoint == "static" and request.args.get("v") and response.status_code in (200, 304):
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response
