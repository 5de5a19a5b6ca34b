"""Documents of the audit trail: requested, drawn as PDF by a worker, kept sealed."""
