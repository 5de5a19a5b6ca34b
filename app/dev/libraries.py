"""What has to come from Debian: text layout and typefaces for PDFs; for tests, Chromium and PHP."""

from __future__ import annotations

import ctypes
import os
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from app.dev.console import say
from app.dev.errand import Errands

RETRY_AFTER_S = 24 * 3600
"""A failed installation is tried again only after this time: a warm start must not wait for a dead mirror."""


_FONTS = Path("/usr/share/fonts")


class SystemNeed(NamedTuple):
    """Something that apt provides, who misses it, and how to see whether it is there."""

    packages: tuple[str, ...]
    missed_by: str
    shared_objects: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    fonts: tuple[str, ...] = ()

    def is_met(self) -> bool:
        return (
            all(_loads(name) for name in self.shared_objects)
            and (not self.programs or any(shutil.which(name) for name in self.programs))
            and all(next(_FONTS.rglob(name), None) for name in self.fonts)
        )


# The names that WeasyPrint 70 opens (weasyprint/text/ffi.py): it warns without harfbuzz-subset and fails
# without the rest.
PDF = SystemNeed(
    packages=("libpango-1.0-0", "libpangoft2-1.0-0", "libharfbuzz-subset0"),
    missed_by="PDF documents",
    shared_objects=(
        "libgobject-2.0.so.0",
        "libpango-1.0.so.0",
        "libharfbuzz.so.0",
        "libharfbuzz-subset.so.0",
        "libfontconfig.so.1",
        "libpangoft2-1.0.so.0",
    ),
)
TYPEFACES = SystemNeed(
    packages=("fonts-liberation", "fonts-dejavu-core"),
    missed_by="the typefaces of PDF documents",
    fonts=("LiberationSans-Regular.ttf", "LiberationSerif-Regular.ttf", "DejaVuSans.ttf"),
)
BROWSER = SystemNeed(
    packages=("chromium",), missed_by="the browser tests", programs=("chromium", "chromium-browser")
)
# The recipes of docs/webhooks.md are run, in every language they are written in.
RECIPES = (
    SystemNeed(packages=("php-cli",), missed_by="the tests of a recipe in PHP", programs=("php",)),
    SystemNeed(packages=("openssl",), missed_by="the tests of a recipe for a shell", programs=("openssl",)),
)


def provide(needs: Iterable[SystemNeed], errands: Errands) -> None:
    """Install what is missing when we are root; otherwise name it in one line. Never stops the setup."""
    missing = [need for need in needs if not need.is_met()]
    if not missing:
        return
    packages = sorted({name for need in missing for name in need.packages})
    attempt = errands.log.parent / ("apt-" + "-".join(packages)[:100])
    may_try = os.geteuid() == 0 and shutil.which("apt-get") and not _is_recent(attempt)
    if may_try:
        say("setup", f"Installing {', '.join(packages)} with apt-get …")
        if _apt_install(packages, errands) and all(need.is_met() for need in missing):
            attempt.unlink(missing_ok=True)
            return
        attempt.touch()
    wanted_by = " and ".join(need.missed_by for need in missing)
    reason = f" (apt-get failed, see {errands.log})" if may_try else ""
    say("setup", f"Not installed, needed only for {wanted_by}: apt-get install {' '.join(packages)}{reason}")


def _apt_install(packages: list[str], errands: Errands) -> bool:
    patience = ["-oDPkg::Lock::Timeout=120", "-oAcquire::Retries=2", "-oAcquire::http::Timeout=30"]
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", *patience, "install", "-y", "--no-install-recommends", *packages]
    # The lists that are there may do; only when they do not is the slow update worth it.
    return errands.succeeds(install, env=quiet) or (
        errands.succeeds(["apt-get", *patience, "update"], env=quiet) and errands.succeeds(install, env=quiet)
    )


def _is_recent(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime < RETRY_AFTER_S
    except OSError:
        return False


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
