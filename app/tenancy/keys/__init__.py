"""API keys: their life, their queries, organizations with a master key and its child keys (decision 008)."""
