"""Reports: what a completed job found, as a document under the name of the key that owns the job.

Owns no table and keeps nothing: a report is made of the job's stored result when it is asked for, in memory,
and is readable by whoever may read that result, for as long as it is stored (decision 079).
"""

from app.reports.commented_original import can_comment
from app.reports.report import FORMATS, MEDIA_TYPES, Format, ReportFile, report_on

__all__ = ["FORMATS", "MEDIA_TYPES", "Format", "ReportFile", "can_comment", "report_on"]
