"""Documentation pages: the guide in the portal, sample programs, and the API reference."""
