"""How many documents of strangers get their kind: `python -m benchmarks.kinds [-v]`.

Rules are chosen by the kind of a document, so one whose kind is not recognised, or taken for another, loses
them all. The documents in `benchmarks/data/kinds` were written to be unlike templates: by owners and workers
without a lawyer, as messages and e-mails, in capitals, read badly by a scanner, in English under Spanish law.

Documents are unseen once. The share of a first run is in `sittings.jsonl` beside them (`--record` adds a
line). Where another kind serves a document as well, `also` names it. Prints with `-v` each document that was
taken for another and, last, one JSON object.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from pathlib import Path
from typing import Annotated, Final

from app.platform.data_files import Entry, FromList, Words, read_file
from app.rules import Document
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import rulebook

DATA: Final = Path(__file__).with_name("data") / "kinds"


class Sample(Entry):
    """A document, its kind, how it is written, and which other kinds serve as well."""

    kind: str
    form: str
    text: str
    also: Words = ()


Samples = Annotated[tuple[Sample, ...], FromList]


def main() -> None:
    """Recognise the documents of a folder or of one file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="a TOML file or a folder of them")
    parser.add_argument("--record", metavar="NAME", help="add the figures to sittings.jsonl under this name")
    parser.add_argument("-v", action="store_true", help="show the documents taken for another kind")
    arguments = parser.parse_args()
    paths = sorted(arguments.data.glob("*.toml")) if arguments.data.is_dir() else [arguments.data]
    right = unknown = 0
    samples = [sample for path in paths for sample in read_file(path, dict[str, Samples])["document"]]
    for sample in samples:
        found = recognise(Document(sample.text), rulebook()).id
        right += found in {sample.kind, *sample.also}
        unknown += found == "unknown" and sample.kind != "unknown"
        if arguments.v and found not in {sample.kind, *sample.also}:
            print(f"{sample.kind:24} taken for {found:24} {sample.form}")
    figures = {
        "documents": len(samples),
        "kinds": len({sample.kind for sample in samples}),
        "right": right,
        "share": round(right / len(samples), 3),
        "not_recognised": unknown,
        "taken_for_another": len(samples) - right - unknown,
    }
    if arguments.record:
        commit = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True
        ).stdout
        row = {"sitting": arguments.record, "date": time.strftime("%Y-%m-%d"), "commit": commit.strip()}
        with (DATA / "sittings.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row | figures) + "\n")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
