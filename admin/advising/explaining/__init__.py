"""Why a player was ejected, worked out from the log of the game, for the player's author.

sources           where a rule is written
alternatives      the legal answers
suggestion        one correct answer, close to the one given
explanation       all of that as a value
explanation_text  for the terminal
explanation_json  for programs
"""
