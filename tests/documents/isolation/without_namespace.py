"""What is left where the kernel, or the profile of a container, forbids namespaces."""

from __future__ import annotations

from app.documents.isolation import confinement

# Not a flag of unshare(2): the call fails, as it does where it is forbidden.
confinement._CLONE_NEWUSER = 0x1

report = confinement.report
