"""Ask a model until it answers or the deadline has come: retries with jitter, and the circuit breaker."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Protocol

from app.analysis.errors import AnswerCut, ModelFailed, ModelUnavailable, RequestRejected
from app.analysis.llm import token_meter
from app.analysis.llm.circuit_breaker import CircuitBreaker
from app.analysis.llm.failure_reasons import AttemptFailed, FailureKind
from app.analysis.llm.model import Answer, Question
from app.platform import log

_logger = log.logger("models")

# Full jitter between zero and a bound that doubles: callers that failed together do not come back together.
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 8.0
# A second try with the same question mends most malformed answers; a third rarely does.
_MALFORMED_MOST = 2
# Less time than this is not worth an attempt.
_LEAST_S = 0.5


class Vendor(Protocol):
    """One attempt at one model."""

    vendor: str
    model: str
    # Whether it is an engine of the account's own.
    own: bool

    def attempt(self, question: Question, timeout_s: float) -> Answer:
        """Ask once.

        Raises:
            AttemptFailed: with the reason, and nothing of the answer.
        """
        ...


class RetryingModel:
    """Implements `Model` over the attempts of a vendor.

    `setting` names what holds its key; empty for an account's own, about which no operator is told.
    """

    def __init__(
        self,
        vendor: Vendor,
        breaker: CircuitBreaker,
        *,
        attempt_s: float,
        setting: str = "",
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.vendor, self.model = vendor.vendor, vendor.model
        self._name = (
            f"Your account's own model ({vendor.vendor})" if vendor.own else f"The model of {vendor.vendor}"
        )
        self._vendor, self._breaker = vendor, breaker
        self._attempt_s, self._setting = attempt_s, setting
        self._now, self._sleep = now, sleep

    def ask(self, question: Question, *, deadline: float) -> Answer:
        """Ask until an answer is usable or `deadline` (monotonic seconds) has come.

        Raises:
            ModelFailed: the model answered with nothing usable (502).
            ModelUnavailable: the model cannot be asked now (503).
            BudgetSpent: another request would exceed the analysis's budget of tokens.
        """
        malformed, pause, last = 0, _FIRST_PAUSE_S, AttemptFailed(FailureKind.AWAY)
        while True:
            wait = self._breaker.wait_s(self._now())
            if wait:
                raise ModelUnavailable(
                    f"{self._name} is temporarily unavailable; you were not charged. Try again later.",
                    retry_after=max(1, round(wait)),
                )
            left = deadline - self._now()
            if left < _LEAST_S:
                raise self._given_up(last)
            token_meter.check(question)
            try:
                with token_meter.stage("repair") if malformed else nullcontext():
                    answer = self._vendor.attempt(question, min(left, self._attempt_s))
            except AttemptFailed as failure:
                last = failure
                self._report(failure)
                malformed += failure.kind is FailureKind.MALFORMED
                if not failure.passing or malformed >= _MALFORMED_MOST:
                    raise self._given_up(failure) from None
                bound, pause = pause, min(pause * 2, _LONGEST_PAUSE_S)
                rest = failure.retry_after
                if rest is None:
                    rest = random.uniform(0, bound)  # noqa: S311 (spreads load, keeps no secret)
                if self._now() + rest + _LEAST_S > deadline:
                    raise self._given_up(failure) from None
                self._sleep(rest)
            else:
                self._breaker.succeeded()
                token_meter.ended(self.vendor, "answered", own=self._vendor.own)
                return answer

    def _report(self, failure: AttemptFailed) -> None:
        token_meter.ended(self.vendor, failure.kind.name.lower(), own=self._vendor.own)
        _logger.warning(
            "model attempt failed",
            vendor=self.vendor,
            model=self.model,
            reason=failure.kind.value,
            status=failure.status,
            own=self._vendor.own,
        )
        if failure.kind is FailureKind.LOCKED_OUT and self._setting:
            _logger.error("check the vendor's key", setting=self._setting, vendor=self.vendor)
        if not failure.outage:
            # It answered: what is wrong is this question.
            self._breaker.succeeded()
        elif self._breaker.failed(self._now()):
            tell = _logger.warning if self._vendor.own else _logger.error
            tell("circuit opened", vendor=self.vendor, own=self._vendor.own)

    def _given_up(self, failure: AttemptFailed) -> ModelFailed | ModelUnavailable:
        if self._vendor.own and failure.kind is FailureKind.LOCKED_OUT:
            return ModelFailed(
                f"{self._name} refused the API key that is set for it; you were not charged. Set a valid one "
                "with PUT /api/v1/account/engine or in the portal."
            )
        match failure.kind:
            case FailureKind.BUSY | FailureKind.AWAY | FailureKind.LOCKED_OUT:
                return ModelUnavailable(
                    f"{self._name} could not be reached in time; you were not charged. Try again later.",
                    retry_after=max(1, round(failure.retry_after or 0)) if failure.retry_after else None,
                )
            case FailureKind.REFUSED:
                return ModelFailed(f"{self._name} refused to analyse this text; you were not charged.")
            case FailureKind.CUT:
                return AnswerCut(
                    f"The answer of {self._name[0].lower()}{self._name[1:]} was cut off; you were not "
                    "charged. Send a shorter text."
                )
            case FailureKind.MALFORMED:
                return ModelFailed(
                    f"{self._name} returned no usable answer; you were not charged. Try again."
                )
            case FailureKind.REJECTED:
                return RequestRejected(f"{self._name} rejected the request; you were not charged.")
            case FailureKind.FORBIDDEN:
                return ModelFailed(
                    f"{self._name} is at an address that must not be called; you were not charged. Set "
                    "another with PUT /api/v1/account/engine or in the portal."
                )
