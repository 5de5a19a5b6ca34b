"""The rule files and what they find in a document: its kind, clauses, risks, defects. Pure."""
