"""Draft the analysis by node A, the engine that the setting `NODE_A_ENGINE` chooses."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import cache

from app.analysis import llm, progress
from app.analysis.cpu_lock import CPU_LOCK
from app.analysis.errors import ModelUnavailable
from app.analysis.llm import Model
from app.analysis.llm.drafting import ModelEngine
from app.analysis.llm.token_meter import BudgetSpent
from app.analysis.llm.tool_rounds import Toolbox
from app.platform import log, settings
from app.rules import Brief, Draft, Engine, RulesEngine
from app.text.bilingual import pick

_logger = log.logger("analysis")


@cache
def engine(name: str) -> Engine:
    """Return the engine of that name; there is one in a process."""
    if name == "rules":
        return RulesEngine()
    model = drafter(name)
    if model is not None:
        return ModelEngine(name, model, part_characters=settings.current().part_characters)
    raise ValueError(f"no engine {name}")


def drafter(engine: str) -> Model | None:
    """Return node A's model of that vendor; `None` for an engine that is no model."""
    for vendor in llm.NAMES:
        if vendor == engine:
            return llm.model(vendor, "a", settings.current())
    return None


def draft(brief: Brief, toolbox: Toolbox | None = None) -> Draft:
    """Draft by the engine that is set or, where its model is away, by the fallback that is set.

    Where the analysis meets its budget of tokens the built-in engine drafts.

    The CPU lock is held while an engine computes in this process, not while it waits for a model.

    Args:
        brief: the document and what code knows of it.
        toolbox: what a model may call meanwhile.

    Raises:
        ModelFailed: a model answered with nothing usable (502).
        ModelUnavailable: no model can be asked now (503).
    """
    config = settings.current()
    try:
        return _by(config.node_a_engine, brief, toolbox)
    except BudgetSpent:
        _logger.warning("an analysis met its budget of tokens", engine=config.node_a_engine)
        return _without_tokens(brief, config.node_a_engine)
    except ModelUnavailable:
        if not config.node_a_fallback:
            raise
        _logger.warning("node A falls back", engine=config.node_a_engine, fallback=config.node_a_fallback)
    try:
        drafted = _by(config.node_a_fallback, brief, toolbox)
    except BudgetSpent:
        return _without_tokens(brief, config.node_a_fallback)
    note = pick(
        brief.language,
        f"El motor «{config.node_a_engine}» no respondió; este análisis es del motor de reserva "
        f"«{config.node_a_fallback}».",
        f"The engine “{config.node_a_engine}” did not answer; this analysis is by the fallback engine "
        f"“{config.node_a_fallback}”.",
    )
    return replace(
        drafted,
        notes=(note, *drafted.notes),
        modules=(*drafted.modules, f"fallback from {config.node_a_engine}"),
    )


def _without_tokens(brief: Brief, name: str) -> Draft:
    drafted = _by(RulesEngine.name, brief)
    note = pick(
        brief.language,
        f"El motor «{name}» alcanzó el límite de tokens de un análisis; este es del motor de reglas.",
        f"The engine “{name}” met the limit of tokens of an analysis; this one is by the rules engine.",
    )
    return replace(
        drafted, notes=(note, *drafted.notes), modules=(*drafted.modules, f"token budget met by {name}")
    )


def _by(name: str, brief: Brief, toolbox: Toolbox | None = None) -> Draft:
    chosen = engine(name)
    # Read whole, unless the engine says otherwise; it may be the fallback of one that read in parts.
    progress.parts(1)
    if isinstance(chosen, ModelEngine):
        drafted = chosen.analyse(brief, toolbox)
    else:
        with CPU_LOCK if chosen.local else nullcontext():
            drafted = chosen.analyse(brief)
    progress.part_read()
    return drafted
