"""Engines that let a language model draft: the prompt, the parts of a long document, the draft read back.

Invariant: what a model answers is a proposal. Every field is bounded and typed here, and nothing in it is
believed: quotations, citations and locks are checked by `app.analysis.checks.locks` and `app.corpus`.
"""

from app.analysis.llm.drafting.engine import ModelEngine
from app.analysis.llm.drafting.untrusted_text import fenced

__all__ = ["ModelEngine", "fenced"]
