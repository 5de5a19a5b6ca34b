"""Search in an index of millions of passages: `python -m benchmarks.search_scale --data ../shared/data`.

Loads the Spanish statutes of `--data`, makes passages of them until there are `--made` (each an article
with words of another and new words, `benchmarks.search_filling`) and indexes all. Then blocks of the index
are copied in SQL, postings and passages with their texts, until there are `--passages`: of each block so many
rare stems get a name of their own as Heaps' law says, the others are in as large a share of passages as
before. At each size the questions of `retrieval_es_dev.jsonl` are asked, after one round that fills the
caches, by 1 and by 8 callers: threads of `--processes` processes, as of a web server, each with the index in
its own memory. A search is one of the API without its protocol: parsed, ranked, its articles read,
highlighted and written as JSON. Then one process tells, warm and with one caller, which part of a search
takes how much processor time (`benchmarks.search_parts`).

At the end, `--load` articles are put in and indexed by another process while one caller searches, then a
quarter of all passages goes and the collection is compacted, in the same way.

Milliseconds, searches a second, processor time of a search, memory of a process, megabytes on disk, and
seconds of the first search of a process. Last line: one JSON object. `--database` continues with a database
that is filled, and changes it.
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
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from app.platform.postgres import rls
from benchmarks import law_articles, retrieval, search_filling, search_parts
from benchmarks.support import use
from tests.throwaway import Throwaway, new_database

CALLERS: Final = (1, 8)
QUESTIONS: Final = 60
ON: Final = date(2026, 4, 30)


def _search(question: str) -> str:
    """Search as the API does; return the answer."""
    from app.search import operations

    body = {"query": question, "jurisdiccion": "ES", "fecha": ON, "top_k": 10, "tipos": (), "materias": ()}
    return json.dumps(operations.search_statutes(body), ensure_ascii=False)


@rls.as_system()
def ask() -> None:
    """Be one of the processes that search: read questions and callers, write times, until the end."""
    for line in sys.stdin:
        questions, callers = json.loads(line)
        if not callers:
            print(json.dumps(search_parts.measure(questions, _search)), flush=True)
            continue
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
        """Let it ask these questions, by so many threads; by 0, let it time the parts of a search."""
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
        searchers[0].begin(list(questions), 0)
        found["parts_ms"] = searchers[0].result()
    finally:
        for searcher in searchers:
            searcher.stop()
    return found


class Beside:
    """A process that searches without pause while something else is done."""

    def __init__(self, questions: Sequence[str]) -> None:
        """Begin, once its caches are filled."""
        self._searcher = Searcher()
        self._questions = questions
        self._searcher.begin(questions, 1)
        self._searcher.result()
        self._taken: list[float] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._go_on)
        self._thread.start()

    def _go_on(self) -> None:
        while not self._ended.is_set():
            self._searcher.begin(self._questions[:10], 1)
            self._taken += self._searcher.result()["ms"]

    def end(self) -> dict[str, float]:
        """Stop it; return what its searches took."""
        self._ended.set()
        self._thread.join()
        self._searcher.stop()
        taken = sorted(self._taken)
        return {
            "searches": len(taken),
            "p50_ms": round(statistics.median(taken), 1),
            "p95_ms": round(taken[int(len(taken) * 0.95)], 1),
            "longest_ms": round(taken[-1]),
        }


def index_beside(name: str, questions: Sequence[str]) -> dict[str, float]:
    """Index what waits, and compact, in a process of its own beside a caller; return what both took."""
    beside = Beside(questions)
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.search_scale", "--index"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = {"s": round(time.perf_counter() - began, 1), **json.loads(done.stdout), **beside.end()}
    return {f"{name}_{key}": value for key, value in found.items()}


@rls.as_system()
def index() -> None:
    """Be the process that indexes: print seconds by which all was searchable, of all, and memory."""
    from app.platform import clock
    from app.search import indexing

    began, last = time.perf_counter(), 0.0

    def told(_step: indexing.Step) -> None:
        nonlocal last
        last = time.perf_counter() - began

    indexing.index(now=clock.now, tell=told)
    print(
        json.dumps(
            {
                "searchable_s": round(last, 1),
                "all_s": round(time.perf_counter() - began, 1),
                "cpu_s": round(time.process_time(), 1),
                "mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3),
            }
        )
    )


def load_and_compact(
    real: Sequence[law_articles.Article], load: int, questions: Sequence[str]
) -> dict[str, Any]:
    """Measure one load while all stands, then compaction after a quarter of the passages went."""
    import sqlalchemy as sa

    from app.platform.postgres import db

    late = [one for one, _, _ in law_articles.grown(list(real), load, seed=int(time.time()))]
    law_articles.put(replace(one, law=f"{one.law}-late-{os.getpid()}") for one in late)
    found = index_beside("load", questions)
    print(json.dumps(found), flush=True)
    with db.transaction() as session:
        db.take_longer(session, 3_600)
        session.execute(
            sa.text(
                "DELETE FROM search_entries "
                "WHERE jurisdiction = 'ES' AND kind = 'article' AND ordinal % 4 = 0"
            )
        )
        session.execute(
            sa.text(
                "UPDATE corpus_passages SET indexed_at = NULL WHERE jurisdiction = 'ES' AND id = "
                "(SELECT passage_id FROM search_entries WHERE jurisdiction = 'ES' LIMIT 1)"
            )
        )
    found |= index_beside("compact", questions)
    print(json.dumps(found), flush=True)
    return found


def run(chosen: argparse.Namespace, address: str) -> dict[str, Any]:
    """Load, index, copy, and measure at each size."""
    from app.platform import clock
    from app.platform.postgres import db
    from app.search import indexing
    from app.search.postings import BLOCK

    lines = (chosen.data / "retrieval_es_dev.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line)["query"] for line in lines if line][:QUESTIONS]
    result: dict[str, Any] = {"questions": len(questions), "processes": chosen.processes}

    def told(size: int) -> None:
        found = measure(questions, chosen.processes) | retrieval._megabytes()
        print(search_parts.table(found.pop("parts_ms")))
        print(f"{size} passages: {json.dumps(found)}", flush=True)
        result.update({f"{name}_at_{size}": value for name, value in found.items()})

    real = search_filling.real(chosen.data)
    if chosen.database:
        with db.reading() as session:
            told(search_filling.size(session))
        return result | (load_and_compact(real, chosen.load, questions) if chosen.load else {})
    law_articles.put(real)
    indexing.index(now=clock.now)
    law = search_filling.heaps()
    result |= {"real": len(real), "heaps_k": round(law.k), "heaps_beta": round(law.beta, 3)}
    told(len(real))
    blocks = max(1, chosen.made // BLOCK)
    made = blocks * BLOCK
    law_articles.put(search_filling.made(real, made - len(real), law))
    began = time.perf_counter()
    indexing.index(now=clock.now)
    result["indexed_a_second"] = round((made - len(real)) / (time.perf_counter() - began))
    search_filling.vacuum(address)
    told(made)
    for size in sorted({300_000, 1_000_000, chosen.passages}):
        if made < size <= chosen.passages:
            began = time.perf_counter()
            reached = search_filling.copy(address, blocks, law, size)
            search_filling.vacuum(address)
            result[f"copied_s_at_{reached}"] = round(time.perf_counter() - began)
            told(reached)
    return result | (load_and_compact(real, chosen.load, questions) if chosen.load else {})


@rls.as_system()
def main() -> None:
    """Measure in a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="the folder of laws and questions")
    parser.add_argument(
        "--made", type=int, default=196_608, help="passages that are indexed, whole blocks of 65,536"
    )
    parser.add_argument("--passages", type=int, default=3_000_000, help="passages after copying")
    parser.add_argument(
        "--load", type=int, default=16_000, help="articles of one load while all stands, if any"
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--database", help="continue with this database")
    parser.add_argument("--ask", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--index", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.ask:
        ask()
        return
    if arguments.index:
        index()
        return
    if arguments.data is None:
        parser.error("--data is needed")
    os.environ |= {"STATEMENT_TIMEOUT_MS": "600000", "DATABASE_ANSWER_S": "600"}
    if arguments.database:
        use(arguments.database, "unix:///nowhere")
        print(json.dumps(run(arguments, arguments.database)))
        return
    services = Throwaway()
    try:
        address = new_database(services.addresses, "search_scale")
        use(address, services.addresses.redis_url(1))
        print(json.dumps(run(arguments, address)))
    finally:
        services.stop()


if __name__ == "__main__":
    main()
