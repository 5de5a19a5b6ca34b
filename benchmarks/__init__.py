"""Benchmarks: `python -m benchmarks.NAME --data FILE` prints a table and, last, one JSON object."""
