"""Check the rule files, for the set-up of an image and for whoever edits them.

python -m app.rules.rulebook
"""

from __future__ import annotations

import sys

from app.rules.rulebook.loader import CHECKED, DATA, read_checked
from app.rules.rulebook.schema import RuleFileError


def main() -> int:
    """Tell how many rules there are, or the first mistake; return the exit code."""
    try:
        rules = read_checked(DATA, CHECKED)
    except RuleFileError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{rules.size} rules without a mistake\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
