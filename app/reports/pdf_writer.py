"""Write a report as tagged PDF/A with its letterhead, from `templates/pdf/report.html`."""

from __future__ import annotations

from app import governance
from app.branding import Letterhead
from app.platform import pdf
from app.reports.blocks import Composition


def write(report: Composition, letterhead: Letterhead) -> bytes:
    """Return the report as PDF, signed where the operator has a certificate (decisions 062 and 063).

    It computes for a second or more: call it outside a transaction.

    Raises:
        Upstream: 503, where no PDF can be made, too many wait, or the operator's certificate is not valid.
    """
    values = {
        "letterhead": letterhead,
        "frame": report.frame,
        "opening": report.opening,
        "chapters": report.chapters,
        "closing": report.closing,
        "starts_pages": bool(report.opening),
    }
    made = pdf.render("report.html", values, origin=report.frame.origin_code)
    return governance.signed(made, reason=report.frame.title)
