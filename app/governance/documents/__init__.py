"""Audit documents: requested, rendered as PDF by a worker, stored encrypted."""
