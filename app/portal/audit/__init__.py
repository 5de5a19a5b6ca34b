"""The audit trail: analyses, their records and documents."""
