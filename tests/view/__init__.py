"""A match for eyes, in a file and in a browser."""
