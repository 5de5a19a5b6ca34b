"""Ground floor: settings, database, Redis, errors, the HTTP edge, limits, clock, logs.

No tables, no business words.
Every other package may import these modules directly; none of them imports another package.
"""
