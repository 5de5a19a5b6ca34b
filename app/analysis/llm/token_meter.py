"""Count the tokens of an analysis by stage, and stop it at its budget.

`metered` is the span of one analysis; `count` is called once for every answer of a vendor, usable or not,
since each is paid for. What is counted outside of such a span goes to `/metrics` alone.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Literal, get_args

from prometheus_client import Counter as Metric

from app.analysis.errors import ModelFailed
from app.analysis.llm.model import Question

# What tokens were spent on: the draft, the rounds in which a model looks up law, what was refused for its
# wording and is said again, the audit of node B, and whatever is asked again because an answer was wrong.
Stage = Literal["draft", "tools", "restatement", "audit", "repair"]

STAGES: Final[tuple[Stage, ...]] = get_args(Stage)
KINDS: Final = ("input", "cached", "output")
_CHARACTERS_PER_TOKEN: Final = 4
# More than any answer costs.
_MOST: Final = 100_000_000
_LABELS: Final = ("false", "true")

_tokens = Metric(
    "model_tokens_total",
    "Tokens of models; cached ones are part of input.",
    ["vendor", "stage", "kind", "own"],
)
_requests = Metric(
    "model_requests_total", "Requests to models by how they ended.", ["vendor", "outcome", "own"]
)
_budgets = Metric("model_budgets_met_total", "Analyses that met their budget of tokens.")


class BudgetSpent(ModelFailed):
    """The tokens that an analysis may cost are spent; the built-in engine gives the answer instead."""


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """What tokens are counted under. `own` tells an engine of the account's own from the operator's."""

    stage: Stage
    vendor: str
    model: str
    own: bool = False


class TokenMeter:
    """The tokens of one analysis. Thread-safe: its parts are analysed at the same time."""

    def __init__(self, budget: int = 0) -> None:
        self.budget = budget
        self._lock = threading.Lock()
        self._items: defaultdict[Item, Counter[str]] = defaultdict(Counter)
        self._met = False

    def add(self, item: Item, usage: Mapping[str, int]) -> None:
        """Add what an answer cost."""
        with self._lock:
            self._items[item].update({kind: usage.get(kind, 0) for kind in KINDS})

    def has_room(self, expected: int) -> bool:
        """Tell whether the budget has room for `expected` tokens more."""
        with self._lock:
            spent = sum(one["input"] + one["output"] for one in self._items.values())
            return not self.budget or spent + expected <= self.budget

    def check(self, expected: int) -> None:
        """Raise `BudgetSpent` where `expected` tokens more would exceed the budget."""
        if self.has_room(expected):
            return
        with self._lock:
            first, self._met = not self._met, True
        if first:
            _budgets.inc()
        raise BudgetSpent("The analysis met its limit of tokens; you were not charged.")

    def items(self) -> dict[Item, dict[str, int]]:
        """Return the counts of each kind by item, in order."""
        with self._lock:
            return {item: dict(self._items[item]) for item in sorted(self._items)}

    def by_stage(self) -> dict[str, dict[str, int]]:
        """Return the counts of each kind by stage; empty where no model was asked."""
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for item, counts in self.items().items():
            found[item.stage].update(counts)
        return {stage: {kind: found[stage][kind] for kind in KINDS} for stage in STAGES if stage in found}


_meter: ContextVar[TokenMeter | None] = ContextVar("token_meter", default=None)
_stage: ContextVar[Stage] = ContextVar("token_stage", default="draft")


@contextmanager
def metered(budget: int = 0) -> Iterator[TokenMeter]:
    """Count what is asked within; `budget` is the most tokens, 0 for no limit."""
    meter = TokenMeter(budget)
    token = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(token)


@contextmanager
def stage(name: Stage) -> Iterator[None]:
    """Count what is asked within under this stage."""
    token = _stage.set(name)
    try:
        yield
    finally:
        _stage.reset(token)


def check(question: Question) -> None:
    """Raise `BudgetSpent` where asking `question` would exceed the budget of the analysis."""
    meter = _meter.get()
    if meter is not None:
        meter.check(question.characters // _CHARACTERS_PER_TOKEN)


def has_room(question: Question, times: int) -> bool:
    """Tell whether `question` could be asked so many `times` within the budget of the analysis."""
    meter = _meter.get()
    return meter is None or meter.has_room(times * question.characters // _CHARACTERS_PER_TOKEN)


def count(
    vendor: str,
    model: str,
    *,
    input: int | None,
    output: int | None,
    cached: int | None = 0,
    calls: bool = False,
    own: bool = False,
) -> dict[str, int]:
    """Count an answer and return what it cost.

    Args:
        vendor: the vendor.
        model: the model's name, as it was chosen.
        input: tokens read, cached ones included; `None` where the vendor does not say.
        output: tokens written.
        cached: those of `input` that came from the vendor's cache.
        calls: whether the answer calls tools: a draft's then belongs to the stage `tools`.
        own: whether the engine is the account's own.
    """
    usage = {"input": _counted(input), "cached": _counted(cached), "output": _counted(output)}
    at = _stage.get()
    item = Item("tools" if calls and at == "draft" else at, vendor, model, own)
    for kind in KINDS:
        _tokens.labels(vendor, item.stage, kind, _LABELS[own]).inc(usage[kind])
    meter = _meter.get()
    if meter is not None:
        meter.add(item, usage)
    return usage


def _counted(number: object) -> int:
    """Return a count that a server gave, 0 for what is none: it is added up and stored."""
    return min(number, _MOST) if type(number) is int and number > 0 else 0


def ended(vendor: str, outcome: str, *, own: bool = False) -> None:
    """Count how a request to a vendor, or to an account's own engine, ended, in one word."""
    _requests.labels(vendor, outcome, _LABELS[own]).inc()
