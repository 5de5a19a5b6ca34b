"""The real worker with an analysis that misbehaves on a word in the document: `python -m tests.faults.…`.

FAILURE raises with the document in its message, CRASH is a segmentation fault, HANG does not come back, and
KILL ends the process as signal 9 would, once for each document that says so.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from app import factory
from app.analysis import pipeline
from app.jobs.execution import runner

_real = pipeline.analyse


def analyse(request: Any, **more: Any) -> Any:
    text = request.text.reveal()
    if "FAILURE" in text:
        raise RuntimeError(text)
    if "CRASH" in text:
        ctypes.string_at(0)
    if "HANG" in text:
        time.sleep(600)
    if "KILL" in text:
        mark = Path(sys.argv[1]) / request.text.fingerprint()
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return _real(request, **more)


if __name__ == "__main__":
    pipeline.analyse = analyse
    runner.Payload.longest_s = lambda *_: 12.0
    sys.exit(factory.create_worker().run())
