"""Errors that tell the user what is wrong."""


class UserError(Exception):
    """What the user asked for cannot be done; the text says why, and what to do instead.

    A command that nobody else catches it for prints the text, and exits with 2.
    """
