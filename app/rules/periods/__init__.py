"""Find the days from which periods run, and compute the periods that a document agrees. Pure."""
