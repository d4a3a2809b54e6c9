"""The tables of a tournament, from its games.

summarize         standings, intervals, groups and all other tables; the versions of players
summary           these tables as values, also as JSON and CSV
terminal_tables   ... in a terminal
"""
