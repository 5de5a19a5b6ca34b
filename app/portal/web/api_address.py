"""The base address of the API, for programs to paste."""

from __future__ import annotations

from flask import request

from app.platform import settings


def address() -> str:
    """Return the base address of the API as its callers see it, without a slash at its end."""
    return settings.current().public_url or request.host_url.rstrip("/")
