"""Sentences that the service says about citations and coverage, Spanish and English. Pure."""
