"""The detectors: each reads a view and yields findings. They are pure and independent of one another."""

from app.redaction.detectors.accounts import accounts
from app.redaction.detectors.contact import emails, phones
from app.redaction.detectors.identifiers import announced, unannounced

__all__ = ["accounts", "announced", "emails", "phones", "unannounced"]
