"""Detection of a stale form: what it shows was changed meanwhile, in another tab or by a colleague.

An editing form carries, in its hidden field `seen`, a hash of the saved values that it was filled with.
Saving compares it with the values of that moment: a form that is older than them writes nothing, and is shown
again with the newer values (decision 094).
"""

from __future__ import annotations

import hashlib
import json

from flask import request

_FIELD = "seen"


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
