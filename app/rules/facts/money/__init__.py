"""Read amounts of money and their currencies. Pure."""
