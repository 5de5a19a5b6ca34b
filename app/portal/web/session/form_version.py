"""Detection of a stale form: what it shows was changed meanwhile, in another tab or by a colleague.

An editing form carries, in its hidden field `seen`, a hash of the saved values that it was filled with.
Saving compares it with the values of that moment: a form that is older than them writes nothing, and is shown
again with the newer values (decision 094). Who saves takes a turn first, so that of two forms sent at one
moment the second compares with what the first has saved.
"""

from __future__ import annotations

import hashlib
import json

import sqlalchemy as sa
from flask import request

from app.platform.postgres import db
from app.portal.web.session import access

_FIELD = "seen"
_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('forms:' || :form, 0))"


def version(*values: object) -> str:
    """Return a hash of the saved values that a form edits, in the order given."""
    plain = json.dumps(values, default=str, sort_keys=True)
    return hashlib.sha256(plain.encode()).hexdigest()[:24]


def is_stale(*values: object) -> bool:
    """Return whether the submitted form was filled with other values than these, the ones saved now.

    A form without the field, such as that of a program, is taken as current.
    """
    seen = request.form.get(_FIELD)
    return seen is not None and seen != version(*values)


def take_turn(session: db.Session) -> None:
    """Wait while another request of the account saves the form of this path.

    To be called before the saved values are read; the turn ends with the transaction. Does nothing where the
    form is only shown.
    """
    if request.method == "POST":
        session.execute(sa.text(_TURN), {"form": f"{access.current_member().account_id} {request.path}"})
