"""The event bus: the catalogue of events, the outbox they are written to, and reading them."""
