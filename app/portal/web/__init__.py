"""What every page shares: blueprints, sessions, language, labels, fields, charts."""
