"""Find where a document contradicts itself: values, sums, dates, references, defined terms."""

from app.rules.consistency.inconsistencies import find_inconsistencies as find_inconsistencies
from app.rules.consistency.references import defined_terms as defined_terms
from app.rules.consistency.references import meanings as meanings
from app.rules.consistency.repeats import leave_out_repeats as leave_out_repeats
