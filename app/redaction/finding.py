"""Define what a detector reports: a span of the view, its type, and how sure the detector is."""

from enum import IntEnum
from typing import NamedTuple


class Certainty(IntEnum):
    """Certainty of a finding. Of overlapping ones the surer is masked, at equal certainty the longer."""

    STRUCTURE = 1
    """A name or an address, read off the sentence around it."""
    LABELLED_SHAPE = 2
    """A word says what follows, and nothing but its length supports that."""
    SPELLING = 3
    """No check digit exists, but the spelling is characteristic."""
    CHECKED = 4
    """The check digit is right."""
    LABELLED = 5
    """A word says what follows, and its form agrees."""
    PROVEN = 6
    """A word says what follows and the check digit is right; or the form cannot be anything else."""
    PERSONAL = 7
    """A word says that a date or a number is a person's: a date of birth is not left alone as others are."""


class Finding(NamedTuple):
    """Offsets are those of the view; `key` is the normalised value: equal keys share a placeholder."""

    start: int
    end: int
    type: str
    certainty: Certainty
    key: str
