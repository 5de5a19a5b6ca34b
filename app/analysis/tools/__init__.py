"""Tools that node A's model may call while it drafts: searches, articles, the citator, calculators.

They are the operations behind the HTTP routes and the tool server. Invariants: arguments are a stranger's
text, checked before anything is done; what goes back is anonymised and fenced; no call raises, and no line of
a log holds an argument.
"""

from app.analysis.tools.toolbox import Toolbox

__all__ = ["Toolbox"]
