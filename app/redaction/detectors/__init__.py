"""Detect personal data: each detector reads a view and yields findings. Pure."""

from app.redaction.detectors.accounts import accounts
from app.redaction.detectors.contact import emails, ip_addresses, loose_phones, phones
from app.redaction.detectors.identifiers import announced, unannounced
from app.redaction.detectors.personal import birth_dates, postcodes
from app.redaction.detectors.persons import forms

__all__ = [
    "accounts",
    "announced",
    "birth_dates",
    "emails",
    "forms",
    "ip_addresses",
    "loose_phones",
    "phones",
    "postcodes",
    "unannounced",
]
