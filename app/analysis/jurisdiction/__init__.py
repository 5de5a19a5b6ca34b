"""Detect which law governs a document, and tell how far it can be assessed. Pure."""
