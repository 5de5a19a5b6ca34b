"""Statements, summary and notes written from facts and findings, Spanish and English. Pure."""
