"""API reference at `/docs`: a page for each operation and each webhook event. Owns no tables.

Invariant: everything on it comes from the application's own OpenAPI document, read once per process; a new or
changed route appears by itself. Parsing is pure; views only look up.
"""

from app.portal.docs.reference import samples
from app.portal.docs.reference.documents import Reference, read
from app.portal.docs.reference.operations import Operation
from app.portal.docs.reference.views import register, the_reference, warm

__all__ = ["Operation", "Reference", "read", "register", "samples", "the_reference", "warm"]
