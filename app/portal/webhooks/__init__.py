"""Webhook pages: endpoints, and the check of a signature."""
