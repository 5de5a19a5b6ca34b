"""Read dates, periods and deadlines. Pure."""
