"""Find citations by grammars, one module for each country or kind of form. Pure."""
