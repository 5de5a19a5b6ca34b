"""Pages of API keys, organizations and sub-keys."""
