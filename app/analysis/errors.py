"""Name what can go wrong with an analysis."""

from __future__ import annotations

from app.platform.errors import Upstream


class ModelFailed(Upstream):
    """The model answered, but with nothing usable: 502."""

    code = "MODEL_ERROR"
    status = 502
    retry_after = None


class AnswerCut(ModelFailed):
    """The model had more to say than one answer holds: 502, unless it is asked for less."""


class RequestRejected(ModelFailed):
    """The vendor does not take the request in this form: 502, unless it can be asked in a plainer one."""


class ModelUnavailable(Upstream):
    """No model can be asked now: 503 with Retry-After."""

    code = "MODEL_UNAVAILABLE"
    status = 503
    retry_after = 30
