"""Usage pages: the report, the credits and the burn rate."""
