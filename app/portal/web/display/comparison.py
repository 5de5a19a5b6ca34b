"""Sentences that compare the usage of a period with that of the period before."""

from __future__ import annotations

from flask_babel import gettext, ngettext

from app import usage
from app.portal.web.display import status_labels
from app.portal.web.display.jinja_env import figure, lapse, percent


def calls(now: usage.Figures, before: usage.Figures | None, days: int) -> str:
    """Describe the change of the number of calls; empty where there were none before."""
    if before is None or not before.calls:
        return ""
    span = status_labels.days(days)
    if now.calls > before.calls:
        more = percent(now.calls - before.calls, before.calls, 0)
        return str(gettext("%(p)s more than the %(days)s before", p=more, days=span))
    if now.calls < before.calls:
        fewer = percent(before.calls - now.calls, before.calls, 0)
        return str(gettext("%(p)s fewer than the %(days)s before", p=fewer, days=span))
    return str(gettext("as many as the %(days)s before", days=span))


def latency(now: usage.Figures, before: usage.Figures | None) -> str:
    """Describe the change of the 95th percentile; empty without a change or without calls before."""
    if before is None or not before.calls:
        return ""
    change = now.latency_p95_ms - before.latency_p95_ms
    if change < 0:
        return str(gettext("%(t)s faster than before", t=lapse(-change)))
    if change > 0:
        return str(gettext("%(t)s slower than before", t=lapse(change)))
    return ""


def error_rate_before(before: usage.Figures | None) -> str:
    """Describe the share of errors in the period before; empty where it had no calls."""
    if before is None or not before.calls:
        return ""
    return str(gettext("was %(p)s", p=percent(before.errors, before.calls, 1)))


def credits_a_day(now: usage.Figures, before: usage.Figures | None, days: int) -> str:
    """Describe the credits spent per day, now and before."""
    said = str(gettext("%(n)s a day", n=figure(round(now.credits / days, 1))))
    if before is None or not before.calls:
        return said
    was = gettext("was %(n)s", n=figure(round(before.credits / days, 1)))
    return f"{said}, {was}"


def error_calls(now: usage.Figures, before: usage.Figures | None) -> str:
    """Describe the number of errors, and their share before."""
    said = str(ngettext("%(n)s call", "%(n)s calls", now.errors, n=figure(now.errors)))
    was = error_rate_before(before)
    return f"{said}, {was}" if was else said


def error_share(now: usage.Figures, before: usage.Figures | None) -> str:
    """Describe the share of errors, now and before, and the calls over the rate limit."""
    said = str(gettext("%(p)s of calls", p=percent(now.errors, now.calls, 1)))
    if was := error_rate_before(before):
        said += f", {was}"
    if now.rate_limited:
        limited = gettext("%(n)s over the rate limit", n=figure(now.rate_limited))
        said += f"; {limited}"
    return said
