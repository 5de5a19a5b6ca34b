"""Look up citations, norms, articles and judgments in the loaded corpus."""
