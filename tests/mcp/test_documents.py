"""Tools take an uploaded document wherever they take a text (decision 078)."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.cast import LEASE, Cast, Player
from tests.documents.files import uploaded
from tests.jobs.conftest import desk
from tests.jobs.desk import Desk
from tests.mcp.assistant import TASKS, content, rpc, tool

__all__ = ["desk"]

ARGUMENTS: dict[str, dict[str, Any]] = {
    "analyze_document": {},
    "audit_analysis": {"analysis": "La renta es de 900 euros mensuales."},
    "anonymise_text": {},
    "extract_citations": {},
    "verify_document_citations": {},
}
OWN = {"requestId", "processingMs", "documentRef", "documentWarnings", "audit"}


def _error(found: dict[str, Any]) -> Any:
    assert found["isError"] is True
    return json.loads(found["content"][0]["text"])


def _told(found: dict[str, Any]) -> dict[str, Any]:
    told = {name: value for name, value in found.items() if name not in OWN}
    for one in told.get("statements", ()):
        for quote in one["quotes"]:
            quote.pop("paragraph", None)
    return told


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_tool_says_of_a_document_what_it_says_of_its_text(
    law: None, client: FlaskClient, alice: Player, name: str
) -> None:
    ref = uploaded(client, alice)["documentRef"]
    of_text = content(client, alice, name, text=LEASE, **ARGUMENTS[name])
    of_document = content(client, alice, name, documentRef=ref, **ARGUMENTS[name])
    assert _told(of_document) == _told(of_text)
    if "statements" in of_document:
        assert of_document["documentRef"] == ref


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_tool_takes_one_of_them_and_only_the_keys_own(
    client: FlaskClient, cast: Cast, alice: Player, name: str
) -> None:
    ref = uploaded(client, alice)["documentRef"]
    both = _error(tool(client, alice, name, text=LEASE, documentRef=ref, **ARGUMENTS[name]))
    neither = _error(tool(client, alice, name, **ARGUMENTS[name]))
    for said in (both, neither):
        assert said["code"] == "VALIDATION_ERROR"
        assert "documentRef" in said["error"]
        assert "text" in said["error"]
    for player, wanted in ((cast.child(alice), ref), (alice, str(uuid.uuid4()))):
        said = _error(tool(client, player, name, documentRef=wanted, **ARGUMENTS[name]))
        assert (said["code"], said["details"]["field"]) == ("NOT_FOUND", "documentRef")


def test_a_batch_takes_documents(client: FlaskClient, alice: Player) -> None:
    ref = uploaded(client, alice)["documentRef"]
    found = content(client, alice, "analyze_document", documents=[{"documentRef": ref}, {"text": LEASE}])
    assert [one.get("documentRef") for one in found["results"]] == [ref, None]


def test_a_document_too_long_for_a_tool_says_what_to_do(client: FlaskClient, alice: Player) -> None:
    long = uploaded(client, alice, "words " * 10_000)["documentRef"]
    for name, advice in (
        ("analyze_document", "Send it as a job"),
        ("audit_analysis", "Send a part"),
        ("extract_citations", "Send a part"),
    ):
        said = _error(tool(client, alice, name, documentRef=long, **ARGUMENTS[name]))
        assert said["details"]["max"] == 50_000
        assert advice in said["error"]


def test_to_a_client_of_tasks_a_long_document_is_one(
    client: FlaskClient, cast: Cast, desk: Desk, alice: Player
) -> None:
    long = uploaded(client, alice, (LEASE + "\n\n") * 100)
    assert long["characters"] > 50_000
    call = {"name": "analyze_document", "arguments": {"documentRef": long["documentRef"]}}
    response = rpc(client, alice, "tools/call", call, capabilities=TASKS)
    task = response.get_json()["result"]
    assert task["resultType"] == "task", task
    assert cast.balance(alice).held == 2
    assert desk.run(task["taskId"])
    asked = {"taskId": task["taskId"]}
    done = rpc(client, alice, "tasks/get", asked, capabilities=TASKS).get_json()["result"]
    assert done["result"]["structuredContent"]["documentRef"] == long["documentRef"]


def test_a_task_of_an_unknown_document_is_refused_by_its_argument(
    client: FlaskClient, desk: Desk, alice: Player
) -> None:
    call = {"name": "analyze_document", "arguments": {"documentRef": str(uuid.uuid4())}}
    found = rpc(client, alice, "tools/call", call, capabilities=TASKS).get_json()["result"]
    said = _error(found)
    assert (said["code"], said["details"]["field"]) == ("NOT_FOUND", "documentRef")
    assert "payload" not in said["error"]
