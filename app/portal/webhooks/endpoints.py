"""Webhooks of all the account's keys: list, create, change, pause, rotate, delete. Secrets are shown once."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import HiddenField, SelectMultipleField, StringField
from wtforms.validators import DataRequired, InputRequired, Length, ValidationError
from wtforms.widgets import CheckboxInput, ListWidget

from app import tenancy, webhooks
from app.platform import addresses, clock, errors, settings
from app.platform.postgres import db
from app.portal.web.blueprints import is_fragment, site
from app.portal.web.display import status_labels
from app.portal.web.display.key_picker import Choice, choice
from app.portal.web.display.view_models import Option, options, still_to_come, tone_class
from app.portal.web.fields import identifier, printable
from app.portal.web.session import access, form_once, form_version

SHOWN = DELIVERIES = 50
IN_USE = tenancy.KeyFilter(state="in_use")
STATUSES = ("pending", "success", "failed", "exhausted")


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """A delivery as the log shows it; `can_send_again` also asks whether its webhook is active."""

    item: webhooks.Entry
    can_send_again: bool

    @property
    def tag_class(self) -> str:
        """The CSS class of the tag with its status."""
        return tone_class("tag", status_labels.STATUS_TONES[self.item.status])

    @property
    def is_pending(self) -> bool:
        """Whether it is still to be sent."""
        return self.item.status == "pending"


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """An attempt as the page of a delivery shows it, by its place among those that are remembered."""

    place: int
    attempt: webhooks.Attempt

    @property
    def tone(self) -> str:
        """Tone and icon of how it ended."""
        return "bad" if self.attempt.error else "ok"

    @property
    def answer(self) -> str:
        """How it ended, in words."""
        return status_labels.answer_words(self.attempt.status_code, self.attempt.error)


class EndpointForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """Events and description of a webhook."""

    events = SelectMultipleField(
        choices=webhooks.SUBSCRIBABLE,
        default=list(webhooks.DEFAULT_EVENTS),
        validate_choice=False,
        validators=[InputRequired(_("Choose at least one event."))],
        widget=ListWidget(),
        option_widget=CheckboxInput(),
    )
    description = StringField(
        validators=[Length(max=200, message=_("A note can have at most 200 characters.")), printable]
    )

    def validate_events(self, field: Any) -> None:
        """Accept only events that can be subscribed to."""
        if not set(field.data) <= set(webhooks.SUBSCRIBABLE):
            raise ValidationError(gettext("Choose from the list."))


class NewEndpointForm(EndpointForm):
    """URL, key, events and description of a new webhook."""

    url = StringField(
        validators=[
            DataRequired(_("Enter the URL of your endpoint.")),
            Length(max=addresses.MAX_URL, message=_("This URL is too long.")),
            printable,
        ]
    )
    key = StringField(validators=[DataRequired(_("Choose the API key of the webhook."))])
    once = HiddenField()


@site.get("/webhooks", endpoint="webhooks")
@access.member_only(access.KEY_ROLES)
def webhooks_page() -> str:
    """Show the webhooks of all the account's keys."""
    account_id = access.current_member().account_id
    with db.reading() as session:
        after = identifier(request.args.get("after"), "There is nothing at this address.")
        rows = webhooks.of_account(session, account_id, after=after, limit=SHOWN + 1)
        keys = tenancy.keys_by_id(session, account_id, [row.api_key_id for row in rows])
        key_statuses = tenancy.key_statuses(session, account_id, keys.values(), now=clock.now())
    return render_template(
        "portal/webhooks/webhooks.html",
        rows=rows[:SHOWN],
        older=rows[SHOWN - 1].id if len(rows) > SHOWN else None,
        first_page=after is None,
        keys=keys,
        key_statuses=key_statuses,
        terms=status_labels,
    )


@site.get("/webhooks/new")
@access.member_only(access.KEY_ROLES)
def new_webhook() -> str:
    """Show the form for a new webhook."""
    form = NewEndpointForm()
    form.once.data = form_once.number()
    return _form(form)


@site.post("/webhooks")
@access.member_only(access.KEY_ROLES)
def create_webhook() -> AnyResponse | str:
    """Register a webhook and show its secret once, on its page."""
    form = NewEndpointForm()
    me = access.current_member()
    if not form.validate() or not _reachable(form):
        return make_response(_form(form), 422)
    with db.reading() as session:
        chosen = choice(session, form.key.data, IN_USE)
        session.expunge_all()
    if chosen.key is None:
        form.key.errors = [chosen.complaint or gettext("Choose the API key of the webhook.")]
        return make_response(_form(form, chosen), 422)
    ticket = form_once.FormToken(me.account_id, form.once.data)
    if not ticket.take():
        flash(
            gettext("This form has already created its webhook. If you did not copy the secret, rotate it."),
            "warn",
        )
        return redirect(url_for("portal.webhooks"), 303)
    try:
        with ticket.returned_on_failure(), db.transaction() as session:
            made = webhooks.register(
                session,
                me.account_id,
                chosen.key.id,
                url=form.url.data.strip(),
                events=form.events.data,
                description=(form.description.data or "").strip(),
                now=clock.now(),
            )
    except errors.Invalid:
        form.key.errors = [
            gettext(
                "This key has %(n)s webhooks, which is the maximum. Delete one first.",
                n=webhooks.MAX_PER_KEY,
            )
        ]
        return make_response(_form(form, chosen), 422)
    return _page(made.row.id, secret=made.secret)


@site.get("/webhooks/<uuid:webhook_id>")
@access.member_only(access.KEY_ROLES)
def webhook(webhook_id: uuid.UUID) -> str:
    """Show one webhook with its deliveries; for htmx, only the deliveries."""
    return _page(webhook_id)


@site.route("/webhooks/<uuid:webhook_id>/edit", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def edit_webhook(webhook_id: uuid.UUID) -> AnyResponse | str:
    """Change events and description of a webhook; its URL cannot be changed."""
    account_id = access.current_member().account_id
    form = EndpointForm()
    with db.transaction() as session:
        form_version.take_turn(session)
        row = webhooks.of_member(session, account_id, webhook_id)
        saved = (list(row.events), row.description)
        is_stale = request.method == "POST" and form_version.is_stale(*saved)
        if request.method == "POST" and not is_stale and form.validate():
            webhooks.change(
                session,
                account_id,
                row.api_key_id,
                webhook_id,
                events=form.events.data,
                description=(form.description.data or "").strip(),
            )
            flash(gettext("The webhook has been changed."), "ok")
            return redirect(url_for("portal.webhook", webhook_id=webhook_id), 303)
    if request.method == "GET" or is_stale:
        form.events.data, form.description.data = saved
    page = render_template(
        "portal/webhooks/edit_webhook.html",
        form=form,
        version=form_version.version(*saved),
        is_stale=is_stale,
        row=row,
        events=_events(form),
        terms=status_labels,
    )
    return make_response(page, 409 if is_stale else 422 if form.errors else 200)


@site.post("/webhooks/<uuid:webhook_id>/switch")
@access.member_only(access.KEY_ROLES)
def switch_webhook(webhook_id: uuid.UUID) -> AnyResponse:
    """Pause or resume a webhook."""
    on = request.form.get("to") == "on"

    def act(session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID) -> str:
        webhooks.change(session, account_id, key_id, webhook_id, active=on)
        if on:
            return str(
                gettext("The webhook is active. Events that occurred while it was paused are not sent.")
            )
        return str(gettext("The webhook is paused. Events are neither sent nor stored for later."))

    return _done(webhook_id, act)


@site.post("/webhooks/<uuid:webhook_id>/test")
@access.member_only(access.KEY_ROLES)
def test_webhook(webhook_id: uuid.UUID) -> AnyResponse:
    """Send the event `webhook.test`; the list of deliveries shows the result."""

    def act(session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID) -> str:
        webhooks.send_test(session, account_id, key_id, webhook_id, now=clock.now())
        return str(gettext("A test event has been sent. See its status below."))

    return _done(webhook_id, act)


@site.get("/webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>")
@access.member_only(access.KEY_ROLES)
def delivery(webhook_id: uuid.UUID, delivery_id: uuid.UUID) -> str:
    """Show one delivery: what was sent, its headers, and each attempt with the status of the answer."""
    account_id = access.current_member().account_id
    with db.reading() as session:
        row = webhooks.of_member(session, account_id, webhook_id)
        found = webhooks.detail(
            session,
            account_id,
            row.api_key_id,
            webhook_id,
            delivery_id,
            wire_name=settings.current().wire_name,
        )
        session.expunge(row)
    item = found.entry
    return render_template(
        "portal/webhooks/delivery.html",
        row=row,
        found=found,
        delivery=DeliveryRow(item, row.active and item.status in ("failed", "exhausted")),
        body=json.dumps(json.loads(found.body), ensure_ascii=False, indent=2),
        headers="\n".join(f"{name}: {value}" for name, value in found.headers.items()),
        attempts=[AttemptRow(place, one) for place, one in enumerate(found.attempts, 1)],
        forgotten=max(0, item.attempts - len(found.attempts)),
        live=item.status == "pending",
        terms=status_labels,
    )


@site.post("/webhooks/<uuid:webhook_id>/redrive")
@access.member_only(access.KEY_ROLES)
def redrive(webhook_id: uuid.UUID) -> AnyResponse:
    """Send one failed delivery again, or without `delivery` all of them."""
    one = identifier(request.form.get("delivery"), "There is no delivery with this id.")

    def act(session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID) -> str:
        sent = webhooks.redrive(session, account_id, key_id, webhook_id, delivery_id=one, now=clock.now())
        return status_labels.redriven(len(sent))

    return _done(webhook_id, act)


@site.route("/webhooks/<uuid:webhook_id>/rotate", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def rotate_webhook(webhook_id: uuid.UUID) -> AnyResponse | str:
    """Ask for confirmation; then rotate the secret and show the new one once."""
    account_id = access.current_member().account_id
    if request.method == "GET":
        with db.reading() as session:
            row = webhooks.of_member(session, account_id, webhook_id)
        return render_template(
            "portal/webhooks/rotate_webhook.html",
            row=row,
            number=form_once.number(),
            overlap=webhooks.OVERLAP,
        )
    ticket = form_once.FormToken(account_id, request.form.get("once"))
    with db.reading() as session:
        key_id = webhooks.of_member(session, account_id, webhook_id).api_key_id
    if not ticket.take():
        flash(
            gettext("This form has already rotated the secret. If you did not copy it, rotate it again."),
            "warn",
        )
        return redirect(url_for("portal.webhook", webhook_id=webhook_id), 303)
    with ticket.returned_on_failure(), db.transaction() as session:
        made = webhooks.rotate(session, account_id, key_id, webhook_id, now=clock.now())
    return _page(webhook_id, secret=made.secret, rotated=True)


@site.route("/webhooks/<uuid:webhook_id>/delete", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def delete_webhook(webhook_id: uuid.UUID) -> AnyResponse | str:
    """Ask for confirmation, listing the consequences; then delete the webhook."""
    account_id = access.current_member().account_id
    if request.method == "POST":
        with db.transaction() as session:
            row = webhooks.of_member(session, account_id, webhook_id)
            webhooks.delete(session, account_id, row.api_key_id, webhook_id)
        flash(gettext("The webhook has been deleted."), "ok")
        return redirect(url_for("portal.webhooks"), 303)
    with db.reading() as session:
        row = webhooks.of_member(session, account_id, webhook_id)
        found = webhooks.log(session, account_id, row.api_key_id, webhook_id, limit=1)
    return render_template("portal/webhooks/delete_webhook.html", row=row, summary=found.summary)


def _page(webhook_id: uuid.UUID, *, secret: str | None = None, rotated: bool = False) -> str:
    account_id = access.current_member().account_id
    status = request.args.get("status")
    shown = status if status in STATUSES else None
    with db.reading() as session:
        row = webhooks.of_member(session, account_id, webhook_id)
        found = webhooks.log(
            session,
            account_id,
            row.api_key_id,
            webhook_id,
            status=shown,
            limit=DELIVERIES,
        )
        key = tenancy.key_of(session, account_id, row.api_key_id)
        key_status = tenancy.key_statuses(session, account_id, [key], now=clock.now())[key.id]
    name = "portal/webhooks/_deliveries.html" if is_fragment() else "portal/webhooks/webhook.html"
    return render_template(
        name,
        row=row,
        key=key,
        key_status=key_status,
        log=found,
        total=sum(found.summary.values()),
        failed=found.summary["failed"] + found.summary["exhausted"],
        deliveries=[
            DeliveryRow(item, row.active and item.status in ("failed", "exhausted")) for item in found.entries
        ],
        status=shown,
        statuses=options(
            [(one, status_labels.STATUSES[one]) for one in STATUSES if found.summary[one] or one == shown],
            shown,
        ),
        most=DELIVERIES,
        is_cut=len(found.entries) >= DELIVERIES,
        attempts=webhooks.ATTEMPTS,
        secret=secret,
        old_secret_until=None if rotated else still_to_come(row.previous_secret_until, clock.now()),
        terms=status_labels,
    )


def _events(form: EndpointForm) -> list[tuple[Option, Any]]:
    """Return the events that can be subscribed to, those of the form marked, each with its explanation."""
    wanted = form.events.data or ()
    return [
        (Option(name, status_labels.EVENTS[name], name in wanted), hint)
        for name, hint in status_labels.EVENT_HINTS.items()
    ]


def _done(webhook_id: uuid.UUID, act: Callable[[db.Session, uuid.UUID, uuid.UUID], str]) -> AnyResponse:
    """Run `act` and show its message, or why the webhook's state does not allow it."""
    account_id = access.current_member().account_id
    try:
        with db.transaction() as session:
            row = webhooks.of_member(session, account_id, webhook_id)
            said, tone = act(session, account_id, row.api_key_id), "ok"
    except errors.Conflict as refused:
        tone = "warn"
        if refused.code == "WEBHOOK_INACTIVE":
            said = str(gettext("The webhook is paused. Activate it first."))
        else:
            said = str(gettext("This delivery is pending or has already been delivered."))
    flash(said, tone)
    return redirect(url_for("portal.webhook", webhook_id=webhook_id), 303)


def _form(form: NewEndpointForm, chosen: Choice | None = None) -> str:
    if chosen is None:
        with db.reading() as session:
            chosen = choice(session, form.key.data if form.is_submitted() else None, IN_USE)
            session.expunge_all()
    return render_template(
        "portal/webhooks/new_webhook.html",
        form=form,
        chosen=chosen,
        blank=gettext("Choose a key") if chosen.has_several else "",
        events=_events(form),
        terms=status_labels,
    )


def _reachable(form: NewEndpointForm) -> bool:
    """Return whether the URL may be called. It may query a name server: call it outside a transaction."""
    try:
        webhooks.check_url(form.url.data.strip(), allow_hosts=settings.current().allowed_hosts)
    except errors.Invalid:
        form.url.errors = [
            gettext(
                "This URL is not allowed. Use https at a public address, without user name or password, "
                "on one of the ports %(ports)s.",
                ports=settings.current().outgoing_ports,
            )
        ]
        return False
    return True
