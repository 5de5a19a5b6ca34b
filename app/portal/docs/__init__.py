"""The guide inside the portal, programs to paste, and the API reference."""
