"""Language models behind one port: a question with a JSON schema in, an object that fits the schema out.

Invariant: what leaves is what the caller passed, and callers pass anonymised text only; no error, log line or
repr holds any of it, nor of the answer.
"""

from app.analysis.llm.model import Answer, Call, Exchange, Model, Question, Result, Tool, is_model_name
from app.analysis.llm.model_choice import NAMES, Name, check, model
from app.analysis.llm.token_meter import TokenMeter, metered

__all__ = [
    "NAMES",
    "Answer",
    "Call",
    "Exchange",
    "Model",
    "Name",
    "Question",
    "Result",
    "TokenMeter",
    "Tool",
    "check",
    "is_model_name",
    "metered",
    "model",
]
