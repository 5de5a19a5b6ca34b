"""Which law governs a document, read off its words, and how far it can be assessed. Pure."""
