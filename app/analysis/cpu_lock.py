"""Let one thread of this process compute at a time; none holds the lock while it waits for I/O.

Analysing is computing that cannot run in parallel under one interpreter anyway, yet every match of a regular
expression gives the interpreter's lock away, and dozens of threads then fight for it (measured with 32
callers: a third of the rate).
"""

from __future__ import annotations

import threading

# Held while a step computes, never while a model or the database is waited for; not re-entrant.
CPU_LOCK = threading.Lock()
