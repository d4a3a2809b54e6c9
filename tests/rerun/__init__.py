"""Recorded games played against players again."""
