"""Parse the articles of a statute into their paragraphs and letters. Pure."""
