"""Audit pages: analyses, their records and documents."""
