"""The tool server: fourteen tools for AI assistants over the Model Context Protocol (decision 052).

Owns no table. Invariants: a tool calls the operation behind its HTTP route, with the same checks, limits and
price; a result conforms to the tool's output schema; no argument and no result is logged or kept.
"""

from app.mcp.endpoint import ENDPOINTS, Endpoint, install, oauth_endpoint
from app.mcp.self_check import check_connection
from app.mcp.tool import Tool

__all__ = ["ENDPOINTS", "Endpoint", "Tool", "check_connection", "install", "oauth_endpoint"]
