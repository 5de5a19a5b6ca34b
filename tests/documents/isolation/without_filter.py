"""What is left on a machine whose system calls the filter does not know."""

from __future__ import annotations

from app.documents.isolation import confinement

confinement._MACHINES.clear()

report = confinement.report
