"""Judge citations: that norm and article exist, that the words are those claimed (decision 015)."""
