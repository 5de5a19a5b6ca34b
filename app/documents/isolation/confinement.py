"""Limits and loss of rights of the isolated process, all of them inherited by what it starts.

Each barrier is put up where the kernel offers it: a network namespace without any interface (`namespace`), a
filter that refuses system calls (`seccomp`: sockets, signals to others, new sessions, inspection of other
processes and, unless allowed, new processes) and Landlock rules that leave programs and libraries to read and
nothing to write (`files`). Where neither of the first two is to be had, `confine` refuses to go on.

Sources: seccomp(2), landlock(7), user_namespaces(7), `linux/filter.h`, `asm/unistd_64.h`.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import platform
import resource
import struct
import sys
from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
_SIGKILL, _EPERM, _ENOSYS = 9, 1, 38
_CLONE_NEWUSER, _CLONE_NEWNET, _CLONE_NEWIPC = 0x10000000, 0x40000000, 0x08000000
_MOST_FILES, _MOST_PROCESSES, _MOST_WRITTEN = 128, 16, 64 * 2**20

confined: set[str] = set()
"""The barriers that stand around this process."""


class NotConfined(RuntimeError):
    """Neither a namespace nor a filter keeps this process from the network."""


def limit(*, memory: int, seconds: int) -> None:
    """Set the limits of this process: address space and processor time, files, cores, life of its parent."""
    die_with_parent()
    _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    for which, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, _MOST_WRITTEN),
        (resource.RLIMIT_NOFILE, _MOST_FILES),
    ):
        _, hard = resource.getrlimit(which)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (most, most))


def die_with_parent() -> None:
    """Have this process killed when the one that started it ends, however that ends."""
    _libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


def confine(paths: list[str], *, programs: bool) -> None:
    """Give up network, other processes and files for good.

    Args:
        paths: Directories that Python code is imported from, left to be read.
        programs: Whether this process may start others.

    Raises:
        NotConfined: The network could not be taken away.
    """
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if _libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET | _CLONE_NEWIPC) == 0:
        confined.add("namespace")
        # Counted within the new namespace of users: elsewhere the limit would count the server's threads.
        resource.setrlimit(resource.RLIMIT_NPROC, (_MOST_PROCESSES, _MOST_PROCESSES))
    if _restrict_files(paths):
        confined.add("files")
    if _filter_system_calls(programs=programs):
        confined.add("seccomp")
    if not confined & {"namespace", "seccomp"}:
        raise NotConfined


def report(data: bytes, arguments: dict[str, Any]) -> bytes:
    """Return what this process can do, as JSON: for tests and for the operator's check."""
    tried: dict[str, Any] = {
        "barriers": sorted(confined),
        "directory": os.listdir("."),  # noqa: PTH208
        "environment": sorted(os.environb, key=bytes),
        "descriptors": sorted(_descriptors()),
        "bytes": len(data),
        "arguments": sorted(arguments),
    }
    for name, attempt in _ATTEMPTS.items():
        try:
            attempt(arguments)
            tried[name] = True
        except (OSError, MemoryError, RuntimeError):
            tried[name] = False
    return json.dumps(tried, default=os.fsdecode).encode()


# Numbers of system calls on x86-64 and on aarch64.
_REFUSED = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "io_uring_setup": (425, 425),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setsid": (112, 157),
    "setpgid": (109, 154),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "chroot": (161, 51),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
}
_REFUSED_WITHOUT_PROGRAMS = {"execve": (59, 221), "execveat": (322, 281), "fork": (57, -1), "vfork": (58, -1)}
_CLONE, _CLONE3, _CLONE_THREAD = (56, 220), 435, 0x00010000
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_X32 = 0x40000000
_LOAD, _EQUAL, _NOT_BELOW, _HAS_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _UNKNOWN, _KILL = 0x7FFF0000, 0x00050000 | _EPERM, 0x00050000 | _ENOSYS, 0x80000000
_MODE_FILTER = 2


def _filter_system_calls(*, programs: bool) -> bool:
    """Install the filter of system calls; return whether the kernel took it."""
    machine = _MACHINES.get(platform.machine())
    if machine is None or sys.maxsize < 2**32:
        return False
    architecture, column = machine
    calls = [numbers[column] for numbers in _REFUSED.values()]
    if not programs:
        calls += [numbers[column] for numbers in _REFUSED_WITHOUT_PROGRAMS.values() if numbers[column] >= 0]
    program = [
        _instruction(_LOAD, 0, 0, 4),
        _instruction(_EQUAL, 1, 0, architecture),
        _instruction(_RETURN, 0, 0, _KILL),
        _instruction(_LOAD, 0, 0, 0),
    ]
    if column == 0:
        program += [_instruction(_NOT_BELOW, 0, 1, _X32), _instruction(_RETURN, 0, 0, _REFUSE)]
    for number in sorted(calls):
        program += [_instruction(_EQUAL, 0, 1, number), _instruction(_RETURN, 0, 0, _REFUSE)]
    if not programs:
        # The C library makes threads by clone where clone3 is unknown: those stay, processes do not.
        program += [
            _instruction(_EQUAL, 0, 1, _CLONE3),
            _instruction(_RETURN, 0, 0, _UNKNOWN),
            _instruction(_EQUAL, 0, 3, _CLONE[column]),
            _instruction(_LOAD, 0, 0, 16),
            _instruction(_HAS_BITS, 1, 0, _CLONE_THREAD),
            _instruction(_RETURN, 0, 0, _REFUSE),
        ]
    program.append(_instruction(_RETURN, 0, 0, _ALLOW))
    code = ctypes.create_string_buffer(b"".join(program))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program), ctypes.addressof(code)))
    taken: int = _libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, header, 0, 0)
    return taken == 0


def _instruction(code: int, if_true: int, if_false: int, operand: int) -> bytes:
    """Return one `struct sock_filter`."""
    return struct.pack("HBBI", code, if_true, if_false, operand)


_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
# Rights to files that exist since version 1, 2 (refer) and 3 (truncate) of the interface.
_RIGHTS = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF}
_PATH_BENEATH = 1
_READABLE = ("/usr", "/lib", "/lib64", "/bin", "/etc/fonts", "/proc/self/status")
_READABLE_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/dev/urandom", "/dev/zero")


def _restrict_files(paths: list[str]) -> bool:
    """Leave code and libraries to be read and executed, and nothing else; return whether the kernel can."""
    version: int = _libc.syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return False
    attributes = struct.pack("Q", _RIGHTS[min(version, 3)])
    rules: int = _libc.syscall(_LANDLOCK_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return False
    try:
        project, *libraries = paths
        code = [os.path.join(project, "app"), *libraries, sys.prefix, sys.base_prefix]  # noqa: PTH118
        for path in (*code, *_READABLE):
            _allow(rules, path, _EXECUTE | _READ_FILE | _READ_DIR)
        for path in _READABLE_FILES:
            _allow(rules, path, _READ_FILE)
        _allow(rules, os.devnull, _READ_FILE | _WRITE_FILE)
        _allow(rules, ".", _READ_DIR)
        done: int = _libc.syscall(_LANDLOCK_RESTRICT, rules, 0)
        return done == 0
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    """Add a rule for a file or for all below a directory; a path that is not there needs none."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not os.path.isdir(path):  # noqa: PTH112
                rights &= ~_READ_DIR
            beneath = struct.pack("=Qi", rights, descriptor)
            _libc.syscall(_LANDLOCK_ADD, rules, _PATH_BENEATH, beneath, 0)
        finally:
            os.close(descriptor)


def _descriptors() -> list[str]:
    kinds = []
    for number in range(_MOST_FILES):
        with contextlib.suppress(OSError):
            mode = os.fstat(number).st_mode
            kinds.append(f"{number}:{mode >> 12:o}")
    return kinds


def _connect(arguments: dict[str, Any]) -> None:
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as made:
        made.settimeout(1)
        made.connect(("127.0.0.1", int(arguments.get("port", 9))))


def _connect_local(arguments: dict[str, Any]) -> None:
    import socket

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as made:
        made.settimeout(1)
        made.connect(str(arguments.get("path", "")))


def _read_file(arguments: dict[str, Any]) -> None:
    with open(str(arguments.get("file", "/proc/1/environ")), "rb") as file:  # noqa: PTH123
        file.read(1)


def _write_file(arguments: dict[str, Any]) -> None:
    with open("left-behind", "wb") as file:  # noqa: PTH123
        file.write(b"x")


def _fork(arguments: dict[str, Any]) -> None:
    if os.fork() == 0:
        os._exit(0)


def _signal(arguments: dict[str, Any]) -> None:
    os.kill(int(arguments.get("pid", os.getppid())), 0)


def _allocate(arguments: dict[str, Any]) -> None:
    bytearray(int(arguments.get("allocate", 2**30)))


_ATTEMPTS = {
    "connects": _connect,
    "connects_locally": _connect_local,
    "reads_other_files": _read_file,
    "writes_files": _write_file,
    "forks": _fork,
    "signals": _signal,
    "allocates": _allocate,
}
