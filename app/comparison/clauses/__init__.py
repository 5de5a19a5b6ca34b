"""Two versions of a text clause by clause: split, pair, and tell word by word what changed. Pure."""
