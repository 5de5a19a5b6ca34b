"""Check the rule files, for the set-up of an image and for whoever edits them.

python -m app.rules.rulebook            every country
python -m app.rules.rulebook MX CO      some countries
"""

from __future__ import annotations

import sys

from app.rules.rulebook.loader import CHECKED, DATA, codes, digest, keep, read, read_shared
from app.rules.rulebook.schema import RuleFileError


def main() -> int:
    """Tell how many rules there are of each country, or the first mistake; return the exit code."""
    asked = [code.upper() for code in sys.argv[1:]] or list(codes())
    known = set(CHECKED.read_text("ascii").split()) if CHECKED.is_file() else set()
    digests = [digest(DATA)]
    try:
        shared = read_shared(DATA, compiled=digests[0] not in known)
        for code in asked:
            digests.append(digest(DATA, code))
            rules = read(DATA, code, compiled=digests[-1] not in known, shared=shared)
            law = len(rules.risks) + len(rules.checklist)
            sys.stdout.write(f"{code}: {rules.size} rules without a mistake, {law} of law\n")
    except RuleFileError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    keep(CHECKED, digests if not sys.argv[1:] else sorted(known.union(digests)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
