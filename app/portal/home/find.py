"""Search of the portal: its pages by name, the account's keys and organizations, requests and records."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from flask import render_template, request, url_for
from flask_babel import lazy_gettext as _

from app import governance, tenancy, usage
from app.platform import clock
from app.platform.postgres import db
from app.portal.web.blueprints import site
from app.portal.web.display import menu, status_labels
from app.portal.web.display.jinja_env import stamp
from app.portal.web.session import access

_MOST = 8
_LONGEST = 200

# What the keyboard does on every page; static/js/portal.js listens.
KEYS = (
    (("Ctrl", "K"), _("Find a page, a key, a request or a record")),
    (("/",), _("The same, when no field has the focus")),
    (("?",), _("Show this list, when no field has the focus")),
    (("Tab",), _("Move to the next link, field or button; the first one skips to the content")),
    (("Esc",), _("Close the menu")),
)


# Pages that are not in the menu, with the page from which they are reached.
_BELOW = (
    (menu.Section("keys", "portal.new_key", "plus", _("Create key")), _("API keys")),
    (menu.Section("organizations", "portal.new_client", "plus", _("New client")), _("Organizations")),
    (menu.Section("analyses", "portal.documents", "doc", _("Ordered documents")), _("Audit trail")),
    (menu.Section("analyse", "portal.new_matter", "doc", _("Analyse several files")), _("Analyse")),
    (menu.Section("webhooks", "portal.check_signature", "hook", _("Check a signature")), _("Webhooks")),
    (menu.Section("account", "portal.single_sign_on", "gear", _("Single sign-on")), _("Settings")),
    (menu.Section("account", "portal.engines", "gear", _("Own engines")), _("Settings")),
    (menu.Section("", "portal.profile", "user", _("Your sign-in")), ""),
    (menu.Section("", "portal.mails", "user", _("Your e-mails")), _("Your sign-in")),
    (menu.Section("", "front.reference", "book", _("API reference")), ""),
    (menu.Section("", "front.service_status", "ok", _("Service status")), ""),
)


@dataclass(frozen=True, slots=True)
class Match:
    """Something that was found: where it is, its icon, its name and what tells it from others."""

    address: str
    icon: str
    name: Any
    note: Any = ""


@site.get("/find")
@access.member_only()
def find() -> str:
    """Show the pages, keys, requests and records that match `q`; without it, all pages of the role."""
    typed = request.args.get("q", "").replace("\x00", "").strip()[:_LONGEST]
    manages = bool(typed) and access.current_member().may_manage_keys
    found = [
        (_("Pages"), _pages(typed)),
        (_("API keys"), _keys(typed) if manages else []),
        (_("Organizations"), _organizations(typed) if manages else []),
        (_("Requests"), _requests(typed) if manages else []),
        (_("Records"), _records(typed) if typed else []),
    ]
    groups = [(name, matches) for name, matches in found if matches]
    return render_template("portal/home/find.html", typed=typed, groups=groups, shortcuts=KEYS)


def _pages(typed: str) -> list[Match]:
    wanted, role = _folded(typed), access.current_member().role
    pages: list[tuple[menu.Section, Any]] = [
        (section, group.name) for group in menu.menu(role) for section, _is_here in group.sections
    ]
    pages += [(section, above) for section, above in _BELOW if menu.may_open(section.view, role)]
    return [
        Match(url_for(section.view), section.icon, section.name, above)
        for section, above in pages
        if wanted in _folded(str(section.name))
    ]


def _keys(typed: str) -> list[Match]:
    account_id, now = access.current_member().account_id, clock.now()
    with db.reading() as session:
        page = tenancy.keys_page(session, account_id, tenancy.KeyFilter(text=typed), now=now, limit=_MOST)
        states = tenancy.key_statuses(session, account_id, page.rows, now=now)
        soon = now + status_labels.EXPIRY_NOTICE
        return [
            Match(
                url_for("portal.key", key_id=row.id),
                "key",
                row.name,
                f"{row.key_prefix}… · {status_labels.key_tag(states[row.id], soon).word}",
            )
            for row in page.rows
        ]


def _organizations(typed: str) -> list[Match]:
    wanted = _folded(typed)
    with db.reading() as session:
        return [
            Match(url_for("portal.organization", organization_id=row.id), "org", row.name)
            for row in tenancy.organizations_of(session, access.current_member().account_id)
            if wanted in _folded(row.name)
        ]


def _requests(typed: str) -> list[Match]:
    with db.reading() as session:
        account_id = access.current_member().account_id
        calls = usage.log(session, account_id, usage.CallFilter(request_id=typed), limit=_MOST)
        return [
            Match(
                url_for("portal.logged_request", call_id=call.id),
                "log",
                call.request_id,
                f"{stamp(call.at)} · {call.endpoint} · {call.status}",
            )
            for call in calls
        ]


def _records(typed: str) -> list[Match]:
    with db.reading() as session:
        rows = governance.search(session, access.current_member().account_id, typed, limit=_MOST)
        return [
            Match(
                url_for("portal.analysis_record", seq=row.seq),
                "audit",
                _("Record %(n)s", n=row.seq),
                f"{stamp(row.at)} · {row.content['jurisdiction']} · {row.hash[:12]}…",
            )
            for row in rows
        ]


def _folded(words: str) -> str:
    """Return words without accents and capitals."""
    plain = unicodedata.normalize("NFKD", words)
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()
