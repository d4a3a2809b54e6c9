"""Text for people: names that cannot steer a terminal, and plurals."""


def printable(name: str) -> str:
    """Return a name as it can be shown: what would steer the terminal is replaced."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in name)


def plural(count: int, noun: str) -> str:
    """Write a number of things."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
