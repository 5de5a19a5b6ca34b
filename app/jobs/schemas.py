"""Wire shapes of jobs (decision 027)."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.analysis import STAGES
from app.jobs.long_poll import WAIT_MAX
from app.jobs.models import KINDS, STATUSES
from app.platform.web.openapi import Body, Choice, Problem
from app.platform.web.parameters import Count, Query

_ANSWERS = [{"$ref": "#/components/schemas/AnalyzeResponse"}, {"$ref": "#/components/schemas/BatchResponse"}]
_MOMENT = {"format": "date-time"}


class Payload(fields.Dict):
    """A body of the synchronous endpoint, parsed later because its form depends on `kind`."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, dict):
            raise ma.ValidationError(Problem("must be an object.", expected="object"))
        return value


class JobCreate(Body):
    """Body of POST /jobs."""

    kind = Choice(
        *KINDS,
        required=True,
        metadata={"description": "analyze: one document. analyze_batch: up to 50."},
    )
    payload = Payload(
        required=True,
        metadata={
            "description": "The body of POST /api/v1/analyze or POST /api/v1/analyze/batch, depending on "
            "kind, with documents of up to 500,000 characters.",
            "anyOf": [
                {"$ref": "#/components/schemas/JobAnalyzeRequest"},
                {"$ref": "#/components/schemas/JobBatchRequest"},
            ],
        },
    )


class JobQuery(Query):
    """Parameters of GET /jobs."""

    status = Choice(*STATUSES, metadata={"description": "Only jobs in this state."})
    limit = Count(min=1, max=100, load_default=20, metadata={"description": "The maximum number of jobs."})


class JobWait(Query):
    """Parameters of GET /jobs/{id}."""

    wait = Count(
        min=0,
        max=WAIT_MAX,
        load_default=0,
        metadata={
            "description": "Seconds to wait for a change, at most. While many requests wait, the answer may "
            "come at once."
        },
    )


class JobCreated(ma.Schema):
    """The answer to a created job."""

    jobId = fields.UUID(required=True)  # noqa: N815 (a wire name)
    status = fields.String(required=True, metadata={"enum": ["pending"]})
    createdAt = fields.String(required=True, metadata=_MOMENT)  # noqa: N815
    pollUrl = fields.String(  # noqa: N815
        required=True,
        metadata={"format": "uri", "description": "Path to poll for the status and result of the job."},
    )


class JobError(ma.Schema):
    """Why a job failed."""

    code = fields.String(required=True, metadata={"description": "Stable error code."})
    message = fields.String(required=True, metadata={"description": "What went wrong, in one sentence."})


class AnalysisProgress(ma.Schema):
    """How far the running analysis has come; a job that is taken up again begins again (decision 074)."""

    stage = fields.String(
        required=True,
        metadata={"enum": list(STAGES), "description": "What is being done."},
    )
    stages = fields.List(
        fields.String(metadata={"enum": list(STAGES)}),
        required=True,
        metadata={
            "description": "What this analysis goes through, in this order; restating joins when "
            "node A is asked to say again what was refused for its wording, repair when it is asked to "
            "answer objections."
        },
    )
    partsRead = fields.Integer(required=True, metadata={"minimum": 0})  # noqa: N815
    parts = fields.Integer(
        required=True,
        metadata={"minimum": 1, "description": "A model reads a long document in parts."},
    )
    sourcesFound = fields.Integer(  # noqa: N815
        required=True,
        metadata={
            "minimum": 0,
            "description": "Passages of law found for the document, and citations found in the loaded law.",
        },
    )
    statementsJudged = fields.Integer(  # noqa: N815
        required=True,
        metadata={"minimum": 0, "description": "Statements whose citations are checked and locks assigned."},
    )


class JobProgress(ma.Schema):
    """Progress in documents and, where it is known, within the analysis that runs."""

    done = fields.Integer(required=True, metadata={"minimum": 0})
    total = fields.Integer(required=True, metadata={"minimum": 1})
    current = fields.Nested(
        AnalysisProgress,
        metadata={
            "description": "Only in the answer about one job of kind analyze, and only while it runs and the "
            "service knows: rely on status."
        },
    )


class JobState(ma.Schema):
    """The common fields of a job and of an entry of the list."""

    jobId = fields.UUID(required=True)  # noqa: N815
    kind = fields.String(required=True, metadata={"enum": list(KINDS)})
    status = fields.String(required=True, metadata={"enum": list(STATUSES)})
    progress = fields.Nested(JobProgress, required=True)
    createdAt = fields.String(required=True, metadata=_MOMENT)  # noqa: N815
    startedAt = fields.String(  # noqa: N815
        required=True,
        allow_none=True,
        metadata={**_MOMENT, "description": "When a worker first started it."},
    )
    completedAt = fields.String(  # noqa: N815
        required=True,
        allow_none=True,
        metadata={**_MOMENT, "description": "When it completed, failed or was cancelled."},
    )
    creditsCharged = fields.Integer(required=True, metadata={"minimum": 0})  # noqa: N815
    error = fields.Nested(JobError, required=True, allow_none=True)
    resultExpiresAt = fields.String(  # noqa: N815
        required=True,
        allow_none=True,
        metadata={**_MOMENT, "description": "The result is stored until then."},
    )
    resultExpired = fields.Boolean(  # noqa: N815
        required=True, metadata={"description": "True if the result is no longer stored."}
    )


class Job(JobState):
    """A job (decision 027)."""

    result = fields.Dict(
        required=True,
        allow_none=True,
        metadata={
            "description": "The body that the synchronous endpoint would have returned; null until "
            "completed.",
            "anyOf": [*_ANSWERS, {"type": "null"}],
        },
    )


class JobEntry(JobState):
    """A job in the list: without its result, its fields under both spellings (decision 022)."""

    id = fields.UUID(required=True)
    created_at = fields.String(required=True, metadata=_MOMENT)
    started_at = fields.String(required=True, allow_none=True, metadata=_MOMENT)
    completed_at = fields.String(required=True, allow_none=True, metadata=_MOMENT)
    credits_charged = fields.Integer(required=True, metadata={"minimum": 0})
    error_code = fields.String(required=True, allow_none=True)


class JobList(ma.Schema):
    """The answer of GET /jobs."""

    jobs = fields.List(fields.Nested(JobEntry), required=True, metadata={"description": "Newest first."})
