"""The tables of a tournament, from its games.

summarize         standings, intervals, groups and all other tables; the versions of players
summary           these tables as values, also for JSON
csv_tables        ... for spreadsheets
terminal_tables   ... in a terminal
"""
