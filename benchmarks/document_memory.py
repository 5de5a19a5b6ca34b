"""How much memory the isolated process takes to read a document. Runs in that process."""

import json
import resource
from pathlib import Path
from typing import Any

from app.documents.reading import formats


def measured(data: bytes, arguments: dict[str, Any]) -> bytes:
    """Read a file; return the most memory that it took, in MB, as JSON."""
    formats.reading(data)
    status = [line.split() for line in Path("/proc/self/status").read_text("ascii").splitlines()]
    sizes = {words[0]: int(words[1]) // 1024 for words in status if words[0] in ("VmPeak:", "VmHWM:")}
    return json.dumps(
        {
            "resident": sizes["VmHWM:"],
            "program": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
            "address_space": sizes["VmPeak:"],
        }
    ).encode()
