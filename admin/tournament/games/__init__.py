"""One game of a tournament, once it is played.

verdict         the outcomes of one player's game
result          one game: its result, its log
result_so_far   ... from its events
program_output  what a program printed, by turn
scoring         the points of a game
entries         who has played, with which version, and so which games count
given_up        which games are given up: they were void too often
checked_json    typed values from JSON that anybody may have written
"""
