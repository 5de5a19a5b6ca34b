"""The report of an analysis and under whose name it is given. Pure."""
