"""Check what a draft says: its citations by registry and corpus, then the lock that each statement earns."""
