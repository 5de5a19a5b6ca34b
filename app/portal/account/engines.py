"""Own engines of the account: set one that answers, or return to the operator's (decision 081)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import PasswordField, RadioField, StringField
from wtforms.validators import AnyOf, DataRequired, InputRequired, Length, ValidationError

from app import analysis
from app.platform import errors, settings
from app.platform.addresses import MAX_URL
from app.platform.postgres import db
from app.portal.web.blueprints import site
from app.portal.web.display.labels import Words
from app.portal.web.display.view_models import options
from app.portal.web.session import access, form_version

NODES: Mapping[analysis.own_engines.Node, Words] = {
    "A": _("Analysis (node A)"),
    "B": _("Second check (node B)"),
}
_ENGINES: Mapping[str, Words] = {
    "rules": _("built-in engine"),
    "anthropic": "Anthropic",
    "openai": "OpenAI",
}
# What is spoken, by the value of the form.
_SPOKEN: Mapping[str, tuple[analysis.own_engines.Vendor, analysis.own_engines.Protocol, Words]] = {
    "anthropic": ("anthropic", "messages", "Anthropic"),
    "openai": ("openai", "responses", "OpenAI"),
    "chat": ("openai", "chat", _("OpenAI, chat completions")),
}
# The field that a failed test is about, and what is said there.
_REASONS: Mapping[str, tuple[str, Words]] = {
    "key_refused": (
        "api_key",
        _("The key was refused. Check that it is complete, valid and allowed to use this model."),
    ),
    "limited": ("api_key", _("The key is over its limit or has no credit left. Try again later.")),
    "model_unknown": (
        "model",
        _("No such model is known there. Check its name and, if you gave an address, its path."),
    ),
    "not_reachable": (
        "base_url",
        _("No answer came within 20 seconds, or an error of the server. Try again later."),
    ),
    "not_allowed": ("base_url", _("This address leads to one that must not be called; use a public one.")),
    "wrong_protocol": (
        "spoken",
        _(
            "The server did not answer in this protocol. Redirects are not followed; many servers know chat "
            "only."
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class NodeRow:
    """What works at a node; `own` is `None` where it is the operator's engine."""

    node: analysis.own_engines.Node
    name: Words
    engine: Words
    own: analysis.own_engines.OwnEngine | None


class EngineForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """An engine to set."""

    node = RadioField(
        choices=list(NODES), validators=[AnyOf(NODES, _("Choose one of the two."))], validate_choice=False
    )
    spoken = RadioField(
        choices=list(_SPOKEN),
        validators=[AnyOf(_SPOKEN, _("Choose one of the three."))],
        validate_choice=False,
    )
    model = StringField(validators=[DataRequired(_("Enter the name of the model."))])
    base_url = StringField(validators=[Length(max=MAX_URL, message=_("This URL is too long."))])
    api_key = PasswordField(validators=[InputRequired(_("Enter the API key."))])

    def validate_model(self, field: Any) -> None:
        """Accept what can be the name of a model."""
        if not analysis.own_engines.is_model_name(field.data.strip()):
            raise ValidationError(gettext("Use the name of a model: letters, digits and . _ : / @ - only."))

    def validate_base_url(self, field: Any) -> None:
        """Accept an absolute URL without query."""
        # A form without the field, such as that of a program, names no address.
        field.data = (field.data or "").strip()
        if field.data and not analysis.own_engines.is_base_url(field.data):
            raise ValidationError(gettext("Enter an address such as https://models.example.com/v1."))

    def validate_api_key(self, field: Any) -> None:
        """Accept what can be sent as a key."""
        if not analysis.own_engines.is_key(field.data.strip()):
            raise ValidationError(gettext("A key has up to 512 letters, digits and signs, and no blanks."))


@site.get("/account/engines")
@access.member_only(access.OWNER)
def engines() -> AnyResponse:
    """Show which engines work for the account, and the form for an own one."""
    form = EngineForm(formdata=None, node=request.args.get("node", "A"), spoken="openai")
    return _page(form)


@site.post("/account/engines")
@access.member_only(access.OWNER)
def set_engine() -> AnyResponse:
    """Test an engine and keep it; where it does not answer, say why and keep nothing."""
    form = EngineForm()
    if not form.validate():
        return _page(form)
    engine, protocol, _name = _SPOKEN[form.spoken.data]
    chosen = analysis.own_engines.Chosen(
        node=form.node.data,
        engine=engine,
        model=form.model.data.strip(),
        base_url=form.base_url.data or None,
        protocol=protocol,
        api_key=form.api_key.data.strip(),
    )
    if form_version.is_stale(_saved(_rows())):
        return _page(EngineForm(formdata=None, node=form.node.data, spoken=form.spoken.data), is_stale=True)
    try:
        analysis.own_engines.set_engine(access.current_member().account_id, chosen)
    except errors.Exhausted:
        form.api_key.errors = [gettext("Too many tests in a minute. Wait a little and try again.")]
        return _page(form)
    except errors.Invalid as refused:
        reason = (refused.details or {}).get("reason", "not_allowed")
        field, said = _REASONS[reason]
        form[field].errors = [str(said)]
        return _page(form)
    flash(gettext("The engine answered and works from the next analysis on."), "ok")
    return redirect(url_for("portal.engines"), 303)


@site.route("/account/engines/<node>/remove", methods=["GET", "POST"])
@access.member_only(access.OWNER)
def remove_engine(node: str) -> AnyResponse | str:
    """Ask for confirmation, then return to the operator's engine at a node."""
    row = next((one for one in _rows() if one.node == node), None)
    if row is None or row.own is None:
        raise errors.NotFound("There is no own engine at this node.")
    if request.method == "POST":
        analysis.own_engines.remove_engines(access.current_member().account_id, [row.node])
        flash(gettext("The own engine and its key have been deleted."), "ok")
        return redirect(url_for("portal.engines"), 303)
    return render_template(
        "portal/account/remove_engine.html", row=row, operators=_ENGINES[_operators()[row.node]]
    )


def _operators() -> dict[analysis.own_engines.Node, str]:
    config = settings.current()
    return {"A": config.node_a_engine, "B": config.node_b_engine}


def _rows() -> list[NodeRow]:
    with db.reading() as session:
        found = {
            row.node: row
            for row in analysis.own_engines.engines_of(session, access.current_member().account_id)
        }
        session.expunge_all()
    operators = _operators()
    return [
        NodeRow(
            node, name, _ENGINES[found[node].engine if node in found else operators[node]], found.get(node)
        )
        for node, name in NODES.items()
    ]


def _saved(rows: Sequence[NodeRow]) -> list[tuple[object, ...]]:
    """Return what the form replaces: the own engine of each node."""
    return [(row.node, row.own and (row.own.engine, row.own.model, row.own.base_url)) for row in rows]


def _page(form: EngineForm, *, is_stale: bool = False) -> AnyResponse:
    rows = _rows()
    page = render_template(
        "portal/account/engines.html",
        rows=rows,
        version=form_version.version(_saved(rows)),
        is_stale=is_stale,
        form=form,
        nodes=options(NODES.items(), form.node.data),
        spoken=options(((value, name) for value, (_, _, name) in _SPOKEN.items()), form.spoken.data),
    )
    return make_response(page, 409 if is_stale else 422 if form.errors else 200)
