"""Install what has to come from Debian: layout and typefaces of PDFs, OCR; for tests, Chromium and PHP."""

from __future__ import annotations

import ctypes
import os
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from app.dev.console import say
from app.dev.process import SetupCommands

RETRY_AFTER_S = 24 * 3600
"""A failed installation is tried again only after this time: a warm start must not wait for a dead mirror."""
FONTS = Path("/usr/share/fonts")


class SystemNeed(NamedTuple):
    """Something that apt provides, who misses it, and how to see whether it is there."""

    packages: tuple[str, ...]
    missed_by: str
    shared_objects: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    fonts: tuple[str, ...] = ()

    def is_met(self) -> bool:
        """Return True when every shared object and font is there, and one of the programs."""
        return (
            all(_loads(name) for name in self.shared_objects)
            and (not self.programs or any(shutil.which(name) for name in self.programs))
            and all(next(FONTS.rglob(name), None) for name in self.fonts)
        )


# The names that WeasyPrint 70 opens (weasyprint/text/ffi.py): it warns without harfbuzz-subset and fails
# without the rest.
PDF = SystemNeed(
    ("libpango-1.0-0", "libpangoft2-1.0-0", "libharfbuzz-subset0"),
    "PDF documents",
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
    ("fonts-liberation", "fonts-dejavu-core"),
    "the typefaces of PDF documents",
    fonts=("LiberationSans-Regular.ttf", "LiberationSerif-Regular.ttf", "DejaVuSans.ttf"),
)
BROWSER = SystemNeed(("chromium",), "the browser tests", programs=("chromium", "chromium-browser"))
# The languages in which scans are read; where the program is missing, scanned pages are said to be unread.
OCR = SystemNeed(
    (
        "tesseract-ocr",
        "tesseract-ocr-spa",
        "tesseract-ocr-eng",
        "tesseract-ocr-por",
        "tesseract-ocr-fra",
        "tesseract-ocr-ita",
        "tesseract-ocr-deu",
    ),
    "the text of scanned documents",
    programs=("tesseract",),
)
# The recipes of docs/webhooks.md are run, in every language they are written in.
PHP = SystemNeed(("php-cli",), "the tests of a recipe in PHP", programs=("php",))
OPENSSL = SystemNeed(("openssl",), "the tests of a recipe for a shell", programs=("openssl",))
NEEDS = {"run": [PDF, TYPEFACES, OCR], "dev": [PDF, TYPEFACES, OCR, BROWSER, PHP, OPENSSL], "assets": []}
"""What each purpose of the setup needs."""


def provide(needs: Iterable[SystemNeed], commands: SetupCommands) -> None:
    """Install what is missing when we are root; otherwise name it in one line. Never stop the setup."""
    missing = [need for need in needs if not need.is_met()]
    if not missing:
        return
    packages = sorted({name for need in missing for name in need.packages})
    failed = commands.log.parent / ("apt-" + "-".join(packages)[:100])
    recently = failed.exists() and time.time() - failed.stat().st_mtime < RETRY_AFTER_S
    if not recently and install(packages, commands) and all(need.is_met() for need in missing):
        return
    if not recently and failed.parent.is_dir():
        failed.touch()
    wanted_by = " and ".join(need.missed_by for need in missing)
    say("setup", f"Not installed, needed only for {wanted_by}: apt-get install {' '.join(packages)}")


def install(packages: list[str], commands: SetupCommands) -> bool:
    """Install Debian packages with apt-get; return False where that failed or we are not root."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    say("setup", f"Installing {', '.join(packages)} with apt-get …")
    apt = ["apt-get", "-oDPkg::Lock::Timeout=120", "-oAcquire::Retries=2", "-oAcquire::http::Timeout=30"]
    words = [*apt, "install", "-y", "--no-install-recommends", *packages]
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    # The lists that are there may do; only when they do not is the slow update worth it.
    return commands.succeeds(words, env=quiet) or (
        commands.succeeds([*apt, "update"], env=quiet) and commands.succeeds(words, env=quiet)
    )


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
