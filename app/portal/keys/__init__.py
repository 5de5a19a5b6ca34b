"""API keys, organizations and their sub-keys."""
