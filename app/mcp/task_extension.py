"""Long work as tasks, for clients that declare the extension `io.modelcontextprotocol/tasks`.

A task is a job (decision 053): its id is the job's, and it ends, is charged and is forgotten as the job is. A
client declares the extension with each request; to any other a tool answers when it is done.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import mcp_types as types
from flask import request
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import MCP_NAME_HEADER, decode_header_value
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import Field

from app import jobs
from app.jobs import operations
from app.mcp import document_tools
from app.mcp.tool import Call, ToolResult
from app.platform import clock, errors, settings
from app.platform.postgres import db
from app.platform.web import http, public_address
from app.tenancy import guard

EXTENSION = "io.modelcontextprotocol/tasks"
_POLL_MS = 2_000

Context = ServerRequestContext[Any, Any]
Refused = Callable[..., MCPError]
Result = Callable[[bool, ToolResult], types.CallToolResult]


class TaskParams(types.RequestParams):
    """Parameters of tasks/get, tasks/update and tasks/cancel."""

    task_id: str = Field(alias="taskId")


def declared(context: Context) -> bool:
    """Tell whether the client of this request declared the extension; the older revisions have no way to."""
    if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return False
    found: Any = context.params
    for name in ("_meta", types.CLIENT_CAPABILITIES_META_KEY, "extensions"):
        found = found.get(name) if isinstance(found, Mapping) else None
    return isinstance(found, Mapping) and EXTENSION in found


def begin(call: Call) -> dict[str, Any]:
    """Create the job of a call of analyze_document; return it as a task."""
    raw = document_tools.payload(call)
    body = {"kind": "analyze_batch" if "documents" in raw else "analyze", "payload": raw}
    try:
        stored, _ = operations.create(
            call.caller,
            body,
            raw=body,
            key=call.key,
            request_id=call.request_id,
            base_url=public_address.base(),
        )
    except errors.Invalid as error:
        raise _of_arguments(error) from None
    with db.reading() as session:
        job = jobs.find(
            session,
            call.caller.account_id,
            uuid.UUID(json.loads(stored.body)["jobId"]),
            caller=call.caller,
        )
    return {"resultType": "task", **_state(job)}


def install(server: Server[Any], shielded: Callable[[Any], Any], refused: Refused, result: Result) -> None:
    """Put the extension's methods on a server.

    `refused` makes a protocol error, `result` a tool's result.
    """

    def found(context: Context, params: TaskParams) -> jobs.Job:
        if not declared(context):
            raise refused(
                types.MISSING_REQUIRED_CLIENT_CAPABILITY,
                "Missing required client capability",
                {"requiredCapabilities": {"extensions": {EXTENSION: {}}}},
            )
        if decode_header_value(request.headers.get(MCP_NAME_HEADER)) != params.task_id:
            raise refused(types.HEADER_MISMATCH, "The header Mcp-Name must be the taskId of the body.")
        me = guard.caller()
        try:
            guard.require_scope(me, "analyze")
            with db.reading() as session:
                return jobs.find(session, me.account_id, uuid.UUID(params.task_id), caller=me)
        except (ValueError, errors.NotFound):
            raise refused(types.INVALID_PARAMS, "There is no task with this id.") from None

    @shielded
    async def get(context: Context, params: TaskParams) -> dict[str, Any]:
        job = found(context, params)
        task = {"resultType": "complete", **_state(job)}
        if job.status == "completed":
            content = jobs.result(job, now=clock.now())
            if content is None:
                raise refused(types.INVALID_PARAMS, "The task has expired: its result is no longer kept.")
            told = ToolResult({**document_tools.analysed(content), "replayed": False})
            task["result"] = _plain(result(False, told))
        elif job.status == "failed":
            task["status"] = "completed"
            task["result"] = _plain(_failure(job))
        return task

    @shielded
    async def update(context: Context, params: TaskParams) -> dict[str, Any]:
        # No task of ours asks for input, and answers to questions that were not put are to be ignored.
        found(context, params)
        return {"resultType": "complete"}

    @shielded
    async def cancel(context: Context, params: TaskParams) -> dict[str, Any]:
        job = found(context, params)
        me = guard.caller()
        try:
            with db.transaction() as session:
                jobs.cancel(session, me.account_id, job.id, now=clock.now(), caller=me)
        except errors.Conflict:
            # A worker has it, or it has ended: what was asked for is acknowledged all the same.
            return {"resultType": "complete"}
        jobs.discard(job.id)
        return {"resultType": "complete"}

    server.extensions[EXTENSION] = {}
    for method, handler in (("tasks/get", get), ("tasks/update", update), ("tasks/cancel", cancel)):
        server.add_request_handler(method, TaskParams, handler)


def _state(job: jobs.Job) -> dict[str, Any]:
    """Return a job as the extension describes a task; a job that failed is a task that ended (see `get`)."""
    working = job.status in ("pending", "running")
    config = settings.current()
    longest = timedelta(hours=config.job_lifetime_hours + config.job_result_hours)
    ends: datetime = job.result_expires_at or job.created_at + longest
    return {
        "taskId": str(job.id),
        "status": "working" if working else job.status,
        "statusMessage": _message(job) if working else job.status,
        "createdAt": clock.iso(job.created_at),
        "lastUpdatedAt": clock.iso(job.completed_at or job.started_at or job.created_at),
        "ttlMs": round((ends - job.created_at).total_seconds() * 1000),
        "pollIntervalMs": _POLL_MS,
    }


def _message(job: jobs.Job) -> str:
    done = f"{job.done} of {job.total} documents analysed"
    now = jobs.progress_of(job)
    if now is None:
        return done
    return (
        f"{done}; {now.stage}: {now.parts_read} of {now.parts} parts read, "
        f"{now.sources_found} sources found, {now.statements_judged} statements judged"
    )


def _failure(job: jobs.Job) -> types.CallToolResult:
    code = job.error_code or "INTERNAL_ERROR"
    body = http.error_body(jobs.meaning(code), code)
    return types.CallToolResult(
        is_error=True, content=[types.TextContent(text=json.dumps(body, ensure_ascii=False))]
    )


def _plain(found: types.CallToolResult) -> dict[str, Any]:
    return found.model_dump(by_alias=True, mode="json", exclude_none=True)


def _of_arguments(error: errors.Invalid) -> errors.Invalid:
    """Return an error of a job's payload as one of the tool's arguments, which are that payload."""

    def stripped(words: str) -> str:
        return words.removeprefix("payload.")

    details = {name: one for name, one in (error.details or {}).items() if one != "payload"}
    if "field" in details:
        details["field"] = stripped(details["field"])
    if "errors" in details:
        details["errors"] = [{**one, "field": stripped(one["field"])} for one in details["errors"]]
    return errors.Invalid(stripped(error.message), code=error.code, status=error.status, details=details)
