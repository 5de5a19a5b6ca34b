"""Search of the portal: its pages by name, the account's keys, and records of analyses."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from flask import render_template, request, url_for
from flask_babel import lazy_gettext as _

from app import governance, tenancy
from app.platform import clock
from app.platform.postgres import db
from app.portal.web.blueprints import site
from app.portal.web.display import menu, status_labels
from app.portal.web.session import access

_MOST = 8
_LONGEST = 200

# What the keyboard does on every page; static/js/portal.js listens.
KEYS = (
    (("Ctrl", "K"), _("Find a page, a key or a record")),
    (("/",), _("The same, outside of a field")),
    (("?",), _("This list of keys, outside of a field")),
    (("Tab",), _("On to the next link, field or button; the first one skips to the content")),
    (("Esc",), _("Close the menu")),
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
    """Show the pages, keys and records that match `q`; without it, all pages of the member's role."""
    typed = request.args.get("q", "").replace("\x00", "").strip()[:_LONGEST]
    found = [
        (_("Pages"), _pages(typed)),
        (_("API keys"), _keys(typed) if typed and access.current_member().may_manage_keys else []),
        (_("Records"), _records(typed) if typed else []),
    ]
    groups = [(name, matches) for name, matches in found if matches]
    return render_template("portal/home/find.html", typed=typed, groups=groups, shortcuts=KEYS)


def _pages(typed: str) -> list[Match]:
    wanted = _folded(typed)
    return [
        Match(url_for(section.view), section.icon, section.name, group.name)
        for group in menu.menu(access.current_member().role)
        for section, _is_here in group.sections
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


def _records(typed: str) -> list[Match]:
    with db.reading() as session:
        rows = governance.search(session, access.current_member().account_id, typed, limit=_MOST)
        return [
            Match(
                url_for("portal.analysis_record", seq=row.seq),
                "audit",
                _("Record %(n)s", n=row.seq),
                f"{clock.iso(row.at)[:10]} · {row.content['jurisdiction']} · {row.hash[:12]}…",
            )
            for row in rows
        ]


def _folded(words: str) -> str:
    """Return words without accents and capitals."""
    plain = unicodedata.normalize("NFKD", words)
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()
