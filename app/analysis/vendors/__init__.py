"""Language models behind one port: a question with a JSON schema in, an object that fits the schema out.

Invariant: what leaves is what the caller passed, and callers pass anonymised text only.
"""

from app.analysis.vendors.model import Answer, Model, Question

__all__ = ["Answer", "Model", "Question"]
