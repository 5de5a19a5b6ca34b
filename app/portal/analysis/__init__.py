"""Analysis pages: send a text, follow its job, read the result."""
