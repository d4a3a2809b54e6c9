"""A game for eyes, in a file and in a browser."""
