"""The games of a tournament, once they are played.

verdict          the outcomes of one player's game
result           one game: its result, its log
result_so_far    ... from the events of its match
program_output   what a program printed, by turn
scoring          the points of a game
store            all games, in one file: written by one run, and read (store_reader)
entries          who has played, with which version, and so which games count
version_history  ... how the versions of each player did
secret_file      the secret of a tournament, in another
series           which games have which secret, and what was revealed
tally, breakdown the counts behind the statistics
summarize        standings, intervals, groups and all other tables
summary          these tables as values
summary_json     ... for JSON
csv_tables       ... for spreadsheets
terminal_tables  ... in a terminal
stored           facts and results of a store, checked
"""
