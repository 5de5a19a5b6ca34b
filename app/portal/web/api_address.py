"""Base URL of the API."""

from __future__ import annotations

from flask import request

from app.platform import settings


def address() -> str:
    """Return the base URL of the API as callers see it, without a trailing slash."""
    return settings.current().public_url or request.host_url.rstrip("/")
