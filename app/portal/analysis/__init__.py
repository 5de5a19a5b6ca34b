"""Analyse a text, follow its job, read its result."""
