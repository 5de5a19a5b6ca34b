"""Find where a document contradicts itself: values, sums, dates, references, defined terms."""

from app.rules.consistency.inconsistencies import find_inconsistencies as find_inconsistencies
