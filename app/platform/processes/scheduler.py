"""Run recurring tasks in threads, each at its own interval; a failing task does not stop the others."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType

from app.platform import log

_logger = log.logger("worker")
_LONGEST_PAUSE_S = 60.0


@dataclass(frozen=True, slots=True)
class ScheduledTask:
    """A task whose `work` is called every `seconds`; after a failure the pause doubles, up to a minute.

    `work` must be safe to run in several processes at once, since every worker has the same tasks. When the
    worker stops, `finish` is called once, or `work` once more where there is no `finish`.
    """

    name: str
    seconds: float
    work: Callable[[], object]
    finish: Callable[[], object] | None = None


class Scheduler:
    """Run scheduled tasks until told to stop; running tasks are finished first."""

    def __init__(self, tasks: Sequence[ScheduledTask]) -> None:
        self._tasks = tasks
        self._stop = threading.Event()

    def run(self) -> int:
        """Run until SIGTERM or SIGINT; return the exit code."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        threads = [
            threading.Thread(target=self._repeat, args=(task,), name=task.name) for task in self._tasks
        ]
        for thread in threads:
            thread.start()
        _logger.info("worker ready", tasks=[task.name for task in self._tasks])
        for thread in threads:
            thread.join()
        _logger.info("worker stopped")
        return 0

    def stop(self) -> None:
        """Stop after the tasks that are running."""
        self._stop.set()

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called: a long task may check it and leave the rest to another process."""
        return self._stop.is_set()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.stop()

    def _repeat(self, task: ScheduledTask) -> None:
        pause = task.seconds
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                task.work()
                pause = task.seconds
            except Exception as error:
                pause = min(pause * 2, _LONGEST_PAUSE_S)
                _logger.warning("scheduled task failed", task=task.name, exc_info=error, next_in_s=pause)
            self._stop.wait(max(0.0, pause - (time.monotonic() - began)))
        # What arrived since the last round is not left for another worker that may not exist.
        try:
            (task.finish or task.work)()
        except Exception as error:
            _logger.warning("scheduled task failed", task=task.name, exc_info=error)
