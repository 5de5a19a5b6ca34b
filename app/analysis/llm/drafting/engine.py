"""Node A by a language model."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from app.analysis import progress
from app.analysis.cpu_lock import CPU_LOCK
from app.analysis.errors import AnswerCut
from app.analysis.llm import Answer, Model, Question, tool_rounds
from app.analysis.llm.drafting import document_parts, part_findings, prompt, proposal
from app.analysis.llm.drafting.document_parts import Part
from app.analysis.llm.drafting.overview import overview
from app.analysis.llm.drafting.proposal import Proposal
from app.analysis.llm.tool_rounds import Toolbox
from app.platform.processes import thread_pool
from app.rules import Brief, Draft, Reading
from app.text.sentences import FoldedText

_AT_ONCE: Final = 4
# What is shorter is not halved because its answer was cut off.
_HALVED: Final = 4_000


class ModelEngine:
    """Implements `app.rules.draft.Engine` over a `Model`.

    A document longer than `part_characters` is cut by its structure, and so is one whose answer does not fit
    into one. Its parts are analysed at the same time, each told of the whole; then the whole is judged by
    what they hold (decision 071). Where one part fails the analysis fails: what is charged was read whole.
    """

    local = False

    def __init__(self, name: str, model: Model, *, part_characters: int) -> None:
        self.name = name
        self._model, self._part_characters = model, part_characters

    def analyse(self, brief: Brief, toolbox: Toolbox | None = None) -> Draft:
        """Draft an analysis of `brief.text`, looking up what `toolbox` has.

        Raises `ModelFailed` (502) or `ModelUnavailable` (503).
        """
        return _Drafting(self.name, self._model, brief, toolbox, self._part_characters).draft()


class _Drafting:
    """The drafting of one document."""

    def __init__(
        self, name: str, model: Model, brief: Brief, toolbox: Toolbox | None, part_characters: int
    ) -> None:
        self._name, self._model, self._brief, self._toolbox = name, model, brief, toolbox
        self._part_characters = part_characters
        self._cache_key = secrets.token_hex(12)

    def draft(self) -> Draft:
        brief = self._brief
        parts = document_parts.split(brief.text, self._part_characters)
        if len(parts) == 1:
            try:
                answer = self._ask(prompt.user(brief))
                return self._drafted(proposal.read(answer.value), [answer], 1)
            except AnswerCut:
                if len(brief.text) < _HALVED:
                    raise
                parts = parts[0].halves()
        return self._in_parts(parts)

    def _in_parts(self, parts: Sequence[Part]) -> Draft:
        brief = self._brief
        with CPU_LOCK:
            reading = brief.reading or Reading(brief.text, brief.jurisdiction)
            told, source = overview(reading, brief.language), FoldedText(brief.text)
        progress.parts(len(parts))

        def read(part: Part) -> list[tuple[Part, Answer]]:
            try:
                answer = self._ask(prompt.of_part(brief, part, told))
                progress.part_read()
                return [(part, answer)]
            except AnswerCut:
                if len(part.text) < _HALVED:
                    raise
                progress.part_halved()
                return [one for half in part.halves() for one in read(half)]

        answered = [one for several in _at_once(read, parts) for one in several]
        with CPU_LOCK:
            found = [
                part_findings.anchored(proposal.read(answer.value, number), part, source)
                for number, (part, answer) in enumerate(answered, 1)
            ]
        # It is asked of what was found, not of the law.
        whole = self._ask(prompt.of_whole(brief, found, told), with_tools=False)
        with CPU_LOCK:
            merged = part_findings.merged(found, proposal.read(whole.value))
        answers = [*(answer for _, answer in answered), whole]
        return self._drafted(merged, answers, len(answered))

    def _ask(self, user: str, *, with_tools: bool = True) -> Answer:
        brief = self._brief
        return tool_rounds.ask(
            self._model,
            Question("analysis", prompt.system(brief), user, proposal.SCHEMA, cache_key=self._cache_key),
            self._toolbox if with_tools else None,
            instructions=prompt.tools(brief),
            deadline=brief.deadline,
        )

    def _drafted(self, found: Proposal, answers: Sequence[Answer], parts: int) -> Draft:
        brief, toolbox = self._brief, self._toolbox
        sources = (*brief.sources, *(toolbox.sources if toolbox else ()))
        made = toolbox.made if toolbox else 0
        return Draft(
            engine=self._name,
            model=answers[0].model,
            document_kind=found.kind,
            summary=found.summary,
            statements=proposal.named(found.statements, sources),
            analysed=len(brief.text),
            total=len(brief.text),
            modules=(
                f"node A {self._name} {answers[0].model}",
                prompt.version(),
                *((f"{parts} parts",) if parts > 1 else ()),
                f"{len(sources)} sources",
                *((f"{made} tool calls",) if made else ()),
            ),
            usage=_sum(answer.usage for answer in answers),
        )


def _at_once(
    work: Callable[[Part], list[tuple[Part, Answer]]], parts: Sequence[Part]
) -> list[list[tuple[Part, Answer]]]:
    with thread_pool.ContextPool(min(_AT_ONCE, len(parts)), thread_name_prefix="parts") as pool:
        return list(pool.map(work, parts))


def _sum(usages: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for usage in usages:
        total.update(usage)
    return dict(total)
