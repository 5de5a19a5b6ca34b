"""Event bus: catalogue, publishing, reading."""
