"""A member's account: options, profile, team, closing."""
