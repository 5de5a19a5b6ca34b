"""Get the statements to judge: drafted by node A from what retrieval found, or given by the client."""
