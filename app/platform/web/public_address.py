"""The address under which a caller reaches the service: what answers, pages and mails tell (decision 106).

A host name of `BRAND_HOSTS` serves all of the service. Who came by it is told that name, never `PUBLIC_URL`.
"""

from __future__ import annotations

import uuid

from flask import request

from app.platform import settings


def account_of_host() -> uuid.UUID | None:
    """Return the account whose host name this request names, `None` for every other host."""
    return settings.current().accounts_of_hosts.get(_name_and_port()[0])


def base() -> str:
    """Return the base URL of the service as this request reaches it, without a slash at the end.

    It is the host name of `BRAND_HOSTS` that was asked for, else `PUBLIC_URL`, else the address requested.
    """
    public = settings.current().public_url.rstrip("/")
    if account_of_host() is None:
        return public or request.host_url.rstrip("/")
    # The name is one of the settings'; of the port no more is taken than its digits.
    name, port = _name_and_port()
    scheme = "https" if public.startswith("https://") else request.scheme
    return f"{scheme}://{name}:{port}" if port.isdigit() else f"{scheme}://{name}"


def of_account(account_id: uuid.UUID) -> str:
    """Return the base URL told to an account's people where no request tells it: in mails and by the worker.

    It is the account's own host name, else `PUBLIC_URL`; empty where there is neither.
    """
    config = settings.current()
    for host, owner in config.accounts_of_hosts.items():
        if owner == account_id:
            return f"https://{host}"
    return config.public_url.rstrip("/")


def _name_and_port() -> tuple[str, str]:
    name, _, port = request.host.lower().partition(":")
    return name, port
