"""Matches for spectators."""
