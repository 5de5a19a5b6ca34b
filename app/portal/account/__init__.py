"""Account pages: options, profile, team, closing."""
