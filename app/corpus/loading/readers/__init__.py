"""Read published formats: each module turns one file into a stream of records."""
