"""Usage, credits and how fast they are spent."""
