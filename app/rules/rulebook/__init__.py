"""Apply the rule files to a document: its kind, clauses, risks and defects. Pure."""
