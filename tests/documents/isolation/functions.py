"""Functions that misbehave in the isolated process."""

from __future__ import annotations

import ctypes
import os
import select
import subprocess
import time
from typing import Any

from app.documents.errors import ENCRYPTED, DocumentUnreadable


def quotes_the_document(data: bytes, arguments: dict[str, Any]) -> bytes:
    print(data.decode())
    raise ValueError(f"cannot read {data!r}")


def refuses(data: bytes, arguments: dict[str, Any]) -> bytes:
    raise DocumentUnreadable(ENCRYPTED)


def invents_a_code(data: bytes, arguments: dict[str, Any]) -> bytes:
    error = DocumentUnreadable()
    error.code = data.decode()
    raise error


def runs_out_of_memory(data: bytes, arguments: dict[str, Any]) -> bytes:
    held = []
    while True:
        held.append(bytearray(50_000_000))


def crashes(data: bytes, arguments: dict[str, Any]) -> bytes:
    ctypes.string_at(0)
    return b""


def exits(data: bytes, arguments: dict[str, Any]) -> bytes:
    os._exit(3)


def floods(data: bytes, arguments: dict[str, Any]) -> bytes:
    return bytes(4 * 2**20)


def recurses(data: bytes, arguments: dict[str, Any]) -> bytes:
    return recurses(data, arguments)


def sleeps(data: bytes, arguments: dict[str, Any]) -> bytes:
    time.sleep(98765)
    return b""


def spins(data: bytes, arguments: dict[str, Any]) -> bytes:
    while True:
        pass


def sleeps_in_a_program(data: bytes, arguments: dict[str, Any]) -> bytes:
    subprocess.run(["/usr/bin/sleep", "98765"], check=False)
    return b""


def unconfined(data: bytes, arguments: dict[str, Any]) -> bytes:
    from app.documents.isolation import confinement

    confinement.confined.clear()
    # This process has the filter already, in which neither is allowed; a machine of no known kind has none.
    confinement._MACHINES.clear()
    try:
        confinement.confine(["/nowhere"], programs=False)
    except confinement.NotConfined:
        return b"refused"
    return b"went on"


def echoes(data: bytes, arguments: dict[str, Any]) -> bytes:
    assert arguments == {"x": ["á"]}
    return data


def abandons(data: bytes, arguments: dict[str, Any]) -> bytes:
    """Start a process that starts a program and ends at once; tell whether the program has ended, too."""
    from app.documents.isolation.confinement import die_with_parent

    held, holds = os.pipe()
    if os.fork() == 0:
        subprocess.Popen(["/usr/bin/sleep", "4321"], preexec_fn=die_with_parent, pass_fds=[holds])
        os._exit(0)
    os.close(holds)
    os.wait()
    # The other end is closed when the program that holds it has ended.
    ended, _, _ = select.select([held], [], [], 3)
    return b"gone" if ended else b"alive"
