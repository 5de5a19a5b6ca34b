"""Policies page: whether analyses with a broken citation are withheld (decision 058), with a dry run."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from flask import flash, make_response, redirect, render_template, request, url_for
from flask_babel import format_decimal, gettext, ngettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import RadioField
from wtforms.validators import InputRequired

from app import governance, tenancy, webhooks
from app.platform import clock, errors
from app.platform.postgres import db
from app.portal.web.blueprints import site
from app.portal.web.display.key_picker import choice
from app.portal.web.display.view_models import Option, options
from app.portal.web.fields import identifier
from app.portal.web.session import access, form_version

# Of the dry run.
_DAYS = 30
_KEYS_SHOWN = 10
# Keys whose policy is told on the page, one by one.
_LISTED = 100

SCOPES: Mapping[tenancy.PolicyScope, Any] = {
    "user": _("The account"),
    "organization": _("An organization"),
    "api_key": _("A key"),
}
STATES: Mapping[str, Any] = {"on": _("Withhold"), "off": _("Deliver")}
STATE_HINTS: Mapping[str, Any] = {
    "on": _("Analyses with a broken citation are not delivered."),
    "off": _("Analyses are delivered, with the verdict on each citation."),
}


class PolicyForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """Whether to withhold."""

    state = RadioField(
        choices=list(STATES), validators=[InputRequired(_("Choose one of the two."))], validate_choice=True
    )


@dataclass(frozen=True, slots=True)
class Target:
    """Subject of a policy (a key, an organization, the account) and the policy set for it, if any."""

    scope: tenancy.PolicyScope
    target: uuid.UUID | None
    name: str
    note: str
    policy: tenancy.EnforcementPolicy | None

    @property
    def title(self) -> str:
        """The heading of its page."""
        if self.scope == "user":
            return str(gettext("Policy of the account"))
        return str(gettext("Policy for %(name)s", name=self.name))

    @property
    def address(self) -> str:
        """Address of the form that sets it."""
        return url_for("portal.set_policy", scope=self.scope, target=self.target)


@dataclass(frozen=True, slots=True)
class KeyPolicy:
    """A key with the policy that holds for it."""

    key: tenancy.ApiKey
    policy: tenancy.EnforcementPolicy | None
    source: Any


@site.get("/policies")
@access.member_only()
def policies() -> str:
    """Show the policies that were set, and which one holds for each key."""
    me, now = access.current_member(), clock.now()
    with db.reading() as session:
        found = {row.target_id: row for row in tenancy.enforcement.policies(session, me.account_id)}
        organizations = tenancy.organizations_of(session, me.account_id)
        page = tenancy.keys_page(
            session, me.account_id, tenancy.KeyFilter(state="in_use"), now=now, limit=_LISTED
        )
        named = tenancy.keys_by_id(session, me.account_id, list(found))
        return render_template(
            "portal/governance/policies.html",
            account=_of_account(found),
            others=[
                *(_of_organization(one, found) for one in organizations if one.id in found),
                *(_of_key(one, found) for one in named.values()),
            ],
            keys=[_holding(key, found) for key in page.rows],
            more=page.more is not None,
            most=_LISTED,
            withheld=webhooks.count_events(
                session, me.account_id, "output.withheld", since=now - timedelta(days=_DAYS)
            ),
            organizations=[Option(one.id, one.name, False) for one in organizations],
            picker=choice(session, None, tenancy.KeyFilter(state="in_use")),
            scopes=options(SCOPES, "user"),
            days=_DAYS,
        )


@site.route("/policies/set", methods=["GET", "POST"])
@access.member_only(access.TEAM_ROLES)
def set_policy() -> AnyResponse | str:
    """Show what a policy would have withheld and what it changes; then save it."""
    form, me, now = PolicyForm(), access.current_member(), clock.now()
    with db.transaction() as session:
        form_version.take_turn(session)
        meant = _meant(session, me.account_id)
        if meant is None:
            return redirect(url_for("portal.policies"), 303)
        saved = meant.policy.enabled if meant.policy else None
        is_stale = request.method == "POST" and form_version.is_stale(saved)
        is_saved = request.method == "POST" and not is_stale and form.validate()
        if is_saved:
            tenancy.enforcement.set_account_policy(
                session,
                me.account_id,
                enabled=form.state.data == "on",
                scope=meant.scope,
                target=meant.target,
                now=now,
            )
    if is_stale:
        form.state.data = "on" if saved else "off"
    if is_saved:
        flash(gettext("The policy has been saved. It holds from the next request."), "ok")
        return redirect(url_for("portal.policies"), 303)
    since = now - timedelta(days=_DAYS)
    with db.reading() as session:
        bound = tenancy.enforcement.bound_keys(session, me.account_id, meant.scope, meant.target)
        tried = governance.enforcement.dry_run(session, me.account_id, since=since, keys=bound)
        by_key = governance.enforcement.dry_run_by_key(
            session, me.account_id, since=since, keys=bound, limit=_KEYS_SHOWN
        )
        keys = tenancy.keys_by_id(session, me.account_id, [key_id for key_id, _tried in by_key])
        page = render_template(
            "portal/governance/set_policy.html",
            meant=meant,
            form=form,
            version=form_version.version(saved),
            is_stale=is_stale,
            states=options(STATES, _chosen(form, meant.policy)),
            hints=STATE_HINTS,
            tried=tried,
            tried_words=_tried_words(tried, bound.number),
            by_key=[(keys[key_id], found) for key_id, found in by_key if key_id in keys],
            since=since.date(),
            days=_DAYS,
            wider=_wider(session, me.account_id, meant),
        )
    return make_response(page, 409 if is_stale else 422 if form.errors else 200)


def _meant(session: db.Session, account_id: uuid.UUID) -> Target | None:
    """Return what the URL names, `None` where nothing was chosen. Raises `NotFound`."""
    found = {row.target_id: row for row in tenancy.enforcement.policies(session, account_id)}
    scope = request.args.get("scope")
    typed = request.args.get("target") or request.args.get(
        {"organization": "organization", "api_key": "key"}.get(scope or "", ""), ""
    )
    if scope == "user":
        return _of_account(found)
    if scope == "organization" and typed:
        wanted = identifier(typed, "There is no organization with this id.")
        for one in tenancy.organizations_of(session, account_id):
            if one.id == wanted:
                return _of_organization(one, found)
        raise errors.NotFound("There is no organization with this id.")
    if scope == "api_key" and typed:
        picked = choice(session, typed)
        if picked.key is not None:
            return _of_key(picked.key, found)
        flash(str(picked.complaint), "warn")
        return None
    flash(gettext("Choose what the policy is for."), "warn")
    return None


Policies = Mapping[uuid.UUID | None, tenancy.EnforcementPolicy]


def _of_account(found: Policies) -> Target:
    return Target(
        "user", None, gettext("The account"), gettext("All keys without a narrower policy"), found.get(None)
    )


def _of_organization(one: tenancy.Organization, found: Policies) -> Target:
    note = gettext("Its master and child keys without a policy of their own")
    return Target("organization", one.id, one.name, note, found.get(one.id))


def _of_key(key: tenancy.ApiKey, found: Policies) -> Target:
    return Target("api_key", key.id, key.name, f"{key.key_prefix}…", found.get(key.id))


def _holding(key: tenancy.ApiKey, found: Policies) -> KeyPolicy:
    """Return the narrowest policy that holds for a key."""
    for target, source in (
        (key.id, gettext("its own policy")),
        (key.organization_id or key.id, gettext("policy of its organization")),
        (None, gettext("policy of the account")),
    ):
        if target in found:
            return KeyPolicy(key, found[target], source)
    return KeyPolicy(key, None, gettext("no policy"))


def _wider(session: db.Session, account_id: uuid.UUID, meant: Target) -> str:
    """Say which wider policy this one replaces for its keys."""
    if meant.scope == "user" or meant.policy is not None:
        return ""
    rows: Sequence[tenancy.EnforcementPolicy] = tenancy.enforcement.policies(session, account_id)
    held = next((row for row in rows if row.target_id is None), None)
    if meant.scope == "api_key" and meant.target is not None:
        held = tenancy.enforcement.of_key(session, account_id, meant.target)
    if held is None:
        return ""
    state = gettext("withholds") if held.enabled else gettext("delivers")
    return str(
        gettext("Until now a wider policy holds, which %(does)s. This one takes its place.", does=state)
    )


def _chosen(form: PolicyForm, policy: tenancy.EnforcementPolicy | None) -> str:
    if form.state.data:
        return str(form.state.data)
    return "on" if policy is None or not policy.enabled else "off"


def _tried_words(tried: governance.enforcement.DryRun, keys: int) -> str:
    if not tried.analyses:
        return str(gettext("There were no analyses under this policy in these days."))
    return str(
        ngettext(
            "Of %(all)s analysis under %(keys)s keys, it would have withheld %(some)s.",
            "Of %(all)s analyses under %(keys)s keys, it would have withheld %(some)s.",
            tried.analyses,
            all=format_decimal(tried.analyses),
            keys=format_decimal(keys),
            some=format_decimal(tried.withheld),
        )
    )
