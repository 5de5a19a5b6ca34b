"""Ask the citator cases that were checked by hand in the loaded law.

    python -m benchmarks.citator_cases --data ../shared/data

Each case of `benchmarks/data/citator_cases.json` gives a citation, the day and the wording asked about, what
a lawyer answers, and the provision that the answer rests on; where it names them, the author of the
treatment, whether it is partial and words of its source line are compared too. What differs is printed, then
one JSON object on the last line.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

from app.platform.postgres import rls

CASES = Path(__file__).parent / "data" / "citator_cases.json"
_ON = date(2026, 11, 1)
_SOURCES = (
    ("norms", "es_index", "csv"),
    ("statutes", "es_statutes_versions", "markdown"),
    ("statutes", "es_statutes", "markdown"),
    ("statutes", "es_statutes_more", "markdown"),
    ("statutes", "co_articles.jsonl.gz", "jsonl"),
    ("judgments", "co_index", "csv"),
    ("judgments", "co_judgments", "markdown"),
)


def differences(case: dict[str, Any]) -> list[str]:
    """Return what the citator answers otherwise than the case says."""
    from app import citator
    from app.platform.postgres import db

    asked = case["asked"]
    on = date.fromisoformat(asked.get("fecha", _ON.isoformat()))
    worded = date.fromisoformat(asked["redaccion"]) if "redaccion" in asked else None
    with db.reading() as session:
        authority = citator.resolve(session, asked["citation"], asked["jurisdiction"])
        if authority is None:
            found = citator.Validity("unknown")
        else:
            found = citator.standing_of(session, authority, on=on, worded=worded)
    wrong = []
    if found.standing != case["validity"]:
        wrong.append(f"{found.standing}, not {case['validity']}")
    if "since" in case and str(found.since) != str(case["since"]):
        wrong.append(f"since {found.since}, not {case['since']}")
    if "by" in case and not any(case["by"] in link.authority.form for link in found.because):
        wrong.append(f"by {[link.authority.form for link in found.because][:4]}, not {case['by']}")
    partial = bool(found.because) and all(link.partial for link in found.because)
    if "partial" in case and partial != case["partial"]:
        wrong.append(f"partial {partial}, not {case['partial']}")
    if "line" in case and not any(case["line"] in (link.line or "") for link in found.because):
        wrong.append(f"no line with {case['line']!r}: {[link.line for link in found.because][:2]}")
    return wrong


@rls.as_system()
def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with the sources (../shared/data)")
    data = parser.parse_args().data
    from tests.throwaway import Throwaway, new_database

    services = Throwaway()
    right: Counter[bool] = Counter()
    cases = json.loads(CASES.read_text("utf-8"))
    try:
        os.environ["DATABASE_URL"] = new_database(services.addresses, "citator")
        os.environ["REDIS_URL"] = services.addresses.redis_url(0)
        os.environ["SECRET_KEY"] = "x" * 32
        from app import citator, corpus, factory
        from app.platform import clock

        assert factory.tables()
        for kind, name, form in _SOURCES:
            corpus.load(kind, data / name, form, now=clock.now())
        citator.read_waiting(clock.now)
        for case in cases:
            wrong = differences(case)
            if wrong:
                print(f"{case['id']} ({case['source']}): {'; '.join(wrong)}")
            else:
                right[bool(case.get("written_from_the_law_alone"))] += 1
    finally:
        services.stop()
    alone = sum(bool(case.get("written_from_the_law_alone")) for case in cases)
    print(
        json.dumps(
            {
                "right": right.total(),
                "of": len(cases),
                "from_the_law_alone": {"right": right[True], "of": alone},
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
