"""Shared by all pages: blueprints, sessions, language, labels, fields, charts."""
