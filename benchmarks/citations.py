"""Citations: what is found, how it is read, verdicts, speed.

    python -m benchmarks.citations --data FOLDER [--law FOLDER] [--record NAME] [-v]
    python -m benchmarks.citations --data ../shared/data/citations_dev.json

A folder holds rounds: each NAME.txt was written by somebody who has not read the grammars, and NAME.json
says what it cites (`benchmarks/data/citations/README.md`). `recall`: share of the citations of the keys
that a span found overlaps; `precision`: share of the spans found that overlap one of a key; `exact`: share
of the keys found with those very offsets. `read`: share of the keys whose country, norm and articles, or
court and numbers, are the key's; `paragraphs`: the same of subdivisions, where a key names any. `verdicts`:
share with the verdict of the key, `verdicts_norms`: of norms alone, `false_verdicts`: share with another
verdict that is not `not_verifiable`; wrong ones are counted by kind. With `--law`, which loads a folder of
laws into a database of its own, or `--database` the same again with the law loaded (`loaded_...`). Texts are
only once unseen: the figures of a round are those of its first sitting, in
`benchmarks/data/citations/rounds.jsonl`; `--record NAME` adds a line.

A file is an array of labelled cases. There precision is strict: a span found and not labelled is an error,
even where the labels name only one of the citations of a text (`precision_overlap` forgives those that are
genuine citations beside a labelled one). A verdict is right when it is the label's, where `repealed` is
`derogated` and `ambiguous`, `malformed` and `out_of_coverage` are `not_verifiable`. No corpus of judgments is
loaded, so a labelled judgment that exists stays `not_verifiable`: `verdict_accuracy` counts that as wrong,
`verdict_accuracy_norms` looks at norms alone. Last line: one JSON object.
"""

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from datetime import date
from pathlib import Path
from typing import Any

from app.citations import Citation, extract
from app.corpus import verify
from benchmarks import citation_rounds
from benchmarks.support import load, use

_STATUS = {
    "repealed": "derogated",
    "ambiguous": "not_verifiable",
    "malformed": "not_verifiable",
    "out_of_coverage": "not_verifiable",
}
_ON = date(2026, 4, 30)
_NORMS = {"statute", "article", "eu_act"}


def _speed(cases: list[dict[str, Any]], megabytes: float = 1.0) -> float:
    """MB of UTF-8 per second over one long text of all the cases of Spanish law, repeated."""
    joined = "\n".join(case["text"] for case in cases if case["jurisdiction"] in ("ES", "EU"))
    filler = (
        " La Sala entiende que la parte recurrente no ha acreditado los hechos constitutivos de su "
        "pretensión, "
        "por lo que procede desestimar el motivo y confirmar la resolución impugnada en todos sus extremos. "
    )
    text = (joined + filler * 40) * (int(megabytes * 1e6 / len((joined + filler * 40).encode())) + 1)
    extract(text[:5000], "ES")
    taken: list[float] = []
    for _ in range(3):  # the best of three, in time of this process: the machine may be shared
        start = time.process_time()
        extract(text, "ES")
        taken.append(time.process_time() - start)
    return len(text.encode()) / 1e6 / min(taken)


def run(cases: list[dict[str, Any]]) -> dict[str, float]:
    """Measure every case; keys of the result are those of the last line."""
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    right = verdicts = norms_right = norms_total = beside = 0
    for case in cases:
        found = {
            (citation.start, citation.end): citation
            for citation in extract(case["text"], case["jurisdiction"])
        }
        labelled = {(label["start"], label["end"]) for label in case["citations"]}
        if case["kind"] not in _NORMS:
            # One rule for the span of a decision, here and in the rounds.
            found = {
                next(
                    (one for one in labelled if citation_rounds.same_span(case["text"], one, span)), span
                ): one
                for span, one in found.items()
            }
        row = tally[f"{case['jurisdiction']} {case['kind']}"]
        row["found"] += len(found.keys() & labelled)
        row["missed"] += len(labelled - found.keys())
        wrong = found.keys() - labelled
        row["wrong"] += len(wrong)
        beside += sum(
            1 for start, end in wrong if labelled and not any(a < end and start < b for a, b in labelled)
        )
        for span in labelled:
            expected = _STATUS.get(case["expected"], case["expected"])
            citation: Citation | None = found.get(span)
            correct = citation is not None and verify(citation, _ON).status == expected
            right += correct
            verdicts += 1
            if case["kind"] in _NORMS:
                norms_right += correct
                norms_total += 1
    total: Counter[str] = sum(tally.values(), Counter())
    print(f"{'kind':28}{'found':>7}{'missed':>8}{'wrong':>7}")
    for name, row in sorted(tally.items()):
        print(f"{name:28}{row['found']:>7}{row['missed']:>8}{row['wrong']:>7}")
    print(f"{'total':28}{total['found']:>7}{total['missed']:>8}{total['wrong']:>7}")
    found_all = total["found"] + total["wrong"]
    return {
        "precision": round(total["found"] / max(found_all, 1), 4),
        "recall": round(total["found"] / max(total["found"] + total["missed"], 1), 4),
        "verdict_accuracy": round(right / max(verdicts, 1), 4),
        "mb_per_s": round(_speed(cases), 2),
        "precision_overlap": round(total["found"] / max(found_all - beside, 1), 4),
        "verdict_accuracy_norms": round(norms_right / max(norms_total, 1), 4),
    }


def main() -> int:
    """Measure the rounds of a folder or the cases of a file; print tables and the JSON line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=citation_rounds.ROUNDS,
        help="a folder of rounds, or a file of cases",
    )
    parser.add_argument("--law", type=Path, help="a folder of laws to load for verdicts with a corpus")
    parser.add_argument("--database", help="address of a database in which the law is loaded already")
    parser.add_argument("--record", metavar="NAME", help="add the figures to rounds.jsonl as this round")
    parser.add_argument("--keys", default="by the authors of the texts", help="who wrote the keys")
    parser.add_argument("-v", action="store_true", help="name everything that was wrong")
    arguments = parser.parse_args()
    if arguments.data.is_file():
        print(json.dumps(run(json.loads(arguments.data.read_text(encoding="utf-8")))))
        return 0
    figures = _sit(arguments)
    citation_rounds.table(figures)
    if arguments.record:
        citation_rounds.record(arguments.record, arguments.keys, figures)
    print(json.dumps(figures))
    return 0


def _sit(arguments: argparse.Namespace) -> dict[str, Any]:
    if arguments.database:
        use(arguments.database, "unix:///nowhere")
        return citation_rounds.sit(arguments.data, True, arguments.v)
    if not arguments.law:
        return citation_rounds.sit(arguments.data, False, arguments.v)
    from tests.throwaway import Throwaway, new_database

    services = Throwaway()
    try:
        use(new_database(services.addresses, "citations"), services.addresses.redis_url(1))
        load(arguments.law, indexes=("co_index",))
        return citation_rounds.sit(arguments.data, True, arguments.v)
    finally:
        services.stop()


if __name__ == "__main__":
    sys.exit(main())
