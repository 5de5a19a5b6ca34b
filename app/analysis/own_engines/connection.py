"""Reach an account's own engines: test one before it is kept, and have its model ready for an analysis."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Literal

from app.analysis.errors import ModelFailed, ModelUnavailable
from app.analysis.llm import Model, Question
from app.analysis.llm.circuit_breaker import CircuitBreaker
from app.analysis.llm.failure_reasons import AttemptFailed, FailureKind
from app.analysis.llm.retries import RetryingModel, Vendor
from app.analysis.nodes import Nodes
from app.analysis.own_engines import storage
from app.analysis.own_engines.models import OwnEngine
from app.analysis.own_engines.storage import Chosen, Protocol
from app.platform import crypto, log, ratelimit, safe_http, settings
from app.platform.errors import Exhausted, Invalid
from app.platform.postgres import db
from app.tenancy import Caller

Reason = Literal["key_refused", "model_unknown", "not_reachable", "not_allowed", "limited", "wrong_protocol"]

OFFICIAL: Final = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com/v1"}

_logger = log.logger("models")

# A test holds a request's thread; a model that thinks first needs some seconds all the same.
_TEST_S: Final = 20.0
# Tests of an account in a minute: what others pay for, and a way to try keys that are not one's own.
_TESTS: Final = 6
_PROBE: Final = Question(
    name="engine_test",
    system="Answer with the JSON object that the schema asks for, and nothing else.",
    user="This is a test of the connection. Set ready to true.",
    schema={
        "type": "object",
        "properties": {"ready": {"type": "boolean"}},
        "required": ["ready"],
        "additionalProperties": False,
    },
    max_output_tokens=2_000,
)
_SAID: Final[dict[Reason, tuple[str, str]]] = {
    "key_refused": ("apiKey", "was refused. Check that it is complete, valid and allowed to use this model"),
    "model_unknown": ("model", "is not known there. Check its name and, with a baseUrl, the path of that"),
    "not_reachable": ("baseUrl", "did not answer within 20 s, or with an error of its own. Try again later"),
    "not_allowed": ("baseUrl", "leads to an address that must not be called; a public one is needed"),
    "limited": ("apiKey", "is over its rate limit or has no credit left. Try again later"),
    "wrong_protocol": (
        "engine",
        "did not answer in its protocol with an object of the schema that was asked for. Check baseUrl, "
        "which is followed to no other address, and protocol: many servers know chat only",
    ),
}


_turns: Counter[uuid.UUID] = Counter()
_turns_lock = threading.Lock()


def test(account_id: uuid.UUID, chosen: Chosen) -> None:
    """Ask an engine one small question, once, as an analysis would.

    No transaction may be open meanwhile.

    Raises:
        Invalid: 422 `URL_NOT_ALLOWED` where the address must not be called; 422 `ENGINE_TEST_FAILED`, whose
            details have the field and the reason.
        Exhausted: 429, the account tests too often.
    """
    rate = ratelimit.limiter().hit(f"engine_test:{account_id}", _TESTS)
    if not rate.allowed:
        raise Exhausted(
            f"An account can test {_TESTS} engines per minute. Try again in {rate.retry_after} s.",
            retry_after=rate.retry_after,
            details={"limit": _TESTS, "windowSeconds": 60},
        )
    if chosen.base_url is not None:
        safe_http.check_url(
            chosen.base_url, allow_hosts=settings.current().allowed_engine_hosts, field="baseUrl"
        )
    try:
        _vendor(chosen.engine, chosen.model, chosen.base_url, chosen.protocol, chosen.api_key).attempt(
            _PROBE, _TEST_S
        )
    except AttemptFailed as failure:
        reason = _reason(failure)
        _logger.info("own engine refused", engine=chosen.engine, reason=reason, status=failure.status)
        field, said = _SAID[reason]
        if field == "baseUrl" and chosen.base_url is None:
            field = "engine"
        raise Invalid(
            f"{field}: {said}. Nothing was changed.",
            code="ENGINE_TEST_FAILED",
            status=422,
            details={"field": field, "reason": reason},
        ) from None


def _reason(failure: AttemptFailed) -> Reason:
    match failure.kind:
        case FailureKind.LOCKED_OUT:
            return "key_refused"
        case FailureKind.BUSY:
            return "limited"
        case FailureKind.AWAY:
            return "not_reachable"
        case FailureKind.FORBIDDEN:
            return "not_allowed"
        case FailureKind.REJECTED if failure.status == 404:
            return "model_unknown"
    return "wrong_protocol"


def nodes_of(caller: Caller) -> Nodes:
    """Return the engines of the caller's analysis, its account's own where it has any.

    The caller's row says whether there are any; which, is read now, so that an engine that was removed or set
    again since is not asked.

    Raises:
        ModelFailed: a key cannot be opened, because `SECRET_KEY` has changed (502).
    """
    config = settings.current()
    if caller.own_engine_a is None and caller.own_engine_b is None:
        return Nodes.of_settings(config)
    with db.reading() as session:
        rows = storage.engines_of(session, caller.account_id)
        session.expunge_all()
    found = {row.node: row for row in rows}
    models = {node: _MODELS.of(caller.account_id, node, found.get(node)) for node in storage.NODES}
    return Nodes.of_settings(config, own_a=models["A"], own_b=models["B"])


def forget(account_id: uuid.UUID) -> None:
    """Drop the account's models from this process; others notice that the engine was set again."""
    for node in storage.NODES:
        _MODELS.of(account_id, node, None)


@contextmanager
def turn(account_id: uuid.UUID, nodes: Nodes) -> Iterator[None]:
    """Let an account's own engines work on one analysis more in this process, half of its threads at most.

    A server that answers slowly, which an account may run on purpose, must not take the threads of all.

    Raises:
        ModelUnavailable: so many work already (503).
    """
    if not nodes.own:
        yield
        return
    most = max(1, settings.current().web_threads // 2)
    with _turns_lock:
        if _turns[account_id] >= most:
            raise ModelUnavailable(
                f"{most} analyses by your account's own engines are running here already; you were not "
                "charged. Try again when some of them have ended."
            )
        _turns[account_id] += 1
    try:
        yield
    finally:
        with _turns_lock:
            _turns[account_id] -= 1
            if not _turns[account_id]:
                del _turns[account_id]


def _vendor(engine: str, model: str, base_url: str | None, protocol: Protocol | str, key: str) -> Vendor:
    # Loaded when an engine is asked: commands that read the tables of all packages need no client.
    from app.analysis.llm import clients

    transport = clients.own(base_url)
    address = base_url or OFFICIAL[engine]
    # Their libraries take two seconds to load, in every process: only where somebody chose the vendor.
    if engine == "anthropic":
        from app.analysis.llm.anthropic import Anthropic

        return Anthropic(model, api_key=key, base_url=address, transport=transport)
    from app.analysis.llm.openai import OpenAI

    return OpenAI(model, api_key=key, base_url=address, chat=protocol == "chat", transport=transport)


@dataclass(frozen=True, slots=True, repr=False)
class _Ready:
    engine_id: uuid.UUID
    model: Model
    used_at: float


class _Models:
    """The models of accounts' own engines that this process used lately, each with a breaker of its own.

    A model belongs to one row, whose id changes with whatever it was made of. Thread-safe.
    """

    _MOST, _IDLE_S = 64, 900.0

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ready: OrderedDict[tuple[uuid.UUID, str], _Ready] = OrderedDict()

    def of(self, account_id: uuid.UUID, node: str, row: OwnEngine | None) -> Model | None:
        """Return the model of a row; `None`, and forget the model before, where there is no row."""
        place, now = (account_id, node), time.monotonic()
        with self._lock:
            found = self._ready.pop(place, None)
            while self._ready and next(iter(self._ready.values())).used_at < now - self._IDLE_S:
                self._ready.popitem(last=False)
            if row is None:
                return None
            if found is None or found.engine_id != row.id:
                found = _Ready(row.id, _made(row), now)
            self._ready[place] = _Ready(row.id, found.model, now)
            if len(self._ready) > self._MOST:
                self._ready.popitem(last=False)
            return found.model

    def clear(self) -> None:
        """Forget every model, as in a new process."""
        self._lock = threading.Lock()
        self._ready.clear()


_MODELS = _Models()
os.register_at_fork(after_in_child=_MODELS.clear)


def _made(row: OwnEngine) -> Model:
    try:
        key = storage.api_key(row)
    except crypto.Unreadable:
        _logger.error("an own engine's key cannot be opened", account=str(row.account_id), node=row.node)
        raise ModelFailed(
            f"The API key of your account's own engine for node {row.node} can no longer be read; you were "
            "not charged. Set the engine again with PUT /api/v1/account/engine or in the portal."
        ) from None
    return RetryingModel(
        _vendor(row.engine, row.model, row.base_url, row.protocol, key),
        CircuitBreaker(),
        attempt_s=settings.current().model_attempt_s,
    )
