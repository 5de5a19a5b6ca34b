"""Processes and threads: prefork pool, recurring tasks, thread pool that keeps the context."""
