"""Tournaments between programs: one file in, results that nobody can dispute out."""
