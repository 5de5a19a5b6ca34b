"""Shared infrastructure: settings, database, Redis, errors, the HTTP edge, rate limits, clock and logs.

It has no tables and knows no feature. Every package may import its modules directly; none of them imports
another package.
"""
