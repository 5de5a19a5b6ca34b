"""Draft the analysis by node A: the account's own engine, or that of the setting `NODE_A_ENGINE`."""

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
from app.analysis.nodes import Nodes
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
        return _model_engine(name, model)
    raise ValueError(f"no engine {name}")


def _model_engine(name: str, model: Model) -> ModelEngine:
    return ModelEngine(name, model, part_characters=settings.current().part_characters)


def drafter(engine: str, nodes: Nodes | None = None) -> Model | None:
    """Return node A's model of that vendor, the account's own where it has one; `None` for no model."""
    if nodes is not None and nodes.own_a is not None and nodes.own_a.vendor == engine:
        return nodes.own_a
    for vendor in llm.NAMES:
        if vendor == engine:
            return llm.model(vendor, "a", settings.current())
    return None


def draft(brief: Brief, nodes: Nodes, toolbox: Toolbox | None = None) -> Draft:
    """Draft by node A's engine or, where its model is away, by the fallback that is set.

    Where the analysis meets its budget of tokens the built-in engine drafts.

    The CPU lock is held while an engine computes in this process, not while it waits for a model.

    Args:
        brief: the document and what code knows of it.
        nodes: whose engines work; an engine of the account's own has no fallback.
        toolbox: what a model may call meanwhile.

    Raises:
        ModelFailed: a model answered with nothing usable (502).
        ModelUnavailable: no model can be asked now (503).
    """
    chosen = engine(nodes.a) if nodes.own_a is None else _model_engine(nodes.a, nodes.own_a)
    try:
        drafted = _by(chosen, brief, toolbox)
    except BudgetSpent:
        _logger.warning("an analysis met its budget of tokens", engine=nodes.a)
        return _without_tokens(brief, nodes.a)
    except ModelUnavailable:
        if not nodes.fallback:
            raise
        _logger.warning("node A falls back", engine=nodes.a, fallback=nodes.fallback)
    else:
        own = ("node A is the account's own",) if nodes.own_a is not None else ()
        return replace(drafted, modules=(*drafted.modules, *own))
    try:
        drafted = _by(engine(nodes.fallback), brief, toolbox)
    except BudgetSpent:
        return _without_tokens(brief, nodes.fallback)
    note = pick(
        brief.language,
        f"El motor «{nodes.a}» no respondió; este análisis es del motor de reserva «{nodes.fallback}».",
        f"The engine “{nodes.a}” did not answer; this analysis is by the fallback engine “{nodes.fallback}”.",
    )
    return replace(
        drafted,
        notes=(note, *drafted.notes),
        modules=(*drafted.modules, f"fallback from {nodes.a}"),
    )


def _without_tokens(brief: Brief, name: str) -> Draft:
    drafted = _by(engine(RulesEngine.name), brief)
    note = pick(
        brief.language,
        f"El motor «{name}» alcanzó el límite de tokens de un análisis; este es del motor de reglas.",
        f"The engine “{name}” met the limit of tokens of an analysis; this one is by the rules engine.",
    )
    return replace(
        drafted, notes=(note, *drafted.notes), modules=(*drafted.modules, f"token budget met by {name}")
    )


def _by(chosen: Engine, brief: Brief, toolbox: Toolbox | None = None) -> Draft:
    # Read whole, unless the engine says otherwise; it may be the fallback of one that read in parts.
    progress.parts(1)
    if isinstance(chosen, ModelEngine):
        drafted = chosen.analyse(brief, toolbox)
    else:
        with CPU_LOCK if chosen.local else nullcontext():
            drafted = chosen.analyse(brief)
    progress.part_read()
    return drafted
