"""Compliance pages beside the audit trail: enforcement policies."""
