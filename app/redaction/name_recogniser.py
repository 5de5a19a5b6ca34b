"""Choose the recogniser of names: the embedded one, or a library that the operator installed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any, cast

from app.platform.settings import SettingsError
from app.redaction.detectors.names import NameRecogniser, StructuralNames


@cache
def recogniser(path: str) -> NameRecogniser:
    """Return the recogniser that `NAME_RECOGNISER` names, made once; the embedded one for an empty path.

    `path` is `package.module:name`, where `name` makes a recogniser when called without arguments. It runs in
    this process: what it sees leaves it only if it sends it. Raises `SettingsError` where it cannot be had.
    """
    if not path:
        return StructuralNames()
    module, _, name = path.partition(":")
    try:
        make = cast(Callable[[], Any], getattr(importlib.import_module(module), name))
        found = make()
    except Exception as error:  # noqa: BLE001 (whatever a stranger's module does when it is imported)
        raise SettingsError(
            f"NAME_RECOGNISER: {path} cannot be used ({type(error).__name__}: {error}); "
            "it must be package.module:name, and name() a recogniser."
        ) from None
    if not callable(getattr(found, "spans", None)):
        raise SettingsError(f"NAME_RECOGNISER: what {path} makes has no method spans(text).")
    return cast(NameRecogniser, found)
