"""Set and remove an account's own engines."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from typing import Final

from app.analysis.llm.model import is_model_name
from app.analysis.own_engines import connection, storage
from app.analysis.own_engines.models import OwnEngine
from app.analysis.own_engines.storage import Chosen, Node
from app.platform import clock
from app.platform.addresses import MAX_URL
from app.platform.postgres import db

KEY_MAX: Final = 512

_KEY = re.compile(r"[\x21-\x7e]{1,512}")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[\x21-\x7e]+")


def is_key(text: str) -> bool:
    """Tell whether a text can be an API key: 1 to 512 visible ASCII characters, no blanks."""
    return bool(_KEY.fullmatch(text))


def is_base_url(text: str) -> bool:
    """Tell whether a text is an absolute URL in ASCII, to whose path another can be added.

    It has neither query nor fragment, and the library of the vendors can read it.
    """
    if len(text) > MAX_URL or not _ABSOLUTE.fullmatch(text) or "?" in text or "#" in text:
        return False
    # Loaded when an engine is set: commands that read the tables of all packages need no client.
    import httpx2

    try:
        return bool(httpx2.URL(text).host)
    except (httpx2.InvalidURL, ValueError):
        return False


def set_engine(account_id: uuid.UUID, chosen: Chosen) -> OwnEngine:
    """Test an engine and keep it in place of the one before; where the test fails, that stays.

    Raises:
        Invalid: 422 `URL_NOT_ALLOWED` or `ENGINE_TEST_FAILED`; nothing is kept.
        Exhausted: 429, the account tests too often.
        ValueError: a value is none that the checks above accept.
    """
    if not (
        is_model_name(chosen.model)
        and is_key(chosen.api_key)
        and (chosen.base_url is None or is_base_url(chosen.base_url))
        and (chosen.protocol == "messages") == (chosen.engine == "anthropic")
    ):
        raise ValueError("an engine with a value that was not checked")
    connection.test(account_id, chosen)
    with db.transaction() as session:
        row = storage.keep(session, account_id, chosen, tested_at=clock.now())
    connection.forget(account_id)
    return row


def remove_engines(account_id: uuid.UUID, nodes: Sequence[Node]) -> list[str]:
    """Return to the operator's engines at some nodes; return those at which there was an own one."""
    with db.transaction() as session:
        gone = storage.remove(session, account_id, nodes)
    connection.forget(account_id)
    return gone
