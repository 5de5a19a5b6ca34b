"""Tell what a clause provides, whatever its wording, by linear models over exemplars that people wrote.

`data/exemplars/<type>.toml` says what each type of clause is and shows clauses of it, by several authors, in
Spanish and English. The set-up learns weights from them (`python -m app.rules.weights`); a process
loads these once, at its first analysis, and only where they are of these exemplars (decision 066).

The classifier proposes and decides nothing: a rule with `clause_types` says itself what must stand in the
clause. Pure but for the files that it reads.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from app.rules.clause_types import exemplars
from app.rules.clause_types.exemplars import CLAUSES, NONE, WeightsError, type_ids
from app.text.tongues import Tongue

if TYPE_CHECKING:
    from app.rules.clause_types.kind_model import KindClassifier
    from app.rules.clause_types.model import Classifier

PROPOSED = 0.2
"""From this probability a clause is proposed to the rules of its type, whose conditions decide."""
SURE = 0.8
"""From this probability the type of a clause is believed where only its presence is told."""


@lru_cache(maxsize=1)
def classifier() -> Classifier:
    """Return the classifier of this process, loaded at its first use.

    Raises:
        WeightsError: when its weights are missing, or not of these exemplars.
    """
    # Loaded when asked for: commands that read the rules and analyse nothing need not load numpy.
    from app.rules.clause_types.model import load

    return load(CLAUSES)


@cache
def kind_classifier(tongue: Tongue = "es") -> KindClassifier | None:
    """Return the classifier of kinds of document in a language, loaded at its first use in this process.

    None for a language of which there are no exemplars.

    Raises:
        WeightsError: when its weights are missing, or not of these exemplars.
    """
    subject = exemplars.kinds_of(tongue)
    if subject is None:
        return None
    from app.rules.clause_types import kind_model

    return kind_model.load(subject)


__all__ = ["NONE", "PROPOSED", "SURE", "WeightsError", "classifier", "kind_classifier", "type_ids"]
