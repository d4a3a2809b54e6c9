"""Counts for other engines.

perft    how many ways there are to play on from a position, and positions as files
"""
