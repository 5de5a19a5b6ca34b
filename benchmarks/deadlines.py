"""Compare computed deadlines with hand-computed ones.

    python -m benchmarks.deadlines [--verbose]

`benchmarks/data/deadlines_es.json` holds periods of Spanish law that were counted by hand from the
articles, with the steps, before the program was asked. A table by regime, what differs, and one JSON object
on the last line.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

from app import deadlines

CASES = Path(__file__).parent / "data" / "deadlines_es.json"


def computed(asked: dict[str, Any]) -> deadlines.Calculation:
    """Return what the program makes of the body of a request to POST /plazos/calcular."""
    start = date.fromisoformat(asked["fechaBase"])
    local = [date.fromisoformat(day) for day in asked.get("festivosLocales", ())]
    places = {"region": asked.get("ccaa"), "seat": asked.get("ccaaSede")}
    if asked.get("regla") in deadlines.PAYMENTS:
        return deadlines.calculate_payment(start, asked["regla"], local=local, **places)
    return deadlines.calculate(
        start,
        asked["cantidad"],
        asked["tipoComputo"],
        august_off=asked.get("agostoInhabil"),
        rule=asked.get("regla"),
        regime=asked.get("regime"),
        local=local,
        **places,
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--verbose", action="store_true", help="print the steps of every case")
    verbose = parser.parse_args().verbose
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for case in json.loads(CASES.read_text("utf-8")):
        found = computed(case["asked"])
        regime = case["asked"]["regime"]
        total[regime] += 1
        right[regime] += found.due.isoformat() == case["due"]
        if found.due.isoformat() != case["due"]:
            print(f"{case['id']}: by hand {case['due']}, computed {found.due}")
        if verbose:
            print(f"{case['id']} {case['due']}")
            for step in found.steps:
                print(f"    {step.day} {step.text} ({step.basis})")
    print(f"{'regime':20}{'right':>7}{'of':>5}")
    for regime, cases in total.items():
        print(f"{regime:20}{right[regime]:>7}{cases:>5}")
    print(json.dumps({"right": right.total(), "of": total.total()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
