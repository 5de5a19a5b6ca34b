"""Load the corpus: published formats read as streams, written in batches that survive the process.

Each batch and its position in the source are one transaction, so a load killed at any moment goes on where it
was, and ends with the same rows as an unbroken one. Loading a source again changes nothing.
"""

from app.corpus.loading.batch_load import Progress, Report, load
from app.corpus.loading.formats import FORMS, KINDS

__all__ = ["FORMS", "KINDS", "Progress", "Report", "load"]
