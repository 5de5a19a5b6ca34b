"""Grammars of citations, one module for each country or kind of form. Pure."""
