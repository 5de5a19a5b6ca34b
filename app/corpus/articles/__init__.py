"""Articles of a statute: their paragraphs and letters, read off the text. Pure."""
