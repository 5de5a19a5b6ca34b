"""The overview that a member sees first."""
