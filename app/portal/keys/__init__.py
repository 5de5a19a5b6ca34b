"""Pages of API keys, organizations and child keys."""
