"""`python -m app.dev run`: start everything and stay until asked to stop. Settings: the environment."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
import traceback
from pathlib import Path

from app.dev.caller import Caller
from app.dev.console import Halt, say
from app.dev.data_dir import DataDir
from app.dev.supervisor import Supervisor
from app.platform import settings


def main(arguments: list[str]) -> int:
    """Run the command in ``arguments``; returns the exit code."""
    # Until the supervisor listens, Ctrl-C simply ends us: there is nothing to tidy up yet.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parser = argparse.ArgumentParser(prog="python -m app.dev", description=__doc__)
    parser.add_argument("command", choices=["run"])
    parser.add_argument("--end-with-parent", action="store_true", help="stop when the caller (make) ends")
    options = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        # Twice: what a killed run left in services.json must not be taken for settings of this one.
        data_dir = DataDir(settings.load().data_dir)
        data_dir.open()
        supervisor = Supervisor(
            settings.load(),
            data_dir,
            Caller(follow_parent=options.end_with_parent),
            everything=os.environ.get("VERBOSE", "") not in {"", "0"},
        )
        return _run(supervisor, data_dir)
    except (Halt, settings.SettingsError) as error:
        say("run", str(error))
        return 1


def _run(supervisor: Supervisor, data_dir: DataDir) -> int:
    log: Path = data_dir.log("supervisor")
    try:
        return supervisor.run()
    except Halt:
        raise
    except Exception as error:  # noqa: BLE001  the person gets a sentence, the log the rest
        log.write_text("".join(traceback.format_exception(error)), "utf-8")
        say("run", f"The supervisor failed ({type(error).__name__}: {error}); details are in {log}")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
