"""Connections, transactions and row-level security of PostgreSQL."""
