"""What pages show: Jinja globals, menu, language, labels, charts and view models that several screens use."""
