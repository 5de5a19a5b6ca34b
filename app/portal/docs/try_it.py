"""Try an operation of the API with one of the account's keys, from a form that needs no script.

Offered are operations that neither cost credits nor change anything: those that read, with an answer in
JSON, and the sandbox, whose documents are fictional. The call goes through the API itself, as any other of
the key: it is limited, counted and in the log of requests. Child keys are left out: what they made is their
holder's alone (decision 009).

Unless another is chosen, the call is made with the account's test key: a key whose monthly cap is no credits,
so that the ledger refuses any charge (decision 114). The first call creates it.
"""

from __future__ import annotations

import contextvars
import json
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from flask import current_app, make_response, render_template, request
from flask_babel import gettext
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, run_wsgi_app
from werkzeug.wrappers import Response

from app import organizations, tenancy
from app.platform import clock, errors, settings
from app.platform.postgres import db
from app.platform.web import public_address
from app.portal.docs.reference import Operation, samples, the_reference
from app.portal.web.blueprints import site
from app.portal.web.display import key_picker
from app.portal.web.session import access, form_version
from app.tenancy import guard

_KEYS = tenancy.KeyFilter(state="in_use", roles=("solo", "master"))
_TEST_KEYS = tenancy.KeyFilter(state="in_use", roles=("solo",), issued=False, monthly_credit_cap=0)
_VALUE_MAX, _BODY_MAX = 500, 20_000
# Characters of an answer that are shown.
_SHOWN = 40_000
# More test keys than these are not looked through for the oldest.
_MOST_TEST_KEYS = 20


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter in the path or the query, with what was typed."""

    id: str
    name: str
    required: bool
    hint: str
    value: str
    complaint: str = ""

    @property
    def errors(self) -> list[str]:
        """The complaint, as the templates of fields look for it."""
        return [self.complaint] if self.complaint else []


@dataclass(frozen=True, slots=True)
class Answer:
    """What the API answered."""

    status: int
    phrase: str
    milliseconds: int
    request_id: str
    text: str
    json_tokens: Sequence[samples.JsonToken]
    is_cut: bool

    @property
    def tone(self) -> str:
        """The tone of its status."""
        return "ok" if self.status < 400 else "bad"


@site.route("/try/<slug>", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def try_operation(slug: str) -> Response:
    """Show the form of an operation; send it, and show the answer."""
    one = the_reference().pages.get(slug)
    if one is None or not one.can_be_tried:
        raise errors.NotFound("There is nothing at this address.")
    sends = request.method == "POST"
    parameters = _parameters(one, sends=sends)
    body = request.form.get("body", "").strip() if sends else _example(one)
    wrong_body = gettext("At most %(n)s characters.", n=_BODY_MAX) if len(body) > _BODY_MAX else ""
    with db.reading() as session:
        chosen = key_picker.choice(session, request.form.get("key") if sends else None, _KEYS)
        session.expunge_all()
    answer = None
    is_wrong = bool(chosen.complaint or wrong_body or any(shown.complaint for shown in parameters))
    if sends and not is_wrong:
        key_id = chosen.key_id or _test_key()
        with db.reading() as session:
            caller = tenancy.as_key(session, access.current_member().account_id, key_id, now=clock.now())
        answer = _send(one, caller, parameters, body)
    page = render_template(
        "portal/docs/try.html",
        one=one,
        parameters=parameters,
        body=body,
        wrong_body=wrong_body,
        has_body=bool(one.body),
        choice=chosen,
        answer=answer,
    )
    return make_response(page, 422 if sends and is_wrong else 200)


def _test_key() -> uuid.UUID:
    """Return the account's oldest key in use that may spend nothing; create one where there is none."""
    me, now = access.current_member(), clock.now()
    with db.transaction() as session:
        form_version.take_turn(session)
        found = tenancy.keys_page(session, me.account_id, _TEST_KEYS, now=now, limit=_MOST_TEST_KEYS).rows
        if found:
            return found[-1].id
        made = organizations.account_keys.create(
            session,
            me.account_id,
            name=gettext("Test key"),
            tier=me.tiers[0],
            scopes=tenancy.SCOPES,
            expires_at=None,
            created_by=me.member_id,
            prefix=settings.current().key_prefix,
            now=now,
            monthly_credit_cap=0,
        )
        return made.row.id


def _parameters(one: Operation, *, sends: bool) -> list[Parameter]:
    found = []
    for place in ("path", "query"):
        for row in one.parameters.get(place, ()):
            name = f"{place}-{row.name}"
            typed = request.form.get(name, "").strip() if sends else ""
            complaint = ""
            if sends and row.required and not typed:
                complaint = gettext("Enter a value.")
            elif len(typed) > _VALUE_MAX or "\x00" in typed:
                complaint = gettext("At most %(n)s characters.", n=_VALUE_MAX)
            hint = ", ".join(row.enum[:8]) or str(row.example or row.default or row.format or row.kind)
            found.append(Parameter(name, row.name, row.required, hint, typed, complaint))
    return found


def _example(one: Operation) -> str:
    return next((example.text for content in one.body for example in content.examples), "")


def _send(one: Operation, caller: tenancy.Caller, parameters: Sequence[Parameter], body: str) -> Answer:
    """Send the request to the application of this process, as the key."""
    values: Mapping[str, Mapping[str, str]] = {
        place: {
            shown.name: shown.value
            for shown in parameters
            if shown.id == f"{place}-{shown.name}" and shown.value
        }
        for place in ("path", "query")
    }
    parts = urlsplit(public_address.base())
    environ = EnvironBuilder(
        samples.address(one.path, values["path"]),
        base_url=f"{parts.scheme}://{parts.netloc}",
        method=one.method,
        query_string=dict(values["query"]),
        headers=Headers({"Accept": "application/json"}),
        data=body.encode("utf-8", "replace") if one.body else None,
        content_type="application/json" if one.body else None,
    ).get_environ()
    environ[guard.CALLER] = caller
    app: Any = current_app
    began = time.monotonic()
    # An empty context, as a request from outside has: within that of the page, Flask would share its `g`.
    found, status, headers = contextvars.Context().run(run_wsgi_app, app.wsgi_app, environ, buffered=True)
    milliseconds = round(1000 * (time.monotonic() - began))
    text = _pretty(b"".join(found).decode("utf-8", "replace"))
    code = int(status.split()[0])
    return Answer(
        code,
        HTTPStatus(code).phrase,
        milliseconds,
        headers.get("X-Request-Id", ""),
        text[:_SHOWN],
        samples.json_tokens(text[:_SHOWN]),
        len(text) > _SHOWN,
    )


def _pretty(text: str) -> str:
    try:
        return samples.pretty(json.loads(text))
    except ValueError:
        return text
