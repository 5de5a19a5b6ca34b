"""Long work as tasks, for clients that declare the extension; for others the tool answers when it is done."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Sequence
from typing import Any, Literal

import pytest
from flask.testing import FlaskClient
from mcp.client import Client
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp_types import CallToolResult, Result

from app.jobs.models import Job
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player
from tests.jobs.conftest import desk
from tests.jobs.desk import Desk
from tests.mcp.assistant import LEGACY, MODERN, TASKS, rpc, talk

__all__ = ["desk"]

DEEP = {"name": "analyze_document", "arguments": {"text": LEASE, "mode": "deep", "language": "en"}}
BATCH = {"name": "analyze_document", "arguments": {"documents": [{"text": LEASE}, {"text": "short"}]}}


def ask(client: FlaskClient, player: Player, method: str, task: str, **more: Any) -> Any:
    return rpc(client, player, method, {"taskId": task}, capabilities=TASKS, **more)


def begun(client: FlaskClient, player: Player, call: dict[str, Any] = DEEP, **more: Any) -> dict[str, Any]:
    response = rpc(client, player, "tools/call", call, capabilities=TASKS, **more)
    found: dict[str, Any] = response.get_json()["result"]
    assert found["resultType"] == "task", found
    return found


@pytest.mark.parametrize("call", [DEEP, BATCH])
def test_long_work_becomes_a_task_whose_id_is_the_jobs(
    client: FlaskClient, cast: Cast, desk: Desk, alice: Player, call: dict[str, Any]
) -> None:
    before = cast.balance(alice).available
    task = begun(client, alice, call)
    assert (task["status"], task["pollIntervalMs"]) == ("working", 2_000)
    assert task["ttlMs"] > 0
    job = client.get(f"/api/v1/jobs/{task['taskId']}", headers=alice.auth).get_json()
    assert job["status"] == "pending"
    working = ask(client, alice, "tasks/get", task["taskId"]).get_json()["result"]
    assert (working["status"], working["resultType"]) == ("working", "complete")
    assert working["statusMessage"].startswith("0 of ")
    assert desk.run(task["taskId"])
    done = ask(client, alice, "tasks/get", task["taskId"]).get_json()["result"]
    assert (done["status"], done["resultType"]) == ("completed", "complete")
    result = done["result"]
    assert result["structuredContent"] == json.loads(result["content"][0]["text"])
    charged = result["structuredContent"]["creditsCharged"]
    assert charged == before - cast.balance(alice).available > 0


class _Task(Result):
    result_type: Literal["task"] = "task"
    task_id: str
    status: str
    ttl_ms: int | None
    poll_interval_ms: int | None = None


class _Follows(ClientExtension):
    """Follows a task to its end, as an assistant does that knows the extension."""

    identifier = "io.modelcontextprotocol/tasks"

    def __init__(self, follow: Any) -> None:
        self._follow = follow

    def claims(self) -> Sequence[ResultClaim[Any]]:
        """The result that stands for a task."""

        async def resolve(task: _Task, _: ClaimContext) -> CallToolResult:
            return CallToolResult.model_validate(await asyncio.to_thread(self._follow, task.task_id))

        return [ResultClaim(result_type="task", model=_Task, resolve=resolve)]


@pytest.mark.parametrize("call", [DEEP, BATCH])
def test_the_official_client_gets_from_a_task_what_the_tool_promises(
    client: FlaskClient, desk: Desk, alice: Player, url: str, call: dict[str, Any]
) -> None:
    def follow(task: str) -> Any:
        desk.run(task)
        return ask(client, alice, "tasks/get", task).get_json()["result"]["result"]

    async def work(assistant: Client) -> Any:
        await assistant.list_tools()
        return await assistant.call_tool(call["name"], call["arguments"])

    result = talk(f"{url}/api/mcp", alice, MODERN, work, extensions=[_Follows(follow)])
    assert result.is_error is False
    assert result.structured_content["requestId"]


@pytest.mark.parametrize(
    ("call", "capabilities", "version"),
    [
        (DEEP, {}, MODERN),
        (DEEP, {"extensions": {"com.example/other": {}}}, MODERN),
        ({"name": "analyze_document", "arguments": {"text": LEASE}}, TASKS, MODERN),
        (DEEP, TASKS, LEGACY[-1]),
    ],
)
def test_who_did_not_declare_it_or_asks_for_little_gets_the_result_at_once(
    client: FlaskClient, alice: Player, call: dict[str, Any], capabilities: Any, version: str
) -> None:
    response = rpc(client, alice, "tools/call", call, capabilities=capabilities, version=version)
    assert response.get_json()["result"]["structuredContent"]["analysis"]


def test_a_wrong_argument_is_no_task(client: FlaskClient, cast: Cast, alice: Player) -> None:
    wrong = {"name": "analyze_document", "arguments": {"documents": [], "mode": "deep"}}
    response = rpc(client, alice, "tools/call", wrong, capabilities=TASKS)
    found = response.get_json()["result"]
    said = json.loads(found["content"][0]["text"])
    assert (found["isError"], said["details"]["field"]) == (True, "documents")
    assert "payload" not in found["content"][0]["text"]
    poor = cast.player("poor", credit=0)
    found = rpc(client, poor, "tools/call", DEEP, capabilities=TASKS).get_json()["result"]
    assert "INSUFFICIENT_CREDITS" in found["content"][0]["text"]


def test_a_running_task_tells_how_far_it_has_come(client: FlaskClient, desk: Desk, alice: Player) -> None:
    task = begun(client, alice)["taskId"]
    writer, recorder = desk.reporter(desk.taken(uuid.UUID(task)))
    recorder.change(stage="drafting", parts=8, parts_read=3, sources_found=41)
    writer.write()
    told = ask(client, alice, "tasks/get", task).get_json()["result"]["statusMessage"]
    assert told == (
        "0 of 1 documents analysed; drafting: 3 of 8 parts read, 41 sources found, 0 statements judged"
    )


def test_a_repeat_under_a_key_is_the_same_task(client: FlaskClient, desk: Desk, alice: Player) -> None:
    meta = {"idempotencyKey": f"task-{uuid.uuid4()}"}
    assert begun(client, alice, meta=meta)["taskId"] == begun(client, alice, meta=meta)["taskId"]


def test_a_waiting_task_can_be_cancelled_and_a_finished_one_is_left_alone(
    client: FlaskClient, cast: Cast, desk: Desk, alice: Player
) -> None:
    before = cast.balance(alice).available
    task = begun(client, alice)["taskId"]
    assert ask(client, alice, "tasks/cancel", task).get_json()["result"]["resultType"] == "complete"
    assert ask(client, alice, "tasks/get", task).get_json()["result"]["status"] == "cancelled"
    assert cast.balance(alice).available == before
    done = begun(client, alice)["taskId"]
    desk.run(done)
    assert ask(client, alice, "tasks/cancel", done).get_json()["result"]["resultType"] == "complete"
    assert ask(client, alice, "tasks/get", done).get_json()["result"]["status"] == "completed"
    answers = rpc(
        client, alice, "tasks/update", {"taskId": done, "inputResponses": {"x": {}}}, capabilities=TASKS
    )
    assert answers.get_json()["result"]["resultType"] == "complete"


def test_a_job_that_failed_is_a_task_that_ended_with_an_error_result(
    client: FlaskClient, desk: Desk, alice: Player
) -> None:
    task = begun(client, alice)["taskId"]
    with db.transaction() as session:
        job = session.get(Job, uuid.UUID(task))
        assert job is not None
        job.status, job.error_code, job.completed_at = "failed", "MODEL_UNAVAILABLE", job.created_at
        job.payload_key = None
    found = ask(client, alice, "tasks/get", task).get_json()["result"]
    assert (found["status"], found["result"]["isError"]) == ("completed", True)
    assert json.loads(found["result"]["content"][0]["text"])["code"] == "MODEL_UNAVAILABLE"


def test_a_task_whose_result_is_no_longer_kept_has_expired(
    client: FlaskClient, desk: Desk, alice: Player
) -> None:
    task = begun(client, alice)["taskId"]
    desk.run(task)
    desk.forward(hours=25)
    error = ask(client, alice, "tasks/get", task).get_json()["error"]
    assert (error["code"], "expired" in error["message"]) == (-32602, True)


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
def test_anothers_task_is_as_unknown_as_none(
    client: FlaskClient, cast: Cast, desk: Desk, alice: Player, method: str
) -> None:
    task = begun(client, alice)["taskId"]
    mallory = cast.player("mallory")
    strangers = [ask(client, mallory, method, one) for one in (task, str(uuid.uuid4()), "x")]
    assert {response.status_code for response in strangers} == {400}
    assert len({json.dumps(response.get_json()["error"]) for response in strangers}) == 1
    assert strangers[0].get_json()["error"]["code"] == -32602
    child = cast.child(alice)
    assert ask(client, child, method, task).get_json()["error"]["code"] == -32602
    assert client.get(f"/api/v1/jobs/{task}", headers=alice.auth).get_json()["status"] == "pending"


def test_the_extension_must_be_declared_and_its_header_must_fit(
    client: FlaskClient, desk: Desk, alice: Player
) -> None:
    task = begun(client, alice)["taskId"]
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        undeclared = rpc(client, alice, method, {"taskId": task})
        assert undeclared.get_json()["error"]["code"] == -32021
        assert undeclared.get_json()["error"]["data"]["requiredCapabilities"] == TASKS
        other = ask(client, alice, method, task, headers={"Mcp-Name": str(uuid.uuid4())})
        assert (other.status_code, other.get_json()["error"]["code"]) == (400, -32020)
    assert ask(client, alice, "tasks/list", task).get_json()["error"]["code"] == -32601


def test_the_search_address_has_no_tasks(client: FlaskClient, alice: Player) -> None:
    discovered = rpc(client, alice, "server/discover", path="/api/mcp/search").get_json()["result"]
    assert "extensions" not in discovered["capabilities"]
    response = ask(client, alice, "tasks/get", str(uuid.uuid4()), path="/api/mcp/search")
    assert response.get_json()["error"]["code"] == -32601
