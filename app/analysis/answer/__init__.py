"""Write the report of an analysis and give it under a name. Pure."""
