"""What an analysis tells of its progress: stages and counts, in their order, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_type_hints

import pytest

from app import branding
from app.analysis import pipeline, progress
from app.analysis.errors import AnswerCut, ModelUnavailable
from app.analysis.llm import Answer, Question
from app.analysis.llm.drafting import ModelEngine
from app.analysis.progress import Progress, ProgressRecorder
from app.analysis.request import AnalysisRequest, Mode
from app.platform import clock
from app.platform.confidential import DocumentText
from app.rules import Brief
from tests.cast import LEASE
from tests.simulated_models import blocks

CLAUSES = "".join(
    f"{number}. Pedido número {number}. El Proveedor entrega {number}00 piezas en diez días.\n\n"
    for number in range(1, 300)
)


class Told(ProgressRecorder):
    """A recorder that keeps every state."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Progress] = []

    def change(self, **values: Any) -> None:
        super().change(**values)
        self.all.append(self.now)


@pytest.fixture
def told() -> Iterator[Told]:
    recorder = Told()
    with progress.recording(recorder):
        yield recorder


def _analysed(mode: Mode = "standard") -> pipeline.Analysis:
    return pipeline.analyse(
        AnalysisRequest(DocumentText(LEASE), mode=mode),
        mask_names=False,
        on=clock.now(),
        attribution=branding.Attribution(),
    )


def test_progress_has_no_room_for_a_text() -> None:
    """Each field is a stage or a whole number; what comes back from a store is held to that."""
    kinds = get_type_hints(Progress)
    assert {one.name for one in fields(Progress) if kinds[one.name] is not int} == {"stage", "stages"}
    plain = Progress(parts=3).as_plain()
    assert Progress.from_plain(plain) == Progress(parts=3)
    for wrong in (
        {**plain, "stage": "Tomás Ruiz"},
        {**plain, "stages": ["reading", "12345678Z"]},
        {**plain, "stages": ["reading", ["law"]]},
        {**plain, "stages": 3},
        {**plain, "stage": "law"},
        {**plain, "stage": ["reading"]},
        {**plain, "parts": "3"},
        {**plain, "sources_found": True},
        {**plain, "text": "Tomás Ruiz"},
        {"stage": "reading"},
        ["reading"],
        None,
    ):
        with pytest.raises(ValueError, match="not the progress"):
            Progress.from_plain(wrong)


def test_the_rules_read_draft_and_judge(app: object, told: Told) -> None:
    analysed = _analysed()
    stages = list(dict.fromkeys(one.stage for one in told.all))
    assert stages == list(told.now.stages) == ["reading", "drafting", "judging"]
    assert (told.now.parts, told.now.parts_read) == (1, 1)
    assert told.now.statements_judged >= len(analysed.draft.statements) > 0
    assert told.now.sources_found > 0
    assert {one.statements_judged for one in told.all if one.stage == "drafting"} == {0}


def test_mode_deep_is_audited(app: object, told: Told) -> None:
    _analysed("deep")
    assert told.now.stage == "auditing"
    assert told.now.stages == ("reading", "drafting", "judging", "auditing")


def test_without_a_recorder_nothing_is_told() -> None:
    progress.begin(law=True, deep=True)
    progress.stage("law")
    progress.part_read()
    recorder = ProgressRecorder()
    with progress.recording(recorder):
        progress.stage("law")
    progress.stage("drafting")
    assert recorder.now.stage == "law"


def test_repair_joins_the_stages_once(told: Told) -> None:
    progress.begin(law=True, deep=True)
    assert "repair" not in told.now.stages
    progress.stage("repair")
    progress.stage("repair")
    assert told.now.stages == ("reading", "law", "drafting", "judging", "auditing", "repair")


class _Cut:
    """A model whose answer does not fit where a part is longer than `most`."""

    vendor, model = "test", "test-1"

    def __init__(self, most: int) -> None:
        self._most = most

    def ask(self, question: Question, *, deadline: float) -> Answer:
        if len(blocks(question.user).get("DOCUMENT", "")) > self._most:
            raise AnswerCut("The answer was cut off.")
        said = {"document_kind": "", "summary": "", "issues": [], "statements": []}
        return Answer(said, "test-1", {"input": 10})


def test_parts_are_counted_as_they_are_read_and_halved(told: Told) -> None:
    brief = Brief(CLAUSES, "ES", "mercantil", "es")
    ModelEngine("test", _Cut(4_500), part_characters=6_000).analyse(brief)
    assert told.now.parts > len(CLAUSES) // 4_500
    assert told.now.parts_read == told.now.parts
    read = [one.parts_read for one in told.all]
    assert read == sorted(read)


def test_an_engine_that_takes_over_reads_from_the_beginning(app: object, told: Told) -> None:
    class Away:
        name, local = "away", False

        def analyse(self, brief: Brief) -> Any:
            progress.parts(9)
            progress.part_read()
            raise ModelUnavailable("No model can be asked.")

    with pytest.raises(ModelUnavailable):
        pipeline.node_a._by(Away(), Brief(LEASE, "ES", "civil", "es"))
    assert (told.now.parts_read, told.now.parts) == (1, 9)
    pipeline.node_a._by(pipeline.node_a.engine("rules"), Brief(LEASE, "ES", "civil", "es"))
    assert (told.now.parts_read, told.now.parts) == (1, 1)


def test_parts_read_at_the_same_time_are_all_counted(told: Told) -> None:
    progress.parts(400)
    recorder = told

    def read() -> None:
        with progress.recording(recorder):
            for _ in range(50):
                progress.part_read()

    threads = [threading.Thread(target=read) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert told.now.parts_read == 400
