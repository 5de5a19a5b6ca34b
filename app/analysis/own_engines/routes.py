"""Operations on /api/v1/account/engine."""

from __future__ import annotations

from typing import Any

from flask import Response

from app.analysis import own_engines
from app.analysis.own_engines import schemas
from app.platform import clock
from app.platform.errors import Denied
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.tenancy.guard import caller, require_key

routes = openapi.Routes(
    "engine", __name__, url_prefix="/api/v1", description="Engines of the account's own, in place of ours."
)

_REQUEST_ID = "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11"
_ENGINE = {
    "node": "A",
    "engine": "openai",
    "model": "gpt-6.1-sol",
    "baseUrl": "https://models.example.com/v1",
    "protocol": "chat",
    "keyHint": "x7Qa",
    "testedAt": "2026-11-21T10:15:30.125Z",
    "createdAt": "2026-11-21T10:15:30.125Z",
    "setBy": {
        "kind": "api_key",
        "id": "9a1c2c1e-8a54-4c0e-9a2f-5a1d7c3e9b10",
        "name": "cnd_Zk3v9QpT…",
    },
}
_CHANGE = {
    "node": "A",
    "engine": "openai",
    "model": "gpt-6.1-sol",
    "baseUrl": "https://models.example.com/v1",
    "protocol": "chat",
    "apiKey": "example-key-of-the-vendor-x7Qa",
}
_A_CHILD = {
    "error": "A child key cannot see or change the engines of the account.",
    "code": "FORBIDDEN_CHILD_KEY",
    "requestId": _REQUEST_ID,
}
_TEST_FAILED = {
    "error": "apiKey: was refused. Check that it is complete, valid and allowed to use this model. Nothing "
    "was changed.",
    "code": "ENGINE_TEST_FAILED",
    "requestId": _REQUEST_ID,
    "details": {"field": "apiKey", "reason": "key_refused"},
}


@routes.route("/account/engine", methods=["GET"])
@require_key()
@routes.response(
    200,
    schemas.Engines,
    headers=openapi.RATE_HEADERS,
    example={"engines": [_ENGINE], "requestId": _REQUEST_ID},
)
@openapi.fails(routes, 401, 403, 429, 500, 503, examples={403: _A_CHILD})
@routes.doc(operationId="getEngines")
def show() -> Response:
    """List the account's own engines

    At a node without an entry our engine works. API keys are never shown, only their last four characters.
    """
    _not_a_child()
    with db.reading() as session:
        found = own_engines.engines_of(session, caller().account_id)
        return http.answer({"engines": [_engine(row) for row in found], "requestId": http.request_id()})


@routes.route("/account/engine", methods=["PUT"])
@require_key(manages="account")
@routes.arguments(schemas.EngineChange, example=_CHANGE)
@routes.response(
    200,
    schemas.EngineSet,
    headers=openapi.RATE_HEADERS,
    example={"engine": _ENGINE, "requestId": _REQUEST_ID},
)
@openapi.fails(
    routes, 400, 401, 403, 413, 415, 422, 429, 500, 503, examples={403: _A_CHILD, 422: _TEST_FAILED}
)
@routes.doc(operationId="setEngine")
def change(body: dict[str, Any]) -> Response:
    """Set an own engine for a node

    The engine is asked one small question first, which your vendor charges. If it does not answer, the
    response is 422 ENGINE_TEST_FAILED with `details.reason` (`key_refused`, `model_unknown`, `not_reachable`,
    `not_allowed`, `limited`, `wrong_protocol`), nothing is kept, and what was set before stays. From the next
    request on it works for every key of the account, child keys included. The price in credits is the same.
    Nothing stands in for it: if it fails, the analysis fails uncharged.
    """
    _not_a_child()
    chosen = own_engines.Chosen(
        node=body["node"],
        engine=body["engine"],
        model=body["model"],
        base_url=body.get("base_url"),
        protocol="messages" if body["engine"] == "anthropic" else body.get("protocol", "responses"),
        api_key=body["api_key"],
    )
    row = own_engines.set_engine(caller().account_id, chosen)
    return http.answer({"engine": _engine(row), "requestId": http.request_id()})


@routes.route("/account/engine", methods=["DELETE"])
@require_key(manages="account")
@routes.arguments(schemas.EngineQuery, location="query")
@routes.response(
    200,
    schemas.EnginesRemoved,
    headers=openapi.RATE_HEADERS,
    example={"removed": ["A"], "requestId": _REQUEST_ID},
)
@openapi.fails(routes, 400, 401, 403, 429, 500, 503, examples={403: _A_CHILD})
@routes.doc(operationId="removeEngine")
def remove(query: dict[str, Any]) -> Response:
    """Return to our engine at a node, or at both

    The own engine and its API key are deleted. From the next request on our engine works for every key of the
    account. `removed` names the nodes that had an own engine.
    """
    _not_a_child()
    nodes = [query["node"]] if "node" in query else own_engines.NODES
    removed = own_engines.remove_engines(caller().account_id, nodes)
    return http.answer({"removed": removed, "requestId": http.request_id()})


def _not_a_child() -> None:
    if caller().role == "child":
        raise Denied(str(_A_CHILD["error"]), code="FORBIDDEN_CHILD_KEY", status=403)


def _engine(row: own_engines.OwnEngine) -> dict[str, Any]:
    return {
        "node": row.node,
        "engine": row.engine,
        "model": row.model,
        "baseUrl": row.base_url,
        "protocol": row.protocol,
        "keyHint": row.key_hint,
        "testedAt": clock.iso(row.tested_at),
        "createdAt": clock.iso(row.created_at),
        "setBy": {
            "kind": row.set_by_kind,
            "id": str(row.set_by_id) if row.set_by_id else None,
            "name": row.set_by_name,
        },
    }
