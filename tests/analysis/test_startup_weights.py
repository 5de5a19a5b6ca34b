"""A process whose weights are missing does not start: it names the command that makes them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app import analysis
from app.analysis import startup
from app.rules import WeightsError, clause_types, passages
from app.rules.clause_types import exemplars, kind_model, model
from app.rules.passages import subjects


@pytest.mark.parametrize(
    ("module", "name", "load"),
    [
        (model, "CLAUSES", clause_types.classifier),
        (kind_model, "KINDS", clause_types.kind_classifier),
        (subjects, "PASSAGES", passages.passage_index),
    ],
)
def test_a_process_without_weights_does_not_start(
    configured: object,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    module: object,
    name: str,
    load: object,
) -> None:
    missing = replace(getattr(exemplars, name), weights=tmp_path / "weights.bin")
    monkeypatch.setattr(exemplars, name, missing)
    monkeypatch.setattr(module, name, missing, raising=False)
    monkeypatch.setattr(clause_types, name, missing, raising=False)
    monkeypatch.setattr(startup, "_warm", False)
    load.cache_clear()  # type: ignore[attr-defined]
    with pytest.raises(WeightsError, match=r"Run: python -m app\.rules\.weights"):
        analysis.warm_up()
    load.cache_clear()  # type: ignore[attr-defined]
