"""Readers of published formats: each turns one file into records, as a stream."""
