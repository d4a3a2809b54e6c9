"""The rules once more, written from the rule texts: what the engine in `game` is compared with."""
