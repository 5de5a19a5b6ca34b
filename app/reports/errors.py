"""Errors of reports."""

from __future__ import annotations

from app.platform.errors import Conflict, DomainError, Invalid


class NotCompleted(Conflict):
    """409: the job has no result, and may get one yet or never."""

    code = "JOB_NOT_COMPLETED"


class NoAnalysis(Conflict):
    """409: the document of the batch that was asked for failed."""

    code = "DOCUMENT_WITHOUT_ANALYSIS"


class NoOriginal(Conflict):
    """409: there is no Word document that comments could be written into."""

    code = "NO_ORIGINAL"


class ResultOutdated(Conflict):
    """409: the result was made by an earlier release and lacks what a report is made of."""

    code = "RESULT_OUTDATED"


class ResultExpired(DomainError):
    """410: the result of the job is no longer stored."""

    code = "RESULT_EXPIRED"
    status = 410


class TooLong(Invalid):
    """422: the report has too many parts for a PDF."""

    code = "REPORT_TOO_LONG"
    status = 422
