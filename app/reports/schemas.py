"""Wire shapes of reports."""

from __future__ import annotations

from app.platform.web.openapi import Choice
from app.platform.web.parameters import Count, Query
from app.reports.report import FORMATS


class ReportQuery(Query):
    """Parameters of GET /jobs/{id}/report."""

    format = Choice(
        *FORMATS,
        load_default="pdf",
        metadata={
            "description": "The kind of file. docx-comments: the uploaded DOCX (`documentRef`), with a "
            "comment at each passage that the analysis quotes."
        },
    )
    item = Count(
        min=1,
        max=50,
        metadata={
            "description": "Of a batch: the position of one document, from 1; required with docx-comments. "
            "Without it the report has a chapter for each document, and a list of those that failed."
        },
    )
