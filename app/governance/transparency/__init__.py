"""Transparency log over the audit records of all accounts (decision 056)."""
