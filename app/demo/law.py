"""Law of a country that does not exist, so that the pages of the law show something in the demonstration.

Written for this service; every title says that it is fictitious, and its code is `ZZ`, which no country has.
It is loaded by the command that makes the demonstration account, and by nothing else (decision 098).
"""

from __future__ import annotations

from pathlib import Path

from app import citator, corpus
from app.platform import clock

FILE = Path(__file__).parent / "data" / "law.jsonl"


def load() -> int:
    """Load the fictional law and read it for the citator; return how many rows were written.

    Twice changes nothing. Call it outside a transaction: loading has transactions of its own.
    """
    report = corpus.load("statutes", FILE, "jsonl", now=clock.now(), jurisdiction="ZZ")
    citator.read_waiting(clock.now)
    return sum(report.written.values())
