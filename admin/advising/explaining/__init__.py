"""Why a player was ejected, worked out from the log of the game, for the player's author.

sources           where a rule is written
alternatives      the legal answers, and the one closest to what was sent
explanation       all of that as a value, also for programs
explanation_text  for the terminal
"""
