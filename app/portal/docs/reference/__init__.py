"""The API reference at `/docs`: a page for each operation and each webhook event. Owns no tables.

Invariant: everything on it comes from the OpenAPI document that the application itself builds, read once in
the life of a process; a route that is added, or changed, shows by itself. Reading is pure; views look up.
"""

from app.portal.docs.reference.documents import Reference, read
from app.portal.docs.reference.views import shelve, warm

__all__ = ["Reference", "read", "shelve", "warm"]
