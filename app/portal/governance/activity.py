"""Activity page: what members and keys did with the account, with filters and as CSV (decision 065)."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from flask import Response, render_template, request
from flask_babel import gettext
from flask_babel import lazy_gettext as _

from app import tenancy, usage
from app.platform import clock
from app.platform.postgres import db
from app.platform.web import http
from app.portal.web.blueprints import site
from app.portal.web.display import labels
from app.portal.web.display.view_models import options
from app.portal.web.fields import midnight
from app.portal.web.session import access

READERS: frozenset[tenancy.Role] = access.TEAM_ROLES | {"compliance"}
SHOWN = 50
_BATCH = 1_000
# Signed in, their keys or settings: groups of actions by the word before the full stop.
GROUPS: Mapping[str, tuple[Any, tuple[str, ...]]] = {
    "access": (_("Sign-in"), ("sign_in", "sign_out", "session", "password", "second_factor", "sso")),
    "people": (_("Members"), ("member",)),
    "keys": (_("Keys and networks"), ("key", "organization", "network", "assistant")),
    "integration": (_("Webhooks and branding"), ("webhook", "branding")),
    "law": (_("Watched law"), ("watch",)),
    "compliance": (_("Policies and reviews"), ("policy", "review")),
    "data": (_("Documents and exports"), ("document", "export", "result")),
    "account": (_("Settings"), ("account", "engine", "purchase")),
}
ACTIONS: Mapping[tenancy.activity.Action, Any] = {
    "sign_in": _("Signed in"),
    "sign_in.failed": _("Failed to sign in"),
    "sign_out": _("Signed out"),
    "session.ended": _("Ended sessions"),
    "password.changed": _("Changed a password"),
    "second_factor.enabled": _("Enabled the second factor"),
    "second_factor.disabled": _("Disabled the second factor"),
    "second_factor.unlocked": _("Allowed codes again"),
    "second_factor.recovery_codes_renewed": _("Renewed recovery codes"),
    "member.invited": _("Invited a member"),
    "member.invitation_withdrawn": _("Withdrew an invitation"),
    "member.joined": _("A member joined"),
    "member.role_changed": _("Changed a role"),
    "member.mails_changed": _("Changed which mails a member gets"),
    "member.removed": _("Removed a member"),
    "key.created": _("Created a key"),
    "key.changed": _("Changed a key"),
    "key.renamed": _("Renamed a key"),
    "key.rotated": _("Rotated a key"),
    "key.cap_changed": _("Changed a cap"),
    "key.revoked": _("Revoked a key"),
    "key.reactivated": _("Reactivated a key"),
    "organization.created": _("Created an organization"),
    "organization.changed": _("Changed an organization"),
    "organization.deleted": _("Deleted an organization"),
    "network.allowed": _("Allowed a network"),
    "network.removed": _("Removed a network"),
    "webhook.created": _("Created a webhook"),
    "webhook.changed": _("Changed a webhook"),
    "webhook.rotated": _("Rotated a webhook secret"),
    "webhook.deleted": _("Deleted a webhook"),
    "watch.added": _("Started watching law"),
    "watch.changed": _("Changed the mail about watched law"),
    "watch.removed": _("Stopped watching law"),
    "branding.changed": _("Changed the branding"),
    "policy.changed": _("Set a policy"),
    "review.recorded": _("Reviewed an analysis"),
    "result.shared": _("Shared a result by a link"),
    "result.link_ended": _("Ended a link to a result"),
    "result.opened": _("Opened a result by its link"),
    "engine.set": _("Set an engine of the account"),
    "engine.removed": _("Removed an engine of the account"),
    "account.changed": _("Changed the account"),
    "account.options_changed": _("Changed options"),
    "account.plan_changed": _("Changed the plan"),
    "account.threshold_changed": _("Changed the credit warning"),
    "account.closed": _("Closed the account"),
    "document.ordered": _("Ordered an audit document"),
    "document.downloaded": _("Downloaded an audit document"),
    "document.deleted": _("Deleted an audit document"),
    "export.downloaded": _("Exported data"),
    "assistant.connected": _("Connected an assistant"),
    "purchase.begun": _("Began to buy credits"),
    "purchase.paid": _("Bought credits"),
    "purchase.refunded": _("Received a refund for credits"),
    "sso.set": _("Set up single sign-on"),
    "sso.removed": _("Removed single sign-on"),
    "sso.required": _("Changed whether single sign-on is required"),
    "sso.domain_proved": _("Verified a domain"),
    "sso.domain_removed": _("Removed a domain"),
}
_KINDS: Mapping[str, Any] = {
    "member": _("member"),
    "api_key": _("API key"),
    "visitor": _("not signed in"),
    "service": _("the service"),
}
_STEPS: Mapping[str, Any] = {"password": _("wrong password"), "code": _("wrong code")}
_EXPORTS: Mapping[str, Any] = {
    "account": _("all data of the account"),
    "audit": _("signed export"),
    "credits": _("credits"),
    "usage": _("usage"),
    "activity": _("activity"),
}
_COLUMNS = (
    "seq", "at", "action", "actor_kind", "actor_id", "actor", "network", "target_kind", "target_id", "target",
    "details",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ActivityRow:
    """One activity for display."""

    seq: int
    at: datetime
    what: str
    detail: str
    failed: bool
    who: str
    kind: str
    network: str
    target: str


@dataclass(frozen=True, slots=True)
class ActivityFilter:
    """The filter as typed; days are inclusive, in UTC."""

    first: date | None
    last: date | None
    group: str
    actor_id: uuid.UUID | None

    @property
    def chosen(self) -> tenancy.activity.Filter:
        """The filter for the query."""
        words = GROUPS[self.group][1] if self.group else ()
        actions = tuple(one for one in tenancy.activity.ACTIONS if one.partition(".")[0] in words)
        return tenancy.activity.Filter(midnight(self.first), midnight(self.last, 1), actions, self.actor_id)

    def arguments(self) -> dict[str, str]:
        """Return the filter as parameters of a URL."""
        return {
            **({"from": str(self.first)} if self.first else {}),
            **({"to": str(self.last)} if self.last else {}),
            **({"group": self.group} if self.group else {}),
            **({"actor": str(self.actor_id)} if self.actor_id else {}),
        }


@site.get("/activity")
@access.member_only(READERS)
def activity() -> str:
    """Show what members and keys did, newest first."""
    me, asked = access.current_member(), _asked()
    before = request.args.get("before", "")
    place = int(before) if before.isascii() and before.isdigit() and len(before) < 18 else None
    with db.reading() as session:
        rows = tenancy.activity.activities(
            session, me.account_id, asked.chosen, before=place, limit=SHOWN + 1
        )
        people = tenancy.activity.actors(session, me.account_id)
        lines = [_line(row) for row in rows[:SHOWN]]
    return render_template(
        "portal/governance/activity.html",
        lines=lines,
        asked=asked,
        filtered=bool(asked.arguments()),
        groups=options([("", _("everything")), *((key, one[0]) for key, one in GROUPS.items())], asked.group),
        people=options(
            [("", _("everybody")), *((str(actor_id), name) for actor_id, name in people)],
            str(asked.actor_id or ""),
        ),
        first_page=place is None,
        older=lines[-1].seq if len(rows) > SHOWN else None,
    )


@site.get("/activity.csv")
@access.member_only(READERS)
def activity_sheet() -> Response:
    """Download the filtered activity as CSV, newest first, streamed page by page."""
    account_id, asked = access.current_member().account_id, _asked()
    access.note("export.downloaded", details={"export": "activity", **asked.arguments()})

    def pages() -> Iterator[bytes]:
        yield _csv([_COLUMNS])
        place: int | None = None
        while True:
            with db.reading() as session:
                rows = tenancy.activity.activities(
                    session, account_id, asked.chosen, before=place, limit=_BATCH
                )
                body = _csv([_cells(row) for row in rows])
                place = rows[-1].seq if rows else None
            yield body
            if len(rows) < _BATCH:
                return

    name = f"activity_{clock.today()}.csv"
    return Response(
        http.streamed(pages()),
        mimetype="text/csv",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _asked() -> ActivityFilter:
    group = request.args.get("group", "")
    try:
        actor_id = uuid.UUID(request.args.get("actor", ""))
    except ValueError:
        actor_id = None
    return ActivityFilter(
        _day(request.args.get("from")),
        _day(request.args.get("to")),
        group if group in GROUPS else "",
        actor_id,
    )


def _day(given: str | None) -> date | None:
    try:
        return date.fromisoformat(given or "")
    except ValueError:
        return None


def _line(row: tenancy.Activity) -> ActivityRow:
    kind = str(_KINDS[row.actor_kind])
    named = row.actor_name is not None
    return ActivityRow(
        seq=row.seq,
        at=row.at,
        what=str(ACTIONS.get(row.action, row.action)),  # type: ignore[call-overload]
        detail=", ".join(_facts(row.details)),
        failed=row.action.endswith(".failed"),
        who=row.actor_name or kind,
        kind=kind if named else "",
        network=row.network or "",
        target=row.target_name or "",
    )


_FACTS: Mapping[str, Callable[[Any], str]] = {
    "to": lambda role: gettext("now %(role)s", role=labels.ROLES.get(role, role)),
    "role": lambda role: str(labels.ROLES.get(role, "")),
    "step": lambda step: str(_STEPS.get(step, step)),
    "decision": lambda decision: str(labels.DECISIONS.get(decision, decision)),
    "seq": lambda seq: gettext("record %(n)s", n=seq),
    "enabled": lambda enabled: gettext("withholds") if enabled else gettext("delivers"),
    "monthlyCreditCap": lambda cap: gettext("cap of %(n)s credits", n=cap) if cap is not None else "",
    "overlapHours": lambda hours: gettext("old secret valid for %(n)s h", n=hours),
    "keysRevoked": lambda count: gettext("%(n)s keys revoked", n=count) if count else "",
    "lowBalance": lambda count: gettext("below %(n)s credits", n=count),
    "export": lambda name: str(_EXPORTS.get(name, name)),
    "from": lambda day: day if day[:1].isdigit() else "",
    "secondFactor": lambda used: gettext("with the second factor") if used else "",
    "mail": lambda wanted: gettext("with mail") if wanted else gettext("without mail"),
    "fields": lambda names: ", ".join(names),
}


def _facts(details: Mapping[str, Any]) -> list[str]:
    """Return what the page says of an act's details."""
    found = {name: _FACTS[name](value) for name, value in details.items() if name in _FACTS}
    if "to" in details and str(details["to"])[:1].isdigit():
        found["to"] = str(details["to"])
    return [words for words in found.values() if words]


def _cells(row: tenancy.Activity) -> tuple[object, ...]:
    return (
        row.seq,
        clock.iso(row.at),
        row.action,
        row.actor_kind,
        row.actor_id or "",
        row.actor_name or "",
        row.network or "",
        row.target_kind or "",
        row.target_id or "",
        row.target_name or "",
        "; ".join(f"{name}={value}" for name, value in row.details.items() if value is not None),
    )


def _csv(rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(
        [usage.escape_formula(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return text.getvalue().encode()
