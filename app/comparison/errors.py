"""Errors of comparisons."""

from __future__ import annotations

from app.platform.errors import Invalid, NotFound


class SameVersions(Invalid):
    """422: both versions have the same words; nothing is analysed or charged."""

    status = 422
    code = "VERSIONS_EQUAL"

    def __init__(self) -> None:
        super().__init__(
            "after: has the same words as before, so there is nothing to compare; you were not charged. Send "
            "two versions that differ.",
            details={"field": "after", "expected": "a text that differs from before"},
        )


class UnknownComparison(NotFound):
    """404: there is no such comparison, it is another key's, or it has expired."""

    def __init__(self) -> None:
        super().__init__(
            "There is no comparison with this id for this API key, or it has expired. Compare the two "
            "versions again with POST /api/v1/compare."
        )
