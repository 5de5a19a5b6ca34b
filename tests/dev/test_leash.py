"""Nothing outlives the process that started it, whichever of the three is killed."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.dev.child import LEASH, Child, Command
from app.dev.console import Halt

# Starts a grandchild in a session of its own, writes both process ids, and stays.
FAMILY = """
import os, subprocess, sys, time
grandchild = subprocess.Popen(["sleep", "600"], start_new_session=True)
with open(sys.argv[1] + ".part", "w") as out:
    out.write(f"{os.getpid()} {grandchild.pid}")
os.rename(sys.argv[1] + ".part", sys.argv[1])
time.sleep(600)
"""


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def eventually(condition: Callable[[], bool], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def family(tmp_path: Path) -> tuple[list[str], Path]:
    pids = tmp_path / "pids"
    return [sys.executable, "-c", FAMILY, str(pids)], pids


def read_pids(path: Path) -> list[int]:
    assert eventually(path.exists)
    return [int(word) for word in path.read_text().split()]


def child(tmp_path: Path, *argv: str | Path, grace: float = 2, leftovers: list[Path] | None = None) -> Child:
    return Child("child", Command(argv, grace=grace, leftovers=leftovers or []), tmp_path / "child.log")


def test_stopping_ends_the_command_and_all_below_it(tmp_path: Path) -> None:
    argv, path = family(tmp_path)
    ours = child(tmp_path, *argv)
    pids = read_pids(path)
    ours.stop()
    assert ours.wait(10) == 128 + signal.SIGTERM
    assert not any(map(is_alive, pids))


def test_a_killed_parent_takes_everything_with_it(tmp_path: Path) -> None:
    argv, path = family(tmp_path)
    leftover = tmp_path / "socket-directory"
    leftover.mkdir()
    parent = textwrap.dedent(f"""
        import os, signal, threading
        from pathlib import Path
        from app.dev.child import Child, Command
        def start():
            command = Command({argv!r}, leftovers=[Path({str(leftover)!r})])
            Child("child", command, Path({str(tmp_path / "log")!r}))
        thread = threading.Thread(target=start)  # the thread that starts a child may end before the child
        thread.start(); thread.join()
        while not Path({str(path)!r}).exists(): pass
        assert os.path.isdir({str(leftover)!r})
        os.kill(os.getpid(), signal.SIGKILL)
    """)
    done = subprocess.run([sys.executable, "-c", parent], check=False)
    assert done.returncode == -signal.SIGKILL
    pids = read_pids(path)
    assert eventually(lambda: not any(map(is_alive, pids)))
    assert eventually(lambda: not leftover.exists())


def test_a_killed_command_leaves_no_orphans(tmp_path: Path) -> None:
    argv, path = family(tmp_path)
    ours = child(tmp_path, *argv)
    command, grandchild = read_pids(path)
    os.kill(command, signal.SIGKILL)
    assert ours.wait(10) == 128 + signal.SIGKILL
    assert not is_alive(grandchild)


def test_a_killed_leash_ends_its_command(tmp_path: Path) -> None:
    argv, path = family(tmp_path)
    leash = subprocess.Popen([sys.executable, "-I", "-S", LEASH, "--", *argv], stdin=subprocess.PIPE)
    command, grandchild = read_pids(path)
    leash.kill()
    leash.wait()
    assert leash.stdin is not None
    leash.stdin.close()
    assert eventually(lambda: not is_alive(command))
    os.kill(grandchild, signal.SIGKILL)  # out of anybody's reach by now: the leash was what held it


def test_a_stubborn_command_is_killed_after_its_grace(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    stubborn = (
        "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "open(sys.argv[1], 'w').close(); time.sleep(600)"
    )
    ours = child(tmp_path, sys.executable, "-c", stubborn, ready, grace=0.3)
    assert eventually(ready.exists)
    ours.stop()
    assert ours.wait(10) == 128 + signal.SIGKILL


def test_asking_twice_does_not_wait_for_the_grace(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    stubborn = (
        "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "open(sys.argv[1], 'w').close(); time.sleep(600)"
    )
    ours = child(tmp_path, sys.executable, "-c", stubborn, ready, grace=600)
    assert eventually(ready.exists)
    ours.stop()
    assert ours.wait(0.3) is None
    ours.stop()
    assert ours.wait(10) == 128 + signal.SIGKILL


def test_what_is_stopped_at_birth_is_tidied_up_all_the_same(tmp_path: Path) -> None:
    leftover = tmp_path / "socket-directory"
    for _ in range(5):
        leftover.mkdir()
        ours = child(tmp_path, "sleep", "600", leftovers=[leftover])
        ours.stop()
        assert ours.wait(10) == 128 + signal.SIGTERM
        assert not leftover.exists()


def test_exit_codes_and_output_come_through(tmp_path: Path) -> None:
    ours = child(tmp_path, "sh", "-c", "echo out; echo err >&2; exit 7")
    assert ours.wait(10) == 7
    assert ours.last_words() == "out\nerr"


def test_a_command_that_is_not_there_is_named_in_the_log(tmp_path: Path) -> None:
    ours = child(tmp_path, tmp_path / "nothing")
    assert ours.wait(10) == 126
    assert f"{tmp_path / 'nothing'} cannot be started: No such file or directory" in ours.last_words()


def test_a_log_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Halt, match="child cannot be started"):
        Child("child", Command(["true"]), tmp_path / "missing" / "child.log")


def test_last_words_leave_out_the_frames_of_a_traceback(tmp_path: Path) -> None:
    ours = child(tmp_path, sys.executable, "-c", "raise ValueError('no')")
    assert ours.wait(10) == 1
    assert ours.last_words() == "ValueError: no"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize(("keep", "reads"), [(None, "closed"), ("dac_read_search", "open")])
def test_the_one_right_that_is_kept_opens_closed_directories(
    tmp_path: Path, keep: str | None, reads: str
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    (closed / "file").write_text("")
    look = f"test -r '{closed}/file' && echo open || echo closed"
    write = f"touch '{closed}/new' 2>/dev/null && echo writes"
    script = f"id -un; {look}; {write}"
    ours = Child("child", Command(["sh", "-c", script], user="nobody", keep=keep), tmp_path / "log")
    ours.wait(10)
    assert ours.last_words() == f"nobody\n{reads}"
