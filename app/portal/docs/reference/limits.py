"""Descriptions of the limits of a field in the visitor's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from flask_babel import gettext
from flask_babel import lazy_gettext as _

from app.portal.docs.reference.fields import Limit, Unit
from app.portal.web.display.jinja_env import figure
from app.portal.web.display.labels import Words


class _Forms(NamedTuple):
    between: Words
    least: Words
    most: Words


_FORMS: Mapping[Unit, _Forms] = {
    "characters": _Forms(
        _("%(low)s to %(high)s characters"), _("at least %(n)s characters"), _("at most %(n)s characters")
    ),
    "entries": _Forms(
        _("%(low)s to %(high)s entries"), _("at least %(n)s entries"), _("at most %(n)s entries")
    ),
    "value": _Forms(_("%(low)s to %(high)s"), _("%(n)s or more"), _("%(n)s or less")),
}


def limit_words(limit: Limit) -> str:
    """Describe a limit: "8 to 200 characters", "Each: at most 50 entries"."""
    said = _bounds(limit)
    if not limit.each:
        return said
    each = gettext("Each item:")
    return f"{each} {said}"


def _bounds(limit: Limit) -> str:
    forms, low, high = _FORMS[limit.unit], limit.low, limit.high
    if low is not None and high is not None:
        if limit.unit == "characters" and low == high:
            return str(gettext("%(n)s characters", n=figure(low)))
        return str(forms.between) % {"low": figure(low), "high": figure(high)}
    if low is not None:
        return str(forms.least) % {"n": figure(low)}
    if high is not None:
        return str(forms.most) % {"n": figure(high)}
    return ""
