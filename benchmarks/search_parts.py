"""Time the parts of a search, for `benchmarks.search_scale`: processor time of the process and of PostgreSQL.

Functions are wrapped by a clock while a thread searches. A part's time is its own, without that of parts
within it; what no part has is `the rest`. PostgreSQL's time is that of its processes which serve this
database, read where they run on this machine.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import sqlalchemy as sa

REST: Final = "the rest"
# The parts in the order of a search: name, module, function or method.
_PARTS: Final = (
    ("citations of the question", "app.search.query", "extract"),
    ("matters of the question", "app.search.thesaurus", "understand"),
    ("entries of the index of subjects", "app.search.subject_index", "subjects"),
    ("institutions", "app.search.institutions", "meant"),
    ("question, other", "app.search.query", "parse"),
    ("postings from cache or PostgreSQL", "app.search.index_cache", "IndexCache.read"),
    ("state of the collection", "app.search.index_cache", "IndexCache.state"),
    ("what is cited", "app.search.exact_citations", "passages"),
    ("whether there is an answer", "app.search.ranking", "_answers"),
    ("terms weighed", "app.search.maxscore", "Query.__init__"),
    ("bounds of all passages", "app.search.maxscore", "Query._summed"),
    ("scores of likely passages", "app.search.maxscore", "Query.scores"),
    ("best passages", "app.search.maxscore", "Query.best"),
    ("ranking, other", "app.search.ranking", "rank"),
    ("articles read", "app.search.statute_search", "search"),
    ("highlights", "app.search.highlights", "spans"),
)
_STATIC: Final = {"IndexCache.state"}


class Clock:
    """Processor time of this thread by part."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.seconds: dict[str, float] = defaultdict(float)
        self._open: list[str] = [REST]
        self._since = time.thread_time()

    def _turn(self) -> None:
        now = time.thread_time()
        self.seconds[self._open[-1]] += now - self._since
        self._since = now

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count what happens in the block as of this part."""
        self._turn()
        self._open.append(name)
        try:
            yield
        finally:
            self._turn()
            self._open.pop()

    def wrapped(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that does the same and is counted."""

        def counted(*given: Any, **named: Any) -> Any:
            with self.part(name):
                return function(*given, **named)

        return counted


def measure(questions: Sequence[str], search: Callable[[str], Any]) -> dict[str, float]:
    """Return milliseconds of a search by part, after one round that is not counted.

    Args:
        questions: What is asked.
        search: Searches one.
    """
    for question in questions:
        search(question)
    before = _of_postgres()
    began = time.thread_time()
    for question in questions:
        search(question)
    whole, after = time.thread_time() - began, _of_postgres()
    clock = Clock()
    with ExitStack() as stack:
        for name, module, function in _PARTS:
            counted: Any = clock.wrapped(name, _found(module, function))
            if function in _STATIC:
                counted = staticmethod(counted)
            stack.enter_context(patch(f"{module}.{function}", counted))
        clock.seconds.clear()
        clock._turn()
        clock.seconds.clear()
        for question in questions:
            search(question)
        clock._turn()
    each = 1000 / len(questions)
    # Clocks cost time themselves: parts have their shares of what a search takes without them.
    share = whole / sum(clock.seconds.values())
    names = [name for name, _, _ in _PARTS]
    parts = {name: round(clock.seconds[name] * share * each, 2) for name in (*names, REST)}
    found = {"web": round(whole * each, 2), **parts}
    if before is not None and after is not None:
        found["postgresql"] = round((after - before) * each, 2)
    return found


def _found(module: str, name: str) -> Any:
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _of_postgres() -> float | None:
    """Return the seconds of processor time of PostgreSQL's processes for this database; `None` elsewhere."""
    from app.platform.postgres import db

    with db.reading() as session:
        pids = session.scalars(
            sa.text("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        ).all()
    try:
        return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in pids) / 1e9
    except OSError:
        return None


def table(parts: dict[str, float]) -> str:
    """Return the parts as lines for a reader."""
    return "\n".join(f"  {name:36} {value:8.2f}" for name, value in parts.items())
