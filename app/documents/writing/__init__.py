"""Write files of offices, in a process of their own."""
