"""Share between the tests and processes of one run what takes long to make: a folder, then copied."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Callable
from pathlib import Path


def copied(shared: Path, name: str, make: Callable[[Path], None], to: Path) -> None:
    """Copy the folder ``shared / name`` to ``to``; the first caller of a run makes it.

    Args:
        shared: The folder of the whole run, as `shared_folder` returns it.
        name: What is made, in one word.
        make: Fills the folder that it is given and leaves no process that works on it.
        to: A path where nothing is yet. Owners are kept: a cluster belongs to PostgreSQL's user.
    """
    original = shared / name
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not original.exists():
            half = shared / f"{name}.half"
            make(half)
            half.rename(original)
    subprocess.run(["cp", "-a", "--reflink=auto", str(original), str(to)], check=True)


def shared_folder(base: Path) -> Path:
    """Return the folder which all processes of a run share, from pytest's own base folder of this process."""
    folder = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    # As root, PostgreSQL is somebody else and must get through to its cluster.
    folder.chmod(0o711)
    return folder
