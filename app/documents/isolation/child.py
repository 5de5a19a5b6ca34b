"""The isolated process: set limits, give up rights, run one function, hand its result back.

Run as a script by `app.documents.isolation.run`, never imported. Input: four bytes of length, a header in
JSON, then the data. Output: `+` and the result, or `-` and a code in JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import types


def main() -> int:
    """Run the function that the header names; return the exit code."""
    output = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    # What libraries print is not read by anybody.
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
    with os.fdopen(0, "rb", closefd=False) as source:
        header = json.loads(source.read(int.from_bytes(source.read(4), "big")))
        data = source.read()
    sys.path[:] = header["paths"]
    # Doors serve the parent, and load logs and a database that take longer than a document; here only
    # modules behind them are entered.
    for package in (
        "app.documents",
        "app.documents.isolation",
        "app.documents.reading",
        "app.documents.writing",
    ):
        door = types.ModuleType(package)
        door.__path__ = [os.path.join(header["paths"][0], *package.split("."))]  # noqa: PTH118
        sys.modules[package] = door

    from app.documents import errors
    from app.documents.isolation import confinement

    try:
        confinement.limit(memory=header["memory"], seconds=header["seconds"])
        module, _, name = header["target"].partition(":")
        function = getattr(importlib.import_module(module), name)
        confinement.confine(header["paths"], programs=header["programs"])
        answer = b"+" + function(data, header["arguments"])
    except errors.DocumentUnreadable as error:
        answer = _failure(error.code, error.figures)
    except (MemoryError, RecursionError):
        answer = _failure(errors.TOO_COMPLEX, {})
    except Exception:  # noqa: BLE001 (what a library raises may quote the document)
        answer = _failure(errors.BROKEN, {})
    view = memoryview(answer)
    while view:
        view = view[os.write(output, view) :]
    # Without the clean-up of the interpreter, in which libraries sometimes crash.
    os._exit(0)


def _failure(code: str, figures: dict[str, int]) -> bytes:
    return b"-" + json.dumps({"code": code, "figures": figures}).encode()


if __name__ == "__main__":
    sys.exit(main())
