"""Assistants: how to set each one up, which are connected, and a test of the connection."""
