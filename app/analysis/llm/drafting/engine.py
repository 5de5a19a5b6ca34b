"""Node A by a language model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from app.analysis.llm import Answer, Model, Question
from app.analysis.llm.drafting import document_parts, prompt, proposal
from app.platform.processes import thread_pool
from app.rules import Brief, Draft

_AT_ONCE = 4


class ModelEngine:
    """Implements `app.rules.draft.Engine` over a `Model`.

    A document longer than `part_characters` is cut by its structure and its parts are analysed at the same
    time. Where one part fails the analysis fails: what is charged was read whole.
    """

    local = False

    def __init__(self, name: str, model: Model, *, part_characters: int) -> None:
        self.name = name
        self._model, self._part_characters = model, part_characters

    def analyse(self, brief: Brief) -> Draft:
        """Draft an analysis of `brief.text`. Raises `ModelFailed` (502) or `ModelUnavailable` (503)."""
        texts = document_parts.split(brief.text, self._part_characters)
        system = prompt.system(brief)
        questions = [
            Question(
                "analysis", system, prompt.user(brief, text, part=number, parts=len(texts)), proposal.SCHEMA
            )
            for number, text in enumerate(texts, 1)
        ]
        answers = self._all(questions, brief.deadline)
        found = proposal.merged([proposal.read(answer.value) for answer in answers], brief.language)
        return Draft(
            engine=self.name,
            model=answers[0].model,
            document_kind=found.kind,
            summary=found.summary,
            statements=proposal.named(found.statements, brief.sources),
            analysed=len(brief.text),
            total=len(brief.text),
            modules=(
                f"node A {self.name} {answers[0].model}",
                prompt.version(),
                *((f"{len(texts)} parts",) if len(texts) > 1 else ()),
                f"{len(brief.sources)} sources",
            ),
            usage=_sum(answer.usage for answer in answers),
        )

    def _all(self, questions: list[Question], deadline: float) -> list[Answer]:
        if len(questions) == 1:
            return [self._model.ask(questions[0], deadline=deadline)]

        def ask(question: Question) -> Answer:
            return self._model.ask(question, deadline=deadline)

        with thread_pool.ContextPool(min(_AT_ONCE, len(questions)), thread_name_prefix="parts") as pool:
            return list(pool.map(ask, questions))


def _sum(usages: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for usage in usages:
        total.update(usage)
    return dict(total)
