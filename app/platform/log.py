"""One JSON object per event on standard error: time, level, event, request id, account. Never content."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from app.platform.confidential import DocumentText

_SAFE_EXCEPTION_DEPTH = 8


def configure(level: str) -> None:
    """Send structlog and the standard library's loggers to standard error as JSON lines."""
    number = getattr(logging, level.upper())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _exception_without_content,
            structlog.processors.JSONRenderer(default=_safe),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_StandardLibraryFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(number, logging.WARNING))


def logger(name: str) -> Any:
    """A logger: `log.info("event", field=value)`."""
    return structlog.get_logger(name)


def exception_trace(error: BaseException) -> str:
    """Where an exception came from, as `Type at file:line in function`, innermost last, without its message.

    A message may quote what was being processed, and what is processed here is a client's document.
    """
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append(f"{code.co_filename.rsplit('/', 2)[-1]}:{trace.tb_lineno} in {code.co_name}")
        trace = trace.tb_next
    return f"{type(error).__name__} at " + " > ".join(frames[-_SAFE_EXCEPTION_DEPTH:])


def _exception_without_content(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, BaseException):
        event["exception"] = exception_trace(error)
    return event


def _safe(value: Any) -> str:
    return repr(value) if isinstance(value, DocumentText) else str(value)


class _StandardLibraryFormatter(logging.Formatter):
    """Third-party records as JSON. Their arguments and messages pass, their exception texts do not."""

    def format(self, record: logging.LogRecord) -> str:
        event: dict[str, Any] = {
            "event": record.getMessage(),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        if record.exc_info and record.exc_info[1]:
            event["exception"] = exception_trace(record.exc_info[1])
        return str(structlog.processors.JSONRenderer()(None, "", event))
