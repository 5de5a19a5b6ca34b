"""Law pages: search, citation check, citator, and coverage of the corpus."""
