"""Read the facts of a document without judging them: parties, dates, amounts, periods, sections. Pure."""
