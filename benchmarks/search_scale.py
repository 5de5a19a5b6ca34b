"""Search in an index of millions of passages: `python -m benchmarks.search_scale --data ../shared/data`.

Loads the Spanish statutes of `--data`, makes passages of them until there are `--made` (each an article
with words of another, as in `benchmarks.retrieval`) and indexes all. Then the index is copied in SQL,
postings by block and passages with their texts, until there are `--passages`: a search reads as much as in
a corpus of that size, but the vocabulary does not grow, and a word is in as large a share of passages as
before. At each size the questions of `retrieval_es_dev.jsonl` are asked, after one round that fills the
caches, by 1 and by 8 callers: threads of `--processes` processes, as of a web server, each with the index
in its own memory. A search is one of the API without its protocol: parsed, ranked, its articles read.
Milliseconds, searches a second, processor time of a search, memory of a process, megabytes on disk, and
seconds of the first search of a process. Last line: one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

from app.platform.postgres import rls
from benchmarks import retrieval
from benchmarks.support import use
from tests.throwaway import Throwaway, new_database

CALLERS: Final = (1, 8)
QUESTIONS: Final = 60
ON: Final = date(2026, 4, 30)


def _search(question: str) -> int:
    """Search as the API does; return how many articles were found."""
    from app import search
    from app.platform import settings
    from app.platform.postgres import replica

    asked = search.prepare(question, jurisdiction="ES", kind="article", config=settings.current())
    answer = replica.read(lambda session: search.statute_search.search(session, asked, day=ON, most=10))
    return len(answer.found)


@rls.as_system()
def ask() -> None:
    """Be one of the processes that search: read questions and callers, write times, until the end."""
    for line in sys.stdin:
        questions, callers = json.loads(line)
        taken: list[float] = []
        lock = threading.Lock()
        waiting = list(questions)

        @rls.as_system()
        def go_on(waiting: list[str] = waiting, taken: list[float] = taken, lock: Any = lock) -> None:
            while True:
                with lock:
                    if not waiting:
                        return
                    question = waiting.pop()
                began = time.perf_counter()
                _search(question)
                with lock:
                    taken.append((time.perf_counter() - began) * 1000)

        used = time.process_time()
        threads = [threading.Thread(target=go_on) for _ in range(callers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        told = {
            "ms": taken,
            "cpu_ms": (time.process_time() - used) * 1000,
            "mb": round(pages * resource.getpagesize() / 1e6),
        }
        print(json.dumps(told), flush=True)


class Searcher:
    """A process that searches when it is told to."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.search_scale", "--ask"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin(self, questions: Sequence[str], callers: int) -> None:
        """Let it ask these questions, by so many threads."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([questions, callers]) + "\n")
        self._process.stdin.flush()

    def result(self) -> dict[str, Any]:
        """Wait until it has asked them all; return its times."""
        assert self._process.stdout is not None
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def stop(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


def measure(questions: Sequence[str], processes: int) -> dict[str, Any]:
    """Measure with new processes, whose caches are filled first."""
    found: dict[str, Any] = {}
    searchers = [Searcher() for _ in range(processes)]
    try:
        first = []
        for one in searchers:
            one.begin(questions, 1)
        for one in searchers:
            first.append(one.result())
        # The last question is popped first; it reads the table of all passages.
        found["first_search_ms"] = round(max(one["ms"][0] for one in first))
        for callers in CALLERS:
            each = [max(1, callers // processes)] * min(processes, callers)
            began = time.perf_counter()
            for searcher, threads in zip(searchers, each, strict=False):
                searcher.begin(list(questions) * (2 if callers > 1 else 1), threads)
            told = [searcher.result() for searcher, _ in zip(searchers, each, strict=False)]
            seconds = time.perf_counter() - began
            taken = sorted(ms for one in told for ms in one["ms"])
            found |= {
                f"p50_ms_{callers}": round(statistics.median(taken), 1),
                f"p95_ms_{callers}": round(taken[int(len(taken) * 0.95)], 1),
                f"searches_a_second_{callers}": round(len(taken) / seconds, 1),
                f"cpu_ms_{callers}": round(sum(one["cpu_ms"] for one in told) / len(taken), 1),
            }
            found["process_mb"] = max(one["mb"] for one in told)
    finally:
        for searcher in searchers:
            searcher.stop()
    return found


def run(data: Path, made: int, passages: int, processes: int) -> dict[str, Any]:
    """Load, index, copy, and measure at each size."""
    from app.platform import clock
    from app.search import indexing
    from benchmarks import law_articles

    lines = (data / "retrieval_es_dev.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line)["query"] for line in lines if line][:QUESTIONS]
    result: dict[str, Any] = {"questions": len(questions), "processes": processes}

    def told(size: int) -> None:
        found = measure(questions, processes) | retrieval._megabytes()
        print(f"{size} passages: {json.dumps(found)}", flush=True)
        result.update({f"{name}_at_{size}": value for name, value in found.items()})

    spanish = list(law_articles.spanish(data / "es_statutes"))
    law_articles.put(spanish)
    indexing.index(now=clock.now)
    result["real"] = len(spanish)
    told(len(spanish))
    law_articles.put(one for one, _, _ in law_articles.grown(spanish, made - len(spanish)))
    began = time.perf_counter()
    indexing.index(now=clock.now)
    result["indexed_a_second"] = round((made - len(spanish)) / (time.perf_counter() - began))
    told(made)
    for size in sorted({300_000, 1_000_000, passages}):
        if made < size <= passages:
            began = time.perf_counter()
            reached = retrieval._copied(size)
            result[f"copied_s_at_{reached}"] = round(time.perf_counter() - began)
            told(reached)
    return result


@rls.as_system()
def main() -> None:
    """Measure in a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="the folder of laws and questions")
    parser.add_argument("--made", type=int, default=75_000, help="passages that are indexed, at least 65,536")
    parser.add_argument("--passages", type=int, default=3_000_000, help="passages after copying")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--ask", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.ask:
        ask()
        return
    if arguments.data is None:
        parser.error("--data is needed")
    services = Throwaway()
    try:
        use(new_database(services.addresses, "search_scale"), services.addresses.redis_url(1))
        os.environ["STATEMENT_TIMEOUT_MS"] = "600000"
        os.environ["DATABASE_ANSWER_S"] = "600"
        print(json.dumps(run(arguments.data, arguments.made, arguments.passages, arguments.processes)))
    finally:
        services.stop()


if __name__ == "__main__":
    main()
