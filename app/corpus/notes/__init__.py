"""Write the sentences about citations and coverage, in Spanish and English. Pure."""
