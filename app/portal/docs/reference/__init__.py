"""API reference at `/docs`: a page for each operation and each webhook event. Owns no tables.

Invariant: everything on it comes from the application's own OpenAPI document, read once per process; a new or
changed route appears by itself. Parsing is pure; views only look up.
"""

from app.portal.docs.reference.documents import Reference, read
from app.portal.docs.reference.views import register, warm

__all__ = ["Reference", "read", "register", "warm"]
