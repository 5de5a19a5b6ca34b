"""What the engine `rules` costs: `python -m benchmarks.rules [--data FOLDER] [--profile | --long]`.

Every document of a folder is analysed several times in turn, in one process, with nothing but the engine:
milliseconds per document and per 1,000 characters, by kind of document. As a measure that another machine
has too, the same documents are only folded in the same run; the ratio is to that. By default the documents
of the exam. Prints a table and, on the last line, one JSON object. With `--long`, the documents one after
another, as one text of 2,000 to 500,000 characters: seconds, processor time for 1,000 characters (the least
of five where the text is short), and the most memory that the process had.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import math
import pstats
import resource
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from app.rules import Brief, Document, Reading, RulesEngine, find_inconsistencies
from benchmarks.exam import DEVELOPMENT

ROUNDS = 7
LENGTHS = (2_000, 10_000, 50_000, 100_000, 200_000, 500_000)
SHORT, REPEATED = 50_000, 5


def main() -> None:
    """Measure the engine, its deep part and the floor over the documents of the folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DEVELOPMENT, help="documents, in any subfolder")
    parser.add_argument("--profile", action="store_true", help="show where the time goes instead")
    parser.add_argument("--long", action="store_true", help="measure long texts instead")
    arguments = parser.parse_args()
    briefs = [
        Brief(path.read_text("utf-8"), "ES", "civil", "es") for path in sorted(arguments.data.rglob("*.txt"))
    ]
    engine = RulesEngine()
    kinds = [engine.analyse(brief).document_kind for brief in briefs]  # loads everything
    if arguments.profile:
        _profile(engine, briefs)
        return
    if arguments.long:
        _long(engine, "\n\n".join(brief.text for brief in briefs))
        return
    engines = _times(briefs, engine.analyse)
    # What mode deep adds: it reads no document again.
    readings = [replace(brief, reading=Reading(brief.text, brief.jurisdiction)) for brief in briefs]
    for brief in readings:
        find_inconsistencies(brief)
    deep = _times(readings, find_inconsistencies)
    floor = _times(briefs, lambda brief: Document(brief.text).sentences())
    by_kind: dict[str, list[float]] = defaultdict(list)
    for kind, brief, took in zip(kinds, briefs, engines, strict=True):
        by_kind[kind].append(took / len(brief.text) * 1000)
    for kind, shares in sorted(by_kind.items()):
        print(
            f"{kind[:60]:60} {len(shares):3} documents {statistics.mean(shares):7.2f} ms per 1,000 characters"
        )
    characters = sum(len(brief.text) for brief in briefs)
    print(
        json.dumps(
            {
                "documents": len(briefs),
                "characters": characters,
                "ms_per_document": round(sum(engines) / len(briefs), 2),
                "ms_per_1000": round(sum(engines) / characters * 1000, 3),
                "deep_ms_per_1000": round(sum(deep) / characters * 1000, 3),
                "ratio_to_folding": round(sum(engines) / sum(floor), 1),
            }
        )
    )


def _long(engine: RulesEngine, text: str) -> None:
    for size in LENGTHS:
        brief = Brief((text * math.ceil(size / len(text)))[:size], "ES", "civil", "es")
        spent = []
        for _ in range(REPEATED if size <= SHORT else 1):
            began, processor = time.perf_counter(), time.process_time()
            draft = engine.analyse(brief)
            seconds = time.perf_counter() - began
            spent.append(time.process_time() - processor)
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            json.dumps(
                {
                    "characters": size,
                    "seconds": round(seconds, 2),
                    "processor_ms_per_1000": round(min(spent) * 1e6 / size, 2),
                    "statements": len(draft.statements),
                    "megabytes": megabytes,
                }
            )
        )


def _times(briefs: Sequence[Brief], work: Callable[[Brief], object]) -> list[float]:
    """Return the median milliseconds of each document, the documents in turn in every round."""
    taken: list[list[float]] = [[] for _ in briefs]
    for _ in range(ROUNDS):
        for at, brief in enumerate(briefs):
            began = time.perf_counter()
            work(brief)
            taken[at].append((time.perf_counter() - began) * 1000)
    return [statistics.median(one) for one in taken]


def _profile(engine: RulesEngine, briefs: Sequence[Brief]) -> None:
    with cProfile.Profile() as profile:
        for brief in briefs:
            engine.analyse(brief)
    pstats.Stats(profile).sort_stats("cumulative").print_stats(30)


if __name__ == "__main__":
    main()
