"""Startup: what a command costs before it does anything, as a ratio to importing Flask and SQLAlchemy.

    python -m benchmarks.startup [--runs 7]

Each command is started anew so many times, in turn with the floor, `python -c "import flask, sqlalchemy"`:
both meet the same load of the machine. No setting is needed. What counts is the processor time in user mode
of the process, its end included, and of it the median: wall time on a shared machine says little. With
PYTHONDONTWRITEBYTECODE set and no bytecode there, every figure includes compiling our own modules.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

_PROJECT = Path(__file__).resolve().parents[1]
_FLOOR = "floor"
_FLASK = ["-m", "flask", "--app", "wsgi"]
_COMMANDS: dict[str, list[str]] = {
    _FLOOR: ["-c", "import flask, sqlalchemy"],
    "factory": ["-c", "import app.factory"],
    "help": [*_FLASK, "--help"],
    "account_help": [*_FLASK, "account", "--help"],
    "key_help": [*_FLASK, "key", "--help"],
    "corpus_help": [*_FLASK, "corpus", "--help"],
    "db_help": [*_FLASK, "db", "--help"],
}
_SETTINGS = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")


def _user_seconds(arguments: list[str], env: dict[str, str]) -> float:
    """Run a process of Python to its end; return its seconds of processor time in user mode."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([sys.executable, *arguments], cwd=_PROJECT, env=env, stdout=subprocess.DEVNULL, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def run(runs: int) -> dict[str, float]:
    """Measure every command; keys of the result are those of the last line."""
    taken: dict[str, list[float]] = {name: [] for name in _COMMANDS}
    with tempfile.TemporaryDirectory() as nowhere:
        kept = {name: value for name, value in os.environ.items() if name not in _SETTINGS}
        env = {**kept, "DATA_DIR": nowhere}
        for name, arguments in _COMMANDS.items():
            _user_seconds(arguments, env)  # fills the caches
            print(f"{name}: python {' '.join(arguments)}")
        for _ in range(runs):
            for name, arguments in _COMMANDS.items():
                taken[name].append(_user_seconds(arguments, env))
    floor = statistics.median(taken[_FLOOR])
    print(f"\n{'':12} {'user s':>8} {'ratio':>6} {'least':>6} {'most':>6}")
    result: dict[str, float] = {"floor_s": round(floor, 3)}
    for name, seconds in taken.items():
        middle = statistics.median(seconds)
        print(f"{name:12} {middle:8.3f} {middle / floor:6.2f} {min(seconds):6.2f} {max(seconds):6.2f}")
        if name != _FLOOR:
            result[f"{name}_s"] = round(middle, 3)
            result[f"{name}_ratio"] = round(middle / floor, 2)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="how often each is started (default: 7)")
    print(json.dumps(run(parser.parse_args().runs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
