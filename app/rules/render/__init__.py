"""Write statements, summary and notes from facts and findings, in Spanish and English. Pure."""
