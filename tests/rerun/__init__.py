"""Recorded matches played against players again."""
