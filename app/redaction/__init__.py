"""Anonymise a text before it leaves the process, and restore it on the way back.

Identifiers of persons, companies and accounts of every supported jurisdiction become stable placeholders
such as `[ES_DNI_1]`; names and addresses too where the account asks for it. The mapping back lives in memory
only, inside the `Redaction`.

Owns the table `redaction_events`: a time and a field type for each value masked.

Invariant: `redact(x).restore(redact(x).text) == x` for every text; a protected span (a citation, an amount, a
date, a docket) is masked only where it is a person's all the same (`Certainty.PERSONAL`); no repr shows a
value.
"""

from app.redaction.audit import logging_redactions
from app.redaction.detectors.names import NAMES_ARE_PARTIAL, NameRecogniser
from app.redaction.models import RedactionEvent
from app.redaction.name_recogniser import recogniser
from app.redaction.redaction import MaskedSpan, Redaction, redact

__all__ = [
    "NAMES_ARE_PARTIAL",
    "MaskedSpan",
    "NameRecogniser",
    "Redaction",
    "RedactionEvent",
    "logging_redactions",
    "recogniser",
    "redact",
]
