"""Have node A's model say again what was refused for its wording, where there is time for it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from app.analysis import progress
from app.analysis.checks.refusals import Refusal
from app.analysis.errors import ModelFailed, ModelUnavailable
from app.analysis.llm import Model
from app.analysis.llm.drafting import restate
from app.analysis.llm.drafting.restate import Refused, Restatements
from app.analysis.support.quote_finder import QuoteFinder
from app.platform import log
from app.rules import Brief, Statement

_logger = log.logger("analysis")
# With less time left it is not asked, and it gets this share of what is left: an audit has to follow.
_LEAST_S: Final = 20.0
_SHARE: Final = 0.5


def ask(
    brief: Brief,
    statements: Sequence[Statement],
    refused: Sequence[Refusal],
    finder: QuoteFinder,
    model: Model,
) -> Restatements | None:
    """Ask for restatements of `statements`; `None` where it was not asked or answered with nothing usable.

    Args:
        brief: what the draft was made from, with the deadline of the analysis.
        statements: the draft's.
        refused: what code found about those that it refused for their wording; at least one.
        finder: the document.
        model: the one that drafted.
    """
    now = time.monotonic()
    if brief.deadline - now < _LEAST_S:
        _logger.info("no time for restatements", refused=len(refused))
        return None
    progress.stage("restating")
    deadline = now + _SHARE * (brief.deadline - now)
    try:
        return restate.ask(brief, as_told(statements, refused, finder), model, deadline=deadline)
    except (ModelFailed, ModelUnavailable):
        # The draft stands as it is; what failed is in the log of the client.
        return None


def as_told(
    statements: Sequence[Statement], refused: Sequence[Refusal], finder: QuoteFinder
) -> list[Refused]:
    """Return what a model is told about statements refused."""
    text = finder.text
    return [
        Refused(
            place=one.statement,
            statement=statements[one.statement],
            reason=one.reason.name,
            words=one.words,
            left_out=one.left_out,
            proposed=one.proposed,
            passages=tuple(" ".join(text[span.start : span.end].split()) for span in one.passages),
        )
        for one in refused
    ]
