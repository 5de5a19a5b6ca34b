"""The overview, a member's first page."""
