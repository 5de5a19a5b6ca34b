"""Learn the weights of clause types and kinds of document from their exemplars, unless they are up to date.

python -m app.rules.clause_types [--force]
"""

from __future__ import annotations

import sys

from app.rules.weights import build_stale


def main(arguments: list[str]) -> int:
    """Write the weights; return the exit code."""
    for line in build_stale(force="--force" in arguments):
        sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
