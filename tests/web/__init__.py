"""Games for spectators."""
