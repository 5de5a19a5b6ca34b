"""Sign-in, sign-up, and how often a password may be guessed."""
