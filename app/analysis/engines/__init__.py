"""Engines behind the port `app.analysis.statements.Engine`: each drafts an analysis, none assigns a lock."""
