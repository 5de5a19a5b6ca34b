"""Webhooks and the check of a signature."""
