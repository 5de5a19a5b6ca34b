"""The menu: groups of sections, filtered by the visitor's role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from flask import current_app
from flask_babel import lazy_gettext as _

from app import tenancy
from app.portal.web.display.labels import Words
from app.portal.web.session import access


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the menu; `here` is the value by which a page marks it as current."""

    here: str
    view: str
    icon: str
    name: Words


@dataclass(frozen=True, slots=True)
class Group:
    """A group of sections."""

    id: str
    name: Words
    sections: Sequence[Section]


class MenuGroup(NamedTuple):
    """A group for one role, each section with whether the page is in it."""

    id: str
    name: Words
    sections: Sequence[tuple[Section, bool]]


GROUPS = (
    Group(
        "work",
        _("Work"),
        (
            Section("overview", "portal.overview", "home", _("Overview")),
            Section("analyse", "portal.analyse", "doc", _("Analyse")),
            Section("compare", "portal.compare", "half", _("Compare")),
            Section("jobs", "portal.jobs", "clock", _("Jobs")),
            Section("law", "portal.law", "scale", _("Law")),
            Section("watches", "portal.watches", "eye", _("Watched law")),
        ),
    ),
    Group(
        "compliance",
        _("Compliance"),
        (
            Section("analyses", "portal.analyses", "audit", _("Audit trail")),
            Section("activity", "portal.activity", "users", _("Activity")),
            Section("policies", "portal.policies", "l1", _("Policies")),
        ),
    ),
    Group(
        "access",
        _("Access"),
        (
            Section("keys", "portal.keys", "key", _("API keys")),
            Section("organizations", "portal.organizations", "org", _("Organizations")),
            Section("team", "portal.team", "users", _("Team")),
        ),
    ),
    Group(
        "integrate",
        _("Integration"),
        (
            Section("requests", "portal.requests", "log", _("Requests")),
            Section("guide", "portal.guide", "book", _("Docs")),
            Section("assistants", "portal.assistants", "chat", _("Assistants")),
            Section("webhooks", "portal.webhooks", "hook", _("Webhooks")),
            Section("branding", "portal.branding", "brand", _("Branding")),
        ),
    ),
    Group(
        "account",
        _("Account"),
        (
            Section("usage", "portal.usage", "chart", _("Usage")),
            Section("credits", "portal.credits", "coin", _("Credits")),
            Section("account", "portal.account", "gear", _("Settings")),
        ),
    ),
)


def may_open(view: str, role: tenancy.Role) -> bool:
    """Return whether `role` may open a view, as the view itself declares; anybody may open a public one."""
    views: Mapping[str, Any] = current_app.view_functions
    kind, roles = views[view].required
    return kind == "public" or role in roles


def menu(role: tenancy.Role, here: str | None = None) -> list[MenuGroup]:
    """Return the groups with the sections that `role` may open, as the views themselves declare.

    The overview redirects roles that only read the audit trail, so it is not in their menu.
    """
    found = [
        MenuGroup(
            group.id,
            group.name,
            [
                (section, section.here == here)
                for section in group.sections
                if may_open(section.view, role) and (section.here != "overview" or role in access.KEY_ROLES)
            ],
        )
        for group in GROUPS
    ]
    return [group for group in found if group.sections]
