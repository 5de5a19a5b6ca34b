"""Base URL of the API on the pages of members."""

from __future__ import annotations

from app.platform.web import public_address
from app.portal.web.session import access


def address() -> str:
    """Return the base URL of the API that a member is told, without a slash at the end (decision 106).

    It is that of the host name they came by where it is an account's own; else the account's own host name;
    else the service's.
    """
    if public_address.account_of_host() is not None:
        return public_address.base()
    return public_address.of_account(access.current_member().account_id) or public_address.base()
