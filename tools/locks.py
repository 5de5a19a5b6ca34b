"""The lock files: made from pyproject.toml and package.json, holding versions and hashes and no address.

python -m tools.locks refresh [--upgrade …]    resolve again (further words go to `uv pip compile`)
python -m tools.locks check                    complain about any address in a lock
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The front-end assets; the judges of the tool server, for the tests alone.
NPM_LOCKS = ("package-lock.json", "tests/mcp/judges/package-lock.json")

# Purpose -> words for uv. The dev lock is resolved first; the others are subsets of it, version by version.
PYTHON_LOCKS: dict[str, list[str]] = {
    "requirements-dev.lock": ["--extra", "dev"],
    "requirements-run.lock": ["--extra", "embedded", "--extra", "signing", "-c", "requirements-dev.lock"],
    "requirements.lock": ["--extra", "signing", "-c", "requirements-dev.lock"],
}
UV = ["--python-version", "3.11", "--generate-hashes", "--no-emit-index-url", "--no-header", "--quiet"]

ADDRESS = re.compile(r"https?://|(?m:^\s*--(?:(?:extra-)?index-url|find-links|trusted-host)\b)")


def addresses(text: str) -> list[tuple[int, str]]:
    """The lines of a lock that name a host or an index: ``[(line number, line), …]``."""
    return [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if ADDRESS.search(line)]


def without_addresses(lock: str) -> str:
    """An npm lock without what names a host: sponsors' pages and download addresses."""
    tree = json.loads(lock)
    for package in tree["packages"].values():
        package.pop("funding", None)
        package.pop("resolved", None)
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"


def refresh(words: list[str]) -> int:
    for name, options in PYTHON_LOCKS.items():
        print(f"resolving {name} …", flush=True)
        uv = [sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "-o", name, *options, *UV]
        done = subprocess.run([*uv, *words], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            return done.returncode
    npm = shutil.which("npm")
    if npm is None:
        print("the locks of npm stay as they are: there is no npm on this machine")
        return check()
    for name in NPM_LOCKS:
        print(f"resolving {name} …", flush=True)
        lock = ROOT / name
        done = subprocess.run([npm, "install", "--package-lock-only"], cwd=lock.parent, check=False)
        if done.returncode:
            return done.returncode
        lock.write_text(without_addresses(lock.read_text("utf-8")), "utf-8")
    return check()


def check() -> int:
    found = [
        f"{name}:{number}: {line}"
        for name in [*PYTHON_LOCKS, *NPM_LOCKS]
        for number, line in addresses((ROOT / name).read_text("utf-8"))
    ]
    for line in found:
        print(f"an address in a lock file: {line}")
    return 1 if found else 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["refresh", *words]:
            sys.exit(refresh(words))
        case ["check"]:
            sys.exit(check())
        case _:
            sys.exit(__doc__)
