"""Branding of a key, and a preview of it."""
