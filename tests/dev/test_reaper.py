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

from app.dev import services
from app.dev.console import Halt
from app.dev.process import REAPER, Child

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


def child(tmp_path: Path, *argv: str | Path, grace: float = 2, remove: list[Path] | None = None) -> Child:
    made = Child("child", argv, tmp_path / "child.log", grace=grace, remove=remove or [])
    made.start()
    return made


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
        from app.dev.process import Child
        def start():
            log, leftover = Path({str(tmp_path / "log")!r}), Path({str(leftover)!r})
            Child("child", {argv!r}, log, remove=[leftover]).start()
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


def test_a_killed_reaper_ends_its_command(tmp_path: Path) -> None:
    argv, path = family(tmp_path)
    reaper = subprocess.Popen([sys.executable, "-I", "-S", REAPER, "--", *argv], stdin=subprocess.PIPE)
    command, grandchild = read_pids(path)
    reaper.kill()
    reaper.wait()
    assert reaper.stdin is not None
    reaper.stdin.close()
    assert eventually(lambda: not is_alive(command))
    os.kill(grandchild, signal.SIGKILL)  # out of anybody's reach by now: the reaper was what held it


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
        ours = child(tmp_path, "sleep", "600", remove=[leftover])
        ours.stop()
        assert ours.wait(10) == 128 + signal.SIGTERM
        assert not leftover.exists()


def test_exit_codes_and_output_come_through(tmp_path: Path) -> None:
    ours = child(tmp_path, "sh", "-c", "echo out; echo err >&2; exit 7")
    assert ours.wait(10) == 7
    assert ours.end_of_log().endswith("child.log:\nout\nerr")


def test_a_command_that_is_not_there_is_named_in_the_log(tmp_path: Path) -> None:
    ours = child(tmp_path, tmp_path / "nothing")
    assert ours.wait(10) == 126
    assert f"{tmp_path / 'nothing'} cannot be started: No such file or directory" in ours.end_of_log()


def test_a_log_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Halt, match="child cannot be started"):
        Child("child", ["true"], tmp_path / "missing" / "child.log").start()


def test_the_end_of_a_log_leaves_out_the_frames_of_a_traceback(tmp_path: Path) -> None:
    ours = child(tmp_path, sys.executable, "-c", "raise ValueError('no')")
    assert ours.wait(10) == 1
    assert ours.end_of_log().endswith("child.log:\nValueError: no")


def test_standard_output_can_be_read(tmp_path: Path) -> None:
    ours = Child("child", ["sh", "-c", "echo out; echo err >&2"], tmp_path / "child.log", piped=True)
    ours.start()
    assert ours.output() == "out\n"
    assert ours.wait(10) == 0
    assert ours.log.read_text() == "err\n"


def test_new_lines_of_the_log_are_shown_when_they_are_complete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = Child("web", ["true"], tmp_path / "web.log")
    ours.show_log(everything=True)
    ours.log.write_text("one\ntw")
    ours.show_log(everything=True)
    ours.show_log(everything=True)
    with ours.log.open("a") as more:
        more.write('o\n{"level": "warning", "event": "slow"}\nthree\n')
    ours.show_log(everything=False)
    assert capsys.readouterr().out == "     web | one\n     web | warning: slow\n"


def test_a_child_that_ends_again_and_again_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("app.dev.process.FIRST_DELAY_S", 0.01)
    ours = child(tmp_path, "sh", "-c", "echo no; exit 3")
    restarts = 0
    while restarts < 3:
        restarts += ours.restarted()
        time.sleep(0.01)
    assert ours._process is not None
    assert ours._process.wait(10) == 3
    ended = r"(?s)child ended 4 times in a row \(exit code 3\); the end of .*\nno\nno"
    with pytest.raises(Halt, match=ended):
        ours.restarted()
    ours.wait()
    assert capsys.readouterr().out.count("child ended unexpectedly (exit code 3); starting it again") == 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize(("held", "reads"), [({}, "closed"), (services.CAPABILITIES, "open")])
def test_postgres_has_no_right_of_root_but_to_enter_closed_directories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: dict[str, int], reads: str
) -> None:
    monkeypatch.setattr(services, "CAPABILITIES", held)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    (closed / "file").write_text("")
    look = f"test -r '{closed}/file' && echo open || echo closed"
    write = f"touch '{closed}/new' 2>/dev/null && echo writes"
    ours = child(tmp_path, *services.as_postgres_user(), "sh", "-c", f"id -un; {look}; {write}")
    ours.wait(10)
    assert ours.log.read_text() == f"nobody\n{reads}\n"
