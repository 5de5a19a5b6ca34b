"""Labels for usage, credits, jobs, webhooks, keys and organizations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from flask_babel import format_decimal, gettext, ngettext
from flask_babel import lazy_gettext as _

from app.portal.web.display.labels import Words
from app.tenancy import KeyStatus
from app.webhooks import Endpoint

# A key that expires within this time is said to expire soon.
EXPIRY_NOTICE = timedelta(days=14)
GRANULARITIES: Mapping[str, Words] = {"day": _("Day"), "week": _("Week"), "month": _("Month")}
KEY_ROLES: Mapping[str, Words] = {
    "solo": _("solo key"),
    "master": _("master key"),
    "child": _("child key"),
}
MOVEMENTS: Mapping[str, Words] = {
    "consumption": _("Consumption"),
    "purchase": _("Purchase"),
    "refund": _("Refund"),
    "admin_gift": _("Grant"),
}
OPERATIONS: Mapping[str, Words] = {
    "analyze": _("Analysis"),
    "analyze_batch": _("Batch analysis"),
}
EVENTS: Mapping[str, Words] = {
    "analysis.completed": _("Job completed"),
    "analysis.failed": _("Job failed"),
    "credits.low": _("Credits are low"),
    "credits.alert": _("Share of the credits spent"),
    "spend_cap.alert": _("Share of a cap spent"),
    "normativa.updated": _("Law changed"),
    "judgment.cited": _("Judgment cited"),
    "webhook.test": _("Test"),
}
EVENT_HINTS: Mapping[str, Words] = {
    "analysis.completed": _("An asynchronous job completed; its result is available."),
    "analysis.failed": _("An asynchronous job failed; nothing was charged."),
    "credits.low": _(
        "The balance fell below your threshold. Sent once, until a top-up raises it above the threshold "
        "again."
    ),
    "credits.alert": _(
        "Half, four fifths or all of the credits that were there after the last top-up are spent. Each is "
        "sent once until the next top-up."
    ),
    "spend_cap.alert": _(
        "A key has spent half, four fifths or all of its monthly cap. Each is sent once a month."
    ),
    "normativa.updated": _("A load changed a law or an article that the account watches."),
    "judgment.cited": _("A loaded judgment cites one that the account watches."),
}
STATUSES: Mapping[str, Words] = {
    "pending": _("Pending"),
    "success": _("Delivered"),
    "failed": _("Failed, will be retried"),
    "exhausted": _("Exhausted"),
}
STATUS_TONES: Mapping[str, str] = {"pending": "", "success": "ok", "failed": "warn", "exhausted": "bad"}
STATUS_ICONS: Mapping[str, str] = {"pending": "clock", "success": "ok", "failed": "warn", "exhausted": "bad"}
JOB_STATUSES: Mapping[str, Words] = {
    "pending": _("Waiting"),
    "running": _("Running"),
    "completed": _("Completed"),
    "failed": _("Failed"),
    "cancelled": _("Cancelled"),
}
JOB_TONES: Mapping[str, str] = {
    "pending": "", "running": "", "completed": "ok", "failed": "bad", "cancelled": "",
}  # fmt: skip
JOB_ICONS: Mapping[str, str] = {
    "pending": "clock", "running": "clock", "completed": "ok", "failed": "bad", "cancelled": "bad",
}  # fmt: skip
# `jobs.meaning` has these sentences; they stand here for their translation.
JOB_ERRORS = (
    _(
        "The stored documents of this job are no longer available; you were not charged. Submit the job "
        "again."
    ),
    _("Failed after 3 attempts (worker crash); you were not charged."),
    _("The job was not started in time; you were not charged. Submit it again."),
    _("The job exceeded its maximum run time; you were not charged."),
    _("The API key was revoked before the job started; you were not charged."),
    _("The model returned no usable answer; you were not charged."),
    _("No model was available; you were not charged. Submit the job again later."),
    _("The enforcement policy withheld the analysis because of a broken citation; you were not charged."),
    _("A part of the service was unavailable for too long; you were not charged. Submit the job again."),
    _("Internal error; you were not charged. If it happens again, send the job id to support."),
)
REASONS: Mapping[str, Words] = {
    "gone": _("The receiver answered 410 Gone."),
    "exhausted": _("Twenty deliveries in a row ran out of attempts."),
}

# What the citator says of an authority, and of one authority's act on another.
STANDINGS: Mapping[str, Words] = {
    "good": _("Good law: nothing known against it"),
    "caution": _("Caution: limited or struck down in part"),
    "overruled": _("Overruled"),
    "annulled": _("Annulled"),
    "repealed": _("No longer in force"),
    "superseded": _("Amended since"),
    "unknown": _("Unknown: no loaded text says so either way"),
}
STANDING_TONES: Mapping[str, str] = {
    "good": "ok", "caution": "warn", "overruled": "bad", "annulled": "bad", "repealed": "bad",
    "superseded": "warn", "unknown": "",
}  # fmt: skip
TREATMENTS: Mapping[str, Words] = {
    "cites": _("cites"),
    "follows": _("follows"),
    "distinguishes": _("distinguishes"),
    "overrules": _("overrules"),
    "annuls": _("annuls"),
    "declares_unconstitutional": _("declares unconstitutional"),
    "upholds_conditionally": _("upholds on a condition"),
    "amends": _("amends"),
    "repeals": _("repeals"),
}
VOICES: Mapping[str, Words] = {
    "nexus": _("The service"),
    "partner": _("Your brand"),
    "none": _("No name"),
}
VOICE_HINTS: Mapping[str, Words] = {
    "nexus": _("The service keeps its own name."),
    "partner": _("Your brand name replaces the name of the service."),
    "none": _("Analyses show no name; audit documents show yours."),
}


# What the sender writes down when no answer came (webhooks/delivery.py).
_NETWORK: Mapping[str, Words] = {
    "could not connect": _("could not connect"),
    "TLS failed": _("TLS failed"),
    "timed out": _("timed out"),
    "the signing secret cannot be decrypted; rotate it": _(
        "the signing secret cannot be decrypted; rotate it"
    ),
    "internal error of the service": _("internal error of the service"),
}

# States of keys; a key that is revoked counts as revoked, whatever its end.
KEY_STATES: Mapping[str, Words] = {
    "in_use": _("Works"),
    "expired": _("Expired"),
    "revoked": _("Revoked"),
}

# Why a key opens nothing; how it is called on the page of its organization, where it can be let in again.
KEY_ENDS: Mapping[str, Words] = {
    "revoked": _("Revoked"),
    "expired": _("Expired"),
    "master_revoked": _("Master revoked"),
    "master_expired": _("Master expired"),
    "organization_deleted": _("Organization deleted"),
}


@dataclass(frozen=True, slots=True)
class Tag:
    """A state as a label: tone (`ok`, `warn`, `bad` or empty), icon and word."""

    tone: str
    icon: str
    word: Words


def fails(row: Endpoint) -> bool:
    """Return whether the last attempt to reach a webhook failed."""
    failed, arrived = row.last_failure_at, row.last_delivery_at
    return failed is not None and (arrived is None or failed > arrived)


def webhook_tag(row: Endpoint) -> Tag:
    """Return the label of a webhook's state."""
    if row.active and fails(row):
        return Tag("warn", "warn", _("Failing"))
    if row.active:
        return Tag("ok", "ok", _("Works"))
    if row.deactivated_because:
        return Tag("bad", "bad", _("Deactivated"))
    return Tag("", "pause", _("Paused"))


def key_tag(found: KeyStatus, soon: datetime, paused: Words | None = None) -> Tag:
    """Return the label of a key's state, in the words of every page.

    A key that is about to expire is said to, also while it rotates. `paused` is the word for a revoked key
    that can be reactivated.
    """
    if found.end == "revoked":
        return Tag("", "pause" if paused else "bad", paused or KEY_ENDS["revoked"])
    if found.end == "organization_deleted":
        return Tag("", "bad", KEY_ENDS[found.end])
    if found.end:
        return Tag("bad", "bad", KEY_ENDS[found.end])
    if found.stops_at and found.stops_at <= soon:
        return Tag("warn", "warn", _("Expires soon"))
    if found.rotating:
        return Tag("warn", "clock", _("Rotating"))
    return Tag("ok", "ok", _("Works"))


def answer_tone(status: int) -> str:
    """Return tone and icon of an HTTP status: success, client error, server error."""
    if status < 400:
        return "ok"
    return "warn" if status < 500 else "bad"


def key_end(found: KeyStatus) -> str:
    """Describe why a key is not accepted, in lower case; empty while it is."""
    return str(KEY_ENDS[found.end]).lower() if found.end else ""


def answer_words(code: int | None, error: str | None) -> str:
    """Describe the result of a delivery attempt."""
    if code is not None and 200 <= code < 300:
        return str(gettext("answered %(code)s", code=code))
    if code == 410:
        return str(gettext("answered 410 Gone"))
    if code is not None and 300 <= code < 400:
        return str(gettext("answered %(code)s; redirects are not followed", code=code))
    if code is not None:
        return str(gettext("answered %(code)s; any 2xx is expected", code=code))
    if error == "the webhook was deactivated":
        return str(gettext("the webhook was paused"))
    return (
        str(gettext("no response: %(reason)s", reason=_NETWORK.get(error, _NETWORK["could not connect"])))
        if error
        else ""
    )


def redriven(count: int) -> str:
    """Describe the result of sending deliveries again."""
    if not count:
        return str(gettext("There was nothing to redeliver."))
    return str(ngettext("%(num)s delivery will be retried.", "%(num)s deliveries will be retried.", count))


def dissolved(count: int) -> str:
    """Describe the result of deleting an organization."""
    return str(
        ngettext(
            "The organization has been deleted and %(num)s child key revoked. Usage and records are kept.",
            "The organization has been deleted and %(num)s child keys revoked. Usage and records are kept.",
            count,
        )
    )


def no_room(most: int) -> str:
    """Describe why no further child key can be active."""
    return str(
        gettext("An organization can have at most %(n)s working child keys. Suspend one first.", n=most)
    )


# Hours that an old secret opens beside the new one.
OVERLAPS = (0, 1, 24, 72, 168)


def chosen_overlap(given: str | None) -> int | None:
    """Return the number of hours chosen, `None` for anything that is not offered."""
    return next((hours for hours in OVERLAPS if str(hours) == given), None)


def overlap(hours: int) -> str:
    """Describe how long an old secret stays valid."""
    if not hours:
        return str(gettext("Not at all: invalid at once"))
    if hours > 24:
        return days(hours // 24)
    return str(ngettext("%(num)s hour", "%(num)s hours", hours))


def days(count: int) -> str:
    """Format a number of days."""
    return str(ngettext("%(figure)s day", "%(figure)s days", count, figure=format_decimal(count)))
