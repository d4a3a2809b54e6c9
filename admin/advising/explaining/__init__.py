"""Why a player was ejected, or what its money came to, from the log of the game.

sources           where a rule is written
alternatives      the legal answers, and the one closest to what was sent
explanation       all of that as a value, also for programs
money             net worth turn by turn, swings and missed bonuses of one player
explanation_text  for the terminal
"""
