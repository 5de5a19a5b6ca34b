"""Branding pages: the form of a key's branding, and its preview."""
