"""Find the rules whose defect a sentence states in words like those that several authors gave it.

Patterns know the wordings that their author thought of. `data/passages/<author>.toml` shows, for each rule
of Spain, what documents say where it must be raised, and lawful clauses on the same subject, by authors who
had read the rule's title and law and not its patterns; `data/passages/<country>/<author>.toml` shows it for
the rules of another country, in its language. The set-up counts their words (`python -m app.rules.weights`),
those of each country apart; `nearest` compares the parts of a document with them (decisions 067, 096).
`ranked` tells what a document speaks of, for the law that a model is told (docs/engines.md).

A resemblance is a proposal: the circumstances, figures and exceptions of the rule decide, as they do for
what its patterns find. Pure but for the files that it reads.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from app.rules.clause_types import exemplars

if TYPE_CHECKING:
    from app.rules.passages.subjects import SubjectIndex


@cache
def passage_index(code: str) -> SubjectIndex | None:
    """Return the passages of a country's rules, loaded at their first use in this process.

    None where the country has none.

    Raises:
        WeightsError: when they have not been counted, or not as they stand in the files.
    """
    subject = exemplars.passages_of(code)
    if subject is None:
        return None
    # Loaded when asked for: commands that read the rules and analyse nothing need not load numpy.
    from app.rules.passages.subjects import load

    return load(subject)


__all__ = ["passage_index"]
