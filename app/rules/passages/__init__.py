"""Find the rules whose defect a sentence states in words like those that several authors gave it.

Patterns know the wordings that their author thought of. `data/passages/<author>.toml` shows, for each rule,
what documents say where it must be raised, and lawful clauses on the same subject, by authors who had read
the rule's title and law and not its patterns. The set-up counts their words
(`python -m app.rules.weights`); `nearest` compares the parts of a document with them (decision 067).
`ranked` tells what a document speaks of, for the law that a model is told (docs/engines.md).

A resemblance is a proposal: the circumstances, figures and exceptions of the rule decide, as they do for
what its patterns find. Pure but for the file that it reads.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.rules.passages.subjects import SubjectIndex


@lru_cache(maxsize=1)
def passage_index() -> SubjectIndex:
    """Return the passages of this process, loaded at their first use.

    Raises:
        WeightsError: when they have not been counted, or not as they stand in the files.
    """
    # Loaded when asked for: commands that read the rules and analyse nothing need not load numpy.
    from app.rules.passages.subjects import load

    return load()


__all__ = ["passage_index"]
