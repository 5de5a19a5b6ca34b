"""Structured logs: one JSON object per event on standard error, without any content of documents.

Each object has the time, level, event, request id and account.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import MutableMapping
from datetime import UTC, datetime
from typing import Any

import structlog

from app.platform.confidential import DocumentText

_SAFE_EXCEPTION_DEPTH = 8


def configure(level: str) -> None:
    """Send structlog and the standard library's loggers to standard error as JSON lines, from `level` on."""
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
    handler.setFormatter(StandardLibraryFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(number, logging.WARNING))
    # What Python would print by itself: warnings, and exceptions that nobody caught.
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda found: _uncaught(found.exc_type, found.exc_value, found.exc_traceback)
    sys.unraisablehook = lambda found: _uncaught(found.exc_type, found.exc_value, found.exc_traceback)


def is_configured() -> bool:
    """Return whether `configure` was called in this process."""
    return structlog.is_configured()


def for_granian() -> dict[str, Any]:
    """Return the logging configuration for granian: its own lines as JSON on standard error."""
    formatter = {"()": StandardLibraryFormatter}
    handler = {"class": "logging.StreamHandler", "stream": "ext://sys.stderr"}
    return {
        "formatters": {"generic": formatter, "access": formatter},
        "handlers": {
            "console": {**handler, "formatter": "generic"},
            "access": {**handler, "formatter": "access"},
        },
    }


def _uncaught(kind: type[BaseException], error: BaseException | None, _trace: object) -> None:
    if issubclass(kind, (KeyboardInterrupt, SystemExit)):
        return
    logger("process").error(
        "uncaught exception", **({"exc_info": error} if error else {"kind": kind.__name__})
    )


def logger(name: str) -> Any:
    """Return a structlog logger, used as `logger.info("event", field=value)`."""
    return structlog.get_logger(name)


def exception_trace(error: BaseException) -> str:
    """Format an exception as `Type at file:line in function > …`, innermost last, without its message.

    The message is left out because it may quote the client's document that was being processed.
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


class StandardLibraryFormatter(logging.Formatter):
    """Format records of third-party libraries as JSON: with their message, without exception messages."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON."""
        event: dict[str, Any] = {
            "event": record.getMessage(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z"),
        }
        if record.exc_info and record.exc_info[1]:
            event["exception"] = exception_trace(record.exc_info[1])
        return str(structlog.processors.JSONRenderer()(None, "", event))
