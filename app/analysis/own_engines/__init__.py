"""Engines that accounts bring themselves, in place of the operator's at one or both nodes (decision 081).

Owns the table `own_engines`. Invariant: the API key is in clear in memory alone; no engine is kept that did
not answer; what is removed or set again is not asked from the next request on, in any process.
"""

from app.analysis.llm import is_model_name
from app.analysis.own_engines.connection import Reason, nodes_of, turn
from app.analysis.own_engines.models import OwnEngine
from app.analysis.own_engines.service import KEY_MAX, is_base_url, is_key, remove_engines, set_engine
from app.analysis.own_engines.storage import (
    NODES,
    Chosen,
    Node,
    Protocol,
    Vendor,
    engines_of,
    erase,
)

__all__ = [
    "KEY_MAX",
    "NODES",
    "Chosen",
    "Node",
    "OwnEngine",
    "Protocol",
    "Reason",
    "Vendor",
    "engines_of",
    "erase",
    "is_base_url",
    "is_key",
    "is_model_name",
    "nodes_of",
    "remove_engines",
    "set_engine",
    "turn",
]
