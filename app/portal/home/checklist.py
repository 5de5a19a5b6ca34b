"""First steps of an account on the overview: what is done, what is missing, and where to do it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from flask import redirect, url_for
from flask_babel import gettext, ngettext
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as AnyResponse

from app import tenancy, webhooks
from app.platform import clock
from app.platform.postgres import db
from app.portal.web.blueprints import site
from app.portal.web.display.jinja_env import figure
from app.portal.web.session import access


@dataclass(frozen=True, slots=True)
class Step:
    """One of the first steps: title, whether it is done, what is there or missing, and where to do it."""

    title: str
    done: bool
    text: str
    address: str
    action: str
    is_first_call: bool = False


@dataclass(frozen=True, slots=True)
class Checklist:
    """The first steps of a member's account."""

    steps: Sequence[Step]

    @property
    def progress(self) -> str:
        """How many are done, in words."""
        done = sum(step.done for step in self.steps)
        return str(gettext("%(done)s of %(all)s done", done=figure(done), all=figure(len(self.steps))))

    @property
    def waits(self) -> bool:
        """Whether the first call is still to come."""
        return any(step.is_first_call and not step.done for step in self.steps)

    @property
    def rows(self) -> list[tuple[Step, bool]]:
        """The steps, each with whether it is the main thing to do on the page."""
        following = next((step for step in self.steps if not step.done), None)
        return [(step, self.waits and step is following) for step in self.steps]


def checklist(
    session: Session,
    *,
    newest: tenancy.ApiKey | None,
    called: bool,
    endpoints: Sequence[webhooks.Endpoint],
) -> Checklist | None:
    """Return the first steps of the current member; `None` when all are done or they were put away.

    Args:
        session: A reading session of the account.
        newest: The newest key in use.
        called: Whether there was an analysis.
        endpoints: The account's webhooks.
    """
    me = access.current_member()
    member = tenancy.get_member(session, me.member_id)
    if member.first_steps_hidden_at is not None:
        return None
    steps = [
        _key(newest),
        _call(called),
        _webhook(endpoints),
        *([_colleague(session, me.account_id)] if me.may_manage_team else []),
        _second_factor(member.totp_secret is not None),
    ]
    return None if all(step.done for step in steps) else Checklist(steps)


@site.post("/first-steps/hide")
@access.member_only(access.KEY_ROLES)
def hide_first_steps() -> AnyResponse:
    """Put the first steps away for this member."""
    with db.transaction() as session:
        member = tenancy.get_member(session, access.current_member().member_id, lock=True)
        member.first_steps_hidden_at = clock.now()
    return redirect(url_for("portal.overview"), 303)


def _key(newest: tenancy.ApiKey | None) -> Step:
    text = (
        f"{newest.name}, {newest.key_prefix}…" if newest else gettext("Your programs use it to authenticate.")
    )
    return Step(
        gettext("Create an API key"),
        newest is not None,
        text,
        url_for("portal.new_key"),
        gettext("Create key"),
    )


def _call(called: bool) -> Step:
    text = (
        gettext("An analysis has been made.")
        if called
        else gettext("Send the sample text from a terminal, or paste one of your own in the portal.")
    )
    return Step(
        gettext("Make the first call"),
        called,
        text,
        url_for("portal.analyse"),
        gettext("Analyse a text"),
        is_first_call=True,
    )


def _webhook(endpoints: Sequence[webhooks.Endpoint]) -> Step:
    text = (
        ngettext("%(num)s webhook", "%(num)s webhooks", len(endpoints))
        if endpoints
        else gettext(
            "Your program is notified when a job ends or credits run low, so it does not have to ask."
        )
    )
    return Step(
        gettext("Receive events"),
        bool(endpoints),
        text,
        url_for("portal.new_webhook"),
        gettext("Create webhook"),
    )


def _colleague(session: Session, account_id: uuid.UUID) -> Step:
    members = len(tenancy.members_of(session, account_id))
    invited = bool(tenancy.one_time_links.invitations(session, account_id, now=clock.now()))
    if members > 1:
        text = ngettext("%(num)s member", "%(num)s members", members)
    elif invited:
        text = gettext("An invitation is open.")
    else:
        text = gettext("You are the only member: if you lose access, nobody else can help.")
    return Step(
        gettext("Invite a colleague"), members > 1 or invited, text, url_for("portal.team"), gettext("Invite")
    )


def _second_factor(enabled: bool) -> Step:
    text = (
        gettext("Your sign-in asks for a code.")
        if enabled
        else gettext(
            "Your password alone opens the keys and the audit trail. A code from your phone adds a second "
            "check."
        )
    )
    return Step(
        gettext("Turn on the second factor"),
        enabled,
        text,
        url_for("portal.add_second_factor"),
        gettext("Turn on"),
    )
