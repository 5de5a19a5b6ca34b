"""Learn the weights of the clause types from their exemplars, unless they are up to date.

python -m app.rules.clause_types [--force]
"""

from __future__ import annotations

import sys

from app.rules.clause_types.exemplars import is_fresh
from app.rules.clause_types.training import build


def main(arguments: list[str]) -> int:
    """Write the weights; return the exit code."""
    if "--force" in arguments or not is_fresh():
        sys.stdout.write(f"{build()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
