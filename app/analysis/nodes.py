"""Tell which engines work at the two nodes of an analysis: the operator's, or the account's own."""

from __future__ import annotations

from dataclasses import dataclass

from app.analysis.llm import Model
from app.analysis.request import Mode
from app.platform.settings import Settings
from app.rules import RulesEngine


@dataclass(frozen=True, slots=True)
class Nodes:
    """The engines of one analysis.

    Attributes:
        a: node A's, which drafts: `rules` or a vendor.
        b: node B's, which audits at mode deep.
        fallback: node A's where its model is away; empty for none.
        embeds: whether questions go to a provider of embeddings.
        own_a: the account's own model at node A; `None` where the operator's engine works there.
        own_b: the same at node B.
    """

    a: str
    b: str
    fallback: str = ""
    embeds: bool = False
    own_a: Model | None = None
    own_b: Model | None = None

    @classmethod
    def of_settings(
        cls, config: Settings, *, own_a: Model | None = None, own_b: Model | None = None
    ) -> Nodes:
        """Return the operator's engines, with the account's own in their place where there are any.

        Where node A is the account's own nothing stands in for it: the fallback that is set would spend the
        operator's vendor, and send the text where the account did not choose to (decision 081).
        """
        return cls(
            a=own_a.vendor if own_a else config.node_a_engine,
            b=own_b.vendor if own_b else config.node_b_engine,
            fallback="" if own_a else config.node_a_fallback,
            embeds=config.embedding_engine != "none",
            own_a=own_a,
            own_b=own_b,
        )

    @property
    def own(self) -> tuple[str, ...]:
        """The nodes, of `A` and `B`, whose engine is the account's own."""
        return tuple(node for node, model in (("A", self.own_a), ("B", self.own_b)) if model is not None)

    def ask_models(self, mode: Mode) -> bool:
        """Tell whether a model is to draft or, in mode deep, to audit."""
        return self.a != RulesEngine.name or (mode == "deep" and self.b != RulesEngine.name)

    def send_text_outside(self, mode: Mode) -> bool:
        """Tell whether text may leave this process in `mode`: to a model, or for embeddings."""
        engines = [self.a, self.fallback or RulesEngine.name]
        if mode == "deep":
            engines.append(self.b)
        return any(engine != RulesEngine.name for engine in engines) or self.embeds
