"""Read the parties of a document: names, capacities, roles. Pure."""
