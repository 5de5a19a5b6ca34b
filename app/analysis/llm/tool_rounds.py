"""Let a model look things up before it answers: rounds of calls, within time, tokens and number."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from app.analysis.errors import RequestRejected
from app.analysis.llm import token_meter
from app.analysis.llm.model import Answer, Call, Exchange, Model, Question, Result, Tool
from app.rules import Source

# The answer takes longest to write: nothing is looked up once less than this share of the time is left.
_FOR_THE_ANSWER: Final = 0.5
# A round costs its request and, once more, that of the answer.
_REQUESTS_OF_A_ROUND: Final = 2


class Toolbox(Protocol):
    """What a model may call while it drafts one analysis. Thread-safe."""

    rounds: int

    @property
    def sources(self) -> tuple[Source, ...]:
        """What was found and may be cited, anonymised."""
        ...

    @property
    def made(self) -> int:
        """How many calls were carried out."""
        ...

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools; empty where no calls are left."""
        ...

    def run(self, calls: Sequence[Call]) -> tuple[Result, ...]:
        """Return a result for each call, of the same id and in the same order; what fails is a result too."""
        ...

    def found(self, results: Sequence[Result]) -> str:
        """Return results as material of a question without tools."""
        ...


def ask(
    model: Model, question: Question, toolbox: Toolbox | None, *, instructions: str = "", deadline: float
) -> Answer:
    """Ask until the model answers, running the tools that it calls; its usage is that of all rounds.

    In the last round it may call no more. A model that calls all the same, and a server that knows no tools,
    get the question without tools, with what was found as material.

    Args:
        model: who is asked.
        question: what is asked, without tools.
        toolbox: what it may call; `None` for nothing.
        instructions: how to use the tools, said beside those of the question where there are any.
        deadline: in monotonic seconds.

    Raises:
        ModelFailed: the model answered with nothing usable (502).
        ModelUnavailable: the model cannot be asked now (503).
        BudgetSpent: another request would exceed the analysis's budget of tokens.
    """
    if toolbox is None or not toolbox.tools:
        return model.ask(question, deadline=deadline)
    began, usage = time.monotonic(), Counter[str]()
    asked = replace(question, tools=toolbox.tools, system=f"{question.system}\n{instructions}")
    for left in range(toolbox.rounds, -1, -1):
        late = deadline - time.monotonic() < (deadline - began) * _FOR_THE_ANSWER
        room = token_meter.has_room(asked, _REQUESTS_OF_A_ROUND)
        last = not left or late or not room or not toolbox.tools
        if last and not asked.exchanges:
            break
        try:
            answer = model.ask(replace(asked, must_answer=last), deadline=deadline)
        except RequestRejected:
            break
        usage.update(answer.usage)
        if not answer.calls:
            return replace(answer, usage=dict(usage))
        if last:
            break
        exchange = Exchange(answer.said, toolbox.run(answer.calls))
        grown = replace(asked, exchanges=(*asked.exchanges, exchange))
        if not token_meter.has_room(grown, 1):
            break
        asked = grown
    results = [result for one in asked.exchanges for result in one.results]
    found = toolbox.found(results)
    plain = replace(question, user=f"{question.user}\n\n{found}" if found else question.user)
    answer = model.ask(plain, deadline=deadline)
    usage.update(answer.usage)
    return replace(answer, usage=dict(usage))
