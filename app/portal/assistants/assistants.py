"""Assistants: set-up of each, the connected ones, and a check of the connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from flask import Flask, current_app, make_response, render_template, request
from flask_babel import format_decimal, gettext
from flask_babel import lazy_gettext as _
from werkzeug.wrappers import Response

from app import credits, tenancy
from app.platform import clock, settings
from app.platform.postgres import db
from app.portal.assistants import client_setup
from app.portal.usage import key_usage
from app.portal.web.api_address import address
from app.portal.web.blueprints import site
from app.portal.web.display import key_picker, status_labels
from app.portal.web.display.labels import VERDICTS, Words
from app.portal.web.display.status_labels import EXPIRY_NOTICE
from app.portal.web.display.view_models import is_spent, options
from app.portal.web.fields import identifier
from app.portal.web.session import access

SHOWN = 30
_NOTHING = "There is nothing at this address."
_EXTENSION = "connection_check"
_CHECKABLE = tenancy.KeyFilter(state="in_use", roles=("solo", "master"))


class ConnectionCheck(Protocol):
    """Calls the tool server as a key; each row is a name, whether it went well, and what was found."""

    def __call__(
        self, app: Flask, caller: tenancy.Caller, base_url: str, *, oauth: bool
    ) -> Sequence[tuple[str, bool, str]]:
        """Return the rows."""


@dataclass(frozen=True, slots=True)
class CheckLine:
    """A line of the check: tone and icon, what was checked, and how it went."""

    tone: str
    name: Words
    text: Words


@dataclass(frozen=True, slots=True)
class ConnectionReport:
    """A finished check: the address that was called, the key's name, and the lines."""

    address: str
    name: str
    findings: Sequence[CheckLine]

    @property
    def tone(self) -> str:
        """The tone of the whole: its worst line."""
        tones = {one.tone for one in self.findings}
        return next(tone for tone in ("bad", "warn", "ok") if tone in tones)

    @property
    def heading(self) -> Words:
        """The result in a sentence."""
        return _HEADINGS[self.tone]


_HEADINGS: Mapping[str, Words] = {
    "ok": _("The connection works"),
    "warn": _("The connection works, within the permissions of the key"),
    "bad": _("The connection does not work"),
}
_CHECKS: Mapping[str, Words] = {
    "current": _("Current clients"),
    "older": _("Older clients"),
    "tools": _("Tools"),
    "free": _("A free tool"),
    "verify": _("Citation check"),
    "analyze": _("Analyses"),
}
_REASONS: Mapping[str, Words] = {
    "SCOPE_REQUIRED": _(
        "The key lacks this permission. Create a key with it, or connect the assistant again."
    ),
    "RATE_LIMITED": _("The key has reached its requests per minute. Wait a minute and check again."),
    "421": _(
        "The tool server does not answer at this address. Ask the operator of this service to allow it."
    ),
}


def register(app: Flask, check: ConnectionCheck) -> None:
    """Keep the function that calls the tool server, which is no package below this one."""
    app.extensions[_EXTENSION] = check


@site.get("/assistants")
@access.member_only(access.KEY_ROLES)
def assistants() -> str:
    """Show the connected assistants, the set-up of one client, and the form of the check."""
    return _page()


@site.post("/assistants")
@access.member_only(access.KEY_ROLES)
def check_connection() -> Response | str:
    """Call the tool server as a key of the account, and show what works."""
    me, now = access.current_member(), clock.now()
    with db.reading() as session:
        chosen = key_picker.choice(session, request.form.get("key"), _CHECKABLE)
        key = chosen.key
        session.expunge_all()
    if key is None:
        return make_response(_page(chosen=chosen), 422)
    with db.statements() as statements:
        caller = tenancy.as_key(statements, me.account_id, key.id, now=now)
    check: ConnectionCheck = current_app.extensions[_EXTENSION]
    is_grant = key.issued_to is not None
    rows = check(current_app._get_current_object(), caller, address(), oauth=is_grant)  # type: ignore[attr-defined]
    findings = [_finding(*row) for row in rows]
    if all(one.tone != "bad" for one in findings):
        findings.append(_analyses(caller))
    path = "/api/mcp/connect" if is_grant else "/api/mcp"
    return _page(chosen=chosen, checked=ConnectionReport(address() + path, key.name, findings))


def _finding(name: str, ok: bool, found: str) -> CheckLine:
    if ok:
        return CheckLine("ok", _CHECKS[name], _fact(name, found))
    # Without the permission for tools nothing works; without that for searches, the rest does.
    tone = "warn" if name == "verify" and found == "SCOPE_REQUIRED" else "bad"
    return CheckLine(
        tone, _CHECKS[name], _REASONS.get(found) or gettext("It failed with %(code)s.", code=found)
    )


def _fact(name: str, found: str) -> str:
    if name in ("current", "older"):
        text = gettext("Answered in revision %(revision)s of the protocol.", revision=found)
    elif name == "tools":
        text = gettext("%(n)s tools are offered.", n=format_decimal(int(found)))
    elif name == "free":
        text = gettext("list_jurisdictions answered with %(n)s jurisdictions.", n=format_decimal(int(found)))
    else:
        text = gettext(
            "verify_citation answered about art. 1902 CC: %(verdict)s.", verdict=VERDICTS[found](1)
        )
    return str(text)


def _analyses(caller: tenancy.Caller) -> CheckLine:
    """Say whether the key may analyse, which costs credits and so is not tried."""
    if "analyze" not in caller.scopes:
        return CheckLine("warn", _CHECKS["analyze"], _REASONS["SCOPE_REQUIRED"])
    with db.reading() as session:
        available = credits.balance(session, caller.account_id).available
    if not available:
        return CheckLine(
            "warn", _CHECKS["analyze"], gettext("Permitted, but the account has no credits left.")
        )
    text = gettext(
        "Permitted; %(n)s credits available. Not tried, as it costs credits.", n=format_decimal(available)
    )
    return CheckLine("ok", _CHECKS["analyze"], text)


def _page(*, chosen: key_picker.Choice | None = None, checked: ConnectionReport | None = None) -> str:
    me, now, config = access.current_member(), clock.now(), settings.current()
    wanted = request.args.get("client")
    code = next((one for one in client_setup.NAMES if one == wanted), "claude")
    after = identifier(request.args.get("after"), _NOTHING)
    with db.reading() as session:
        page = tenancy.keys_page(
            session, me.account_id, tenancy.KeyFilter(issued=True), now=now, after=after, limit=SHOWN
        )
        month = key_usage.of_this_month(session, [row.id for row in page.rows])
        key_statuses = tenancy.key_statuses(session, me.account_id, page.rows, now=now)
        chosen = chosen or key_picker.choice(session, request.args.get("key"), _CHECKABLE)
        session.expunge_all()
    spent = {row.id: month[row.id].credits if row.id in month else 0 for row in page.rows}
    return render_template(
        "portal/assistants/assistants.html",
        rows=page.rows,
        spent=spent,
        at_cap={row.id: is_spent(spent[row.id], row.monthly_credit_cap) for row in page.rows},
        key_statuses=key_statuses,
        first_page=after is None,
        older=page.more,
        code=code,
        clients=options(client_setup.NAMES, code),
        client=client_setup.client(
            code, name=me.page_branding.name, address=address(), key_prefix=f"{config.key_prefix}_"
        ),
        addresses=[
            (_("Sign-in (OAuth)"), f"{address()}/api/mcp/connect"),
            (_("With an API key"), f"{address()}/api/mcp"),
            (_("Search only, with an API key"), f"{address()}/api/mcp/search"),
        ],
        key_choice=chosen,
        checked=checked,
        soon=now + EXPIRY_NOTICE,
        terms=status_labels,
    )
