"""Facts of a document, read without judging them: parties, dates, amounts, periods, sections. Pure."""
