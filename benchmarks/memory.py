"""What a process takes after many different documents: `python -m benchmarks.memory [--documents N]`.

A parent loads what a web process loads and forks one that analyses the documents by the engine `rules`, one
after another, without stores: detection of the jurisdiction, masks, draft, checks, judge and report. The
first documents are those of the exam; those after them are made of the beginning of one and the end of
another, so that no two are equal. At most 4,000 characters of each.

Prints, after so many documents, the process's own share of memory (PSS), what is allocated of it and what the
allocator holds in reserve, in MB, and the processor time for each document since the line before, in
milliseconds, user and system. Needs no settings and no service.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import sys
import time
from datetime import date
from pathlib import Path
from typing import Final

from app.analysis import startup
from app.analysis.jurisdiction.detection import detect
from app.analysis.request import AnalysisRequest
from app.platform.confidential import DocumentText
from benchmarks.exam import DEVELOPMENT

REPORTED: Final = (1, 10, 30, 100, 232, 300, 500, 700, 1000, 1500, 2000)
DAY: Final = date(2026, 11, 28)
_LENGTH: Final = 4_000


class _Allocated(ctypes.Structure):
    """`struct mallinfo2` of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in [
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        ]
    ]


def main() -> None:
    """Load, fork, analyse and tell what the process takes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=300, help="how many")
    arguments = parser.parse_args()
    # Nothing is asked of the stores: what is rehearsed at startup is all that is run here.
    for name, value in (("DATABASE_URL", "postgresql://none/none"), ("REDIS_URL", "redis://none")):
        os.environ.setdefault(name, value)
    os.environ.setdefault("SECRET_KEY", "b" * 40)
    texts = [path.read_text("utf-8") for path in sorted(DEVELOPMENT.glob("*/*.txt"))]
    began = time.process_time()
    startup.warm_up()
    gc.collect()
    gc.freeze()
    print(f"loaded in {time.process_time() - began:.1f} s of processor time", flush=True)
    child = os.fork()
    if child:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    _analyse(texts, arguments.documents)


def _analyse(texts: list[str], documents: int) -> None:
    since, spent = 0, time.process_time()
    for number in range(1, documents + 1):
        text = _document(texts, number - 1)
        request = AnalysisRequest(DocumentText(text), jurisdiction=detect(text).code or "ES")
        startup.rehearse(request, DAY)
        if number in REPORTED or number == documents:
            now = time.process_time()
            figures = {
                "documents": number,
                **_memory(),
                "processor_ms": round((now - spent) * 1000 / (number - since), 1),
            }
            print(json.dumps(figures), flush=True)
            since, spent = number, now


def _document(texts: list[str], number: int) -> str:
    """Return a document that differs from all before it."""
    one, turn = texts[number % len(texts)], number // len(texts)
    if turn:
        half = _LENGTH // 2
        other = texts[(number * 7 + turn * 31) % len(texts)]
        one = f"{one[:half]}\n\n{other[-half:]}" if turn % 2 else f"{one[-half:]}\n\n{other[:half]}"
    return one[:_LENGTH]


def _memory() -> dict[str, int]:
    lines = Path("/proc/self/smaps_rollup").read_text("ascii").splitlines()[1:]
    kilobytes = {line.partition(":")[0]: int(line.split()[1]) for line in lines}
    tell = ctypes.CDLL(None).mallinfo2
    tell.restype = _Allocated
    found = tell()
    return {
        "pss_mb": kilobytes["Pss"] // 1024,
        "private_mb": (kilobytes["Private_Dirty"] + kilobytes["Private_Clean"]) // 1024,
        "allocated_mb": (found.uordblks + found.hblkhd) >> 20,
        "reserve_mb": found.fordblks >> 20,
    }


if __name__ == "__main__":
    main()
